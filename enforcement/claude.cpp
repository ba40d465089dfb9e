// Claude: finds servers in the primary directory, in the plugins it is given and in the user's own
// configuration, takes a deny list, and can be switched live.
#include <enablement/enforcement/runtime.h>

namespace enablement {
namespace {

using nlohmann::ordered_json;

// What the runtime would find by itself, so that leaving it out is not enough.
NameSet foundByItself(const Survey& survey) {
  NameSet found = survey.primaryNames;
  found.insert(survey.builtInNames.begin(), survey.builtInNames.end());
  found.insert(survey.userNames.begin(), survey.userNames.end());
  for (const PluginWish& plugin : survey.plugins) {
    if (!plugin.isLoaded) continue;
    for (const PluginServer& server : plugin.servers) found.insert(server.name);
  }
  // Nobody knows where these come from, but for those that have been given to it.
  for (const NameSet* names : {&survey.listedNames, &survey.seenNames})
    for (const std::string& name : *names)
      if (!survey.otherNames.contains(name) && !survey.rootNames.contains(name)) found.insert(name);
  return found;
}

// Definitions of what is on and has to be given by name. Of two that bear one name a client's
// plugin wins, as with Codex; what is in the primary directory or a plugin is found there.
ordered_json explicitServers(const Survey& survey, Configuration& configuration) {
  DefinitionsByName servers;
  NameSet found = survey.primaryNames;
  for (const PluginWish& plugin : survey.plugins) {
    for (const PluginServer& server : plugin.servers) {
      if (!plugin.registers(server.name)) {
        if (plugin.isLoaded) found.insert(server.name);
        continue;
      }
      const auto definition = plugin.definitions.find(server.name);
      if (!plugin.isOn || definition == plugin.definitions.end()) continue;
      servers.emplace(server.name, definition->second);
    }
  }
  for (const DefinitionsByName* definitions : {&survey.otherRoots, &survey.root, &survey.builtIns})
    for (const auto& [name, definition] : *definitions)
      if (!definition->is_null()) servers.emplace(name, definition);

  std::erase_if(servers, [&](const auto& server) {
    const std::string& name = server.first;
    if (found.contains(name)) return true;
    const bool isOn = survey.wish(name).startsAtLaunch();
    (isOn ? configuration.available : configuration.unregistered).insert(name);
    return !isOn;
  });
  return objectOf(servers);
}

}  // namespace

Configuration claudeConfiguration(const Survey& survey) {
  Configuration configuration;
  const NameSet found = foundByItself(survey);
  configuration.available = found;
  ordered_json plugins = ordered_json::array();
  NameSet given;
  for (const PluginWish& plugin : survey.plugins)
    if (plugin.isLoaded && given.insert(plugin.directory).second)
      plugins.push_back(plugin.directory);
  for (const std::string& name : found) {
    const auto wish = survey.wishes.find(name);
    if (wish != survey.wishes.end() && wish->second.launch && !wish->second.startsAtLaunch())
      configuration.denied.insert(name);
  }
  configuration.json["plugins"] = std::move(plugins);
  configuration.json["mcpServers"] = explicitServers(survey, configuration);
  configuration.json["deniedMcpServers"] = configuration.denied;
  return configuration;
}

void claudeSteps(const std::vector<Switch>& switches, const Desired& desired,
                 const LaunchPlan* applied, MidSessionPlan& plan) {
  for (const auto& [server, enabled, isWaiting, why] : switches) {
    plan.steps.push_back({.kind = StepKind::call,
                          .server = server,
                          .enabled = enabled,
                          .call = "toggleMcpServer",
                          .onFailure = enabled ? OnFailure::log : OnFailure::failTurn,
                          .why = why});
    if (enabled)
      plan.steps.push_back(
          {.kind = StepKind::call, .server = server, .call = "reconnectMcpServer"});
  }
  if (!applied) return;
  const ordered_json& now = applied->configuration;
  const ordered_json& wanted = desired.launch().configuration;
  const bool isRebuildNeeded =
      now.at("plugins") != wanted.at("plugins") || applied->rest != desired.launch().rest ||
      hasNewServer(byName(wanted.at("mcpServers")), byName(now.at("mcpServers")));
  if (!isRebuildNeeded) return;
  plan.steps.push_back(
      {.kind = StepKind::rebuild, .atNextSend = true, .onFailure = OnFailure::failTurn});
  plan.launch = desired.launch();
}

}  // namespace enablement
