#include "persistence/sqlite/log_check.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <string_view>

namespace landsraad::persistence {

namespace {

// The format: https://www.sqlite.org/fileformat2.html#walformat
constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr std::uint32_t kMagic = 0x377f0682;  // + 1 if checksums are of big-endian words
constexpr std::uint32_t kSmallestPage = 512, kLargestPage = 65536, kUsualPage = 4096;

std::uint32_t word(std::string_view bytes, std::size_t at, bool big_endian = true) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<std::uint8_t>(bytes[at + (big_endian ? i : 3 - i)]);
  return value;
}

struct Checksum {
  std::uint32_t first = 0, second = 0;
  bool operator==(const Checksum&) const = default;

  void add(std::string_view bytes, bool big_endian) {
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
      first += word(bytes, at, big_endian) + second;
      second += word(bytes, at + 4, big_endian) + first;
    }
  }
};

struct Header {
  bool big_endian = false;
  std::uint32_t page = 0;  // bytes
  std::string salt{};
  Checksum checksum{};
  bool sound = false;
};

Header read_header(std::string_view bytes) {
  Header header;
  const std::uint32_t magic = word(bytes, 0);
  header.big_endian = (magic & 1) != 0;
  header.page = word(bytes, 8);
  header.salt = bytes.substr(16, 8);
  header.checksum.add(bytes.substr(0, 24), header.big_endian);
  header.sound = (magic & ~1U) == kMagic && header.page >= kSmallestPage && header.page <= kLargestPage &&
                 header.checksum == Checksum{word(bytes, 24), word(bytes, 28)};
  if (header.sound) return header;
  // SQLite takes such a log for an empty one. Its frames may tell otherwise.
  header.big_endian = std::endian::native == std::endian::big;
  header.page = kUsualPage;
  header.salt.clear();
  return header;
}

struct Frame {
  bool ours = false;     // its salt is the header's: it is not from before the log began afresh
  bool commits = false;  // the last of its transaction
  Checksum checksum{};   // as it is stored
  bool follows = false;  // what is stored is right, if the frame before it is
};

class Log {
 public:
  explicit Log(const std::string& path) : file_(path, std::ios::binary) {
    std::string bytes(kHeaderBytes, '\0');
    if (!read(bytes)) return;
    there_ = true;
    header_ = read_header(bytes);
    before_ = header_.checksum;
    frame_.resize(kFrameHeaderBytes + header_.page);
  }

  bool there() const { return there_; }
  const Header& header() const { return header_; }
  std::size_t frame_bytes() const { return frame_.size(); }

  std::optional<Frame> next() {
    if (!read(frame_)) return std::nullopt;
    const std::string_view bytes = frame_;
    if (header_.salt.empty()) header_.salt = bytes.substr(8, 8);
    Frame frame{.ours = bytes.substr(8, 8) == header_.salt,
                .commits = word(bytes, 4) != 0,
                .checksum = {word(bytes, 16), word(bytes, 20)}};
    before_.add(bytes.substr(0, 8), header_.big_endian);
    before_.add(bytes.substr(kFrameHeaderBytes), header_.big_endian);
    frame.follows = frame.ours && before_ == frame.checksum;
    before_ = frame.checksum;
    return frame;
  }

 private:
  bool read(std::string& into) {
    return file_ && file_.read(into.data(), static_cast<std::streamsize>(into.size()));
  }

  std::ifstream file_;
  bool there_ = false;
  Header header_;
  Checksum before_;  // that the frame before has
  std::string frame_;
};

}  // namespace

std::optional<LogDamage> find_log_damage(const std::string& path) {
  Log log(path);
  if (!log.there()) return std::nullopt;
  bool broken = !log.header().sound;
  LogDamage damage{.at = broken ? 0 : kHeaderBytes};
  std::uint64_t row = 0;  // commits in a row of frames that follow each other, behind the break
  while (const std::optional<Frame> frame = log.next()) {
    broken = broken || !frame->follows;
    if (!broken) {
      damage.at += log.frame_bytes();
      continue;
    }
    if (!frame->follows) row = 0;
    if (frame->ours && frame->commits) ++row;
    damage.commits = std::max(damage.commits, row);
  }
  return damage.commits >= 2 ? std::optional(damage) : std::nullopt;
}

}  // namespace landsraad::persistence
