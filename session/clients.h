// The active clients of a session, and what each of them publishes (S6). Internal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <enablement/overlay/client_base.h>
#include <enablement/overlay/statement.h>
#include <enablement/schema/clock.h>
#include <enablement/schema/error.h>
#include <enablement/schema/json_text.h>
#include <enablement/schema/target.h>
#include <enablement/session/outcome.h>

namespace enablement {

// A plugin as a client publishes it.
struct ClientPlugin {
  std::string id;
  TargetKey key;
  Json entry;                       // as it came
  StatedPlugin stated;              // what it says about on and off
  std::optional<Json> parsed = {};  // the entry as the host has found it, once it has looked
  bool parseAsked = false;          // the host was told to look
};

// What a client says, read. Entries that are refused are in neither list.
struct ClientRecord {
  std::string id;
  Json activeClient;  // as it came, without what is refused
  std::vector<ClientPlugin> plugins;
  std::vector<RefusedEntry> refused;

  [[nodiscard]] std::vector<StatedPlugin> statement() const;
};

// `activeClient` has a text clientId. Clients publish plugins only: an entry of another type, or
// one that is malformed, is refused with the reason and the rest is taken. `invalidArgument` when
// its customizations are no list.
[[nodiscard]] Result<ClientRecord> readClient(const Json& activeClient);

// A value: in the order in which they became active, which is the order in which they are asked.
class Clients {
 public:
  struct Client {
    std::string id;
    Json activeClient;  // as it came last, without what was refused
    std::vector<ClientPlugin> plugins;
    std::optional<Timestamp> goesAt = {};  // disconnected: when the grace period is over
  };

  // Replaces what the client said earlier, as a whole; it keeps its place, and is connected. What
  // was parsed of a plugin stays only where its nonce is there and unchanged.
  void put(ClientRecord record);
  void remove(const std::string& id);
  [[nodiscard]] Client* find(const std::string& id);
  [[nodiscard]] std::vector<Client>& all() { return clients_; }
  [[nodiscard]] const std::vector<Client>& all() const { return clients_; }

  // The client that the Global of a target belongs to (S5, I8); null: the host's.
  [[nodiscard]] const std::string* owner(const TargetKey& key) const { return base_.owner(key); }

 private:
  std::vector<Client> clients_;
  ClientBase base_;  // what the service was told, to ask who owns a target
};

}  // namespace enablement
