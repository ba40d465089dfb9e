// SessionHost: keeps what sessions publish, beside the service that keeps what is on.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <enablement/resolver/entry_target.h>
#include <enablement/schema/clock.h>
#include <enablement/schema/error.h>
#include <enablement/schema/resolution.h>
#include <enablement/schema/scope.h>
#include <enablement/session/invocation.h>
#include <enablement/session/message.h>
#include <enablement/session/outcome.h>
#include <enablement/session/reducer.h>
#include <enablement/session/route.h>

namespace enablement {

class EnablementService;

struct HostOptions {
  Clock clock = systemNow;
  // How long a client that is disconnected stays, with what it publishes (S6).
  std::chrono::milliseconds gracePeriod = std::chrono::seconds(30);
  // Called when something waits for the next call of tick(): an event of the service that came on
  // another thread, or messages beyond maxMessagesPerCall. On any thread; it may only note that,
  // and must not call back.
  std::function<void()> wake = {};
};

// A server as the runtime is to have it.
struct DesiredServer {
  std::string id;
  std::string name;
  std::optional<std::string> owner;  // the URI of the plugin it belongs to, canonical
  bool runs;                         // only if it is effectively enabled; pending is off (I7)
};

// What a picker shows of an entry.
struct PickerEntry {
  std::string id;
  std::string name;
  std::optional<std::string> container;  // the id of the entry it is in
  Effective answer;
  Invocable invocable;
};

// The host's part of the protocol (S3 to S10): it answers actions, writes what toggles decide,
// tells the service what clients state, and publishes each session's tree anew when an answer in it
// changes. The state of a session is what its peers have when they have applied all messages.
//
// Thread rule: it belongs to the thread that made it; all calls are made there, from inside the
// sink and from listeners of the service too. It has no thread and no timer, and holds no lock
// while it calls the sink or the service. Events of the service may come on any thread: those of
// other threads wait for the next call (HostOptions::wake). It must not be destroyed inside the
// sink, and goes before the service.
//
// The sink gets messages in order, one at a time: what is dispatched inside it is done at once, and
// the messages of that come after the current one. A sink that throws is logged.
//
// Sessions of a host have their clients' base stated and their directory set by it alone.
class SessionHost {
 public:
  using Sink = std::function<void(const SessionMessage&)>;

  // A call hands over at most that many messages. The others wait for the next one, so that peers
  // who answer every message with an action cannot hold the caller for ever.
  static constexpr std::size_t maxMessagesPerCall = 1000;

  SessionHost(EnablementService& service, Sink sink, HostOptions options = {});
  ~SessionHost();
  SessionHost(const SessionHost&) = delete;
  SessionHost& operator=(const SessionHost&) = delete;

  // Sessions.

  // Begins to keep a session. Its working directories, if they are known: the first is its primary
  // one, and an empty list means none. Its decisions are loaded with the service's loadSession();
  // until then publishing waits. `invalidArgument` if it is kept already or its name is bad,
  // `invalidUri` for a directory, and what setWorkingDirectory() fails with.
  Status openSession(const std::string& session,
                     std::optional<std::vector<std::string>> workingDirectories = {});
  // Forgets the session, and has the service close it (I15). Messages about it that still wait are
  // dropped.
  Status closeSession(const std::string& session);
  // The same, and its decisions are erased. When that fails nothing has changed.
  Status deleteSession(const std::string& session, std::string_view actor = "host");

  // Actions.

  // Takes an action of a client (S3), or of the host itself if there is none. With its actions the
  // host tells what it finds: session/customizationsChanged is the whole list of its own entries,
  // session/customizationUpdated one of them or what is in a client's plugin,
  // session/mcpServerStateChanged what a server does. A client may speak for itself alone. The
  // start of a server that is not effectively enabled is refused.
  Outcome dispatch(const std::string& session, const std::optional<std::string>& client,
                   Generation generation, const nlohmann::ordered_json& action);
  // Which plugins bare servers belong to (I5). `invalidArgument` for a session that is not kept.
  Status setOwners(const std::string& session, OwnerMap owners);

  // Connections.

  // The client's connection is gone: where it is active it stays for the grace period.
  void clientDisconnected(const std::string& client);
  // It is back, and looks at these sessions. It stays in them; from all others it goes at once.
  void clientReconnected(const std::string& client, std::span<const std::string> sessions);
  // It looks at that session no longer.
  void clientUnsubscribed(const std::string& session, const std::string& client);
  // When tick() has something to do next; none: nothing waits. Now, if messages or events wait.
  [[nodiscard]] std::optional<Timestamp> nextDeadline() const;
  // Takes away the clients whose grace period is over, and does what waits.
  void tick(Timestamp now);

  // Queries. Each is answered from the tree as it is now, published or not. `invalidArgument` for a
  // session that is not kept, or an id that is not in its tree.

  // The state for a peer that begins to look, published anew if it was outdated. Apply no message
  // to it that was handed to the sink before.
  [[nodiscard]] Result<SessionSnapshot> snapshot(const std::string& session);
  // Where a decision about an entry would go (S5).
  [[nodiscard]] Result<Route> routeFor(const std::string& session, const std::string& id,
                                       Scope scope) const;
  // Who may call on an entry (S8). Nobody, where there is none.
  [[nodiscard]] Invocable invocable(const std::string& session, const std::string& id) const;
  // All entries of a type, such as "agent", over all containers, in the order of the tree.
  [[nodiscard]] Result<std::vector<PickerEntry>> entriesOfType(const std::string& session,
                                                               std::string_view type) const;
  // Every server with whether it is to run, in the order of the tree.
  [[nodiscard]] Result<std::vector<DesiredServer>> desiredServers(const std::string& session) const;
  // The names of all servers of the root configuration and of the session's plugins, off or on, as
  // they are found now (S9).
  [[nodiscard]] Result<std::set<std::string>> declaredServers(
      const std::string& session, std::vector<std::string> rootConfiguration) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace enablement
