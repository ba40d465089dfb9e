// What a session's tree is made of: what the host found, what clients publish. Internal.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <enablement/schema/error.h>
#include <enablement/schema/json_text.h>
#include <enablement/session/action.h>
#include <enablement/session/clients.h>

namespace enablement {

// The tree before the gate. It is built anew from all its parts each time, never appended to (S6):
// the host's own entries first, then the plugins of the clients, in the order in which these became
// active. A plugin appears once: the host's own before a client's, the first client's before
// another's. A client's plugin whose id another entry of the top level bears is left out as long as
// that one is there.
struct MergedTree {
  struct Visible {  // a client's plugin that is in it, by its place in Clients
    std::size_t client;
    std::size_t plugin;
  };

  std::optional<Json> list;  // none: nobody has told anything yet
  std::vector<Visible> visible;
};

class Sources {
 public:
  // What an action of the host tells: the list, an entry, that one is gone. Entries with the id of
  // a client's visible plugin are what the host has found in that plugin, all others are its own.
  // `invalidArgument` when it would take away a client's plugin.
  [[nodiscard]] Status tell(const Json& action, ActionType type, Clients& clients);

  // What an entry with a flag was switched to. It goes on counting when the host finds it again.
  void remember(const std::string& id, bool enabled) { flags_[id] = enabled; }
  // What a server was said to be doing; counts until the host tells its entry anew. `action` is a
  // session/mcpServerStateChanged.
  void remember(const std::string& id, Json action) { serverStates_[id] = std::move(action); }

  [[nodiscard]] MergedTree merge(const Clients& clients) const;

 private:
  void put(const Json& entry, Clients& clients);
  void forgetStates(const Json& entry);

  std::optional<Json> own_;
  std::map<std::string, bool> flags_;
  std::map<std::string, Json> serverStates_;
};

}  // namespace enablement
