#include <enablement/overlay/client_base.h>

#include <algorithm>
#include <utility>

namespace enablement {
namespace {

// The first global entry of a list is its value; entries of other kinds say nothing here.
std::optional<bool> opinionIn(const std::vector<StatedEntry>& list) {
  const auto entry = std::find_if(list.begin(), list.end(),
                                  [](const StatedEntry& e) { return e.kind == "global"; });
  return entry == list.end() ? std::nullopt : std::optional(entry->enabled);
}

// Of two records of one target the first with an opinion counts.
void record(Opinions& opinions, const TargetKey& key, std::optional<bool> opinion) {
  const auto [it, added] = opinions.try_emplace(key, opinion);
  if (!added && !it->second) it->second = opinion;
}

}  // namespace

Result<Opinions> opinionsOf(std::span<const StatedPlugin> plugins) {
  Opinions opinions;
  for (const StatedPlugin& plugin : plugins) {
    const auto key = TargetKey::plugin(plugin.uri);
    if (!key) return fail(key.error());
    record(opinions, *key, opinionIn(plugin.enablement));
    for (const auto& [child, list] : plugin.childEnablement) {
      const auto childKey = TargetKey::mcpServer(child, plugin.uri);
      if (!childKey) return fail(childKey.error());
      record(opinions, *childKey, opinionIn(list));
    }
  }
  return opinions;
}

ClientBase::ClientBase(std::vector<Client> clients) : clients_(std::move(clients)) {
  for (std::size_t i = 0; i < clients_.size(); ++i)
    for (const auto& [key, opinion] : *clients_[i].opinions) {
      const auto [it, added] = verdicts_.try_emplace(key, Verdict{opinion, i});
      if (!added && !it->second.value && opinion) it->second = Verdict{opinion, i};
    }
}

std::optional<bool> ClientBase::value(const TargetKey& key) const {
  const auto it = verdicts_.find(key);
  return it == verdicts_.end() ? std::nullopt : it->second.value;
}

const std::string* ClientBase::owner(const TargetKey& key) const {
  const auto it = verdicts_.find(key);
  return it == verdicts_.end() ? nullptr : &clients_[it->second.client].id;
}

bool ClientBase::has(std::string_view client) const {
  return std::any_of(clients_.begin(), clients_.end(),
                     [&](const Client& known) { return known.id == client; });
}

ClientBase ClientBase::with(std::string_view client, Opinions opinions) const {
  std::vector<Client> clients = clients_;
  auto place = std::find_if(clients.begin(), clients.end(),
                            [&](const Client& known) { return known.id == client; });
  if (place == clients.end()) place = clients.insert(place, Client{std::string(client), nullptr});
  place->opinions = std::make_shared<const Opinions>(std::move(opinions));
  return ClientBase(std::move(clients));
}

ClientBase ClientBase::without(std::string_view client) const {
  std::vector<Client> clients = clients_;
  std::erase_if(clients, [&](const Client& known) { return known.id == client; });
  return ClientBase(std::move(clients));
}

std::vector<TargetKey> ClientBase::differences(const ClientBase& other) const {
  std::vector<TargetKey> differing;
  for (const auto& [key, verdict] : verdicts_)
    if (verdict.value != other.value(key)) differing.push_back(key);
  for (const auto& [key, verdict] : other.verdicts_)
    if (verdict.value && !verdicts_.contains(key)) differing.push_back(key);
  return differing;
}

}  // namespace enablement
