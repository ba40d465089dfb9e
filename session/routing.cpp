#include <enablement/session/routing.h>

#include <array>
#include <cstddef>
#include <variant>

namespace enablement {
namespace {

Route impossible(Route::Obstacle obstacle) {
  Route route;
  route.kind = Route::Kind::impossible;
  route.obstacle = obstacle;
  return route;
}

Route maskedBy(std::string_view container, std::optional<Scope> scope) {
  Route route = impossible(Route::Obstacle::container);
  route.container = container;
  route.containerScope = scope;
  return route;
}

bool hasNoFolder(const Resolution& answer) {
  const auto* resolved = std::get_if<Resolved>(&answer);
  return resolved != nullptr && resolved->workingDirectory().kind() == WorkingDirectory::Kind::none;
}

// The plugin's own answer, if it is off.
std::optional<Route> maskedByPlugin(const RoutingView& view, const TargetKey& plugin,
                                    std::string_view id) {
  const Resolution answer = view.service.resolve(view.session, Target{plugin});
  const auto* resolved = std::get_if<Resolved>(&answer);
  // What is pending decides nothing yet: a decision about the child waits, as it may.
  if (resolved == nullptr || resolved->enabled()) return std::nullopt;
  return maskedBy(id, resolved->decidedBy());
}

std::optional<Route> maskedByContainer(const RoutingView& view, const Json& container) {
  const std::string_view id = textOr(container, "id");
  if (kindOf(container) == EntryKind::flagged) {
    if (answerOfFlag(container).state != EffectiveState::disabled) return std::nullopt;
    return maskedBy(id, std::nullopt);
  }
  const auto target = targetOfTopLevel(container, view.owners);
  if (!target) return maskedBy(id, std::nullopt);
  return maskedByPlugin(view, target->key, id);
}

// A bare server hangs on the plugin that owns it, in the list or not.
std::optional<Route> maskedByOwner(const RoutingView& view, const TargetKey& server) {
  const auto plugin = server.container();
  if (!plugin) return std::nullopt;
  for (const Json& entry : view.list) {
    if (kindOf(entry) != EntryKind::plugin) continue;
    const auto target = targetOfTopLevel(entry, view.owners);
    if (target && target->key == *plugin) return maskedByPlugin(view, *plugin, textOr(entry, "id"));
  }
  return maskedByPlugin(view, *plugin, plugin->printed());
}

Route routeOfFlag(const RoutingView& view, const EntryPlace& place, Scope scope) {
  if (scope != Scope::session) return impossible(Route::Obstacle::flag);
  if (place.container == nullptr) return {};
  return maskedByContainer(view, *place.container).value_or(Route());
}

}  // namespace

Route routeAt(const RoutingView& view, const EntryPlace& place, Scope scope) {
  if (kindOf(*place.entry) == EntryKind::flagged) return routeOfFlag(view, place, scope);
  const auto target = targetAt(place, view.owners);
  if (!target) return impossible(Route::Obstacle::invalid);
  // The only one that would be refused; what is masked is stored, and shows nothing.
  if (scope == Scope::workspace && hasNoFolder(view.service.resolve(view.session, *target)))
    return impossible(Route::Obstacle::noWorkspace);
  const auto mask = place.container != nullptr ? maskedByContainer(view, *place.container)
                                               : maskedByOwner(view, target->key);
  if (mask) return *mask;
  const std::string* client = scope == Scope::global ? view.clients.owner(target->key) : nullptr;
  if (client == nullptr) return {};
  Route route;
  route.kind = Route::Kind::client;
  route.client = *client;
  return route;
}

std::string_view name(Route::Kind kind) {
  static constexpr std::array<std::string_view, 3> names{"host", "client", "impossible"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name(Route::Obstacle obstacle) {
  static constexpr std::array<std::string_view, 5> names{"none", "noWorkspace", "container",
                                                         "invalid", "flag"};
  return names[static_cast<std::size_t>(obstacle)];
}

}  // namespace enablement
