#include <enablement/session/tree_rules.h>

#include <cstddef>
#include <string>
#include <vector>

#include <enablement/resolver/entry_target.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/entry_place.h>
#include <enablement/session/list_rules.h>

namespace enablement {
namespace {

// Where an entry stands: at the top level, or as a child of the entry there.
struct Hit {
  std::size_t top;
  std::optional<std::size_t> child = std::nullopt;
};

template <typename Tree>
auto& entryAt(Tree& list, const Hit& hit) {
  auto& top = list[hit.top];
  return hit.child ? top["children"][*hit.child] : top;
}

// In every container, in order, the first child with the id.
std::vector<Hit> childHits(const Json& list, const std::string& id) {
  std::vector<Hit> hits;
  for (std::size_t top = 0; top < list.size(); ++top)
    if (const Json* children = childrenOf(list[top]))
      if (const auto child = indexOf(*children, "id", id)) hits.push_back({top, child});
  return hits;
}

// What bears the id: the first such entry of the top level alone, otherwise children.
std::vector<Hit> hitsOf(const Json* list, const std::string& id) {
  if (list == nullptr) return {};
  if (const auto top = indexOf(*list, "id", id)) return {{*top}};
  return childHits(*list, id);
}

// What generation 2 decides, as the entry's type shows it.
void decide(Json& entry, const Json& decisions) {
  if (kindOf(entry) == EntryKind::flagged)
    entry["enabled"] = decisions.empty() || decisions.front().at("enabled").get<bool>();
  else if (decisions.empty())
    entry.erase("enablement");
  else
    entry["enablement"] = decisions;
}

}  // namespace

std::optional<Json> toggled(const Json* list, const Json& action, Generation generation) {
  const bool first = generation == Generation::first;
  const Json* wish = fieldOf(action, first ? "enabled" : "enablement");
  if (wish == nullptr || !(first ? wish->is_boolean() : wish->is_array())) return std::nullopt;
  const auto hits = hitsOf(list, textIn(action, "id"));
  if (hits.empty()) return std::nullopt;
  Json next = *list;
  Json& entry = entryAt(next, hits.front());
  if (first)
    entry["enabled"] = *wish;
  else
    decide(entry, *wish);
  return next;
}

std::optional<Json> updated(const Json* list, const Json& action) {
  return withEntry(list, "id", action.at("customization"));
}

std::optional<Json> removed(const Json* list, const Json& action) {
  const auto hits = hitsOf(list, textIn(action, "id"));
  if (hits.empty()) return std::nullopt;
  Json next = *list;
  for (const Hit& hit : hits) {
    if (hit.child)
      next[hit.top]["children"].erase(*hit.child);
    else
      next.erase(hit.top);
  }
  return next;
}

std::optional<Json> withServerState(const Json* list, const Json& action, const Json& state,
                                    const Json* channel) {
  std::vector<Hit> hits = hitsOf(list, textIn(action, "id"));
  std::erase_if(
      hits, [&](const Hit& hit) { return kindOf(entryAt(*list, hit)) != EntryKind::mcpServer; });
  if (hits.empty()) return std::nullopt;
  Json next = *list;
  for (const Hit& hit : hits) {
    Json& server = entryAt(next, hit);
    server["state"] = state;
    if (channel != nullptr)
      server["channel"] = *channel;
    else
      server.erase("channel");
  }
  return next;
}

}  // namespace enablement
