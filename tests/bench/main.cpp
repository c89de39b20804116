// The one main of all benchmarks. After Google Benchmark's own table it prints one line per figure,
//
//   bench: NAME VALUE UNIT
//
// which a script can compare. A benchmark gives its time per iteration in microseconds under its own name
// (of the processor, so that a busy machine matters little; of the clock if it asks for UseRealTime),
// and each of its user counters under the counter's name; a counter named `value` stands for the benchmark
// itself and takes the benchmark's label as its unit.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

class FigureReporter : public benchmark::ConsoleReporter {
 public:
  FigureReporter() : ConsoleReporter(OO_None) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.error_occurred || run.run_type != Run::RT_Iteration) continue;
      add_figures(run);
    }
  }

  void Finalize() override {
    ConsoleReporter::Finalize();
    for (const std::string& line : lines_) std::printf("%s\n", line.c_str());
  }

 private:
  void add_figures(const Run& run) {
    const std::string name = run.run_name.function_name;
    bool has_value = false;
    for (const auto& [counter, figure] : run.counters) {
      if (counter == "value") {
        has_value = true;
        add(name, figure.value, run.report_label);
      } else {
        add(counter, figure.value, figure.flags == benchmark::Counter::kIsRate ? "1/s" : "count");
      }
    }
    const bool by_clock = !run.run_name.time_type.empty();
    const double time = by_clock ? run.real_accumulated_time : run.cpu_accumulated_time;
    const double seconds = time / static_cast<double>(run.iterations);
    if (!has_value) add(name, seconds * 1e6, "us");
  }

  void add(const std::string& name, double value, const std::string& unit) {
    char line[200];
    std::snprintf(line, sizeof(line), "bench: %s %.6g %s", name.c_str(), value, unit.c_str());
    lines_.emplace_back(line);
  }

  std::vector<std::string> lines_;
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  FigureReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return 0;
}
