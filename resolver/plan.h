// What a write does to a target's decisions: the rules of I11 as a pure function. Internal.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <enablement/resolver/answer.h>
#include <enablement/schema/scope.h>
#include <enablement/store/records.h>

namespace enablement {

// What is asked of one scope.
struct ScopeAsk {
  Scope scope;
  Asked asked;
  Cause cause;  // what history calls it
  // A global entry of a settled session's replacement: equal to what the session sees there, it
  // restates that and writes nothing, because clients echo the whole list (I11).
  bool mayRestate = false;
};

// The other known sessions that a shared scope applies to. They matter where a shared "on" is taken
// back: would one of them then inherit an on?
struct Neighbours {
  bool any = false;
  bool anyOnBelowHost =
      false;  // by its own client base, else the caller's discovery default, else on
};

struct WriteView {
  Layers layers;
  // Whether the session is settled: only then is it known what a scope inherits.
  bool inheritanceKnown = false;
  Neighbours everywhere = {};
  Neighbours inFolder = {};
};

// One row that changes.
struct ScopeChange {
  Scope scope;
  std::optional<bool> before;
  std::optional<bool> after;
  Cause cause;
  friend bool operator==(const ScopeChange&, const ScopeChange&) = default;
};

// At most one ask per scope, in any order. Only scopes that are asked of change (I10).
[[nodiscard]] std::vector<ScopeChange> planWrite(const WriteView& view,
                                                 std::span<const ScopeAsk> asks);

// Whether the plan could depend on the neighbours, which are dear to find.
[[nodiscard]] bool dependsOnNeighbours(const WriteView& view, std::span<const ScopeAsk> asks);

}  // namespace enablement
