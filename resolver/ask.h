// What a caller asks of a target's decisions.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <enablement/schema/scope.h>
#include <enablement/schema/target.h>

namespace enablement {

struct Set {
  Scope scope;
  bool enabled;
};

struct Clear {
  Scope scope;
};

// An entry of a replacement. `uri` counts on workspace entries only; without one the session's own
// folder is meant.
struct ReplaceEntry {
  Scope kind;
  bool enabled;
  std::optional<std::string> uri = {};
};

// The list becomes the whole truth: a scope that is not in it is cleared. Its order is free.
struct Replace {
  std::vector<ReplaceEntry> enablement;
};

using Ask = std::variant<Set, Clear, Replace>;

struct Write {
  Target target;
  Ask ask;
};

}  // namespace enablement
