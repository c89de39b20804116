// Runs a fuzz target without a fuzzing engine: every given seed file, and those of the given folders, and
// some random mutations of each, the same on every machine. A crash or a sanitizer report is the failure.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

// Fewer for long seeds, so that each takes about as long.
constexpr std::size_t kMutatedBytesPerSeed = 200'000;
constexpr std::size_t kFewestMutations = 20;
constexpr std::size_t kMostMutations = 2000;
constexpr std::size_t kMostEditsPerMutation = 8;

void run_one(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> read_seeds(int argc, char** argv) {
  std::vector<std::string> seeds{""};
  for (int i = 1; i < argc; ++i) {
    if (std::filesystem::is_regular_file(argv[i])) seeds.push_back(read_file(argv[i]));
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i], error)) {
      if (entry.is_regular_file()) seeds.push_back(read_file(entry.path()));
    }
  }
  return seeds;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  std::string mutate(std::string input) {
    const std::size_t edits = 1 + below(kMostEditsPerMutation);
    for (std::size_t i = 0; i < edits; ++i) edit(input);
    return input;
  }

 private:
  std::size_t below(std::size_t bound) { return chance_() % bound; }

  void edit(std::string& input) {
    const std::size_t at = below(input.size() + 1);
    switch (below(5)) {
      case 0:
        input.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(below(256));
        break;
      case 2:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 3:
        input.erase(at, 1 + below(16));
        break;
      default: {
        const std::string& other = seeds_[below(seeds_.size())];
        const std::size_t from = below(other.size() + 1);
        input.insert(at, other, from, below(64));
        break;
      }
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 chance_{20251129};  // any fixed number
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> seeds = read_seeds(argc, argv);
  Mutator mutator(seeds);
  std::size_t inputs = 0;
  for (const std::string& seed : seeds) {
    run_one(seed);
    const std::size_t mutations =
        std::clamp(kMutatedBytesPerSeed / (seed.size() + 1), kFewestMutations, kMostMutations);
    for (std::size_t i = 0; i < mutations; ++i) run_one(mutator.mutate(seed));
    inputs += 1 + mutations;
  }
  std::printf("%zu seeds, %zu inputs\n", seeds.size(), inputs);
  return 0;
}
