// What a transaction reads.
#include <string>
#include <utility>

#include <absl/container/flat_hash_map.h>

#include <enablement/migrations/migrator.h>
#include <enablement/store/query.h>
#include <enablement/store/sqlite_error.h>
#include <enablement/store/store.h>

namespace enablement {
namespace {

// Kept equal to meta.version, and still there when meta is not.
constexpr auto readUserVersion = "PRAGMA user_version";
constexpr auto readDataVersion = "PRAGMA data_version";
constexpr auto readLastHistory =
    "SELECT sequence, digest, unclaimed_digest FROM history ORDER BY sequence DESC LIMIT 1";

constexpr auto readDecisions = "SELECT scope, place, type, owner_uri, name, enabled FROM decision";
constexpr auto readSession =
    "SELECT type, owner_uri, name, enabled FROM decision WHERE scope = 'session' AND place = ?";
constexpr auto readAbout =
    "SELECT scope, place, type, owner_uri, name, enabled FROM decision"
    " WHERE type = ? AND owner_uri = ? AND name = ?"
    " ORDER BY scope, place";
constexpr auto readStored =
    "SELECT d.scope, d.place, d.type, d.owner_uri, d.name, d.enabled, h.at, h.actor"
    "  FROM decision AS d LEFT JOIN history AS h ON h.sequence = d.sequence"
    // Plugins first, as in operator< of keys.
    " ORDER BY d.scope, d.place, d.type DESC, d.owner_uri, d.name";

#define ENABLEMENT_UNCLAIMED_COLUMNS                               \
  "SELECT u.session, u.customization_id, u.enabled, h.at, h.actor" \
  " FROM unclaimed_decision AS u LEFT JOIN history AS h ON h.sequence = u.sequence"
constexpr auto readUnclaimed =
    ENABLEMENT_UNCLAIMED_COLUMNS " ORDER BY u.session, u.customization_id";
constexpr auto readUnclaimedOf =
    ENABLEMENT_UNCLAIMED_COLUMNS " WHERE u.session = ? ORDER BY u.customization_id";
#undef ENABLEMENT_UNCLAIMED_COLUMNS

#define ENABLEMENT_QUEUE_COLUMNS                                               \
  "SELECT q.session, q.type, q.owner_uri, q.name, q.scope, q.folder, q.asked," \
  " q.discovery_default, h.at, h.actor"                                        \
  " FROM queued_part AS q LEFT JOIN history AS h ON h.sequence = q.sequence"
constexpr auto readQueue =
    ENABLEMENT_QUEUE_COLUMNS " ORDER BY q.session, q.target_order, q.sequence";
constexpr auto readQueueOf =
    ENABLEMENT_QUEUE_COLUMNS " WHERE q.session = ? ORDER BY q.target_order, q.sequence";
constexpr auto readQueueAbout = ENABLEMENT_QUEUE_COLUMNS
    " WHERE q.type = ? AND q.owner_uri = ? AND q.name = ?"
    " ORDER BY q.session, q.target_order, q.sequence";
#undef ENABLEMENT_QUEUE_COLUMNS

#define ENABLEMENT_HISTORY_COLUMNS                                                            \
  "SELECT sequence, at, actor, cause, subject, scope, place, session, type, owner_uri, name," \
  " value_before, value_after, digest, unclaimed_digest, customization_id FROM history"
constexpr auto readHistoryAfter =
    ENABLEMENT_HISTORY_COLUMNS " WHERE sequence > ? ORDER BY sequence";
constexpr auto readHistory = ENABLEMENT_HISTORY_COLUMNS
    " WHERE sequence > ?1 AND at >= ?2"
    "   AND (?3 IS NULL OR (type = ?3 AND owner_uri = ?4 AND name = ?5))"
    "   AND (?6 IS NULL OR session = ?6 OR (scope = 'session' AND place = ?6))"
    " ORDER BY sequence DESC LIMIT ?7";
#undef ENABLEMENT_HISTORY_COLUMNS

// More rows than this are not worth telling one by one.
constexpr std::int64_t foreignRows = 10'000;

tl::unexpected<Error> badRow(const std::string& table, const std::filesystem::path& file) {
  return fail(ErrorCode::corrupt,
              "a row of table " + table + " in " + file.string() + " cannot be understood",
              "restore a backup or recover what can be read");
}

Error migratedMeanwhile(const std::filesystem::path& file, int version) {
  const bool newer = version > currentSchemaVersion();
  return {newer ? ErrorCode::newerSchema : ErrorCode::corrupt,
          file.string() + " was migrated " + (newer ? "up" : "down") + " to schema version " +
              std::to_string(version) + " by another process, this program uses version " +
              std::to_string(currentSchemaVersion()),
          newer ? "update this program" : "start this program again to migrate it up"};
}

// The columns scope, place, type, owner_uri, name, enabled.
// Makes keys from rows of which many speak of one plugin: these share its text.
class SharedKeys {
 public:
  Result<TargetKey> fromColumns(const std::string& type, const std::string& owner,
                                const std::string& name) {
    if (owner.empty()) return TargetKey::fromColumns(type, owner, name);
    auto plugin = plugins_.find(owner);
    if (plugin == plugins_.end()) {
      auto key = TargetKey::fromColumns("plugin", owner, {});
      if (!key) return key;
      plugin = plugins_.emplace(owner, std::move(*key)).first;
    }
    if (type == "plugin" && name.empty()) return plugin->second;
    if (type == "mcpServer" && !name.empty()) return TargetKey::fromColumns(plugin->second, name);
    return TargetKey::fromColumns(type, owner, name);
  }

