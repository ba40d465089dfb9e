#include <enablement/store/recovered_rows.h>

#include <optional>
#include <utility>

#include <SQLiteCpp/Exception.h>

#include <enablement/schema/text.h>
#include <enablement/store/query.h>

namespace enablement {
namespace {

struct TableSelects {
  const char* forward;
  const char* backward;
};

#define ENABLEMENT_BOTH_WAYS(columns, forward, backward) \
  { columns " ORDER BY " forward, columns " ORDER BY " backward }

#define ENABLEMENT_HISTORY                                                                    \
  "SELECT sequence, at, actor, cause, subject, scope, place, session, type, owner_uri, name," \
  " value_before, value_after"
constexpr TableSelects historyOf1 =
    ENABLEMENT_BOTH_WAYS(ENABLEMENT_HISTORY ", '' FROM history", "sequence", "sequence DESC");
constexpr TableSelects historyOf2 = ENABLEMENT_BOTH_WAYS(
    ENABLEMENT_HISTORY ", customization_id FROM history", "sequence", "sequence DESC");
#undef ENABLEMENT_HISTORY

#define ENABLEMENT_DECISION \
  "SELECT scope, place, type, owner_uri, name, enabled, sequence FROM decision"
constexpr TableSelects decisions =
    ENABLEMENT_BOTH_WAYS(ENABLEMENT_DECISION, "scope, place, type, owner_uri, name",
                         "scope DESC, place DESC, type DESC, owner_uri DESC, name DESC");
constexpr auto oneDecision = ENABLEMENT_DECISION
    " WHERE scope = ? AND place = ? AND type = ? AND owner_uri = ? AND name = ?";
#undef ENABLEMENT_DECISION

#define ENABLEMENT_PART                                                             \
  "SELECT session, type, owner_uri, name, scope, folder, asked, discovery_default," \
  " target_order, sequence FROM queued_part"
constexpr TableSelects parts = ENABLEMENT_BOTH_WAYS(
    ENABLEMENT_PART, "session, type, owner_uri, name, scope, folder",
    "session DESC, type DESC, owner_uri DESC, name DESC, scope DESC, folder DESC");
constexpr auto onePart = ENABLEMENT_PART
    " WHERE session = ? AND type = ? AND owner_uri = ? AND name = ? AND scope = ? AND folder = ?";
#undef ENABLEMENT_PART

#define ENABLEMENT_UNCLAIMED \
  "SELECT session, customization_id, enabled, sequence FROM unclaimed_decision"
constexpr TableSelects unclaimed = ENABLEMENT_BOTH_WAYS(
    ENABLEMENT_UNCLAIMED, "session, customization_id", "session DESC, customization_id DESC");
constexpr auto oneUnclaimed = ENABLEMENT_UNCLAIMED " WHERE session = ? AND customization_id = ?";
#undef ENABLEMENT_UNCLAIMED

constexpr TableSelects imports = ENABLEMENT_BOTH_WAYS(
    "SELECT kind, path, place, content_hash, at, actor, decisions FROM import_source",
    "kind, path, place", "kind DESC, path DESC, place DESC");
#undef ENABLEMENT_BOTH_WAYS

// Every so many rows somebody is told.
constexpr std::int64_t progressStep = 1000;

enum class Taken : unsigned char {
  yes,
  again,  // it was read before
  no,     // it cannot be understood
};

class Reader {
 public:
  Reader(SQLite::Database& database, const RowProgress& progress)
      : statements_(database), progress_(progress) {}

  // `take` makes something of a row.
  template <typename Take>
  void readTable(RecoveredTable& table, const TableSelects& selects, Take take) {
    if (readOneWay(table, selects.forward, take)) return;
    table.readToTheEnd = false;
    readOneWay(table, selects.backward, take);
  }

  // A row by its key, if it can be read: what lies before it may be damaged and it not.
  template <typename Take, typename... Key>
  void readRow(RecoveredTable& table, const char* select, Take take, const Key&... key) {
    try {
      Query row(statements_, select, key...);
      if (row.next() && take(row) == Taken::yes) ++table.read;
    } catch (const SQLite::Exception&) {  // the reading of the table has told of it
    }
  }

