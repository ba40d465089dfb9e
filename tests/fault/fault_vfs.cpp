#include "fault_vfs.h"

#include <utility>

#include "fault_file.h"

namespace enablement::testing {
namespace {

constexpr std::string_view word(Operation operation) {
  switch (operation) {
    case Operation::write:
      return "write";
    case Operation::sync:
      return "sync";
    case Operation::truncate:
      return "truncate";
    case Operation::remove:
      return "remove";
    case Operation::link:
      return "link";
    case Operation::read:
      break;
  }
  return "read";
}

int remove(sqlite3_vfs*, const char* path, int syncFolder) {
  FaultVfs& vfs = FaultVfs::get();
  const auto fault = vfs.begin(Operation::remove, path);
  int result = SQLITE_OK;
  if (!fault) {
    const auto id = fileIdOf(path);
    const InsideSqlite here;
    result = vfs.real()->xDelete(vfs.real(), path, syncFolder);
    if (result == SQLITE_OK && id) vfs.onDisk([&](Disk& disk) { disk.remove(*id); });
  } else if (*fault != Fault::swallow) {
    result = SQLITE_IOERR_DELETE;
  }
  vfs.end(Operation::remove);
  return result;
}

}  // namespace

thread_local int InsideSqlite::depth = 0;

FaultVfs& FaultVfs::get() {
  static FaultVfs vfs;
  return vfs;
}

// All but opening and removing is the system's own: its functions do not look at the sqlite3_vfs
// that they are called on.
FaultVfs::FaultVfs() : real_(sqlite3_vfs_find("unix")), own_(*real_) {
  own_.zName = "fault";
  own_.pNext = nullptr;
  own_.szOsFile = faultFileSize(*real_);
  own_.xOpen = openFaultFile;
  own_.xDelete = remove;
  sqlite3_vfs_register(&own_, 1);
}

void FaultVfs::reset() {
  heal();
  const std::scoped_lock lock(mutex_);
  disk_.forget();
  operations_ = reads_ = 0;
  trace_.clear();
  wreck_.reset();
}

void FaultVfs::heal() {
  const std::scoped_lock lock(mutex_);
  changeOrder_.reset();
  readOrder_.reset();
  swallowsSyncs_ = false;
  limit_.reset();
  cutAfter_ = 0;
  hasFired_ = false;
}

void FaultVfs::failAt(std::size_t number, Fault fault, Lasting lasting) {
  const std::scoped_lock lock(mutex_);
  changeOrder_ = Order{number, fault, lasting};
}

void FaultVfs::failReadAt(std::size_t number, Fault fault, Lasting lasting) {
  const std::scoped_lock lock(mutex_);
  readOrder_ = Order{number, fault, lasting};
}

void FaultVfs::swallowSyncs() {
  const std::scoped_lock lock(mutex_);
  swallowsSyncs_ = true;
}

void FaultVfs::limitBytes(std::optional<std::int64_t> bytes) {
  const std::scoped_lock lock(mutex_);
  limit_ = bytes;
}

void FaultVfs::cutPowerAfter(std::size_t number, fs::path folder) {
  const std::scoped_lock lock(mutex_);
  cutAfter_ = number;
  cutFolder_ = std::move(folder);
}

std::size_t FaultVfs::operations() const {
  const std::scoped_lock lock(mutex_);
  return operations_;
}

std::size_t FaultVfs::reads() const {
  const std::scoped_lock lock(mutex_);
  return reads_;
}

std::int64_t FaultVfs::bytes() const {
  const std::scoped_lock lock(mutex_);
  return disk_.bytesWith(FileId{}, 0);
}

bool FaultVfs::hasFired() const {
  const std::scoped_lock lock(mutex_);
  return hasFired_;
}

bool FaultVfs::isPowerOut() const {
  const std::scoped_lock lock(mutex_);
  return cutAfter_ != 0 && wreck_.has_value();
}

std::string FaultVfs::operation(std::size_t number) const {
  const std::scoped_lock lock(mutex_);
  return number == 0 || number > trace_.size() ? "nothing" : trace_[number - 1];
}

bool FaultVfs::exceedsLimit(const FileId& file, std::int64_t size) const {
  const std::scoped_lock lock(mutex_);
  return limit_ && size > disk_.sizeOf(file) && disk_.bytesWith(file, size) > *limit_;
}

std::optional<Fault> FaultVfs::begin(Operation operation, std::string_view path) {
  const std::scoped_lock lock(mutex_);
  if (cutAfter_ != 0 && wreck_) return Fault::ioError;
  const bool reads = operation == Operation::read;
  const std::size_t count = reads ? ++reads_ : ++operations_;
  if (!reads) {
    const auto name = path.substr(path.find_last_of('/') + 1);
    trace_.push_back(std::string(word(operation)) + " " + std::string(name));
  }
  const auto& order = reads ? readOrder_ : changeOrder_;
  if (order && order->meets(count)) {
    hasFired_ = true;
    return order->fault;
  }
  if (operation == Operation::sync && swallowsSyncs_) return Fault::swallow;
  return std::nullopt;
}

void FaultVfs::end(Operation operation) {
  const std::scoped_lock lock(mutex_);
  if (operation == Operation::read || cutAfter_ == 0 || wreck_) return;
  if (operations_ < cutAfter_) return;
  wreck_ = disk_.wreckOf(cutFolder_);
  hasFired_ = true;
}

}  // namespace enablement::testing
