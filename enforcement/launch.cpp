// The one builder of launch plans (E1) and its record of what becomes of each name (E8).
#include <algorithm>
#include <tuple>

#include <enablement/enforcement/desired.h>
#include <enablement/enforcement/runtime.h>

namespace enablement {
namespace {

Configuration configurationFor(const Survey& survey) {
  switch (survey.runtime) {
    case Runtime::copilot:
      return copilotConfiguration(survey);
    case Runtime::claude:
      return claudeConfiguration(survey);
    case Runtime::codex:
      return codexConfiguration(survey);
  }
  return copilotConfiguration(survey);
}

// Why a server that is on is not to be had: its plugin's reason, if it has a plugin.
Why whyNotAvailable(const Survey& survey, const std::string& name) {
  for (const PluginWish& plugin : survey.plugins) {
    if (plugin.isLoaded || !plugin.isOn) continue;
    for (const PluginServer& server : plugin.servers)
      if (server.name == name) return plugin.why;
  }
  return Why::noDefinition;
}

// What becomes of one name. Servers that are denied and those that are pending are two lists.
void recordServer(const Survey& survey, const Configuration& configuration, const std::string& name,
                  const Wish& wish, LaunchPlan& plan) {
  const auto& answer = wish.launch ? wish.launch : wish.elsewhere;
  if (!answer || configuration.unenforceable.contains(name)) return;
  const auto add = [&](std::vector<Item>& list, Why why) {
    list.push_back({Item::Kind::server, name, why});
  };
  const bool isOverridden = answer->state == EffectiveState::enabled && !wish.startsAtLaunch();
  const Why why = isOverridden ? Why::outsideToggle : answer->why;
  if (wish.launch && wish.startsAtLaunch()) {
    // That it was seen once does not say that it will be there again.
    if (survey.seenNames.contains(name)) return;
    if (configuration.available.contains(name)) return add(plan.started, why);
    return add(plan.leftOut, whyNotAvailable(survey, name));
  }
  if (configuration.denied.contains(name)) add(plan.denied, why);
  if (answer->state == EffectiveState::pending)
    add(plan.pending, why);
  else if (!configuration.denied.contains(name))
    add(plan.leftOut, why);
}

void recordPlugin(const Survey& survey, const PluginWish& plugin, LaunchPlan& plan) {
  const Item item{Item::Kind::plugin, plugin.uri, plugin.why};
  if (plugin.answer.state == EffectiveState::pending)
    plan.pending.push_back(item);
  else if (!plugin.isLoaded)
    plan.leftOut.push_back(item);
  else if (survey.runtime != Runtime::codex)  // it takes servers, not plugins
    plan.started.push_back(item);
}

void sort(std::vector<Item>& items) {
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::tie(a.kind, a.name) < std::tie(b.kind, b.name);
  });
}

LaunchPlan planFor(const Survey& survey, const SessionInputs& inputs, Launch launch) {
  Configuration configuration = configurationFor(survey);
  LaunchPlan plan{.runtime = survey.runtime, .launch = launch, .session = inputs.session};
  for (const auto& [name, wish] : survey.wishes)
    recordServer(survey, configuration, name, wish, plan);
  for (const PluginWish& plugin : survey.plugins) {
    recordPlugin(survey, plugin, plan);
    if (!plugin.isOn) continue;
    std::set<std::string>& servers = plan.plugins[plugin.uri];
    for (const PluginServer& server : plugin.servers)
      if (survey.applies(plugin, server.name)) servers.insert(server.name);
  }
  for (std::vector<Item>* items : {&plan.started, &plan.denied, &plan.leftOut, &plan.pending})
    sort(*items);
  plan.configuration = std::move(configuration.json);
  plan.unenforceable.assign(configuration.unenforceable.begin(), configuration.unenforceable.end());
  plan.unknownUserConfig = survey.unknownUserConfig;
  plan.dropped = survey.dropped;
  std::sort(plan.dropped.begin(), plan.dropped.end(), [](const Dropped& a, const Dropped& b) {
    return std::tie(a.source, a.name, a.problem) < std::tie(b.source, b.name, b.problem);
  });
  plan.unregistered.insert(configuration.unregistered.begin(), configuration.unregistered.end());
  plan.rest = inputs.sources.rest;
  return plan;
}

}  // namespace

Planned<Desired> desire(Runtime runtime, const SessionInputs& inputs, const EnforcementState& state,
                        Launch launch) {
  // What was met may have lost its plugin since; it is still there to be switched.
  auto names = survey(runtime, inputs, state, state.met());
  if (!names) return tl::unexpected(names.error());
  Desired desired;
  desired.launch_ = planFor(*names, inputs, launch);
  desired.wishes_ = std::move(names->wishes);
  desired.injected_ = inputs.sources.injected;
  desired.hadTurn_ = inputs.sources.hadTurn;
  return desired;
}

Planned<LaunchPlan> launchPlan(Runtime runtime, Launch launch, const SessionInputs& inputs,
                               const EnforcementState& state) {
  const auto names = survey(runtime, inputs, state);
  if (!names) return tl::unexpected(names.error());
  return planFor(*names, inputs, launch);
}

const Wish* Desired::find(std::string_view server) const {
  const auto found = wishes_.find(server);
  return found == wishes_.end() ? nullptr : &found->second;
}

}  // namespace enablement