 private:
  // Whether it went on to the end, or to what was read before.
  template <typename Take>
  bool readOneWay(RecoveredTable& table, const char* select, Take take) {
    try {
      Query row(statements_, select);
      while (row.next()) {
        const Taken taken = take(row);
        if (taken == Taken::again) return true;
        ++(taken == Taken::yes ? table.read : table.lost);
        if (++rows_ % progressStep == 0 && progress_) progress_(rows_);
      }
    } catch (const SQLite::Exception& stopped) {
      if (table.problems.empty() || table.problems.back() != stopped.what())
        table.problems.emplace_back(stopped.what());
      return false;
    }
    return true;
  }

  StatementCache statements_;
  const RowProgress& progress_;
  std::int64_t rows_ = 0;
};

// What the history says is there, by its newest row about it.
template <typename Id, typename Value>
using Told = std::map<Id, std::pair<std::int64_t, std::optional<Value>>>;

class Recovery {
 public:
  Recovery(SQLite::Database& database, int version, const RowProgress& progress)
      : reader_(database, progress), version_(version) {}

  RecoveredRows read() {
    reader_.readTable(rows_.historyTable, version_ >= 2 ? historyOf2 : historyOf1,
                      [this](Query& row) { return takeHistory(row); });
    reader_.readTable(rows_.decisionTable, decisions,
                      [this](Query& row) { return takeDecision(row); });
    reader_.readTable(rows_.partTable, parts, [this](Query& row) { return takePart(row); });
    if (version_ >= 2) {
      reader_.readTable(rows_.unclaimedTable, unclaimed,
                        [this](Query& row) { return takeUnclaimed(row); });
      reader_.readTable(rows_.importTable, imports, [this](Query& row) { return takeImport(row); });
    }
    listen();
    compareDecisions();
    compareParts();
    compareUnclaimed();
    return std::move(rows_);
  }

 private:
  Taken takeHistory(Query& row) {
    HistoryEntry entry{.sequence = row.integer(0),
                       .at = Timestamp(std::chrono::milliseconds(row.integer(1))),
                       .actor = row.text(2),
                       .place = row.text(6),
                       .session = row.text(7),
                       .customizationId = row.text(13),
                       .before = row.flag(11),
                       .after = row.flag(12)};
    const auto cause = parseCause(row.text(3));
    const auto subject = parseSubject(row.text(4));
    const auto scope = parseScope(row.text(5));
    if (!cause || !subject || !scope || entry.sequence <= 0) return Taken::no;
    entry.cause = *cause;
    entry.subject = *subject;
    entry.scope = *scope;
    if (entry.subject != HistoryEntry::Subject::unclaimed) {
      auto key = TargetKey::fromColumns(row.text(8), row.text(9), row.text(10));
      if (!key) return Taken::no;
      entry.key = std::move(*key);
    }
    const std::int64_t sequence = entry.sequence;
    return rows_.history.emplace(sequence, std::move(entry)).second ? Taken::yes : Taken::again;
  }

  Taken takeDecision(Query& row) {
    const auto scope = parseScope(row.text(0));
    auto key = TargetKey::fromColumns(row.text(2), row.text(3), row.text(4));
    const auto enabled = row.flag(5);
    if (!scope || !key || !enabled) return Taken::no;
    return rows_.decisions
                   .emplace(DecisionId{*scope, row.text(1), std::move(*key)},
                            DecisionRow{*enabled, row.integer(6)})
                   .second
               ? Taken::yes
               : Taken::again;
  }

  Taken takePart(Query& row) {
    auto key = TargetKey::fromColumns(row.text(1), row.text(2), row.text(3));
    const auto scope = parseScope(row.text(4));
    const auto asked = parseAsked(row.text(6));
    if (!key || !scope || !asked || *scope == Scope::global) return Taken::no;
    return rows_.parts
                   .emplace(PartId{row.text(0), std::move(*key), *scope, row.text(5)},
                            PartRow{*asked, row.flag(7), row.integer(8), row.integer(9)})
                   .second
               ? Taken::yes
               : Taken::again;
  }

  Taken takeUnclaimed(Query& row) {
    const auto enabled = row.flag(2);
    if (!enabled) return Taken::no;
    return rows_.unclaimed
                   .emplace(UnclaimedId{row.text(0), row.text(1)},
                            DecisionRow{*enabled, row.integer(3)})
                   .second
               ? Taken::yes
               : Taken::again;
  }

