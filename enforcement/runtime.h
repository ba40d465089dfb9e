// What each kind of runtime is given and told: one file for each. Internal.
#pragma once

#include <string>
#include <vector>

#include <enablement/enforcement/observation.h>
#include <enablement/enforcement/survey.h>

namespace enablement {

// What a runtime would be given, and what becomes of each name then.
struct Configuration {
  nlohmann::ordered_json json;
  NameSet denied;         // on the deny list
  NameSet available;      // will run if they are on
  NameSet unenforceable;  // off, and run all the same
  NameSet unregistered;   // would be registered, were they on
};

[[nodiscard]] Configuration copilotConfiguration(const Survey& survey);
[[nodiscard]] Configuration claudeConfiguration(const Survey& survey);
[[nodiscard]] Configuration codexConfiguration(const Survey& survey);

// A server that is in the runtime and has to be switched.
struct Switch {
  std::string server;
  bool enabled;
  bool isWaiting;  // for an authentication
  Why why;
};

// What to do, switches off first; `applied` is null before the first launch.
void copilotSteps(const std::vector<Switch>& switches, const Desired& desired,
                  const LaunchPlan* applied, MidSessionPlan& plan);
void claudeSteps(const std::vector<Switch>& switches, const Desired& desired,
                 const LaunchPlan* applied, MidSessionPlan& plan);
// Codex has no live calls. `attempted`: see EnforcementState.
void codexSteps(const Desired& desired, const LaunchPlan* applied, const std::string& attempted,
                MidSessionPlan& plan);

// How the servers that Codex was given differ from those it would be given; empty: not at all.
[[nodiscard]] std::string codexDifference(const nlohmann::ordered_json& applied,
                                          const nlohmann::ordered_json& wanted);

// Whether a server that would be given now was not given like that; a server that was given and is
// off now is switched, not taken away.
[[nodiscard]] bool hasNewServer(const DefinitionsByName& wanted, const DefinitionsByName& applied);

}  // namespace enablement
