// A store's file as a whole: copied, made smaller.
#include <SQLiteCpp/Database.h>

#include <enablement/store/file_stamp.h>
#include <enablement/store/sqlite_error.h>
#include <enablement/store/store_file.h>
#include <enablement/store/upkeep.h>

namespace enablement {
namespace {

std::int64_t bytesOf(const std::filesystem::path& path) {
  const auto stamp = stampOf(path);
  return stamp && *stamp ? (*stamp)->size + (*stamp)->walBytes : 0;
}

}  // namespace

Status backUpStore(const StoreOptions& options, const std::filesystem::path& target) {
  for (int again = 0;; ++again) {
    const auto file = inspectStoreFile(options);
    if (!file) return fail(file.error());
    auto copied = backUpInto(target, *file->database, [&] {
      const auto now = stampOf(options.path);
      return file->isStill && (!now || *now != file->stamp);
    });
    if (copied || copied.error().code != ErrorCode::busy || again == stillReads) return copied;
  }
}

Result<VacuumReport> vacuumStore(const StoreOptions& options) {
  const auto file = inspectStoreFile(options);
  if (!file) return fail(file.error());
  const auto writable = connectToStore(options);
  if (!writable) return fail(writable.error());
  VacuumReport report{.before = bytesOf(options.path)};
  const auto done = attempt("rewrite the file", options.path, [&] {
    (*writable)->exec("VACUUM");
    // What was rewritten is in the log until then.
    (*writable)->exec("PRAGMA wal_checkpoint(TRUNCATE)");
  });
  if (!done) return fail(done.error());
  report.after = bytesOf(options.path);
  return report;
}

Result<std::int64_t> reclaimableBytes(const StoreOptions& options) {
  return readStoreFile(options, [&](Inspected& file) {
    return attempt("count free pages", options.path, [&] {
      return file.database->execAndGet("PRAGMA freelist_count").getInt64() *
             file.database->execAndGet("PRAGMA page_size").getInt64();
    });
  });
}

}  // namespace enablement
