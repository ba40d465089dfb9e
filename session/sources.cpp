#include <enablement/session/sources.h>

#include <algorithm>
#include <set>

#include <enablement/resolver/entry_target.h>
#include <enablement/schema/text.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/entry_place.h>
#include <enablement/session/json_same.h>
#include <enablement/session/list_rules.h>
#include <enablement/session/tree_rules.h>

namespace enablement {
namespace {

// As a member of a list that the gate takes: to it, children that are null are malformed.
Json withoutNullChildren(Json entry) {
  const auto children = entry.find("children");
  if (children != entry.end() && children->is_null()) entry.erase("children");
  return entry;
}

// A client's plugin as it is published: what the client says of it, and what the host has found in
// it. Its URI is the client's: the folder that it was put into names nothing (S9).
Json shownEntry(const ClientPlugin& plugin, const std::string& client) {
  Json entry = plugin.entry;
  for (const char* field : {"nonce", "childEnablement", "children", "load", "clientId"})
    entry.erase(field);
  entry["clientId"] = client;
  if (!plugin.parsed) {
    entry["load"] = Json::object({{"kind", "loading"}});
    return entry;
  }
  // The client's own word about on and off is in its record, or nowhere.
  for (const auto& [name, value] : plugin.parsed->items())
    if (name != "nonce" && name != "enablement" && name != "childEnablement" &&
        !entry.contains(name))
      entry[name] = value;
  return entry;
}

// The host has looked into an older state of the plugin than the one that is published by now.
bool isOutdated(const Json& found, const ClientPlugin& plugin) {
  const Json* nonce = fieldOf(found, "nonce");
  if (nonce == nullptr) return false;
  const Json* current = fieldOf(plugin.entry, "nonce");
  return current == nullptr || !sameJson(*nonce, *current);
}

ClientPlugin& at(Clients& clients, const MergedTree::Visible& visible) {
  return clients.all()[visible.client].plugins[visible.plugin];
}

ClientPlugin* withId(Clients& clients, const MergedTree& tree, const std::string& id) {
  for (const auto& visible : tree.visible)
    if (ClientPlugin& plugin = at(clients, visible); plugin.id == id) return &plugin;
  return nullptr;
}

// Whether an entry is about a client's plugin: what was found in it, or the entry as it was shown.
// Told when its client has gone it is late, and no entry of the host's own.
bool isOfClient(const Json& entry) {
  return fieldOf(entry, "nonce") != nullptr || fieldOf(entry, "clientId") != nullptr;
}

void eraseChild(Json& entry, const std::string& id) {
  const Json* children = childrenOf(entry);
  if (children == nullptr) return;
  if (const auto child = indexOf(*children, "id", id)) entry["children"].erase(*child);
}

}  // namespace

void Sources::forgetStates(const Json& entry) {
  forEachEntry(Json::array({entry}), [&](const EntryPlace& place) {
    if (fieldOf(*place.entry, "state") != nullptr) serverStates_.erase(textIn(*place.entry, "id"));
  });
}

void Sources::put(const Json& entry, Clients& clients) {
  forgetStates(entry);
  if (kindOf(entry) == EntryKind::plugin) {
    const std::string& id = textIn(entry, "id");
    const MergedTree tree = merge(clients);
    if (ClientPlugin* plugin = withId(clients, tree, id)) {
      if (!isOutdated(entry, *plugin)) plugin->parsed = withoutNullChildren(entry);
      return;
    }
    if (isOfClient(entry)) return;
  }
  own_ = withEntry(own_ ? &*own_ : nullptr, "id", withoutNullChildren(entry));
}

Status Sources::tell(const Json& action, ActionType type, Clients& clients) {
  if (type == ActionType::customizationUpdated) {
    put(action.at("customization"), clients);
    return {};
  }
  if (type == ActionType::customizationsChanged) {
    // Whose an entry is does not depend on what the host told before.
    own_ = Json::array();
    const MergedTree tree = merge(clients);
    for (const Json& entry : action.at("customizations")) {
      forgetStates(entry);
      ClientPlugin* plugin =
          kindOf(entry) == EntryKind::plugin ? withId(clients, tree, textIn(entry, "id")) : nullptr;
      if (plugin == nullptr) {
        if (kindOf(entry) != EntryKind::plugin || !isOfClient(entry))
          own_->push_back(withoutNullChildren(entry));
      } else if (!isOutdated(entry, *plugin)) {
        plugin->parsed = withoutNullChildren(entry);
      }
    }
    return {};
  }
  const std::string& id = textIn(action, "id");
  if (own_)
    if (const auto top = indexOf(*own_, "id", id)) {
      own_->erase(*top);
      return {};
    }
  const MergedTree tree = merge(clients);
  if (withId(clients, tree, id) != nullptr)
    return fail(ErrorCode::invalidArgument,
                "the customization " + quote(id) + " is a plugin that a client publishes",
                "it goes with its client, or when the client publishes without it");
  if (own_)
    for (Json& entry : *own_) eraseChild(entry, id);
  for (const auto& visible : tree.visible)
    if (ClientPlugin& plugin = at(clients, visible); plugin.parsed) eraseChild(*plugin.parsed, id);
  return {};
}

MergedTree Sources::merge(const Clients& clients) const {
  MergedTree tree;
  Json list = own_.value_or(Json::array());
  std::set<TargetKey> plugins;
  std::set<std::string> ids;
  for (const Json& entry : list) {
    ids.insert(textIn(entry, "id"));
    if (kindOf(entry) != EntryKind::plugin) continue;
    if (const auto key = TargetKey::plugin(textOr(entry, "uri"))) plugins.insert(*key);
  }
  for (std::size_t c = 0; c < clients.all().size(); ++c) {
    const Clients::Client& client = clients.all()[c];
    for (std::size_t p = 0; p < client.plugins.size(); ++p) {
      const ClientPlugin& plugin = client.plugins[p];
      // An id that is taken leaves the URI to whoever comes next with it.
      if (ids.contains(plugin.id) || !plugins.insert(plugin.key).second) continue;
      ids.insert(plugin.id);
      list.push_back(shownEntry(plugin, client.id));
      tree.visible.push_back({c, p});
    }
  }
  for (const auto& [id, enabled] : flags_) {
    const auto place = placeOf(&list, id);
    if (!place || kindOf(*place->entry) != EntryKind::flagged) continue;
    const Json toggle{{"id", id}, {"enabled", enabled}};
    if (auto next = toggled(&list, toggle, Generation::first)) list = *std::move(next);
  }
  for (const auto& [id, action] : serverStates_)
    if (auto next = withServerState(&list, action, action.at("state"), fieldOf(action, "channel")))
      list = *std::move(next);
  if (own_ || !tree.visible.empty()) tree.list = std::move(list);
  return tree;
}

}  // namespace enablement
