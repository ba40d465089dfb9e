#include <enablement/store/store.h>

#include <sqlite3.h>

#include <utility>

#include <enablement/migrations/migrator.h>
#include <enablement/store/query.h>
#include <enablement/store/sqlite_error.h>

namespace enablement {

Store::Store(StoreOptions options, StoreFile file)
    : options_(std::move(options)),
      file_(std::move(file)),
      statements_(std::make_unique<StatementCache>(*file_.database)) {}

Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::open(const StoreOptions& options, Opening opening) {
  auto file = openStoreFile(options, opening);
  if (!file) return fail(file.error());
  return std::unique_ptr<Store>(new Store(options, std::move(*file)));
}

Status Store::checkInPlace() {
  if (options_.path.empty()) return {};
  const auto now = stampOf(options_.path);
  const bool same = now && *now && (*now)->namesSameFile(file_.stamp);
  if (same && (*now)->size > 0) return {};
  // On its way out SQLite must leave the write-ahead log alone: it may belong to another file that
  // has the path now, or be all that is left of this one.
  sqlite3_db_config(file_.database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  if (same)
    return fail(ErrorCode::corrupt, options_.path.string() + " was emptied while in use",
                "restore a backup");
  return fail(ErrorCode::io,
              options_.path.string() + " was moved, replaced or deleted while in use",
              "put the file back, or start this program again");
}

bool Store::isOutdated() const {
  if (!file_.isStill) return false;
  const auto now = stampOf(options_.path);
  return !now || *now != file_.stamp;
}

Result<bool> Store::othersCommitted() {
  return attempt("look for changes", options_.path, [&] {
    Query dataVersion(*statements_, "PRAGMA data_version");
    dataVersion.next();
    return dataVersion.integer(0) != position_.dataVersion;
  });
}

Status Store::backUp(const std::filesystem::path& target) {
  return backUpInto(target, *file_.database, [this] { return isOutdated(); });
}

Result<Transaction> Store::begin(Mode mode) {
  if (mode == Mode::write && file_.readOnly) return fail(*file_.readOnly);
  return attempt(mode == Mode::write ? "begin writing" : "begin reading", options_.path,
                 [&]() -> Result<Transaction> {
                   file_.database->exec(mode == Mode::write ? "BEGIN IMMEDIATE" : "BEGIN");
                   return Transaction(*this, mode);
                 });
}

Transaction::Transaction(Store& store, Store::Mode mode)
    : store_(&store), mode_(mode), position_(store.position_) {}

Transaction::Transaction(Transaction&& other) noexcept
    : store_(std::exchange(other.store_, nullptr)),
      mode_(other.mode_),
      position_(other.position_) {}

Transaction::~Transaction() {
  if (!store_) return;
  // After an error such as a full disk SQLite may have rolled back already.
  auto& database = *store_->file_.database;
  if (sqlite3_get_autocommit(database.getHandle()) == 0) database.tryExec("ROLLBACK");
}

Status Transaction::commit() {
  if (store_->isOutdated())
    return fail(ErrorCode::busy, store_->options_.path.string() + " changed while it was read",
                "try again");
  return attempt("commit", store_->options_.path, [&] {
    store_->file_.database->exec("COMMIT");
    store_->position_ = position_;
    store_ = nullptr;
  });
}

}  // namespace enablement
