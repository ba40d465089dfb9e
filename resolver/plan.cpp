#include <enablement/resolver/plan.h>

#include <algorithm>

namespace enablement {
namespace {

std::optional<bool>& valueAt(Layers& layers, Scope scope) {
  switch (scope) {
    case Scope::session:
      return layers.session;
    case Scope::workspace:
      return layers.workspace;
    case Scope::global:
      break;
  }
  return layers.global;
}

// What a scope inherits from those wider than it.
bool inherited(const Layers& layers, Scope scope) {
  if (scope == Scope::session && layers.workspace) return *layers.workspace;
  if (scope != Scope::global && layers.global) return *layers.global;
  return layers.clientBase.value_or(layers.discoveryDefault.value_or(true));
}

// Whether a neighbour would be on at `scope` if nothing were stored there.
bool neighbourWouldBeOn(const WriteView& view, const Layers& layers, Scope scope) {
  if (scope == Scope::global) return view.everywhere.anyOnBelowHost;
  if (scope == Scope::session) return false;
  return layers.global ? *layers.global && view.inFolder.any : view.inFolder.anyOnBelowHost;
}

// What is stored at the scope afterwards (the table of I11).
std::optional<bool> storedAfter(const WriteView& view, const Layers& layers, Scope scope,
                                std::optional<bool> stored, bool asked) {
  if (stored == asked || !view.inheritanceKnown || asked != inherited(layers, scope)) return asked;
  // Asked is what is inherited anyway.
  if (asked) return std::nullopt;
  // An off is somebody's word: it is not taken back by asking for it, only an on is.
  if (!stored || neighbourWouldBeOn(view, layers, scope)) return false;
  return std::nullopt;
}

}  // namespace

std::vector<ScopeChange> planWrite(const WriteView& view, std::span<const ScopeAsk> asks) {
  Layers layers = view.layers;
  std::vector<ScopeChange> changes;
  for (const Scope scope : writeOrder) {
    const auto ask =
        std::find_if(asks.begin(), asks.end(), [&](const ScopeAsk& a) { return a.scope == scope; });
    if (ask == asks.end()) continue;

    std::optional<bool>& value = valueAt(layers, scope);
    const std::optional<bool> before = value;
    std::optional<bool> after;
    if (ask->asked != Asked::clear) {
      const bool asked = ask->asked == Asked::on;
      if (ask->mayRestate && asked == layers.globalLayer().value_or(true)) continue;
      after = storedAfter(view, layers, scope, before, asked);
    }
    if (after == before) continue;
    const bool redundant = !after && ask->asked != Asked::clear && ask->cause == Cause::set;
    changes.push_back({scope, before, after, redundant ? Cause::redundant : ask->cause});
    value = after;
  }
  return changes;
}

bool dependsOnNeighbours(const WriteView& view, std::span<const ScopeAsk> asks) {
  if (!view.inheritanceKnown) return false;
  return std::any_of(asks.begin(), asks.end(), [&](const ScopeAsk& ask) {
    Layers layers = view.layers;
    return ask.scope != Scope::session && ask.asked == Asked::off &&
           valueAt(layers, ask.scope) == true;
  });
}

}  // namespace enablement
