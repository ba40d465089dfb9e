// A damaged store, as far as it can be read, in a new file.
#include <algorithm>
#include <string>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>

#include <enablement/store/digest.h>
#include <enablement/store/query.h>
#include <enablement/store/recovered_rows.h>
#include <enablement/store/sqlite_error.h>
#include <enablement/store/store_file.h>
#include <enablement/store/upkeep.h>

namespace enablement {
namespace {

constexpr auto addDecision =
    "INSERT INTO decision (scope, place, type, owner_uri, name, enabled, sequence)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)";
constexpr auto addPart =
    "INSERT INTO queued_part (session, type, owner_uri, name, scope, folder, asked,"
    " discovery_default, target_order, sequence)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr auto addUnclaimed =
    "INSERT INTO unclaimed_decision (session, customization_id, enabled, sequence)"
    " VALUES (?, ?, ?, ?)";
constexpr auto addImport =
    "INSERT INTO import_source (kind, path, place, content_hash, at, actor, decisions)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)";
constexpr auto addHistory =
    "INSERT INTO history (sequence, at, actor, cause, subject, scope, place, session, type,"
    " owner_uri, name, customization_id, value_before, value_after, digest, unclaimed_digest)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

// The name in the history of what is told anew.
constexpr auto actor = "recover";

// Fills a fresh store. What no row of history tells of gets one.
class Writer {
 public:
  Writer(SQLite::Database& database, RecoveredRows& rows, const Clock& clock)
      : statements_(database), rows_(rows), now_(clock()) {}

  void write() {
    for (auto& [id, row] : rows_.decisions) write(id, row);
    for (auto& [id, row] : rows_.parts) write(id, row);
    for (auto& [id, row] : rows_.unclaimed) write(id, row);
    for (const ImportRow& row : rows_.imports)
      Query(statements_, addImport, row.kind, row.path, row.place, row.contentHash, row.at,
            row.actor, row.decisions)
          .run();
    // Only the newest row's digests count.
    for (const auto& [sequence, entry] : rows_.history) write(entry);
  }

 private:
  void write(const DecisionId& id, DecisionRow& row) {
    const auto& [scope, place, key] = id;
    HistoryEntry told = entry(HistoryEntry::Subject::decision, scope, place);
    told.key = key;
    told.after = row.enabled;
    if (scope == Scope::session) told.session = place;
    row.sequence = toldBy(row.sequence, std::move(told));
    Query(statements_, addDecision, name(scope), place, name(key.type()), key.owner(), key.name(),
          row.enabled, row.sequence)
        .run();
    digest_.add(StoredDecision{scope, place, key, row.enabled, {}, {}});
  }

  void write(const PartId& id, PartRow& row) {
    const auto& [session, key, scope, folder] = id;
    HistoryEntry told = entry(HistoryEntry::Subject::queue, scope, folder);
    told.cause = Cause::queued;
    told.session = session;
    told.key = key;
    if (row.asked != Asked::clear) told.after = row.asked == Asked::on;
    row.sequence = toldBy(row.sequence, std::move(told));
    Query(statements_, addPart, session, name(key.type()), key.owner(), key.name(), name(scope),
          folder, name(row.asked), row.discoveryDefault, row.targetOrder, row.sequence)
        .run();
    digest_.add(
        QueuedPart{session, Target{key, row.discoveryDefault}, scope, folder, row.asked, {}, {}});
  }

  void write(const UnclaimedId& id, DecisionRow& row) {
    const auto& [session, customizationId] = id;
    HistoryEntry told = entry(HistoryEntry::Subject::unclaimed, Scope::session, session);
    told.session = session;
    told.customizationId = customizationId;
    told.after = row.enabled;
    row.sequence = toldBy(row.sequence, std::move(told));
    Query(statements_, addUnclaimed, session, customizationId, row.enabled, row.sequence).run();
    unclaimed_.add(UnclaimedDecision{session, customizationId, row.enabled, {}, {}});
  }

  void write(const HistoryEntry& entry) {
    const auto at = static_cast<std::int64_t>(entry.at.time_since_epoch().count());
    const auto& key = entry.key;
    Query(statements_, addHistory, entry.sequence, at, entry.actor, name(entry.cause),
          name(entry.subject), name(entry.scope), entry.place, entry.session,
          key ? name(key->type()) : "", key ? key->owner() : "", key ? key->name() : "",
          entry.customizationId, entry.before, entry.after, digest_.stored(), unclaimed_.stored())
        .run();
  }

  [[nodiscard]] HistoryEntry entry(HistoryEntry::Subject subject, Scope scope,
                                   std::string place) const {
    return {.at = now_,
            .actor = actor,
            .cause = Cause::recovered,
            .subject = subject,
            .scope = scope,
            .place = std::move(place)};
  }

  // The row of history that tells of a row: its own, if that could be read and says the same.
  std::int64_t toldBy(std::int64_t sequence, HistoryEntry anew) {
    const auto own = rows_.history.find(sequence);
    if (own != rows_.history.end()) {
      const HistoryEntry& told = own->second;
      if (told.subject == anew.subject && told.scope == anew.scope && told.place == anew.place &&
          told.key == anew.key && told.customizationId == anew.customizationId &&
          told.after == anew.after)
        return sequence;
    }
    anew.sequence = rows_.history.empty() ? 1 : rows_.history.rbegin()->first + 1;
    return rows_.history.emplace(anew.sequence, anew).first->first;
  }

  StatementCache statements_;
  RecoveredRows& rows_;
  Timestamp now_;
  Digest digest_;
  Digest unclaimed_;
};

Status fillNewFile(const std::filesystem::path& into, RecoveredRows& rows,
                   const StoreOptions& options) {
  if (const auto there = stampOf(into); !there || *there)
    return there ? fail(ErrorCode::invalidArgument, into.string() + " exists already",
                        "name a file that does not exist")
                 : fail(there.error());
  StoreOptions fresh = options;
  fresh.path = into;
  return createStoreFile(fresh, currentSchemaVersion(), [&](SQLite::Database& database) {
    Writer(database, rows, options.clock).write();
  });
}

}  // namespace

bool RecoveryReport::isComplete() const {
  return std::all_of(tables.begin(), tables.end(), [](const RecoveredTable& table) {
    return table.lost == 0 && table.readToTheEnd;
  });
}

Result<RecoveryReport> recoverStore(const StoreOptions& damaged, const std::filesystem::path& into,
                                    const RowProgress& progress) {
  const auto file = inspectDamagedFile(damaged);
  if (!file) return fail(file.error());
  RecoveredRows rows = readDamaged(*file->database, file->schemaVersion, progress);
  if (const auto now = stampOf(damaged.path); file->isStill && (!now || *now != file->stamp))
    return fail(ErrorCode::busy, damaged.path.string() + " was written to while it was read",
                "stop the programs that use it and try again");
  RecoveryReport report{file->schemaVersion};
  if (!rows.decisionTable.readToTheEnd && !rows.historyTable.readToTheEnd &&
      rows.decisions.empty() && rows.history.empty())
    return fail(ErrorCode::corrupt,
                "nothing can be read of " + damaged.path.string() + ": " +
                    (rows.decisionTable.problems.empty() ? std::string("its list of tables is lost")
                                                         : rows.decisionTable.problems.front()),
                "restore a backup");
  if (auto written = fillNewFile(into, rows, damaged); !written) return fail(written.error());
  report.tables = {rows.decisionTable, rows.partTable, rows.unclaimedTable, rows.historyTable,
                   rows.importTable};
  return report;
}

}  // namespace enablement
