// The inside of SessionHost. Internal.
//
// Nothing is held across a call of the service or the sink: either may call back in. What a
// function needs afterwards it looks up again; a session that was forgotten meanwhile is `gone`.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <enablement/resolver/service.h>
#include <enablement/schema/json_text.h>
#include <enablement/session/action.h>
#include <enablement/session/clients.h>
#include <enablement/session/entry_place.h>
#include <enablement/session/host.h>
#include <enablement/session/sources.h>
#include <enablement/session/state.h>
#include <enablement/session/toggle.h>

namespace enablement {

// The state of an empty session.
[[nodiscard]] PublishedState emptyState();

// One session that is kept.
struct HostedSession {
  explicit HostedSession(std::string sessionName) : name(std::move(sessionName)) {}

  std::string name;
  // What peers of each generation have. Changed by what is sent to them and by nothing else.
  PublishedState first = emptyState();
  PublishedState second = emptyState();
  // The answers of the tree that peers have; none: it was never published.
  std::optional<GatedList> gated;

  Sources sources;
  Clients clients;
  OwnerMap owners;
  std::uint64_t revision = 0;  // of these three
  bool waits = false;          // a publish was due before its decisions were loaded
  bool gone = false;

  // The list that peers have; null before the first.
  [[nodiscard]] const Json* tree() const;
  [[nodiscard]] Json merged() const;
};

using SessionRef = std::shared_ptr<HostedSession>;

class SessionHost::Impl {
 public:
  Impl(EnablementService& service, Sink sink, HostOptions options);

  // Runs a call of the host; the outermost one does afterwards what waits.
  template <typename Call>
  auto run(Call call) -> decltype(call()) {
    auto result = [&] {
      const Inside inside(*this);
      return call();
    }();
    if (depth_ == 0) catchUp();
    return result;
  }

  [[nodiscard]] SessionRef find(const std::string& session) const;
  // `invalidArgument` with the session's name.
  [[nodiscard]] static Error notKept(const std::string& session);

  // Sessions.
  Status open(const std::string& session, std::optional<std::vector<std::string>> directories);
  void forget(const std::string& session);

  // Actions, one function for each kind.
  Outcome dispatch(const SessionRef& session, const std::optional<std::string>& client,
                   Generation generation, const Json& action);
  Outcome toggle(HostedSession& session, std::string_view actor, Generation generation,
                 const Json& action);
  Outcome setDirectories(HostedSession& session, std::string_view actor, const Json& action);
  Outcome setServerState(HostedSession& session, bool byClient, const Json& action,
                         ActionType type);
  Outcome tellTree(HostedSession& session, const Json& action, ActionType type);
  Outcome setClient(HostedSession& session, const Json& action);
  Outcome removeClient(HostedSession& session, const std::string& client);

  // Connections.
  void tick(Timestamp now);
  [[nodiscard]] std::optional<Timestamp> nextDeadline() const;
  // removeClient() where nobody waits for the answer.
  void dropClient(HostedSession& session, const std::string& client);
  [[nodiscard]] Timestamp graceEnd() const { return options_.clock() + options_.gracePeriod; }
  // The sessions that have the client.
  template <typename Visit>
  void forEachSessionOf(const std::string& client, const Visit& visit);

  // Publishing (S7).

  // Publishes the tree if peers have another one, or none.
  void publish(HostedSession& session);
  // The same, where one was published or is due.
  void republish(HostedSession& session);
  [[nodiscard]] bool isLoaded(const std::string& session) const;
  [[nodiscard]] Result<GatedList> gated(const HostedSession& session) const;
  // Sends a message, unless it changes nothing for any peer.
  void send(HostedSession& session, SessionMessage message);
  // Has the host look into the clients' plugins that are visible and that it does not know.
  void askToParse(HostedSession& session);
  // The state of either generation with every list in it gated anew.
  [[nodiscard]] std::pair<Json, Json> snapshotOf(const HostedSession& session) const;
  [[nodiscard]] std::optional<GatedList> gatedListOf(const HostedSession& session,
                                                     const Json& activeClient) const;

  EnablementService& service_;

 private:
  // Decides about a plugin or server: what is written, or why it is refused.
  struct Decision {
    std::vector<Write> writes;
    std::optional<std::string> clientOwned;
  };
  [[nodiscard]] Result<Decision> decisionOf(const HostedSession& session, const EntryPlace& place,
                                            const Json& toggle) const;
  Outcome decide(HostedSession& session, std::string_view actor, const EntryPlace& place,
                 const Json& toggle);

  // While it lives, a call is running.
  class Inside {
   public:
    explicit Inside(Impl& impl) : impl_(impl) { ++impl_.depth_; }
    ~Inside() { --impl_.depth_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Impl& impl_;
  };

  void publishGated(HostedSession& session, GatedList list);
  void listen();
  void catchUp();
  bool republishNamed();
  void deliver(std::size_t& budget);
  // Whether the next tick() has something to do at once.
  [[nodiscard]] bool waits() const;

  Sink sink_;
  HostOptions options_;
  std::map<std::string, SessionRef> sessions_;
  std::deque<SessionMessage> outbox_;
  std::set<std::string> later_;  // overtaken too often; their turn comes with the next tick()
  int depth_ = 0;

  // What events on other threads touch: such a call may still be running when the host is gone.
  struct Heard {
    std::function<void()> wake;
    std::mutex mutex;
    std::set<std::string> named;  // by events that were not looked at yet; under the mutex
  };
  std::shared_ptr<Heard> heard_ = std::make_shared<Heard>();
  Subscription events_;  // last: it is gone before all it uses
};

template <typename Visit>
void SessionHost::Impl::forEachSessionOf(const std::string& client, const Visit& visit) {
  std::vector<SessionRef> having;
  for (const auto& [name, session] : sessions_)
    if (session->clients.find(client) != nullptr) having.push_back(session);
  for (const SessionRef& session : having)
    if (!session->gone && session->clients.find(client) != nullptr) visit(*session);
}

}  // namespace enablement
