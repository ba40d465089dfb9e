// The system calls that the library makes beside SQLite when it creates a store, counted with the
// rest: our definitions stand before the C library's. Nothing else is changed about them.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "fault_vfs.h"

namespace {

using enablement::testing::Disk;
using enablement::testing::Fault;
using enablement::testing::FaultVfs;
using enablement::testing::FileId;
using enablement::testing::fileIdOf;
using enablement::testing::InsideSqlite;
using enablement::testing::Operation;

int refuse(Fault fault) {
  errno = fault == Fault::ioError ? EIO : ENOSPC;
  return -1;
}

// Runs `call` unless it is to fail.
template <typename Call>
int watched(Operation operation, const std::string& path, Call call) {
  FaultVfs& vfs = FaultVfs::get();
  const auto fault = vfs.begin(operation, path);
  int result = 0;
  if (!fault)
    result = call(vfs);
  else if (*fault != Fault::swallow)
    result = refuse(*fault);
  const int number = errno;
  vfs.end(operation);
  errno = number;
  return result;
}

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int fsync(int descriptor) {
  if (InsideSqlite::here()) return static_cast<int>(syscall(SYS_fsync, descriptor));
  return watched(Operation::sync, "outside SQLite", [&](FaultVfs& vfs) {
    struct stat found = {};
    if (::fstat(descriptor, &found) != 0) return -1;
    const FileId id{found.st_dev, found.st_ino};
    vfs.onDisk([&](Disk& disk) { disk.sync(id); });
    return 0;
  });
}

int link(const char* from, const char* to) noexcept {
  const auto call = [&] {
    return static_cast<int>(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
  };
  if (InsideSqlite::here()) return call();
  return watched(Operation::link, to, [&](FaultVfs&) { return call(); });
}

int unlink(const char* path) noexcept {
  const auto call = [&] { return static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0)); };
  // To remove what is not there is no operation.
  struct stat found = {};
  if (InsideSqlite::here() || ::lstat(path, &found) != 0) return call();
  return watched(Operation::remove, path, [&](FaultVfs& vfs) {
    const int result = call();
    if (result == 0 && found.st_nlink == 1)
      vfs.onDisk([&](Disk& disk) { disk.remove(FileId{found.st_dev, found.st_ino}); });
    return result;
  });
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
