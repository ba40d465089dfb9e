// A toggle becomes decisions (S4, S5).
#include <algorithm>
#include <utility>
#include <variant>

#include <spdlog/spdlog.h>

#include <enablement/resolver/explain.h>
#include <enablement/schema/log.h>
#include <enablement/schema/text.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/host_impl.h>

namespace enablement {
namespace {

Outcome refused(Error reason) {
  return {Outcome::Kind::refused, std::move(reason)};
}

// It may just have vanished: the client could not know yet.
Outcome ignored(const HostedSession& session, const std::string& what) {
  std::string message = "a toggle in session " + quote(session.name) + " is ignored: " + what;
  log()->info("{}", message);
  return {Outcome::Kind::ignored,
          Error{ErrorCode::invalidArgument, std::move(message), std::string()}};
}

// Whether an entry was shown without a list of its own. What a pending child holds back had one.
bool wasPending(const std::optional<GatedList>& published, const std::string& id) {
  if (!published) return true;
  const auto& pending = published->pending();
  if (!std::binary_search(pending.begin(), pending.end(), id)) return false;
  const Effective* answer = published->find(id);
  return answer == nullptr || answer->reason != EffectiveReason::child;
}

std::optional<bool> storedGlobal(const EnablementService& service, const std::string& session,
                                 const Target& target) {
  for (const ExplainedLayer& layer : explain(service, session, target).layers)
    if (layer.kind == ExplainedLayer::Kind::global) return layer.value;
  return std::nullopt;
}

Error foreign(const std::string& session, const std::string& own, const std::string& named) {
  return {ErrorCode::foreignWorkspace,
          "session " + quote(session) + " works in " + quote(own) + ", not in " + quote(named),
          "decide in the session's own folder"};
}

// The write of one wish of a scope that is the host's.
Result<Write> writeOf(const std::string& session, const Target& target, const ScopeWish& wish,
                      const Resolution& before) {
  const auto* resolved = std::get_if<Resolved>(&before);
  // Also of what is to go: while a turn runs peers have the list of the folder before (I17).
  const std::string* own = resolved == nullptr ? nullptr : resolved->workingDirectory().uri();
  if (wish.folder && own != nullptr && *own != *wish.folder)
    return fail(foreign(session, *own, *wish.folder));
  if (!wish.enabled) return Write{target, Clear{wish.scope}};
  // A folder that is not known yet is compared when it is: of an unsettled session a replacement
  // writes what it names, and nothing else (I11, I12).
  if (wish.folder && resolved == nullptr)
    return Write{target, Replace{{ReplaceEntry{wish.scope, *wish.enabled, wish.folder}}}};
  return Write{target, Set{wish.scope, *wish.enabled}};
}

}  // namespace

Outcome SessionHost::Impl::toggle(HostedSession& session, std::string_view actor,
                                  Generation generation, const Json& action) {
  const std::string& id = textIn(action, "id");
  const PublishedState shown = session.second;  // what `place` is in stays while this does
  const auto place = placeOf(fieldOf(shown.json(), "customizations"), id);
  if (!place) return ignored(session, "no customization has the id " + quote(id));
  const auto toggle = inSecondGeneration(action, generation, *place);
  if (!toggle) return ignored(session, "it is of another generation than its sender");
  if (auto ok = checkShape(*toggle, ActionType::customizationToggled, Generation::second); !ok)
    return refused(ok.error());
  if (kindOf(*place->entry) != EntryKind::flagged) return decide(session, actor, *place, *toggle);

  const Json& decisions = toggle->at("enablement");
  const bool enabled = decisions.empty() || decisions.front().at("enabled").get<bool>();
  session.sources.remember(id, enabled);
  ++session.revision;
  send(session, SessionMessage::toggle(session.name, *toggle, enabled));
  publish(session);
  return {};
}

Result<SessionHost::Impl::Decision> SessionHost::Impl::decisionOf(const HostedSession& session,
                                                                  const EntryPlace& place,
                                                                  const Json& toggle) const {
  const auto target = targetAt(place, session.owners);
  if (!target) return fail(target.error());
  const auto wishes = wishesOf(toggle.at("enablement"), *place.entry,
                               wasPending(session.gated, textIn(toggle, "id")));
  if (!wishes) return fail(wishes.error());
  const std::string* owner = session.clients.owner(target->key);
  const Resolution before = service_.resolve(session.name, *target);
  Decision decision;
  for (const ScopeWish& wish : *wishes) {
    if (wish.scope == Scope::global && owner != nullptr) {
      decision.clientOwned = *owner;
      // The host's value would hide the client's: it goes, unless it says what is wished.
      const auto stored = storedGlobal(service_, session.name, *target);
      if (stored && stored != wish.enabled)
        decision.writes.push_back({*target, Clear{Scope::global}});
      continue;
    }
    auto write = writeOf(session.name, *target, wish, before);
    if (!write) return fail(write.error());
    decision.writes.push_back(*std::move(write));
  }
  return decision;
}

Outcome SessionHost::Impl::decide(HostedSession& session, std::string_view actor,
                                  const EntryPlace& place, const Json& toggle) {
  const auto target = targetAt(place, session.owners);
  auto decision = decisionOf(session, place, toggle);
  if (!decision) return refused(decision.error());
  if (!decision->writes.empty())
    if (auto written = service_.batch(session.name, decision->writes, actor); !written)
      return refused(written.error());
  if (!session.gone) {
    const Resolution now = service_.resolve(session.name, *target);
    send(session, SessionMessage::toggle(session.name, toggle,
                                         std::holds_alternative<Resolved>(now) &&
                                             derivedFrom(&toggle.at("enablement"))));
    publish(session);
  }
  Outcome outcome;
  outcome.clientOwned = std::move(decision->clientOwned);
  return outcome;
}

}  // namespace enablement
