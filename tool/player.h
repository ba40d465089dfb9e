// Plays scenario files (contract, section 9): a bug report becomes a test.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <enablement/schema/error.h>
#include <enablement/tool/json_input.h>

namespace enablement::tool {

struct ScenarioFile {
  std::string name;  // what a person calls it
  Json scenarios;
};

// A step that did not do what its `expect` says.
struct Mismatch {
  std::string file;
  std::string scenario;
  std::size_t step;  // the first one is 1
  std::string what;  // "result", "error", "events" or "stored"
  Json expected;     // null: nothing of the kind
  Json actual;
};

struct Report {
  std::size_t scenarios = 0;
  std::vector<Mismatch> mismatches;
  std::vector<std::string> warnings;  // expectations that were not understood, and not compared
};

// Called between scenarios; false ends the play.
using Progress = std::function<bool(std::size_t played, std::size_t all)>;

// Plays every scenario on a fresh temporary store through EnablementService alone. A step of the
// wrong shape, and one that is invalid where no error is expected, is `invalidArgument` or
// `invalidUri`, naming file, scenario and step; then nothing is reported.
[[nodiscard]] Result<Report> play(std::span<const ScenarioFile> files,
                                  const Progress& progress = {});

}  // namespace enablement::tool
