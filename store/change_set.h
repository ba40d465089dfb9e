// Everything one call changes on disk, row by row. Internal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <enablement/store/records.h>

namespace enablement {

// A decision that is added, changed or removed.
struct DecisionChange {
  Scope scope;
  std::string place;
  TargetKey key;
  std::optional<bool> before;
  std::optional<bool> after;
  Cause cause;
  std::string session;  // of the call; empty without one
};

// A queued part that comes (takes the place of one with the same four) or goes.
struct QueueChange {
  enum class Kind : unsigned char { put, remove };
  Kind kind;
  QueuedPart part;
  Cause cause;
  std::string report = {};  // what people are told once it is committed; empty: nothing
};

// An unclaimed decision that is added, changed or removed.
struct UnclaimedChange {
  std::string session;
  std::string customizationId;
  std::optional<bool> before;
  std::optional<bool> after;
  Cause cause;
};

// In order. History, events and memory follow from it and cannot be forgotten (I13).
using Change = std::variant<DecisionChange, QueueChange, UnclaimedChange>;
using ChangeSet = std::vector<Change>;

}  // namespace enablement
