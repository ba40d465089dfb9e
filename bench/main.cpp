// One run: every case and every peer on one data set.
//   enablement_bench [--short] [--only PART] [--in FOLDER] [--results FOLDER]
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include <enablement/bench/cases.h>
#include <enablement/bench/machine.h>
#include <enablement/bench/must.h>
#include <enablement/bench/temp_folder.h>

namespace enablement::bench {
namespace {

struct Options {
  bool isShort = false;
  std::string only = {};  // empty: all parts
  std::filesystem::path in = std::filesystem::temp_directory_path();
  std::filesystem::path results = {};  // empty: nothing is written
};

Options parse(const std::vector<std::string_view>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--short") {
      options.isShort = true;
      continue;
    }
    must(i + 1 < words.size(),
         "usage: enablement_bench [--short] [--only PART] [--in FOLDER] "
         "[--results FOLDER]");
    const std::string_view value = words[++i];
    if (words[i - 1] == "--only")
      options.only = value;
    else if (words[i - 1] == "--in")
      options.in = value;
    else if (words[i - 1] == "--results")
      options.results = value;
    else
      must(false, "unknown: " + std::string(words[i - 1]));
  }
  return options;
}

void describe(Report& report, const Options& options) {
  const char* counter = "steady clock";
#if defined(__x86_64__)
  counter = "time stamp counter";
#endif
  report.circumstances = {
      {"processor", processorName()},
      {"cores", std::to_string(std::thread::hardware_concurrency())},
      {"kernel", kernelName()},
      {"file system", fileSystemOf(options.in)},
      {"clock", std::string(counter) + ", its own cost of " +
                    std::to_string(static_cast<int>(static_cast<double>(clockwork().ownCost) *
                                                    clockwork().nanosecondsPerTick)) +
                    " ns taken off"},
      {"run", options.isShort ? "short" : "full"}};
}

void run(Report& report, const Settings& settings, std::string_view only) {
  const auto wanted = [only](std::string_view part) {
    if (!only.empty() && only != part) return false;
    std::cerr << part << std::flush << '\n';
    return true;
  };
  for (const Size& size : {sizeA, sizeB})
    if (wanted("lookup")) lookUpCases(report, settings, DataSet(size));
  for (const Size& size : {sizeA, sizeB})
    // In a short run what is slow to set up is left out.
    if ((!settings.isShort || size.name == sizeA.name) && wanted("readers"))
      concurrentCases(report, settings, DataSet(size));
  if (wanted("gate")) gateCases(report, settings);
  if (wanted("write")) writeCases(report, settings);
  if (wanted("start")) startCases(report, settings);
#if defined(ENABLEMENT_ENABLECTL)
  if (wanted("tool")) toolCases(report, settings);
#endif
}

int runAll(const std::vector<std::string_view>& words) {
  const Options options = parse(words);
  const TempFolder folder(options.in);
  Report report;
  describe(report, options);
  run(report, {.isShort = options.isShort, .folder = folder.path()}, options.only);

  std::cout << report.markdown();
  if (options.isShort && report.allocates()) {
    std::cerr << "a look-up allocates\n";
    return 1;
  }
  if (options.results.empty()) return 0;
  std::ofstream(options.results / "RESULTS.md") << report.markdown();
  std::ofstream(options.results / "results.json") << report.json().dump(1) << '\n';
  return 0;
}

}  // namespace
}  // namespace enablement::bench

int main(int argc, char** argv) {
  try {
    return enablement::bench::runAll({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
