#include <enablement/enforcement/state.h>

#include <enablement/enforcement/hand_over.h>
#include <enablement/enforcement/runtime.h>

namespace enablement {
namespace {

bool handsOver(StepKind kind) {
  return kind == StepKind::relaunch || kind == StepKind::rebuild || kind == StepKind::reload;
}

// A call that switches a server, and not one that merely connects it.
bool switches(const Step& step) {
  return step.kind == StepKind::call && step.enabled.has_value();
}

}  // namespace

std::string_view name(ToggleAnswer answer) {
  switch (answer) {
    case ToggleAnswer::stored:
      return "stored";
    case ToggleAnswer::refused:
      return "refused";
    case ToggleAnswer::routed:
      return "routed";
    case ToggleAnswer::outvoted:
      return "outvoted";
  }
  return "refused";
}

void EnforcementState::launched(const LaunchPlan& plan) {
  logHandOver(plan);
  attempted_.clear();
  before_ = nullptr;
  apply(plan);
}

// Another runtime, or the same with another configuration: what was under way is void. Who switched
// something in the earlier one still gets an answer, so that overrides stay.
void EnforcementState::apply(const LaunchPlan& plan) {
  marks_.clear();
  challenges_.clear();
  switchedOff_.clear();
  for (const Item& item : plan.denied) switchedOff_.insert(item.name);
  applied_ = plan;
  ++launches_;
  overtake();
}

void EnforcementState::handOver(const MidSessionPlan& plan) {
  if (!plan.steps.empty()) logHandOver(plan);
  // Of a step that was begun and never ended: nobody knows what became of it.
  std::erase_if(marks_, [](const auto& mark) { return !mark.second.called; });
  if (!plan.didNotConverge.empty()) return logNotConverged(plan);
  // A difference that is gone may come back and be tried again.
  attempted_.clear();
}

void EnforcementState::begin(const MidSessionPlan& plan, const Step& step) {
  if (step.kind == StepKind::expect && step.enabled)
    marks_.insert_or_assign(step.server, Mark{*step.enabled, false});
  if (switches(step)) {
    marks_.insert_or_assign(step.server, Mark{*step.enabled, false});
    overtake();
  }
  if (step.kind == StepKind::cancelAuthentication) challenges_.erase(step.server);
  if (step.kind == StepKind::reload && plan.launch)
    attempted_ = codexDifference(applied_ ? applied_->configuration : nlohmann::ordered_json(),
                                 plan.launch->configuration);
}

StepEnd EnforcementState::ended(const MidSessionPlan& plan, const Step& step, bool succeeded) {
  if (switches(step)) {
    overtake();
    const auto mark = marks_.find(step.server);
    if (!succeeded) {
      if (mark != marks_.end()) marks_.erase(mark);
    } else {
      if (mark != marks_.end()) mark->second.called = true;
      if (*step.enabled)
        switchedOff_.erase(step.server);
      else
        switchedOff_.insert(step.server);
    }
  }
  if (succeeded && handsOver(step.kind) && plan.launch) {
    logHandOver(*plan.launch);
    before_ = applied_ ? applied_->configuration : nlohmann::ordered_json();
    apply(*plan.launch);
  }
  if (succeeded) return StepEnd::goOn;
  logFailure(plan, step);
  return step.onFailure == OnFailure::failTurn ? StepEnd::failTurn : StepEnd::goOn;
}

void EnforcementState::toggleAnswered(std::string_view server, ToggleAnswer answer) {
  const auto found = overrides_.find(server);
  if (found == overrides_.end()) return;
  overrides_.erase(found);
  logAnswer(applied_ ? applied_->session : std::string(), server, answer);
}

std::uint64_t EnforcementState::inventoryRequested() {
  return ++requests_;
}

}  // namespace enablement
