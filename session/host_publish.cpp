// Publishing: what leaves, and when (S7).
#include <utility>
#include <variant>

#include <spdlog/spdlog.h>

#include <enablement/resolver/claim.h>
#include <enablement/schema/log.h>
#include <enablement/schema/text.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/host_impl.h>
#include <enablement/session/json_same.h>
#include <enablement/session/projection.h>

namespace enablement {
namespace {

// A list that was overtaken by a change is made anew so many times.
constexpr int retries = 3;

// The next state of a peer; whether it is another one.
bool advance(PublishedState& state, const Json* action, Generation generation) {
  if (action == nullptr) return false;
  const auto next = reduce(state, *action, generation);
  if (!next) {
    log()->error("an action of the host is refused: {}", describe(next.error()));
    return false;
  }
  const bool changes = !next->isSame(state) && !sameJson(next->json(), state.json());
  state = *next;
  return changes;
}

}  // namespace

bool SessionHost::Impl::isLoaded(const std::string& session) const {
  // Any target will do: a session that is not loaded has no answer for it.
  static const Target any{TargetKey::plugin("enablement/any").value()};
  const Resolution answer = service_.resolve(session, any);
  const auto* pending = std::get_if<Pending>(&answer);
  return pending == nullptr || pending->reason == PendingReason::workingDirectory;
}

Result<GatedList> SessionHost::Impl::gated(const HostedSession& session) const {
  return gate(service_, session.name, session.merged(), session.owners);
}

void SessionHost::Impl::send(HostedSession& session, SessionMessage message) {
  if (message.kind() == SessionMessage::Kind::action) {
    const bool first =
        advance(session.first, message.actionFor(Generation::first), Generation::first);
    const bool second =
        advance(session.second, message.actionFor(Generation::second), Generation::second);
    if (!first && !second) return;
  }
  outbox_.push_back(std::move(message));
}

void SessionHost::Impl::republish(HostedSession& session) {
  if (session.gated || session.waits) publish(session);
}

void SessionHost::Impl::publish(HostedSession& session) {
  for (int tries = 0; tries <= retries && !session.gone; ++tries) {
    // A fresh read each time, never a list that was made earlier.
    const std::uint64_t revision = session.revision;
    auto list = session.sources.merge(session.clients).list;
    // What was published goes, too, with the last of it.
    if (!list && session.tree() != nullptr) list = Json::array();
    if (!list) return;
    if (!isLoaded(session.name)) {
      session.waits = true;
      return;
    }
    // What bears an id of the list is claimed before the list is resolved. If that fails it goes on
    // counting under its id, for the gate, too.
    if (const auto claimed = claim(service_, session.name, *list, session.owners, "host"); !claimed)
      log()->warn("decisions of session {} stay unclaimed: {}", quote(session.name),
                  describe(claimed.error()));
    auto result = gate(service_, session.name, *std::move(list), session.owners);
    if (!result)
      return log()->error("session {} cannot be published: {}", quote(session.name),
                          describe(result.error()));
    if (session.gone) return;
    if (session.revision == revision && result->isCurrent(service_))
      return publishGated(session, *std::move(result));
  }
  // Somebody writes without a pause. What overtook may not concern this session, so that no event
  // would come for it. A session that has not published yet waits as one that is not loaded does.
  if (session.gone) return;
  session.waits = true;
  later_.insert(session.name);
}

void SessionHost::Impl::publishGated(HostedSession& session, GatedList list) {
  session.waits = false;
  const Json* before = session.tree();
  const Json* firstBefore = fieldOf(session.first.json(), "customizations");
  const bool isNew = before == nullptr || !sameJson(*before, list.customizations());
  const bool isNewInFirst =
      firstBefore == nullptr || !sameJson(*firstBefore, inFirstGeneration(list));
  session.gated = list;
  if (isNew)
    send(session, SessionMessage::tree(session.name, std::move(list), before));
  else if (isNewInFirst)
    send(session, SessionMessage::projectedTree(session.name, std::move(list)));
}

void SessionHost::Impl::askToParse(HostedSession& session) {
  for (const auto& visible : session.sources.merge(session.clients).visible) {
    Clients::Client& client = session.clients.all()[visible.client];
    ClientPlugin& plugin = client.plugins[visible.plugin];
    if (plugin.parsed || plugin.parseAsked) continue;
    plugin.parseAsked = true;
    const Json* nonce = fieldOf(plugin.entry, "nonce");
    send(session, SessionMessage::parsePlugin(
                      session.name, {client.id, plugin.id, plugin.stated.uri,
                                     nonce == nullptr ? std::nullopt : std::optional(*nonce)}));
  }
}

std::optional<GatedList> SessionHost::Impl::gatedListOf(const HostedSession& session,
                                                        const Json& activeClient) const {
  const Json* list = fieldOf(activeClient, "customizations");
  if (list == nullptr) return std::nullopt;
  // Each entry was looked at when the client sent it.
  auto result = gate(service_, session.name, *list, session.owners);
  return result ? std::optional(*std::move(result)) : std::nullopt;
}

std::pair<Json, Json> SessionHost::Impl::snapshotOf(const HostedSession& session) const {
  Json first = session.first.json();
  Json second = session.second.json();
  if (session.gated) {
    // Not what was published last: where publishing waits, that is old.
    if (const auto list = gated(session)) {
      first["customizations"] = inFirstGeneration(*list);
      second["customizations"] = list->customizations();
    }
  }
  if (second.contains("activeClients"))
    for (std::size_t i = 0; i < second["activeClients"].size(); ++i)
      if (const auto own = gatedListOf(session, second["activeClients"][i])) {
        first["activeClients"][i]["customizations"] = inFirstGeneration(*own);
        second["activeClients"][i]["customizations"] = own->customizations();
      }
  return {std::move(first), std::move(second)};
}

}  // namespace enablement
