// What is done to a store while the disk fails, call by call.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <enablement/resolver/service.h>

#include "disk.h"
#include "support.h"

namespace enablement::testing {

struct Scenario {
  using Call = std::function<Status(EnablementService&)>;

  std::string name;
  // Builds what lies in the folder before; null: nothing does.
  std::function<void(const fs::path& file)> prepare;
  // After the service was opened, which is a step of its own.
  std::vector<Call> calls;
  std::function<void(ServiceOptions&)> adjust = [](ServiceOptions&) {};
};

// For GoogleTest: a scenario is known by its name.
inline void PrintTo(const Scenario& scenario, std::ostream* stream) {
  *stream << scenario.name;
}

// What a service knows and what its file holds.
struct Picture {
  std::vector<std::string> stored;
  std::vector<std::string> answers;
  friend bool operator==(const Picture&, const Picture&) = default;
};

// A decision of each kind is known to every scenario, so that more can be lost than what is
// written.
[[nodiscard]] std::vector<Scenario> scenarios();

// The targets that scenarios are about, with those that were off before.
[[nodiscard]] std::vector<Target> scenarioTargets();

[[nodiscard]] Picture pictureOf(const EnablementService& service);

// The states that a scenario passes on a good disk: before it is opened, opened, after each call.
// Runs in `folder`, from `before`.
[[nodiscard]] std::vector<Picture> statesOf(const Scenario& scenario, const fs::path& folder,
                                            const FolderCopy& before);

// The files that a scenario starts from.
[[nodiscard]] FolderCopy filesBefore(const Scenario& scenario);

[[nodiscard]] fs::path storeIn(const fs::path& folder);

[[nodiscard]] std::unique_ptr<EnablementService> openFor(const Scenario& scenario,
                                                         const fs::path& folder);

}  // namespace enablement::testing
