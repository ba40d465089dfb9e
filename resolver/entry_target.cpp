#include <enablement/resolver/entry_target.h>

#include <nlohmann/json.hpp>

namespace enablement {
namespace {

using nlohmann::ordered_json;

// A missing or non-text field is as bad as a bad one: it reads as empty.
std::string_view textOf(const ordered_json& entry, const char* field) {
  const auto it = entry.find(field);
  if (it == entry.end() || !it->is_string()) return {};
  return it->get_ref<const std::string&>();
}

// What the runtime's own configuration says, if it says anything.
std::optional<bool> discoveryDefaultOf(const ordered_json& entry) {
  const auto meta = entry.find("_meta");
  if (meta == entry.end() || !meta->is_object()) return std::nullopt;
  const auto value = meta->find("agentHost.mcpServerDiscoveryEnabled");
  if (value == meta->end() || !value->is_boolean()) return std::nullopt;
  return value->get<bool>();
}

Result<Target> pluginOf(const ordered_json& entry) {
  return TargetKey::plugin(textOf(entry, "uri")).map([](TargetKey key) {
    return Target{std::move(key)};
  });
}

Result<Target> serverOf(const ordered_json& entry, const Result<TargetKey>& key) {
  if (!key) return fail(key.error());
  return Target{*key, discoveryDefaultOf(entry)};
}

}  // namespace

EntryKind kindOf(const ordered_json& entry) {
  const std::string_view type = textOf(entry, "type");
  if (type == "plugin") return EntryKind::plugin;
  if (type == "mcpServer") return EntryKind::mcpServer;
  return EntryKind::flagged;
}

Effective answerOfFlag(const ordered_json& entry) {
  const auto flag = entry.find("enabled");
  if (flag == entry.end() || flag->is_null())
    return {EffectiveState::enabled, EffectiveReason::byDefault};
  const bool on = flag->is_boolean() && flag->get<bool>();
  return {on ? EffectiveState::enabled : EffectiveState::disabled, EffectiveReason::flag};
}

Result<Target> targetOfTopLevel(const ordered_json& entry, const OwnerMap& owners) {
  if (kindOf(entry) == EntryKind::plugin) return pluginOf(entry);
  const std::string_view name = textOf(entry, "name");
  const auto owner = owners.find(name);
  return serverOf(entry, owner == owners.end() ? TargetKey::mcpServer(name)
                                               : TargetKey::mcpServer(name, owner->second));
}

Result<Target> targetOfChild(const ordered_json& entry,
                             const std::optional<TargetKey>& containingPlugin) {
  if (kindOf(entry) == EntryKind::plugin) return pluginOf(entry);
  const std::string_view name = textOf(entry, "name");
  return serverOf(entry, containingPlugin ? TargetKey::mcpServer(name, *containingPlugin)
                                          : TargetKey::mcpServer(name));
}

}  // namespace enablement
