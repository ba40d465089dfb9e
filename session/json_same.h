// Whether two JSON values are equal where the order of members does not count. Internal.
#pragma once

#include <enablement/schema/json_text.h>

namespace enablement {

// Recursive: for values whose depth is limited, as that of all states and actions is.
[[nodiscard]] bool sameJson(const Json& a, const Json& b);

}  // namespace enablement
