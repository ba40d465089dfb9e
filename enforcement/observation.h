// What a runtime says of itself, and what that may be taken for (E4, E5).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include <enablement/enforcement/inputs.h>
#include <enablement/enforcement/plan.h>
#include <enablement/enforcement/state.h>
#include <enablement/schema/target.h>

namespace enablement {

// The states of a server in a runtime. Life-cycle, not intent: only `disabled` says something of
// what is on (E4).
enum class RuntimeState : unsigned char {
  pending,
  connected,
  failed,
  needsAuth,
  stopped,
  disabled,
  notConfigured,
};

// The runtime's word for a state: "needs-auth", "not_configured".
[[nodiscard]] std::string_view name(RuntimeState state);
// The state of that name; stopped for any other text.
[[nodiscard]] RuntimeState runtimeStateOf(std::string_view name);

// What a runtime says of one server.
struct ServerReport {
  std::string name;
  RuntimeState state = RuntimeState::stopped;
  std::optional<bool> enabled = {};  // the explicit flag, where an inventory has one
};

// The answer to a request for all servers. `request`: of EnforcementState::inventoryRequested().
struct Inventory {
  std::uint64_t request;
  std::vector<ServerReport> servers;
};

// A server changed its state.
struct LifeCycle {
  ServerReport server;
};

// The runtime has loaded its servers. The snapshot that comes with it may be older than what was
// done since: it is not read (E5).
struct ServersLoaded {
  std::vector<ServerReport> servers = {};
};

// The names of the servers that a runtime runs with after a reload (Codex).
struct ConfigurationReported {
  std::vector<std::string> servers;
};

using RuntimeEvent = std::variant<Inventory, LifeCycle, ServersLoaded, ConfigurationReported>;

struct Observation;

// What is known of a runtime's servers. Only observe() puts anything into it, so that nothing that
// was merely wished or told can pass for knowledge. A value; not for several threads at once.
class Observed {
 public:
  struct Server {
    std::optional<bool> enabled = {};  // none: nothing has said so yet
    RuntimeState state = RuntimeState::stopped;
  };
  using Servers = std::map<std::string, Server, std::less<>>;

  // What the runtime lists; nothing if it was launched again since.
  [[nodiscard]] const Servers& servers(const EnforcementState& state) const;
  // Whether an inventory was used, and nothing has made it void since.
  [[nodiscard]] bool isCurrent(const EnforcementState& state) const;

 private:
  friend class Digest;

  Servers servers_;
  bool isCurrent_ = false;
  std::uint64_t launch_ = 0;
};

// Somebody switched a server in the runtime itself: "Global := observed, other scopes kept" for
// that entry. The host dispatches it like a client's toggle, or writes it with set() at global
// scope, and gives EnforcementState::toggleAnswered() the answer.
struct OutsideToggle {
  std::string server;
  bool enabled;
  Target target;
  std::string id;                     // of its entry in the list; empty: it has none
  nlohmann::ordered_json enablement;  // of the entry, with the new value for global
};

// The protocol's toggle action of it; null if it has no entry.
[[nodiscard]] nlohmann::ordered_json toggleAction(const OutsideToggle& toggle);

// What a server's published state is to be.
struct Published {
  enum class Kind : unsigned char { starting, ready, error, authRequired, stopped };

  std::string server;
  Kind kind;
  bool challengeCleared = false;
};

[[nodiscard]] std::string_view name(Published::Kind kind);

struct Observation {
  std::vector<OutsideToggle> toggles;
  std::vector<Published> published;  // of every server that was spoken of
  bool wasUsed = true;               // false: an inventory that something newer overtook
  bool inventoryWanted = false;      // ask the runtime, and observe the answer
};

// Takes in what a runtime says; the only way in which its state becomes known. Names are resolved
// before anything is made of them (E2b). *Not yet*: nothing but the names was kept; observe the
// same event again when the reason is gone. Servers that the host injects are passed over.
[[nodiscard]] Planned<Observation> observe(Runtime runtime, const RuntimeEvent& event,
                                           const SessionInputs& inputs, EnforcementState& state,
                                           Observed& observed);

}  // namespace enablement
