// Copilot: finds servers in the directories of plugins and in the user's own configuration, takes a
// deny list, and can be switched live.
#include <enablement/enforcement/runtime.h>

namespace enablement {
namespace {

using nlohmann::ordered_json;

void insertAll(NameSet& into, const NameSet& names) {
  into.insert(names.begin(), names.end());
}

// What is registered by name: the root configuration as a whole, what is off in it is denied; and
// servers of plugins that are not in their directories, only if they are on.
ordered_json registered(const Survey& survey, Configuration& configuration) {
  DefinitionsByName servers = survey.root;
  for (const PluginWish& plugin : survey.plugins) {
    if (!plugin.isOn) continue;
    for (const PluginServer& server : plugin.servers) {
      const auto definition = plugin.definitions.find(server.name);
      if (definition == plugin.definitions.end() || !plugin.registers(server.name)) continue;
      if (survey.wish(server.name).startsAtLaunch())
        servers.emplace(server.name, definition->second);
      else if (!survey.root.contains(server.name))
        configuration.unregistered.insert(server.name);
    }
  }
  for (const auto& [name, definition] : servers) configuration.available.insert(name);
  return objectOf(servers);
}

bool isRelaunchNeeded(const Desired& desired, const LaunchPlan& applied) {
  const ordered_json& now = applied.configuration;
  const ordered_json& wanted = desired.launch().configuration;
  if (now.at("pluginDirectories") != wanted.at("pluginDirectories")) return true;
  // What is off in the root configuration is denied, and needs no relaunch to become known.
  DefinitionsByName on = byName(wanted.at("mcpServers"));
  std::erase_if(on, [&](const auto& server) {
    const Wish* wish = desired.find(server.first);
    return !wish || !wish->startsAtLaunch();
  });
  return hasNewServer(on, byName(now.at("mcpServers")));
}

}  // namespace

Configuration copilotConfiguration(const Survey& survey) {
  Configuration configuration;
  ordered_json servers = registered(survey, configuration);
  ordered_json directories = ordered_json::array();
  NameSet given;
  for (const PluginWish& plugin : survey.plugins) {
    if (!plugin.isLoaded) continue;
    if (given.insert(plugin.directory).second) directories.push_back(plugin.directory);
    for (const PluginServer& server : plugin.servers)
      if (!plugin.registers(server.name)) configuration.available.insert(server.name);
  }
  for (const NameSet* names : {&survey.builtInNames, &survey.userNames, &survey.primaryNames,
                               &survey.otherNames, &survey.listedNames, &survey.seenNames})
    insertAll(configuration.available, *names);

  // A server that is off is denied wherever the runtime might find its name.
  for (const auto& [name, wish] : survey.wishes)
    if (wish.launch && !wish.startsAtLaunch()) configuration.denied.insert(name);

  if (survey.ephemeral) servers = ordered_json::object();
  configuration.json["mcpServers"] = std::move(servers);
  if (!configuration.denied.empty())
    configuration.json["disabledMcpServers"] = configuration.denied;
  configuration.json["pluginDirectories"] = std::move(directories);
  return configuration;
}

void copilotSteps(const std::vector<Switch>& switches, const Desired& desired,
                  const LaunchPlan* applied, MidSessionPlan& plan) {
  for (const auto& [server, enabled, isWaiting, why] : switches) {
    // It is not there to be enabled: it was not registered.
    if (enabled && applied && applied->unregistered.contains(server)) continue;
    // Before disable: a sign-in that is open would bring the server up after it.
    if (!enabled && isWaiting) plan.steps.push_back({StepKind::cancelAuthentication, server});
    plan.steps.push_back({StepKind::expect, server, enabled});
    plan.steps.push_back({.kind = StepKind::call,
                          .server = server,
                          .enabled = enabled,
                          .call = enabled ? "mcp.enable" : "mcp.disable",
                          .onFailure = enabled ? OnFailure::log : OnFailure::failTurn,
                          .why = why});
  }
  if (!applied || !isRelaunchNeeded(desired, *applied)) return;
  plan.steps.push_back(
      {.kind = StepKind::relaunch, .atNextSend = true, .onFailure = OnFailure::failTurn});
  plan.launch = desired.launch();
}

}  // namespace enablement
