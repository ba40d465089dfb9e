// Codex: starts what it is given and what the user's own configuration file names. It has no deny
// list and no live calls.
#include <enablement/enforcement/runtime.h>

namespace enablement {
namespace {

using nlohmann::ordered_json;

// Definitions by name; of two that bear one name a client's plugin wins, then a working directory,
// the root configuration, what comes with the runtime.
DefinitionsByName definitionsOf(const Survey& survey) {
  DefinitionsByName servers;
  for (const PluginWish& plugin : survey.plugins) {
    if (!plugin.isOn || !plugin.ofClient) continue;
    for (const PluginServer& server : plugin.servers) {
      const auto definition = plugin.definitions.find(server.name);
      if (definition != plugin.definitions.end()) servers.emplace(server.name, definition->second);
    }
  }
  for (const DefinitionsByName* definitions :
       {&survey.primary, &survey.otherRoots, &survey.root, &survey.builtIns})
    for (const auto& [name, definition] : *definitions)
      if (!definition->is_null()) servers.emplace(name, definition);
  return servers;
}

// What the runtime starts without being told.
NameSet startedByItself(const Survey& survey) {
  NameSet names = survey.userNames;
  names.insert(survey.seenNames.begin(), survey.seenNames.end());
  for (const auto& [name, definition] : survey.builtIns)
    if (definition->is_null()) names.insert(name);
  return names;
}

const ordered_json& serversIn(const ordered_json& configuration) {
  static const ordered_json none = ordered_json::object();
  const auto found = configuration.find("mcp_servers");
  return found == configuration.end() ? none : *found;
}

// What is missing or differs, with its definition; what is too much, as null.
ordered_json differenceOf(const ordered_json& applied, const ordered_json& wanted) {
  static const ordered_json none;
  const DefinitionsByName before = byName(serversIn(applied));
  const DefinitionsByName after = byName(serversIn(wanted));
  DefinitionsByName difference;
  for (const auto& [name, definition] : after) {
    const auto found = before.find(name);
    if (found == before.end() || *found->second != *definition)
      difference.emplace(name, definition);
  }
  for (const auto& [name, definition] : before)
    if (!after.contains(name)) difference.emplace(name, &none);
  return objectOf(difference);
}

}  // namespace

Configuration codexConfiguration(const Survey& survey) {
  Configuration configuration;
  DefinitionsByName servers = definitionsOf(survey);
  std::erase_if(servers,
                [&](const auto& server) { return !survey.wish(server.first).startsAtLaunch(); });
  for (const auto& [name, definition] : servers) configuration.available.insert(name);
  for (const std::string& name : startedByItself(survey)) {
    configuration.available.insert(name);
    if (!survey.wish(name).startsAtLaunch()) configuration.unenforceable.insert(name);
  }
  configuration.json = ordered_json::object();
  if (!servers.empty()) configuration.json["mcp_servers"] = objectOf(servers);
  return configuration;
}

std::string codexDifference(const ordered_json& applied, const ordered_json& wanted) {
  const ordered_json difference = differenceOf(applied, wanted);
  return difference.empty() ? std::string() : difference.dump();
}

void codexSteps(const Desired& desired, const LaunchPlan* applied, const std::string& attempted,
                MidSessionPlan& plan) {
  if (!applied) return;
  const ordered_json difference =
      differenceOf(applied->configuration, desired.launch().configuration);
  if (difference.empty()) return;
  // Reloading again would change nothing and go on for ever.
  if (difference.dump() == attempted) {
    for (const auto& [name, change] : difference.items()) plan.didNotConverge.push_back(name);
    return;
  }
  plan.steps.push_back({.kind = StepKind::reload,
                        .call = desired.hadTurn() ? "thread/resume" : "thread/start",
                        .atNextSend = true,
                        .onFailure = OnFailure::failTurn});
  plan.launch = desired.launch();
}

}  // namespace enablement
