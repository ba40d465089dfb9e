#include <enablement/resolver/answer.h>

namespace enablement {

std::optional<bool> Layers::globalLayer() const {
  if (global) return global;
  if (clientBase) return clientBase;
  return discoveryDefault;
}

Layers layersOf(const State& state, const SessionState& session, const Target& target) {
  Layers layers;
  if (session.decisions) {
    const auto own = session.decisions->find(target.key);
    if (own != session.decisions->end()) layers.session = own->second;
  }
  if (const std::string* folder = session.directory.uri())
    layers.workspace = state.decisions.workspace(*folder, target.key);
  layers.global = state.decisions.global(target.key);
  layers.clientBase = session.clients->value(target.key);
  layers.discoveryDefault = target.discoveryDefault;
  return layers;
}

namespace {

// `customizationId` is null for a target that is no entry of a list.
Resolution answer(const State& state, std::string_view session, const Target& target,
                  const std::string_view* customizationId) {
  if (state.failure) return Pending{PendingReason::store};
  const SessionState* known = state.session(session);
  if (!known || !known->isLoaded()) return Pending{PendingReason::session};
  if (!known->directory.isKnown()) return Pending{PendingReason::workingDirectory};

  Layers layers = layersOf(state, *known, target);
  if (customizationId && !layers.session) layers.session = known->unclaimedValue(*customizationId);
  Resolved answer(known->directory);
  if (layers.session) answer.append({Scope::session, *layers.session});
  if (layers.workspace) answer.append({Scope::workspace, *layers.workspace});
  if (const auto global = layers.globalLayer()) answer.append({Scope::global, *global});
  return answer;
}

}  // namespace

Resolution resolve(const State& state, std::string_view session, const Target& target) {
  return answer(state, session, target, nullptr);
}

Resolution resolveEntry(const State& state, std::string_view session, const Target& target,
                        std::string_view customizationId) {
  return answer(state, session, target, &customizationId);
}

Effective effective(const State& state, std::string_view session, const Target& target) {
  const Effective own = ownAnswer(resolve(state, session, target));
  const auto container = target.key.container();
  if (!container) return own;
  return masked(own, ownAnswer(resolve(state, session, Target{*container})).state);
}

}  // namespace enablement
