#include <enablement/session/action.h>

#include <array>
#include <string>

#include <enablement/schema/text.h>

namespace enablement {
namespace {

struct ActionInfo {
  ActionType type;
  std::string_view name;
  // Why only the host sends it; empty if clients may, too.
  std::string_view refusal = {};
  std::string_view hint = {};
};

constexpr std::string_view listIsTheHosts =
    "the list of customizations is published by the host alone";
constexpr std::string_view publishPlugins =
    "a client publishes its own plugins with session/activeClientSet";

constexpr std::array<ActionInfo, 12> actions{{
    {ActionType::customizationsChanged, "session/customizationsChanged", listIsTheHosts,
     publishPlugins},
    {ActionType::customizationToggled, "session/customizationToggled"},
    {ActionType::customizationUpdated, "session/customizationUpdated", listIsTheHosts,
     publishPlugins},
    {ActionType::customizationRemoved, "session/customizationRemoved", listIsTheHosts,
     "to switch one off, send session/customizationToggled"},
    {ActionType::mcpServerStateChanged, "session/mcpServerStateChanged",
     "the state of an MCP server is what the host sees of it",
     "to start or stop one, send session/mcpServerStartRequested or "
     "session/mcpServerStopRequested"},
    {ActionType::mcpServerStartRequested, "session/mcpServerStartRequested"},
    {ActionType::mcpServerStopRequested, "session/mcpServerStopRequested"},
    {ActionType::activeClientSet, "session/activeClientSet"},
    {ActionType::activeClientRemoved, "session/activeClientRemoved"},
    {ActionType::workingDirectorySet, "session/workingDirectorySet"},
    {ActionType::workingDirectoryRemoved, "session/workingDirectoryRemoved"},
    {ActionType::workingDirectoryReplaced, "session/workingDirectoryReplaced"},
}};

constexpr bool tableIsInOrder() {
  for (std::size_t i = 0; i < actions.size(); ++i)
    if (actions[i].type != static_cast<ActionType>(i)) return false;
  return true;
}
static_assert(tableIsInOrder(), "name() takes the type for the row");

const ActionInfo* find(std::string_view wireName) {
  for (const ActionInfo& action : actions)
    if (action.name == wireName) return &action;
  return nullptr;
}

}  // namespace

std::optional<ActionType> actionType(std::string_view wireName) {
  const ActionInfo* action = find(wireName);
  return action == nullptr ? std::nullopt : std::optional(action->type);
}

std::string_view name(ActionType type) {
  return actions[static_cast<std::size_t>(type)].name;
}

Status mayClientDispatch(std::string_view wireName) {
  const ActionInfo* action = find(wireName);
  if (action == nullptr)
    return fail(ErrorCode::invalidArgument,
                "a client may not send " + quote(wireName) + ": it is not known here as an action");
  if (action->refusal.empty()) return {};
  return fail(ErrorCode::invalidArgument,
              "a client may not send " + quote(wireName) + ": " + std::string(action->refusal),
              std::string(action->hint));
}

}  // namespace enablement
