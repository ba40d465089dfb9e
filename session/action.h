// The actions that change what a session publishes: its tree of customizations, its clients and its
// working directories (S2); and who may send them (S3). Wire names are those of the protocol.
#pragma once

#include <optional>
#include <string_view>

#include <enablement/schema/error.h>

namespace enablement {

enum class ActionType : unsigned char {
  customizationsChanged,
  customizationToggled,
  customizationUpdated,
  customizationRemoved,
  mcpServerStateChanged,
  mcpServerStartRequested,
  mcpServerStopRequested,
  activeClientSet,
  activeClientRemoved,
  workingDirectorySet,
  workingDirectoryRemoved,
  workingDirectoryReplaced,
};

// The type with that wire name, e.g. "session/customizationToggled". None for any other text: the
// protocol has more actions than these.
[[nodiscard]] std::optional<ActionType> actionType(std::string_view wireName);

// The wire name.
[[nodiscard]] std::string_view name(ActionType type);

// Whether a client may send an action of that wire name (S3). If not: `invalidArgument`, with the
// reason to give to the client and, where there is one, what to send instead. Any thread.
[[nodiscard]] Status mayClientDispatch(std::string_view wireName);

}  // namespace enablement
