// The rows of a store as values: what is listed, what is queued, what has happened.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <enablement/schema/clock.h>
#include <enablement/schema/scope.h>
#include <enablement/schema/target.h>

namespace enablement {

// Why a row came, changed or went (I13).
enum class Cause : unsigned char {
  set,
  clear,
  replace,
  redundant,       // a set made it equal to what is inherited, so it went (I11)
  purge,           // the target was uninstalled
  sessionDeleted,  // its session was deleted
  queued,          // a part of a write had to wait (I12)
  queueApplied,    // a queued part became a decision, or found nothing to change
  queueDropped,    // a queued part could not apply
  import,
  claimed,    // an unclaimed decision found its key: it went, and counts under the key from now on
  recovered,  // read from a damaged file that did not tell its history
  restored,   // brought back from the history
  pruned,     // tidied away: redundant, old, or of a folder that is gone
};

[[nodiscard]] std::string_view name(Cause cause);
[[nodiscard]] std::optional<Cause> parseCause(std::string_view word);

// What a write asks of one scope.
enum class Asked : unsigned char { off, on, clear };

[[nodiscard]] std::string_view name(Asked asked);
[[nodiscard]] std::optional<Asked> parseAsked(std::string_view word);

// A decision as it is stored.
struct StoredDecision {
  Scope scope;
  std::string place;  // global: empty; workspace: the folder; session: the session
  TargetKey key;
  bool enabled;
  Timestamp since;  // when it got this value
  std::string by;   // the actor who gave it
};

// A part of a write that waits until its session is settled or its folder known (I12).
struct QueuedPart {
  std::string session;
  Target target;            // as the last call gave it that queued a part of it
  Scope scope;              // workspace or session
  std::string folder = {};  // the folder that a workspace part named; empty: the session's own
  Asked asked = Asked::off;
  Timestamp since = {};
  std::string by = {};
};

// A session decision that was imported under a customization id, which is no key. It counts in the
// gate for an entry with exactly that id until it is claimed.
struct UnclaimedDecision {
  std::string session;
  std::string customizationId;
  bool enabled;
  Timestamp since = {};
  std::string by = {};
};

// One row of history: a decision that changed, or a queued part that came or went.
struct HistoryEntry {
  enum class Subject : unsigned char { decision, queue, unclaimed };

  std::int64_t sequence = 0;  // ascending in commit order
  Timestamp at = {};
  std::string actor = {};
  Cause cause = Cause::set;
  Subject subject = Subject::decision;
  Scope scope = Scope::global;
  std::string place = {};    // as in StoredDecision; of a queued part: as in QueuedPart::folder
  std::string session = {};  // the session of the call; empty for a call without one
  std::optional<TargetKey> key = {};  // none: an unclaimed decision
  std::string customizationId = {};   // of an unclaimed decision
  std::optional<bool> before = {};    // none: there was no decision
  std::optional<bool> after = {};     // none: there is no decision; of a queued part: a clear
};

[[nodiscard]] std::string_view name(HistoryEntry::Subject subject);
[[nodiscard]] std::optional<HistoryEntry::Subject> parseSubject(std::string_view word);

// Which rows of history are wanted; the newest last.
struct HistoryQuery {
  std::optional<TargetKey> target = {};
  std::optional<std::string> session = {};
  std::optional<Timestamp> since = {};
  std::int64_t afterSequence = 0;
  std::size_t last = 0;  // only the newest so many; 0: all
};

}  // namespace enablement
