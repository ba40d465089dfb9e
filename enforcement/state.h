// What is remembered of one session's runtime: the value that a session's enforcement is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <enablement/enforcement/plan.h>

namespace enablement {

// What became of a toggle that somebody made in the runtime itself (E5). Whatever it is, it is
// answered now: the resolution says what holds.
enum class ToggleAnswer : unsigned char {
  stored,    // and now deciding
  refused,   // with a reason
  routed,    // it belongs to a client
  outvoted,  // stored, but a narrower decision or the plugin says otherwise
};

[[nodiscard]] std::string_view name(ToggleAnswer answer);

// What a host has to do after a step.
enum class StepEnd : unsigned char { goOn, failTurn };

// Expected marks, overrides and the applied configuration of one session (E9). It is a value: it is
// kept with the session, dies with it, and two sessions never share one. Not for several threads at
// once. It holds no answer to what is on: that is resolved anew for every plan.
class EnforcementState {
 public:
  // Launching.

  // The runtime was started with this plan. Whatever was known of the one before is void. Logs the
  // hand-over, once (E8).
  void launched(const LaunchPlan& plan);

  // Carrying out a plan: handOver(), then for each step begin(), the step itself, ended(). When
  // ended() says failTurn, what is left of the plan is dropped.

  // Logs the hand-over if there is anything to do, once (E8).
  void handOver(const MidSessionPlan& plan);
  // Just before the step. An `expect` marks its server; so does a call that switches one without.
  void begin(const MidSessionPlan& plan, const Step& step);
  // Just after it. The mark of a call that failed goes, so that it cannot swallow a later toggle
  // from outside (E5). A step that launches is logged and recorded as by launched().
  StepEnd ended(const MidSessionPlan& plan, const Step& step, bool succeeded);

  // Toggles from outside.

  // The toggle that observe() reported for that server has its answer: the override ends (E5).
  void toggleAnswered(std::string_view server, ToggleAnswer answer);

  // Observing.

  // Just before the runtime is asked for its inventory. The number comes back with the result; one
  // that something newer overtook is not used (E5).
  [[nodiscard]] std::uint64_t inventoryRequested();

  // What is remembered.

  struct Mark {
    bool enabled;
    bool called;  // the call has come back
  };
  [[nodiscard]] const std::map<std::string, Mark, std::less<>>& marks() const { return marks_; }
  // By name: what somebody set in the runtime itself and is not answered yet.
  [[nodiscard]] const std::map<std::string, bool, std::less<>>& overrides() const {
    return overrides_;
  }
  // Every name that was ever seen in this session and is no plugin's: each is a bare target of its
  // own, resolved for every plan (E2b).
  [[nodiscard]] const std::set<std::string, std::less<>>& seen() const { return seen_; }
  // The same, with those of plugins.
  [[nodiscard]] const std::set<std::string, std::less<>>& met() const { return met_; }
  // Servers that are off in the runtime because it was told so.
  [[nodiscard]] const std::set<std::string, std::less<>>& switchedOff() const {
    return switchedOff_;
  }
  // Servers whose authentication was let through and has not ended.
  [[nodiscard]] const std::set<std::string, std::less<>>& challenges() const { return challenges_; }
  // What the runtime runs with; null before the first launch.
  [[nodiscard]] const LaunchPlan* applied() const { return applied_ ? &*applied_ : nullptr; }
  // The difference that the last reload was to resolve; empty: none.
  [[nodiscard]] const std::string& attempted() const { return attempted_; }
  // Counts launches: what was observed of an earlier runtime is void.
  [[nodiscard]] std::uint64_t launches() const { return launches_; }

 private:
  friend class Digest;    // observe()
  friend struct Request;  // authRequest(), startStop()

  void apply(const LaunchPlan& plan);
  void overtake() { newestUsable_ = requests_ + 1; }

  std::map<std::string, Mark, std::less<>> marks_;
  std::map<std::string, bool, std::less<>> overrides_;
  std::set<std::string, std::less<>> seen_;
  std::set<std::string, std::less<>> met_;
  std::set<std::string, std::less<>> switchedOff_;
  std::set<std::string, std::less<>> challenges_;
  std::optional<LaunchPlan> applied_;
  nlohmann::ordered_json before_;  // the configuration that the last reload took the place of
  std::string attempted_;
  std::uint64_t launches_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t newestUsable_ = 0;  // results of earlier requests are overtaken
};

}  // namespace enablement
