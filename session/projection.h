// What a peer of the first generation is shown of what the host keeps in the second (S1, S10).
#pragma once

#include <nlohmann/json.hpp>

#include <enablement/resolver/gate.h>

namespace enablement {

// The list in the first generation: plugins and servers have `enabled`, the value that their
// decisions give, in place of `enablement` and `childEnablement`; directories have theirs. What is
// pending, or has no key, shows false. A pure function; any thread.
[[nodiscard]] nlohmann::ordered_json inFirstGeneration(const GatedList& list);

}  // namespace enablement
