#include "server/net/log.h"

#include <google/protobuf/stubs/logging.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <ctime>
#include <memory>
#include <mutex>
#include <utility>

#include "server/json_text.h"

namespace landsraad::net {

namespace {

spdlog::level::level_enum level_of(room::Note::Level level) {
  using Level = room::Note::Level;
  return level == Level::error     ? spdlog::level::err
         : level == Level::warning ? spdlog::level::warn
         : level == Level::info    ? spdlog::level::info
                                   : spdlog::level::debug;
}

std::string_view view(spdlog::string_view_t text) { return {text.data(), text.size()}; }

// UTC with milliseconds, as in 2026-11-29T20:15:30.123Z.
std::string time_of(const spdlog::details::log_msg& line) {
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(line.time.time_since_epoch());
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(ms).count();
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> date{};
  const std::size_t size = std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  const std::string thousandths = std::to_string(1000 + ms.count() % 1000);
  return std::string(date.data(), size) + "." + thousandths.substr(1) + "Z";
}

// Lines about a room carry its id as their logger's name; others have none.
class LineFormatter final : public spdlog::formatter {
 public:
  explicit LineFormatter(bool json) : json_(json) {}

  void format(const spdlog::details::log_msg& line, spdlog::memory_buf_t& out) override {
    const std::string text = json_ ? as_json(line) : as_text(line);
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<LineFormatter>(json_); }

 private:
  static std::string as_text(const spdlog::details::log_msg& line) {
    std::string text = time_of(line) + " ";
    line.color_range_start = text.size();
    text += view(spdlog::level::to_string_view(line.level));
    line.color_range_end = text.size();
    if (line.logger_name.size() != 0) text += " room " + std::string(view(line.logger_name)) + ":";
    return text + " " + std::string(view(line.payload)) + "\n";
  }

  static std::string as_json(const spdlog::details::log_msg& line) {
    std::string text = R"({"time":")" + time_of(line) + R"(","level":")" +
                       std::string(view(spdlog::level::to_string_view(line.level))) + '"';
    if (line.logger_name.size() != 0) text += R"(,"room":")" + json_escaped(view(line.logger_name)) + '"';
    return text + R"(,"text":")" + json_escaped(view(line.payload)) + "\"}\n";
  }

  bool json_;
};

// A file that is rotated by size, and opened anew when it is told to.
class LogFile final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit LogFile(const LogSettings& settings) : settings_(settings), file_(open()) {}

  void reopen() {
    const std::scoped_lock lock(mutex_);
    file_ = open();
  }

 private:
  using Rotating = spdlog::sinks::rotating_file_sink_st;

  std::unique_ptr<Rotating> open() const {
    auto file = std::make_unique<Rotating>(settings_.file, settings_.max_bytes, settings_.files);
    file->set_formatter(std::make_unique<LineFormatter>(settings_.json));
    return file;
  }
  void sink_it_(const spdlog::details::log_msg& line) override { file_->log(line); }
  void flush_() override { file_->flush(); }

  const LogSettings settings_;
  std::unique_ptr<Rotating> file_;
};

std::shared_ptr<LogFile>& log_file() {
  static std::shared_ptr<LogFile> file;
  return file;
}

}  // namespace

std::string set_up_log(const LogSettings& settings) {
  log_file().reset();
  std::shared_ptr<spdlog::logger> logger;
  if (settings.file.empty()) {
    // stdout is for the one line that scripts wait for.
    logger = std::make_shared<spdlog::logger>("", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger->set_formatter(std::make_unique<LineFormatter>(settings.json));
  } else {
    try {
      log_file() = std::make_shared<LogFile>(settings);
    } catch (const spdlog::spdlog_ex& fault) {
      return std::string("cannot write the log: ") + fault.what();
    }
    logger = std::make_shared<spdlog::logger>("", log_file());
  }
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
  spdlog::set_level(spdlog::level::from_str(settings.level));
  // What clients send is their affair: it must not fill the log.
  google::protobuf::SetLogHandler([](google::protobuf::LogLevel, const char*, int, const std::string& text) {
    spdlog::debug("protobuf: {}", text);
  });
  return {};
}

std::string reopen_log() {
  if (!log_file()) return {};
  try {
    log_file()->reopen();
  } catch (const spdlog::spdlog_ex& fault) {
    return std::string("cannot open the log anew: ") + fault.what();
  }
  return {};
}

void log_note(const room::Note& note) {
  spdlog::logger& logger = *spdlog::default_logger_raw();
  const spdlog::level::level_enum level = level_of(note.level);
  if (!logger.should_log(level)) return;
  const spdlog::details::log_msg line(spdlog::source_loc{}, note.room, level, note.text);
  for (const spdlog::sink_ptr& sink : logger.sinks()) {
    sink->log(line);
    if (level >= logger.flush_level()) sink->flush();
  }
}

}  // namespace landsraad::net
