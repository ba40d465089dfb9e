// What is to run, by name: the answers of the gate for every name that a session has seen.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <enablement/enforcement/inputs.h>
#include <enablement/enforcement/plan.h>
#include <enablement/enforcement/state.h>

namespace enablement {

struct Answer {
  EffectiveState state;
  Why why;
  friend bool operator==(const Answer&, const Answer&) = default;
};

// What one name is to be. A runtime knows servers by name alone, so that all who bear one count
// together: of those in containers that are applied the strictest (E3).
struct Wish {
  // If the runtime were started now. None: nothing by that name would be handed over or found.
  std::optional<Answer> launch = {};
  // In the runtime as it was started. None: it has nothing by that name.
  std::optional<Answer> now = {};
  // Of servers whose plugin is not applied, where nothing else bears the name.
  std::optional<Answer> elsewhere = {};
  // On by a decision or a client's value, not merely by default.
  bool explicitOn = false;
  // In the root configuration, or of an applied plugin, on or off (S9).
  bool declared = false;
  // What somebody set in the runtime itself, while that is not answered. It never lifts pending.
  std::optional<bool> override = {};

  // At a launch an override can only switch off.
  [[nodiscard]] bool startsAtLaunch() const {
    return launch && launch->state == EffectiveState::enabled && override != false;
  }
  [[nodiscard]] bool runsNow() const {
    if (!now || now->state == EffectiveState::pending) return false;
    return override.value_or(now->state == EffectiveState::enabled);
  }
};

// The wishes of a moment, and what the runtime would be given in it. Only desire() makes one. A
// value; any thread.
class Desired {
 public:
  [[nodiscard]] const std::string& session() const { return launch_.session; }
  [[nodiscard]] Runtime runtime() const { return launch_.runtime; }
  // Null for a name that was never seen, and for those that the host injects.
  [[nodiscard]] const Wish* find(std::string_view server) const;
  [[nodiscard]] bool isInjected(std::string_view server) const {
    return injected_.contains(std::string(server));
  }
  [[nodiscard]] const LaunchPlan& launch() const { return launch_; }
  [[nodiscard]] bool hadTurn() const { return hadTurn_; }

 private:
  friend Planned<Desired> desire(Runtime runtime, const SessionInputs& inputs,
                                 const EnforcementState& state, Launch launch);
  Desired() = default;

  std::map<std::string, Wish, std::less<>> wishes_;
  std::set<std::string> injected_;
  LaunchPlan launch_;
  bool hadTurn_ = false;
};

// Resolves every name that the list, the sources or the runtime so far has shown (E2b). It reads
// the service and nothing else. *Not yet* before the session's decisions are loaded, and for a list
// that is not current.
[[nodiscard]] Planned<Desired> desire(Runtime runtime, const SessionInputs& inputs,
                                      const EnforcementState& state,
                                      Launch launch = Launch::resume);

// What a runtime is given when its session is created, resumed, or created because resuming failed:
// one builder (E1). The library starts nothing; tell `state` when it was handed over
// (EnforcementState::launched).
[[nodiscard]] Planned<LaunchPlan> launchPlan(Runtime runtime, Launch launch,
                                             const SessionInputs& inputs,
                                             const EnforcementState& state);

}  // namespace enablement
