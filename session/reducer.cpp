#include <enablement/session/reducer.h>

#include <optional>
#include <string>
#include <utility>

#include <enablement/session/action.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/list_rules.h>
#include <enablement/session/tree_rules.h>

namespace enablement {
namespace {

// The one list of the state that actions of a type change.
const char* listOf(ActionType type) {
  switch (type) {
    case ActionType::activeClientSet:
    case ActionType::activeClientRemoved:
      return "activeClients";
    case ActionType::workingDirectorySet:
    case ActionType::workingDirectoryRemoved:
    case ActionType::workingDirectoryReplaced:
      return "workingDirectories";
    default:
      return "customizations";
  }
}

std::optional<Json> nextList(const Json* list, const Json& action, ActionType type,
                             Generation generation) {
  switch (type) {
    case ActionType::customizationsChanged:
      return action.at("customizations");
    case ActionType::customizationToggled:
      return toggled(list, action, generation);
    case ActionType::customizationUpdated:
      return updated(list, action);
    case ActionType::customizationRemoved:
      return removed(list, action);
    case ActionType::mcpServerStateChanged:
      return withServerState(list, action, action.at("state"), fieldOf(action, "channel"));
    case ActionType::mcpServerStartRequested:
      return withServerState(list, action, Json::object({{"kind", "starting"}}), nullptr);
    case ActionType::mcpServerStopRequested:
      return withServerState(list, action, Json::object({{"kind", "stopped"}}), nullptr);
    case ActionType::activeClientSet:
      return withEntry(list, "clientId", action.at("activeClient"));
    case ActionType::activeClientRemoved:
      return clientRemoved(list, textIn(action, "clientId"));
    case ActionType::workingDirectorySet:
      return directorySet(list, textIn(action, "directory"));
    case ActionType::workingDirectoryRemoved:
      return directoryRemoved(list, textIn(action, "directory"));
    case ActionType::workingDirectoryReplaced:
      return directoryReplaced(list, textIn(action, "directory"), textIn(action, "replacement"));
  }
  return std::nullopt;
}

// The state with one member in its place, or at the end. The others are copied, the old one is not.
Json withMember(const Json& state, const char* key, Json value) {
  const auto found = state.find(key);
  const Json* old = found == state.end() ? nullptr : &*found;
  Json next = Json::object();
  // The vector's own function: keys are known to be new, and the map's would look again.
  auto& members = next.get_ref<Json::object_t&>();
  for (const auto& [name, member] : state.get_ref<const Json::object_t&>())
    members.emplace_back(name, &member == old ? Json() : member);
  next[key] = std::move(value);
  return next;
}

}  // namespace

Result<PublishedState> reduce(const PublishedState& state, const nlohmann::ordered_json& action,
                              Generation generation) {
  const Json* wireName = fieldOf(action, "type");
  if (wireName == nullptr || !wireName->is_string())
    return fail(ErrorCode::invalidArgument, "the action has no text \"type\"",
                "an action is an object such as {\"type\": \"session/customizationRemoved\", "
                "\"id\": \"…\"}");
  const auto type = actionType(wireName->get_ref<const std::string&>());
  if (!type) return state;
  if (auto ok = checkShape(action, *type, generation); !ok) return fail(ok.error());
  const char* key = listOf(*type);
  auto next = nextList(fieldOf(state.json(), key), action, *type, generation);
  if (!next) return state;
  return PublishedState(withMember(state.json(), key, *std::move(next)));
}

}  // namespace enablement
