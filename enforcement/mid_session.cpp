#include <enablement/enforcement/mid_session.h>

#include <algorithm>

#include <enablement/enforcement/runtime.h>

namespace enablement {
namespace {

// Nothing said so, but it cannot be off.
bool looksAlive(RuntimeState state) {
  switch (state) {
    case RuntimeState::pending:
    case RuntimeState::connected:
    case RuntimeState::failed:
    case RuntimeState::needsAuth:
      return true;
    case RuntimeState::stopped:
    case RuntimeState::disabled:
    case RuntimeState::notConfigured:
      return false;
  }
  return false;
}

// Whether the server is on in the runtime, as far as anybody knows: what was observed; else what it
// was told, which holds for an off only as long as nothing looks alive.
bool isOn(const std::string& server, const Observed::Server& observed,
          const EnforcementState& state) {
  if (observed.enabled) return *observed.enabled;
  return !state.switchedOff().contains(server) || looksAlive(observed.state);
}

// A call may be under way that makes what was observed untrue.
bool isContradicted(const std::string& server, bool wanted, const EnforcementState& state) {
  const auto mark = state.marks().find(server);
  return mark != state.marks().end() && mark->second.enabled != wanted;
}

// What is off and runs although it was not given comes from the user's own configuration, whether
// that could be read or not.
void addUnenforceable(const std::vector<Switch>& switches, const LaunchPlan* applied,
                      MidSessionPlan& plan) {
  if (!applied) return;
  NameSet names(plan.unenforceable.begin(), plan.unenforceable.end());
  const auto given = applied->configuration.find("mcp_servers");
  for (const Switch& step : switches)
    if (!step.enabled && (given == applied->configuration.end() || !given->contains(step.server)))
      names.insert(step.server);
  plan.unenforceable.assign(names.begin(), names.end());
}

}  // namespace

Planned<MidSessionPlan> midSessionPlan(const Desired& desired, const Observed& observed,
                                       const EnforcementState& state) {
  MidSessionPlan plan{.runtime = desired.runtime(), .session = desired.session()};
  plan.unenforceable = desired.launch().unenforceable;
  plan.inventoryWanted = !observed.isCurrent(state);
  std::vector<Switch> switches;
  for (const auto& [server, seen] : observed.servers(state)) {
    if (desired.isInjected(server)) continue;
    const Wish* wish = desired.find(server);
    if (!wish || !wish->now) return tl::unexpected(NotYet::superseded);
    const bool wanted = wish->runsNow();
    if (isOn(server, seen, state) == wanted && !isContradicted(server, wanted, state)) continue;
    // An inherited on is not a command, unless it takes back what we did ourselves.
    if (wanted && !wish->explicitOn && !wish->declared && !wish->override &&
        !state.switchedOff().contains(server)) {
      plan.leftAlone.push_back(server);
      continue;
    }
    const bool isWaiting =
        seen.state == RuntimeState::needsAuth || state.challenges().contains(server);
    const Why why = wish->override == wanted ? Why::outsideToggle : wish->now->why;
    switches.push_back({server, wanted, isWaiting, why});
  }
  // What must not run comes first: a failure ends the turn, and nothing after it is done.
  std::stable_partition(switches.begin(), switches.end(),
                        [](const Switch& step) { return !step.enabled; });

  const LaunchPlan* applied = state.applied();
  if (applied && applied->runtime != desired.runtime()) applied = nullptr;
  switch (desired.runtime()) {
    case Runtime::copilot:
      copilotSteps(switches, desired, applied, plan);
      break;
    case Runtime::claude:
      claudeSteps(switches, desired, applied, plan);
      break;
    case Runtime::codex:
      plan.leftAlone.clear();
      addUnenforceable(switches, applied, plan);
      codexSteps(desired, applied, state.attempted(), plan);
      break;
  }
  return plan;
}

bool hasNewServer(const DefinitionsByName& wanted, const DefinitionsByName& applied) {
  for (const auto& [name, definition] : wanted) {
    const auto known = applied.find(name);
    if (known == applied.end() || *known->second != *definition) return true;
  }
  return false;
}

}  // namespace enablement
