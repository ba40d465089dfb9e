#include <enablement/session/clients.h>

#include <algorithm>
#include <utility>

#include <enablement/resolver/entry_target.h>
#include <enablement/resolver/gate.h>
#include <enablement/schema/text.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/json_same.h>

namespace enablement {
namespace {

constexpr const char* shapeOfPlugin =
    "a plugin is {type: \"plugin\", id, uri, name, nonce?, enablement?, childEnablement?}";

tl::unexpected<Error> refuse(const std::string& what) {
  return fail(ErrorCode::invalidArgument, what, shapeOfPlugin);
}

// A list of decisions; left out, it is empty.
Result<std::vector<StatedEntry>> statedIn(const Json* list, const char* name) {
  std::vector<StatedEntry> stated;
  if (list == nullptr) return stated;
  if (!list->is_array()) return refuse("its " + std::string(name) + " is no list");
  for (const Json& decision : *list) {
    const Json* kind = fieldOf(decision, "kind");
    const Json* enabled = fieldOf(decision, "enabled");
    if (kind == nullptr || !kind->is_string() || enabled == nullptr || !enabled->is_boolean())
      return refuse("its " + std::string(name) + " has an entry that is no {kind, enabled}");
    stated.push_back({kind->get<std::string>(), enabled->get<bool>()});
  }
  return stated;
}

Result<StatedPlugin> statementOf(const Json& entry, const std::string& uri) {
  StatedPlugin stated{uri};
  auto own = statedIn(fieldOf(entry, "enablement"), "enablement");
  if (!own) return fail(own.error());
  stated.enablement = *std::move(own);
  const Json* children = fieldOf(entry, "childEnablement");
  if (children == nullptr) return stated;
  if (!children->is_object()) return refuse("its childEnablement is no object");
  for (const auto& [name, list] : children->items()) {
    auto child = statedIn(list.is_null() ? nullptr : &list, "childEnablement");
    if (!child) return fail(child.error());
    stated.childEnablement.emplace_back(name, *std::move(child));
  }
  return stated;
}

Result<ClientPlugin> pluginIn(const Json& entry) {
  if (auto ok = checkList(Json::array({entry})); !ok)
    return refuse("it is malformed: " + ok.error().message);
  if (kindOf(entry) != EntryKind::plugin)
    return refuse("clients publish plugins only, and it is of type " +
                  quote(entry.at("type").get_ref<const std::string&>()));
  const Json* uri = fieldOf(entry, "uri");
  if (uri == nullptr || !uri->is_string()) return refuse("it has no uri");
  const auto key = TargetKey::plugin(uri->get_ref<const std::string&>());
  if (!key) return fail(key.error());
  auto stated = statementOf(entry, uri->get<std::string>());
  if (!stated) return fail(stated.error());
  // The names of its servers, too: one bad name would cost the client its whole statement.
  if (auto ok = opinionsOf({&*stated, 1}); !ok) return fail(ok.error());
  return ClientPlugin{entry.at("id").get<std::string>(), *key, entry, *std::move(stated)};
}

// What was found in a plugin goes on counting where the client vouches that it is the same.
void keepParsed(ClientPlugin& plugin, const std::vector<ClientPlugin>& before) {
  const Json* nonce = fieldOf(plugin.entry, "nonce");
  if (nonce == nullptr) return;
  for (const ClientPlugin& old : before) {
    const Json* oldNonce = fieldOf(old.entry, "nonce");
    if (old.key != plugin.key || old.id != plugin.id || oldNonce == nullptr ||
        !sameJson(*oldNonce, *nonce))
      continue;
    plugin.parsed = old.parsed;
    plugin.parseAsked = old.parseAsked;
    return;
  }
}

}  // namespace

std::vector<StatedPlugin> ClientRecord::statement() const {
  std::vector<StatedPlugin> all;
  for (const ClientPlugin& plugin : plugins) all.push_back(plugin.stated);
  return all;
}

Result<ClientRecord> readClient(const Json& activeClient) {
  ClientRecord record{textIn(activeClient, "clientId"), activeClient, {}, {}};
  const Json* list = fieldOf(activeClient, "customizations");
  if (list == nullptr) return record;
  if (!list->is_array())
    return fail(ErrorCode::invalidArgument,
                "the customizations of client " + quote(record.id) + " are no list", shapeOfPlugin);
  Json taken = Json::array();
  for (std::size_t i = 0; i < list->size(); ++i) {
    Json entry = (*list)[i];
    // To the gate children that are null are malformed; here they are left out.
    if (entry.is_object() && fieldOf(entry, "children") == nullptr) entry.erase("children");
    auto plugin = pluginIn(entry);
    if (!plugin) {
      record.refused.push_back({i, plugin.error()});
      continue;
    }
    taken.push_back(std::move(entry));
    record.plugins.push_back(*std::move(plugin));
  }
  record.activeClient["customizations"] = std::move(taken);
  return record;
}

void Clients::put(ClientRecord record) {
  // Checked when it was read.
  base_ = base_.with(record.id, opinionsOf(record.statement()).value());
  if (Client* known = find(record.id)) {
    for (ClientPlugin& plugin : record.plugins) keepParsed(plugin, known->plugins);
    known->activeClient = std::move(record.activeClient);
    known->plugins = std::move(record.plugins);
    known->goesAt.reset();
  } else {
    clients_.push_back(
        {std::move(record.id), std::move(record.activeClient), std::move(record.plugins)});
  }
}

void Clients::remove(const std::string& id) {
  base_ = base_.without(id);
  std::erase_if(clients_, [&](const Client& client) { return client.id == id; });
}

Clients::Client* Clients::find(const std::string& id) {
  const auto found = std::find_if(clients_.begin(), clients_.end(),
                                  [&](const Client& client) { return client.id == id; });
  return found == clients_.end() ? nullptr : &*found;
}

}  // namespace enablement