  Taken takeImport(Query& row) {
    ImportRow import{row.text(0),    row.text(1), row.text(2),   row.text(3),
                     row.integer(4), row.text(5), row.integer(6)};
    for (const ImportRow& other : rows_.imports)
      if (other.kind == import.kind && other.path == import.path && other.place == import.place)
        return Taken::again;
    rows_.imports.push_back(std::move(import));
    return Taken::yes;
  }

  // Goes through the history: what should be there?
  void listen() {
    for (const auto& [sequence, entry] : rows_.history) {
      switch (entry.subject) {
        case HistoryEntry::Subject::decision:
          toldDecisions_.insert_or_assign(DecisionId{entry.scope, entry.place, *entry.key},
                                          std::pair(sequence, entry.after));
          break;
        case HistoryEntry::Subject::queue: {
          std::optional<Asked> asked;
          if (entry.cause == Cause::queued)
            asked = !entry.after ? Asked::clear : *entry.after ? Asked::on : Asked::off;
          toldParts_.insert_or_assign(PartId{entry.session, *entry.key, entry.scope, entry.place},
                                      std::pair(sequence, asked));
          break;
        }
        case HistoryEntry::Subject::unclaimed:
          toldUnclaimed_.insert_or_assign(UnclaimedId{entry.place, entry.customizationId},
                                          std::pair(sequence, entry.after));
          break;
      }
    }
  }

  void compareDecisions() {
    for (const auto& [id, told] : toldDecisions_) {
      const auto& [scope, place, key] = id;
      if (!told.second) continue;
      if (!rows_.decisions.contains(id) && !rows_.decisionTable.readToTheEnd)
        reader_.readRow(
            rows_.decisionTable, oneDecision, [this](Query& row) { return takeDecision(row); },
            name(scope), place, name(key.type()), key.owner(), key.name());
      settle(rows_.decisionTable, rows_.decisions, id, told.first, *told.second, key.printed());
    }
  }

  void compareUnclaimed() {
    for (const auto& [id, told] : toldUnclaimed_) {
      const auto& [session, customizationId] = id;
      if (!told.second) continue;
      if (!rows_.unclaimed.contains(id) && !rows_.unclaimedTable.readToTheEnd)
        reader_.readRow(
            rows_.unclaimedTable, oneUnclaimed, [this](Query& row) { return takeUnclaimed(row); },
            session, customizationId);
      settle(rows_.unclaimedTable, rows_.unclaimed, id, told.first, *told.second,
             quote(customizationId));
    }
  }

  // A row that should be there is rebuilt; of two answers the off is taken.
  template <typename Rows, typename Id>
  void settle(RecoveredTable& table, Rows& rows, const Id& id, std::int64_t sequence, bool told,
              const std::string& what) {
    const auto [row, missing] = rows.emplace(id, DecisionRow{told, sequence});
    if (missing) {
      ++table.rebuilt;
      return;
    }
    // A later row of history may be lost: then the table is right.
    if (row->second.sequence > sequence || row->second.enabled == told) return;
    table.problems.push_back(what + ": the row and its history disagree; taken as off");
    row->second = {false, sequence};
  }

  void compareParts() {
    for (const auto& [id, told] : toldParts_) {
      const auto& [session, key, scope, folder] = id;
      if (!told.second || rows_.parts.contains(id)) continue;
      if (!rows_.partTable.readToTheEnd)
        reader_.readRow(
            rows_.partTable, onePart, [this](Query& row) { return takePart(row); }, session,
            name(key.type()), key.owner(), key.name(), name(scope), folder);
      const PartRow rebuilt{*told.second, std::nullopt, told.first, told.first};
      if (rows_.parts.emplace(id, rebuilt).second) ++rows_.partTable.rebuilt;
    }
  }

  Reader reader_;
  int version_;
  RecoveredRows rows_;
  Told<DecisionId, bool> toldDecisions_;
  Told<PartId, Asked> toldParts_;
  Told<UnclaimedId, bool> toldUnclaimed_;
};

}  // namespace

RecoveredRows readDamaged(SQLite::Database& database, int schemaVersion,
                          const RowProgress& progress) {
  return Recovery(database, schemaVersion, progress).read();
}

}  // namespace enablement
