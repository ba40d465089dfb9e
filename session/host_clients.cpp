// Clients come, stay for a while, and go (S6).
#include <algorithm>
#include <optional>
#include <utility>

#include <spdlog/spdlog.h>

#include <enablement/schema/log.h>
#include <enablement/schema/text.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/host_impl.h>
#include <enablement/session/json_same.h>

namespace enablement {
namespace {

// What a client is known as; none if it is not active.
std::optional<Json> activeClientOf(HostedSession& session, const std::string& id) {
  const Clients::Client* known = session.clients.find(id);
  return known == nullptr ? std::nullopt : std::optional(known->activeClient);
}

// The service tells others of a client before it returns, and they may call the host again: whether
// one of them has changed that client. Then the newer word stands.
bool isOvertaken(HostedSession& session, const std::string& id, const std::optional<Json>& before) {
  const auto now = activeClientOf(session, id);
  return now.has_value() != before.has_value() || (now && !sameJson(*now, *before));
}

}  // namespace

Outcome SessionHost::Impl::setClient(HostedSession& session, const Json& action) {
  auto record = readClient(action.at("activeClient"));
  if (!record) return {Outcome::Kind::refused, record.error()};
  Outcome outcome;
  outcome.refusedEntries = record->refused;
  const std::string id = record->id;
  if (Clients::Client* known = session.clients.find(id);
      known != nullptr && sameJson(known->activeClient, record->activeClient)) {
    // Nothing new: told again, it would be answered again by whoever answers everything.
    known->goesAt.reset();
    return outcome;
  }
  const auto before = activeClientOf(session, id);
  if (auto stated = service_.stateClientBase(session.name, id, record->statement()); !stated)
    return {Outcome::Kind::refused, stated.error()};
  if (session.gone || isOvertaken(session, id, before)) return outcome;
  const Json activeClient = record->activeClient;
  session.clients.put(*std::move(record));
  ++session.revision;
  send(session,
       SessionMessage::client(session.name, activeClient, gatedListOf(session, activeClient)));
  publish(session);
  askToParse(session);
  return outcome;
}

Outcome SessionHost::Impl::removeClient(HostedSession& session, const std::string& client) {
  const auto before = activeClientOf(session, client);
  if (!before)
    return {Outcome::Kind::ignored,
            Error{ErrorCode::invalidArgument, "client " + quote(client) + " is not active", {}}};
  if (auto removed = service_.removeClientBase(session.name, client); !removed)
    return {Outcome::Kind::refused, removed.error()};
  if (session.gone || isOvertaken(session, client, before)) return {};
  session.clients.remove(client);
  ++session.revision;
  const Json action{{"type", name(ActionType::activeClientRemoved)}, {"clientId", client}};
  if (auto message = SessionMessage::other(session.name, action)) send(session, *message);
  send(session, SessionMessage::clientLeft(session.name, client));
  publish(session);
  askToParse(session);
  return {};
}

void SessionHost::Impl::tick(Timestamp now) {
  for (const std::string& name : std::exchange(later_, {}))
    if (const SessionRef session = find(name)) republish(*session);
  std::vector<std::pair<SessionRef, std::string>> due;
  for (const auto& [name, session] : sessions_)
    for (const Clients::Client& client : session->clients.all())
      if (client.goesAt && *client.goesAt <= now) due.emplace_back(session, client.id);
  for (const auto& [session, client] : due) {
    // What came before may have brought it back.
    const Clients::Client* known = session->clients.find(client);
    if (!session->gone && known != nullptr && known->goesAt && *known->goesAt <= now)
      dropClient(*session, client);
  }
}

void SessionHost::Impl::dropClient(HostedSession& session, const std::string& client) {
  const Outcome removed = removeClient(session, client);
  if (removed.kind == Outcome::Kind::refused)
    log()->error("client {} stays in session {}: {}", quote(client), quote(session.name),
                 describe(*removed.reason));
}

std::optional<Timestamp> SessionHost::Impl::nextDeadline() const {
  if (waits()) return options_.clock();
  std::optional<Timestamp> next;
  for (const auto& [name, session] : sessions_)
    for (const Clients::Client& client : session->clients.all())
      if (client.goesAt && (!next || *client.goesAt < *next)) next = client.goesAt;
  return next;
}

void SessionHost::clientDisconnected(const std::string& client) {
  impl_->run([&] {
    const Timestamp goesAt = impl_->graceEnd();
    impl_->forEachSessionOf(
        client, [&](HostedSession& session) { session.clients.find(client)->goesAt = goesAt; });
    return 0;
  });
}

void SessionHost::clientReconnected(const std::string& client,
                                    std::span<const std::string> sessions) {
  impl_->run([&] {
    impl_->forEachSessionOf(client, [&](HostedSession& session) {
      if (std::find(sessions.begin(), sessions.end(), session.name) != sessions.end())
        session.clients.find(client)->goesAt.reset();
      else
        impl_->dropClient(session, client);
    });
    return 0;
  });
}

void SessionHost::clientUnsubscribed(const std::string& session, const std::string& client) {
  impl_->run([&] {
    if (const SessionRef kept = impl_->find(session)) impl_->dropClient(*kept, client);
    return 0;
  });
}

std::optional<Timestamp> SessionHost::nextDeadline() const {
  return impl_->nextDeadline();
}

void SessionHost::tick(Timestamp now) {
  impl_->run([&] {
    impl_->tick(now);
    return 0;
  });
}

}  // namespace enablement
