// What a toggle asks for, compared with what was published (S4). Internal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <enablement/schema/error.h>
#include <enablement/schema/json_text.h>
#include <enablement/schema/resolution.h>
#include <enablement/schema/scope.h>
#include <enablement/session/entry_place.h>
#include <enablement/session/reducer.h>

namespace enablement {

// What is wished at one scope.
struct ScopeWish {
  Scope scope = Scope::global;
  std::optional<bool> enabled = {};  // none: no decision there
  // The folder that a workspace entry names, or the one whose decision is to go; canonical.
  std::optional<std::string> folder = {};
};

// The toggle as the second generation has it, which the host keeps: of the first generation's
// `enabled` the session's decision, above those that the entry bears (S1). Where a peer of the
// first generation sends both fields, `enablement` counts. Nothing when it has no payload of its
// own generation. `action` has passed checkShape() for its generation.
[[nodiscard]] std::optional<Json> inSecondGeneration(const Json& action, Generation generation,
                                                     const EntryPlace& published);

// The scopes in which a list of decisions differs from what was published for the entry, in the
// order in which they are written. What is merely echoed is not wished for, however stale: it must
// never become a decision. Of an entry that was published as pending no list was shown, so that
// what is missing takes nothing away.
//
// `invalidArgument` for an unknown scope, or two entries of one; `invalidUri`, `invalidArgument`
// for a bad folder.
[[nodiscard]] Result<std::vector<ScopeWish>> wishesOf(const Json& asked, const Json& published,
                                                      bool wasPending);

// What an entry of a first generation shows: the most specific decision; on when there is none.
[[nodiscard]] bool derivedFrom(const Json* enablement);

}  // namespace enablement
