// What became of an action that was dispatched.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/schema/error.h>

namespace enablement {

// An entry of what a client publishes that was not taken; the rest was (S6).
struct RefusedEntry {
  std::size_t index;  // in the client's list
  Error reason;
};

// The answer to the one who sent the action (S4): clients apply their own actions at once, and
// undo what is not applied.
struct Outcome {
  enum class Kind : unsigned char {
    applied,  // and told to the session's peers if it changed what they see
    ignored,  // it changes nothing; `reason` says why
    refused,  // nothing has changed, here or in the store; `reason` says why
  };

  Kind kind = Kind::applied;
  std::optional<Error> reason = {};
  // Of a toggle: the client that the target's Global belongs to. That part was not stored (S5), the
  // other scopes were; what is on globally changes when that client publishes its plugins again.
  std::optional<std::string> clientOwned = {};
  // Of session/activeClientSet.
  std::vector<RefusedEntry> refusedEntries = {};
};

// "applied", "ignored", "refused".
[[nodiscard]] std::string_view name(Outcome::Kind kind);

}  // namespace enablement
