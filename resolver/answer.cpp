#include <enablement/resolver/answer.h>

namespace enablement {

std::optional<bool> Layers::globalLayer() const {
  if (global) return global;
  if (clientBase) return clientBase;
  return discoveryDefault;
}

Layers layersOf(const State& state, const KnownSession& session, const Target& target) {
  Layers layers;
  if (session.decisions) layers.session = session.decisions->find(target.key);
  const auto shared = state.decisions.find(target.key, session.directory.hashedUri());
  layers.workspace = shared.workspace;
  layers.global = shared.global;
  if (!session.clients->empty()) layers.clientBase = session.clients->value(target.key);
  layers.discoveryDefault = target.discoveryDefault;
  return layers;
}

namespace {

std::optional<PendingReason> pendingReason(const State& state, const KnownSession* session) {
  if (state.failure) return PendingReason::store;
  if (!session || !session->isLoaded()) return PendingReason::session;
  if (!session->directory.isKnown()) return PendingReason::workingDirectory;
  return std::nullopt;
}

// `customizationId` is null for a target that is no entry of a list.
Resolution answer(const State& state, const KnownSession* session, const Target& target,
                  const std::string_view* customizationId) {
  if (const auto waits = pendingReason(state, session)) return Pending{*waits};
  Layers layers = layersOf(state, *session, target);
  if (customizationId && !layers.session)
    layers.session = session->unclaimedValue(*customizationId);
  Resolved answer(session->directory);
  if (layers.session) answer.append({Scope::session, *layers.session});
  if (layers.workspace) answer.append({Scope::workspace, *layers.workspace});
  if (const auto global = layers.globalLayer()) answer.append({Scope::global, *global});
  return answer;
}

}  // namespace

Resolution resolve(const State& state, const KnownSession* session, const Target& target) {
  return answer(state, session, target, nullptr);
}

Resolution resolveEntry(const State& state, const KnownSession* session, const Target& target,
                        std::string_view customizationId) {
  return answer(state, session, target, &customizationId);
}

Effective ownState(const State& state, const KnownSession* session, const Target& target) {
  if (const auto waits = pendingReason(state, session)) return ownAnswer(Pending{*waits});
  const auto decided = [](bool enabled, EffectiveReason reason) {
    return Effective{enabled ? EffectiveState::enabled : EffectiveState::disabled, reason};
  };
  // From the most specific layer outwards; what is not asked is not looked up.
  if (const auto own = session->decisions->find(target.key))
    return decided(*own, EffectiveReason::session);
  const auto shared = state.decisions.find(target.key, session->directory.hashedUri());
  if (shared.workspace) return decided(*shared.workspace, EffectiveReason::workspace);
  if (shared.global) return decided(*shared.global, EffectiveReason::global);
  if (!session->clients->empty())
    if (const auto base = session->clients->value(target.key))
      return decided(*base, EffectiveReason::global);
  if (target.discoveryDefault) return decided(*target.discoveryDefault, EffectiveReason::global);
  return decided(true, EffectiveReason::byDefault);
}

Effective effective(const State& state, const KnownSession* session, const Target& target) {
  const Effective own = ownState(state, session, target);
  const auto container = target.key.container();
  if (!container) return own;
  return masked(own, ownState(state, session, Target{*container}).state);
}

}  // namespace enablement
