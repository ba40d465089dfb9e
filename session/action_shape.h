// Whether an action has the shape that its type asks for. Internal.
#pragma once

#include <enablement/schema/json_text.h>
#include <enablement/session/action.h>
#include <enablement/session/reducer.h>

namespace enablement {

// Everything that the rules read, so that they need not look again. `invalidArgument`, saying where
// and what, for a field that is missing or of the wrong kind, an entry that the gate would not
// publish (no object, no text `id` or `type`, children that are no list), and for what
// problemOfJson() finds. The decisions of a toggle are checked for its own generation; the other's
// payload is well-formed and changes nothing (S2). Null is as good as left out.
[[nodiscard]] Status checkShape(const Json& action, ActionType type, Generation generation);

// What an action holds under that name, or null if it is left out.
[[nodiscard]] const Json* fieldOf(const Json& object, const char* name);

// A text that checkShape() has seen.
[[nodiscard]] const std::string& textIn(const Json& object, const char* name);

}  // namespace enablement
