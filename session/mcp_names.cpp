#include <enablement/session/mcp_names.h>

#include <iterator>

#include <enablement/session/entry_place.h>

namespace enablement {
namespace {

bool isServerOfPlugin(const EntryPlace& place) {
  return place.container != nullptr && kindOf(*place.container) == EntryKind::plugin &&
         kindOf(*place.entry) == EntryKind::mcpServer;
}

}  // namespace

std::string bareServerId(std::string_view provider, std::string_view ownerSession,
                         std::string_view name) {
  std::string id = "mcp-top-level:";
  return id.append(provider).append(":").append(ownerSession).append(":").append(name);
}

OwnerMap ownersByName(const Json& customizations) {
  OwnerMap owners;
  forEachEntry(customizations, [&](const EntryPlace& place) {
    if (isServerOfPlugin(place))
      owners.emplace(textOr(*place.entry, "name"), textOr(*place.container, "uri"));
  });
  return owners;
}

std::set<std::string> declaredServers(std::vector<std::string> rootConfiguration,
                                      const Json& customizations) {
  std::set<std::string> names(std::make_move_iterator(rootConfiguration.begin()),
                              std::make_move_iterator(rootConfiguration.end()));
  forEachEntry(customizations, [&](const EntryPlace& place) {
    if (isServerOfPlugin(place)) names.emplace(textOr(*place.entry, "name"));
  });
  return names;
}

}  // namespace enablement
