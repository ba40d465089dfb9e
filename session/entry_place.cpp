#include <enablement/session/entry_place.h>

#include <enablement/session/action_shape.h>
#include <enablement/session/list_rules.h>

namespace enablement {

const Json* childrenOf(const Json& entry) {
  if (kindOf(entry) == EntryKind::mcpServer) return nullptr;
  const Json* children = fieldOf(entry, "children");
  return children != nullptr && children->is_array() ? children : nullptr;
}

std::optional<EntryPlace> placeOf(const Json* list, const std::string& id) {
  if (list == nullptr) return std::nullopt;
  if (const auto top = indexOf(*list, "id", id)) return EntryPlace{&(*list)[*top]};
  for (const Json& top : *list)
    if (const Json* children = childrenOf(top))
      if (const auto child = indexOf(*children, "id", id))
        return EntryPlace{&(*children)[*child], &top};
  return std::nullopt;
}

Result<Target> targetAt(const EntryPlace& place, const OwnerMap& owners) {
  if (place.container == nullptr) return targetOfTopLevel(*place.entry, owners);
  if (kindOf(*place.container) != EntryKind::plugin)
    return targetOfChild(*place.entry, std::nullopt);
  const auto plugin = targetOfTopLevel(*place.container, owners);
  if (!plugin) return fail(plugin.error());
  return targetOfChild(*place.entry, plugin->key);
}

std::string_view textOr(const Json& entry, const char* field) {
  const auto found = entry.find(field);
  if (found == entry.end() || !found->is_string()) return {};
  return found->get_ref<const std::string&>();
}

}  // namespace enablement
