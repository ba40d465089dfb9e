// What can be read of a damaged store, row by row with ordinary selects. Internal.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <enablement/store/records.h>
#include <enablement/store/upkeep.h>

namespace SQLite {
class Database;
}

namespace enablement {

// Names of rows: what their primary keys hold.
using DecisionId = std::tuple<Scope, std::string, TargetKey>;
using PartId = std::tuple<std::string, TargetKey, Scope, std::string>;
using UnclaimedId = std::pair<std::string, std::string>;

struct DecisionRow {
  bool enabled;
  std::int64_t sequence;
};

struct PartRow {
  Asked asked;
  std::optional<bool> discoveryDefault;
  std::int64_t targetOrder;
  std::int64_t sequence;
};

struct ImportRow {
  std::string kind;
  std::string path;
  std::string place;
  std::string contentHash;
  std::int64_t at;
  std::string actor;
  std::int64_t decisions;
};

// The rows of all tables, and what was not to be had.
struct RecoveredRows {
  std::map<std::int64_t, HistoryEntry> history;
  std::map<DecisionId, DecisionRow> decisions;
  std::map<PartId, PartRow> parts;
  std::map<UnclaimedId, DecisionRow> unclaimed;
  std::vector<ImportRow> imports;

  RecoveredTable historyTable{"history"};
  RecoveredTable decisionTable{"decision"};
  RecoveredTable partTable{"queued_part"};
  RecoveredTable unclaimedTable{"unclaimed_decision"};
  RecoveredTable importTable{"import_source"};
};

// Reads each table from its beginning up to the damage, then from its end back to the damage; rows
// in between that the history tells of are asked for one by one, and, where that fails, rebuilt
// from it. Where a row and its history disagree, off wins.
[[nodiscard]] RecoveredRows readDamaged(SQLite::Database& database, int schemaVersion,
                                        const RowProgress& progress);

}  // namespace enablement
