// What a transaction writes: rows, the queue, the history that explains both.
#include <algorithm>
#include <string>

#include <enablement/store/query.h>
#include <enablement/store/sqlite_error.h>
#include <enablement/store/store.h>

namespace enablement {
namespace {

constexpr auto readDecision =
    "SELECT enabled, sequence FROM decision"
    " WHERE scope = ? AND place = ? AND type = ? AND owner_uri = ? AND name = ?";
constexpr auto putDecision =
    "INSERT INTO decision (scope, place, type, owner_uri, name, enabled, sequence)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET enabled = excluded.enabled, sequence = excluded.sequence";
constexpr auto removeDecision =
    "DELETE FROM decision"
    " WHERE scope = ? AND place = ? AND type = ? AND owner_uri = ? AND name = ?";

constexpr auto readParts =
    "SELECT scope, folder, asked, discovery_default, target_order, sequence FROM queued_part"
    " WHERE session = ? AND type = ? AND owner_uri = ? AND name = ?"
    " ORDER BY scope, folder";
constexpr auto putPart =
    "INSERT INTO queued_part (session, type, owner_uri, name, scope, folder, asked,"
    " discovery_default, target_order, sequence)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET asked = excluded.asked, sequence = excluded.sequence";
constexpr auto setDiscoveryDefault =
    "UPDATE queued_part SET discovery_default = ?"
    " WHERE session = ? AND type = ? AND owner_uri = ? AND name = ?";
constexpr auto removePart =
    "DELETE FROM queued_part"
    " WHERE session = ? AND type = ? AND owner_uri = ? AND name = ? AND scope = ? AND folder = ?";

constexpr auto readUnclaimed =
    "SELECT enabled, sequence FROM unclaimed_decision WHERE session = ? AND customization_id = ?";
constexpr auto putUnclaimed =
    "INSERT INTO unclaimed_decision (session, customization_id, enabled, sequence)"
    " VALUES (?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET enabled = excluded.enabled, sequence = excluded.sequence";
constexpr auto removeUnclaimed =
    "DELETE FROM unclaimed_decision WHERE session = ? AND customization_id = ?";

constexpr auto addHistory =
    "INSERT INTO history (sequence, at, actor, cause, subject, scope, place, session, type,"
    " owner_uri, name, customization_id, value_before, value_after, digest, unclaimed_digest)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr auto removeHistory = "DELETE FROM history WHERE sequence = ?";
// Rows that no decision and no queued part refers to as its newest one.
constexpr auto pruneHistoryRows =
    "DELETE FROM history WHERE sequence > ?1 AND sequence <= ?2"
    " AND NOT EXISTS (SELECT 1 FROM decision AS d"
    "  WHERE d.scope = history.scope AND d.place = history.place AND d.type = history.type"
    "    AND d.owner_uri = history.owner_uri AND d.name = history.name"
    "    AND d.sequence = history.sequence)"
    " AND NOT EXISTS (SELECT 1 FROM queued_part AS q"
    "  WHERE q.session = history.session AND q.type = history.type"
    "    AND q.owner_uri = history.owner_uri AND q.name = history.name"
    "    AND q.sequence = history.sequence)"
    " AND NOT EXISTS (SELECT 1 FROM unclaimed_decision AS u"
    "  WHERE u.session = history.place AND u.customization_id = history.customization_id"
    "    AND u.sequence = history.sequence)";

// Pruning looks at so many rows at a time.
constexpr std::int64_t pruneStep = 64;

HistoryEntry historyOf(const DecisionChange& change) {
  return {.cause = change.cause,
          .subject = HistoryEntry::Subject::decision,
          .scope = change.scope,
          .place = change.place,
          .session = change.session,
          .key = change.key,
          .before = change.before,
          .after = change.after};
}

HistoryEntry historyOf(const QueueChange& change) {
  const QueuedPart& part = change.part;
  return {
      .cause = change.cause,
      .subject = HistoryEntry::Subject::queue,
      .scope = part.scope,
      .place = part.folder,
      .session = part.session,
      .key = part.target.key,
      .after = part.asked == Asked::clear ? std::nullopt : std::optional(part.asked == Asked::on)};
}

HistoryEntry historyOf(const UnclaimedChange& change) {
  return {.cause = change.cause,
          .subject = HistoryEntry::Subject::unclaimed,
          .scope = Scope::session,
          .place = change.session,
          .session = change.session,
          .customizationId = change.customizationId,
          .before = change.before,
          .after = change.after};
}

}  // namespace

Status Transaction::write(const ChangeSet& changes, std::string_view actor) {
  const StoreOptions& options = store_->options_;
  const std::size_t before = position_.decisions;
  auto written = attempt("write", options.path, [&] {
    const Timestamp now = options.clock();
    for (const Change& change : changes) {
      ++position_.sequence;
      HistoryEntry entry = std::visit(
          [&](const auto& row) {
            writeRow(row);
            return historyOf(row);
          },
          change);
      entry.sequence = position_.sequence;
      entry.at = now;
      entry.actor = actor;
      writeHistory(entry);
    }
    pruneHistory();
  });
  if (!written) return written;

  const auto& cap = options.decisionCap;
  if (cap && position_.decisions > *cap && position_.decisions > before)
    return fail(ErrorCode::limit,
                options.path.string() + " holds " + std::to_string(before) +
                    " decisions, and the configured limit is " + std::to_string(*cap),
                "remove decisions that are no longer needed, or raise the limit");
  return {};
}

void Transaction::writeRow(const DecisionChange& change) {
  auto& statements = *store_->statements_;
  const TargetKey& key = change.key;
  const auto scope = name(change.scope);
  const auto type = name(key.type());

  {
    Query existing(statements, readDecision, scope, change.place, type, key.owner(), key.name());
    if (existing.next()) {
      position_.digest.remove(
          StoredDecision{change.scope, change.place, key, existing.integer(0) != 0, {}, {}});
      --position_.decisions;
      forgetOldHistory(existing.integer(1));
    }
  }
  if (!change.after) {
    Query(statements, removeDecision, scope, change.place, type, key.owner(), key.name()).run();
    return;
  }
  Query(statements, putDecision, scope, change.place, type, key.owner(), key.name(), *change.after,
        position_.sequence)
      .run();
  position_.digest.add(StoredDecision{change.scope, change.place, key, *change.after, {}, {}});
  ++position_.decisions;
}

void Transaction::writeRow(const QueueChange& change) {
  auto& statements = *store_->statements_;
  const QueuedPart& part = change.part;
  const TargetKey& key = part.target.key;
  const auto type = name(key.type());
  const bool put = change.kind == QueueChange::Kind::put;

  // All parts of a target are kept with the target as it was given last (I12), so that a put
  // touches those that wait already.
  std::int64_t targetOrder = position_.sequence;
  {
    Query waiting(statements, readParts, part.session, type, key.owner(), key.name());
    while (waiting.next()) {
      QueuedPart row{part.session, Target{key, waiting.flag(3)},
                     waiting.text(0) == name(Scope::workspace) ? Scope::workspace : Scope::session,
                     waiting.text(1), parseAsked(waiting.text(2)).value_or(Asked::off)};
      targetOrder = waiting.integer(4);
      const bool same = row.scope == part.scope && row.folder == part.folder;
      if (same) forgetOldHistory(waiting.integer(5));
      if (same || put) position_.digest.remove(row);
      if (same || !put) continue;
      row.target.discoveryDefault = part.target.discoveryDefault;
      position_.digest.add(row);
    }
  }
  if (!put) {
    Query(statements, removePart, part.session, type, key.owner(), key.name(), name(part.scope),
          part.folder)
        .run();
    return;
  }
  Query(statements, putPart, part.session, type, key.owner(), key.name(), name(part.scope),
        part.folder, name(part.asked), part.target.discoveryDefault, targetOrder,
        position_.sequence)
      .run();
  Query(statements, setDiscoveryDefault, part.target.discoveryDefault, part.session, type,
        key.owner(), key.name())
      .run();
  position_.digest.add(part);
}

void Transaction::writeRow(const UnclaimedChange& change) {
  auto& statements = *store_->statements_;
  {
    Query existing(statements, readUnclaimed, change.session, change.customizationId);
    if (existing.next()) {
      position_.unclaimed.remove(
          UnclaimedDecision{change.session, change.customizationId, existing.integer(0) != 0});
      forgetOldHistory(existing.integer(1));
    }
  }
  if (!change.after) {
    Query(statements, removeUnclaimed, change.session, change.customizationId).run();
    return;
  }
  Query(statements, putUnclaimed, change.session, change.customizationId, *change.after,
        position_.sequence)
      .run();
  position_.unclaimed.add(UnclaimedDecision{change.session, change.customizationId, *change.after});
}

void Transaction::writeHistory(const HistoryEntry& entry) {
  const auto at = static_cast<std::int64_t>(entry.at.time_since_epoch().count());
  const auto& key = entry.key;
  Query(*store_->statements_, addHistory, entry.sequence, at, entry.actor, name(entry.cause),
        name(entry.subject), name(entry.scope), entry.place, entry.session,
        key ? name(key->type()) : "", key ? key->owner() : "", key ? key->name() : "",
        entry.customizationId, entry.before, entry.after, position_.digest.stored(),
        position_.unclaimed.stored())
      .run();
}

// The row that gave a decision its value outlives the horizon; once the decision changes it need
// not.
void Transaction::forgetOldHistory(std::int64_t sequence) {
  if (sequence <= horizon()) Query(*store_->statements_, removeHistory, sequence).run();
}

void Transaction::pruneHistory() {
  const std::int64_t end = horizon();
  if (end < position_.prunedTo + pruneStep) return;
  Query(*store_->statements_, pruneHistoryRows, position_.prunedTo, end).run();
  position_.prunedTo = end;
}

std::int64_t Transaction::horizon() const {
  // The newest row is never given up: it carries the digest.
  const auto kept = std::max<std::size_t>(store_->options_.historyRows, 1);
  return position_.sequence - static_cast<std::int64_t>(kept);
}

}  // namespace enablement
