// Who may call on an agent, a skill and the like (S8).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <enablement/schema/resolution.h>

namespace enablement {

struct Invocable {
  bool byModel = false;
  bool byUser = false;
  friend bool operator==(const Invocable&, const Invocable&) = default;
};

// Of an entry with its effective answer. `disableModelInvocation` takes an agent or skill from the
// model's own choice, `disableUserInvocation` from the user's pickers, each independently of the
// other; nothing that is not effectively enabled is open to anybody. What is there and is not false
// disables: what is not understood fails closed. A pure function; any thread.
[[nodiscard]] Invocable invocableAs(const nlohmann::ordered_json& entry, Effective answer);

}  // namespace enablement