 private:
  absl::flat_hash_map<std::string, TargetKey> plugins_;
};

Result<StoredDecision> decisionFrom(Query& row, const std::filesystem::path& file,
                                    SharedKeys& keys) {
  const auto scope = parseScope(row.text(0));
  auto key = keys.fromColumns(row.text(2), row.text(3), row.text(4));
  const auto enabled = row.flag(5);
  if (!scope || !key || !enabled) return badRow("decision", file);
  return StoredDecision{*scope, row.text(1), std::move(*key), *enabled, {}, {}};
}

Timestamp timestamp(std::int64_t milliseconds) {
  return Timestamp(std::chrono::milliseconds(milliseconds));
}

Result<std::vector<QueuedPart>> partsFrom(Query& rows, const std::filesystem::path& file) {
  std::vector<QueuedPart> parts;
  while (rows.next()) {
    auto key = TargetKey::fromColumns(rows.text(1), rows.text(2), rows.text(3));
    const auto scope = parseScope(rows.text(4));
    const auto asked = parseAsked(rows.text(6));
    if (!key || !scope || !asked) return badRow("queued_part", file);
    parts.push_back({rows.text(0), Target{std::move(*key), rows.flag(7)}, *scope, rows.text(5),
                     *asked, timestamp(rows.integer(8)), rows.text(9)});
  }
  return parts;
}

Result<std::vector<UnclaimedDecision>> unclaimedFrom(Query& rows,
                                                     const std::filesystem::path& file) {
  std::vector<UnclaimedDecision> decisions;
  while (rows.next()) {
    const auto enabled = rows.flag(2);
    if (!enabled) return badRow("unclaimed_decision", file);
    decisions.push_back(
        {rows.text(0), rows.text(1), *enabled, timestamp(rows.integer(3)), rows.text(4)});
  }
  return decisions;
}

Result<HistoryEntry> historyFrom(Query& row, const std::filesystem::path& file) {
  const auto cause = parseCause(row.text(3));
  const auto subject = parseSubject(row.text(4));
  const auto scope = parseScope(row.text(5));
  if (!cause || !subject || !scope) return badRow("history", file);
  HistoryEntry entry{.sequence = row.integer(0),
                     .at = timestamp(row.integer(1)),
                     .actor = row.text(2),
                     .cause = *cause,
                     .subject = *subject,
                     .scope = *scope,
                     .place = row.text(6),
                     .session = row.text(7),
                     .customizationId = row.text(15),
                     .before = row.flag(11),
                     .after = row.flag(12)};
  if (*subject == HistoryEntry::Subject::unclaimed) return entry;
  auto key = TargetKey::fromColumns(row.text(8), row.text(9), row.text(10));
  if (!key) return badRow("history", file);
  entry.key = std::move(*key);
  return entry;
}

}  // namespace

Result<std::optional<ForeignChanges>> Transaction::foreign() {
  using Answer = std::optional<ForeignChanges>;
  auto& statements = *store_->statements_;
  const auto& path = store_->options_.path;
  return attempt("read what others wrote", path, [&]() -> Result<Answer> {
    // Takes the snapshot, too: data_version alone does not.
    Query userVersion(statements, readUserVersion);
    userVersion.next();
    const auto version = static_cast<int>(userVersion.integer(0));
    if (!position_.known) return ForeignChanges{true};
    Query dataVersion(statements, readDataVersion);
    dataVersion.next();
    if (dataVersion.integer(0) == position_.dataVersion) return Answer();
    if (version != store_->file_.schemaVersion) {
      const auto schema = readSchemaVersion(*store_->file_.database);
      const bool usable = schema && schema->version > currentSchemaVersion() &&
                          schema->lastCompatible <= currentSchemaVersion();
      if (!usable) return fail(migratedMeanwhile(path, version));
      // A newer schema that still admits this program: it goes on, with everything read again.
      store_->file_.schemaVersion = version;
      return ForeignChanges{true};
    }
    position_.dataVersion = dataVersion.integer(0);

    ForeignChanges changes;
    Query rows(statements, readHistoryAfter, position_.sequence);
    while (rows.next()) {
      auto entry = historyFrom(rows, path);
      if (!entry) return fail(entry.error());
      const std::int64_t expected =
          position_.sequence + static_cast<std::int64_t>(changes.entries.size()) + 1;
      const bool gap = entry->sequence != expected;
      if (gap || expected - position_.sequence > foreignRows) return ForeignChanges{true};
      position_.digest = Digest(rows.integer(13));
      position_.unclaimed = Digest(rows.integer(14));
      changes.entries.push_back(std::move(*entry));
    }
    // Somebody committed without a word in the history.
    if (changes.entries.empty()) return ForeignChanges{true};
    for (const HistoryEntry& entry : changes.entries) {
      if (entry.subject != HistoryEntry::Subject::decision) continue;
      if (!entry.before && entry.after) ++position_.decisions;
      if (entry.before && !entry.after) --position_.decisions;
    }
    position_.sequence = changes.entries.back().sequence;
    return changes;
  });
}

Result<DecisionIndex> Transaction::everything() {
  auto& statements = *store_->statements_;
  const auto& path = store_->options_.path;
  return attempt("read the decisions", path, [&]() -> Result<DecisionIndex> {
    DecisionIndex index;
    Store::Position read{.known = true};
    {
      SharedKeys keys;
      Query rows(statements, readDecisions);
      while (rows.next()) {
        const auto row = decisionFrom(rows, path, keys);
        if (!row) return fail(row.error());
        read.digest.add(*row);
        ++read.decisions;
        if (row->scope == Scope::global) index.putGlobal(row->key, row->enabled);
        if (row->scope == Scope::workspace) index.putWorkspace(row->place, row->key, row->enabled);
      }
    }
    auto parts = queued();
    if (!parts) return fail(parts.error());
    for (const QueuedPart& part : *parts) read.digest.add(part);
    const auto waiting = unclaimed();
    if (!waiting) return fail(waiting.error());
    for (const UnclaimedDecision& decision : *waiting) read.unclaimed.add(decision);

    Digest recorded;
    Digest recordedUnclaimed;
    Query last(statements, readLastHistory);
    if (last.next()) {
      read.sequence = last.integer(0);
      recorded = Digest(last.integer(1));
      recordedUnclaimed = Digest(last.integer(2));
    }
    if (read.digest != recorded || read.unclaimed != recordedUnclaimed)
      return fail(ErrorCode::corrupt,
                  "the decisions in " + path.string() + " are not those its history tells of",
                  "the file is damaged, or was edited by another program; restore a backup or "
                  "recover what can be read");
    Query dataVersion(statements, readDataVersion);
    dataVersion.next();
    read.dataVersion = dataVersion.integer(0);
    position_ = read;
    return index;
  });
}

Result<SessionDecisions> Transaction::decisionsOf(std::string_view session) {
  const auto& path = store_->options_.path;
  return attempt("read the session's decisions", path, [&]() -> Result<SessionDecisions> {
    SessionDecisions decisions;
    Query rows(*store_->statements_, readSession, session);
    while (rows.next()) {
      auto key = TargetKey::fromColumns(rows.text(0), rows.text(1), rows.text(2));
      const auto enabled = rows.flag(3);
      if (!key || !enabled) return badRow("decision", path);
      decisions.put(*key, enabled);
    }
    return decisions;
  });
}

Result<std::vector<QueuedPart>> Transaction::queueOf(std::string_view session) {
  const auto& path = store_->options_.path;
  return attempt("read the session's queue", path, [&] {
    Query rows(*store_->statements_, readQueueOf, session);
    return partsFrom(rows, path);
  });
}

Result<std::vector<QueuedPart>> Transaction::queueAbout(const TargetKey& key) {
  const auto& path = store_->options_.path;
  return attempt("read the queue", path, [&] {
    Query rows(*store_->statements_, readQueueAbout, name(key.type()), key.owner(), key.name());
    return partsFrom(rows, path);
  });
}

Result<std::vector<QueuedPart>> Transaction::queued() {
  const auto& path = store_->options_.path;
  return attempt("read the queue", path, [&] {
    Query rows(*store_->statements_, readQueue);
    return partsFrom(rows, path);
  });
}

Result<std::vector<StoredDecision>> Transaction::decisionsAbout(const TargetKey& key) {
  const auto& path = store_->options_.path;
  return attempt("read the decisions", path, [&]() -> Result<std::vector<StoredDecision>> {
    std::vector<StoredDecision> decisions;
    SharedKeys keys;
    Query rows(*store_->statements_, readAbout, name(key.type()), key.owner(), key.name());
    while (rows.next()) {
      auto row = decisionFrom(rows, path, keys);
      if (!row) return fail(row.error());
      decisions.push_back(std::move(*row));
    }
    return decisions;
  });
}

Result<std::vector<StoredDecision>> Transaction::stored() {
  const auto& path = store_->options_.path;
  return attempt("read the decisions", path, [&]() -> Result<std::vector<StoredDecision>> {
    std::vector<StoredDecision> decisions;
    SharedKeys keys;
    Query rows(*store_->statements_, readStored);
    while (rows.next()) {
      auto row = decisionFrom(rows, path, keys);
      if (!row) return fail(row.error());
      row->since = timestamp(rows.integer(6));
      row->by = rows.text(7);
      decisions.push_back(std::move(*row));
    }
    return decisions;
  });
}

Result<std::vector<UnclaimedDecision>> Transaction::unclaimed() {
  return attempt("read the unclaimed decisions", store_->options_.path, [&] {
    Query rows(*store_->statements_, readUnclaimed);
    return unclaimedFrom(rows, store_->options_.path);
  });
}

Result<std::vector<UnclaimedDecision>> Transaction::unclaimedOf(std::string_view session) {
  return attempt("read the session's unclaimed decisions", store_->options_.path, [&] {
    Query rows(*store_->statements_, readUnclaimedOf, session);
    return unclaimedFrom(rows, store_->options_.path);
  });
}

Result<std::vector<HistoryEntry>> Transaction::history(const HistoryQuery& query) {
  const auto& path = store_->options_.path;
  return attempt("read the history", path, [&]() -> Result<std::vector<HistoryEntry>> {
    std::optional<std::string> type;
    if (query.target) type = name(query.target->type());
    const auto since = query.since ? query.since->time_since_epoch().count() : INT64_MIN;
    const auto limit = query.last == 0 ? -1 : static_cast<std::int64_t>(query.last);
    Query rows(*store_->statements_, readHistory, query.afterSequence, std::int64_t{since}, type,
               query.target ? query.target->owner() : "", query.target ? query.target->name() : "",
               query.session, limit);
    std::vector<HistoryEntry> entries;
    while (rows.next()) {
      auto entry = historyFrom(rows, path);
      if (!entry) return fail(entry.error());
      entries.push_back(std::move(*entry));
    }
    return std::vector<HistoryEntry>(std::make_move_iterator(entries.rbegin()),
                                     std::make_move_iterator(entries.rend()));
  });
}

}  // namespace enablement
