// The durable decisions: one SQLite file and transactions on it. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <enablement/schema/error.h>
#include <enablement/store/change_set.h>
#include <enablement/store/decision_index.h>
#include <enablement/store/digest.h>
#include <enablement/store/import_source.h>
#include <enablement/store/options.h>
#include <enablement/store/records.h>
#include <enablement/store/session_decisions.h>
#include <enablement/store/store_file.h>

namespace enablement {

class StatementCache;
class Transaction;

// Thread rule: one thread at a time, one transaction at a time.
class Store {
 public:
  enum class Mode : unsigned char { read, write };

  static Result<std::unique_ptr<Store>> open(const StoreOptions& options,
                                             Opening opening = Opening::first);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // `io` when the path no longer names the file that was opened: whatever would be written now
  // would be lost. The store is of no more use then.
  [[nodiscard]] Status checkInPlace();
  // Whether a file that is read as it lies there has been written to since it was opened: then it
  // has to be opened again, and what was just read may be torn.
  [[nodiscard]] bool isOutdated() const;
  // Whether another connection has committed since everything was read; no page is read.
  [[nodiscard]] Result<bool> othersCommitted();
  // Copies the last committed state into a new file. `invalidArgument` when it exists.
  [[nodiscard]] Status backUp(const std::filesystem::path& target);

  // A write transaction takes the file's write lock at once: `busy` after the timeout. `readOnly`
  // where the file cannot be written.
  [[nodiscard]] Result<Transaction> begin(Mode mode);

  // Why the file cannot be written, if it cannot.
  [[nodiscard]] const std::optional<Error>& readOnly() const { return file_.readOnly; }
  [[nodiscard]] int schemaVersion() const { return file_.schemaVersion; }

 private:
  friend class Transaction;

  // The committed state that was read last, as far as this class must know it.
  struct Position {
    bool known = false;  // false until everything was read once
    std::int64_t dataVersion = 0;
    std::int64_t sequence = 0;  // of the newest history row
    Digest digest = {};
    Digest unclaimed = {};
    std::size_t decisions = 0;
    std::int64_t prunedTo = 0;  // history up to here holds only what must stay
  };

  Store(StoreOptions options, StoreFile file);

  StoreOptions options_;
  StoreFile file_;
  std::unique_ptr<StatementCache> statements_;  // destroyed before file_
  Position position_;
};

// What others committed since this process last read.
struct ForeignChanges {
  // Too much to tell row by row: everything has to be read again.
  bool everything = false;
  std::vector<HistoryEntry> entries = {};
};

// One transaction. Rolled back unless committed; what it read becomes the store's position only
// with commit().
class Transaction {
 public:
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  [[nodiscard]] Store::Mode mode() const { return mode_; }

  // None when nobody else has committed; everything before the first read. Sees a schema that was
  // changed meanwhile: `newerSchema`, `corrupt`.
  [[nodiscard]] Result<std::optional<ForeignChanges>> foreign();
  // All shared decisions. Reads everything else that people decided too, to see that no row was
  // lost, added or altered behind our back: `corrupt`.
  [[nodiscard]] Result<DecisionIndex> everything();

  [[nodiscard]] Result<SessionDecisions> decisionsOf(std::string_view session);
  // In order of the targets' first queueing, of one target the later written last.
  [[nodiscard]] Result<std::vector<QueuedPart>> queueOf(std::string_view session);
  [[nodiscard]] Result<std::vector<StoredDecision>> decisionsAbout(const TargetKey& key);
  [[nodiscard]] Result<std::vector<QueuedPart>> queueAbout(const TargetKey& key);
  [[nodiscard]] Result<std::vector<StoredDecision>> stored();
  [[nodiscard]] Result<std::vector<QueuedPart>> queued();
  [[nodiscard]] Result<std::vector<UnclaimedDecision>> unclaimed();
  [[nodiscard]] Result<std::vector<UnclaimedDecision>> unclaimedOf(std::string_view session);
  [[nodiscard]] Result<std::vector<HistoryEntry>> history(const HistoryQuery& query);

  // By kind, path and place.
  [[nodiscard]] Result<std::optional<ImportMarker>> importMarker(const ImportMarker& source);
  [[nodiscard]] Result<std::vector<ImportMarker>> importMarkers();
  Status putImportMarker(const ImportMarker& marker);

  // Rows, queue and history (I13). `limit` when the cap on decisions would be exceeded.
  Status write(const ChangeSet& changes, std::string_view actor);
  Status commit();

 private:
  friend class Store;
  Transaction(Store& store, Store::Mode mode);

  void writeRow(const DecisionChange& change);
  void writeRow(const QueueChange& change);
  void writeRow(const UnclaimedChange& change);
  void writeHistory(const HistoryEntry& entry);
  void forgetOldHistory(std::int64_t sequence);
  void pruneHistory();
  // History up to this row may go.
  [[nodiscard]] std::int64_t horizon() const;

  Store* store_;  // null once it is over
  Store::Mode mode_;
  Store::Position position_;
};

}  // namespace enablement
