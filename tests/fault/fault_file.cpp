#include "fault_file.h"

#include <new>
#include <string>

#include "fault_vfs.h"

namespace enablement::testing {
namespace {

struct FaultFile {
  sqlite3_file base;
  sqlite3_file* real;  // lies behind this one
  std::string* path;
  FileId id;
  bool isNamed;  // SQLite's temporary files have no name and outlive nothing
};

FaultFile& self(sqlite3_file* file) {
  return *reinterpret_cast<FaultFile*>(file);
}
sqlite3_file* real(sqlite3_file* file) {
  return self(file).real;
}
const sqlite3_io_methods& methods(sqlite3_file* file) {
  return *real(file)->pMethods;
}

int close(sqlite3_file* file) {
  const InsideSqlite here;
  const int result = methods(file).xClose(real(file));
  delete self(file).path;
  file->pMethods = nullptr;
  return result;
}

int read(sqlite3_file* file, void* into, int count, sqlite3_int64 offset) {
  FaultVfs& vfs = FaultVfs::get();
  const auto fault = vfs.begin(Operation::read, *self(file).path);
  const int result =
      fault ? SQLITE_IOERR_READ : methods(file).xRead(real(file), into, count, offset);
  vfs.end(Operation::read);
  return result;
}

int writeNow(FaultVfs& vfs, FaultFile& file, const void* bytes, int count, sqlite3_int64 offset) {
  if (file.isNamed && vfs.exceedsLimit(file.id, offset + count)) return SQLITE_FULL;
  const InsideSqlite here;
  const int result = file.real->pMethods->xWrite(file.real, bytes, count, offset);
  if (result == SQLITE_OK && file.isNamed)
    vfs.onDisk([&](Disk& disk) {
      disk.write(file.id, offset,
                 {static_cast<const char*>(bytes), static_cast<std::size_t>(count)});
    });
  return result;
}

int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  FaultVfs& vfs = FaultVfs::get();
  const auto fault = vfs.begin(Operation::write, *self(file).path);
  int result = SQLITE_OK;
  if (!fault)
    result = writeNow(vfs, self(file), bytes, count, offset);
  else if (*fault == Fault::ioError)
    result = SQLITE_IOERR_WRITE;
  else if (*fault != Fault::swallow)
    result = SQLITE_FULL;
  if (fault == Fault::shortWrite) writeNow(vfs, self(file), bytes, count / 2, offset);
  vfs.end(Operation::write);
  return result;
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  FaultVfs& vfs = FaultVfs::get();
  const auto fault = vfs.begin(Operation::truncate, *self(file).path);
  int result = SQLITE_OK;
  if (!fault) {
    const InsideSqlite here;
    result = methods(file).xTruncate(real(file), size);
    if (result == SQLITE_OK && self(file).isNamed)
      vfs.onDisk([&](Disk& disk) { disk.truncate(self(file).id, size); });
  } else if (*fault != Fault::swallow) {
    result = SQLITE_IOERR_TRUNCATE;
  }
  vfs.end(Operation::truncate);
  return result;
}

// The real disk is spared: only what the shim remembers becomes durable.
int sync(sqlite3_file* file, int) {
  FaultVfs& vfs = FaultVfs::get();
  const auto fault = vfs.begin(Operation::sync, *self(file).path);
  int result = SQLITE_OK;
  if (!fault) {
    if (self(file).isNamed) vfs.onDisk([&](Disk& disk) { disk.sync(self(file).id); });
  } else if (*fault != Fault::swallow) {
    result = SQLITE_IOERR_FSYNC;
  }
  vfs.end(Operation::sync);
  return result;
}

// Version 2: shared memory, but no mapped reads and writes that would pass us by.
const sqlite3_io_methods faultMethods = {
    2,
    close,
    read,
    write,
    truncate,
    sync,
    [](sqlite3_file* f, sqlite3_int64* size) { return methods(f).xFileSize(real(f), size); },
    [](sqlite3_file* f, int level) { return methods(f).xLock(real(f), level); },
    [](sqlite3_file* f, int level) { return methods(f).xUnlock(real(f), level); },
    [](sqlite3_file* f, int* out) { return methods(f).xCheckReservedLock(real(f), out); },
    [](sqlite3_file* f, int what, void* arg) {
      return methods(f).xFileControl(real(f), what, arg);
    },
    [](sqlite3_file* f) { return methods(f).xSectorSize(real(f)); },
    [](sqlite3_file* f) { return methods(f).xDeviceCharacteristics(real(f)); },
    [](sqlite3_file* f, int page, int size, int extend, void volatile** memory) {
      return methods(f).xShmMap(real(f), page, size, extend, memory);
    },
    [](sqlite3_file* f, int offset, int n, int flags) {
      return methods(f).xShmLock(real(f), offset, n, flags);
    },
    [](sqlite3_file* f) { methods(f).xShmBarrier(real(f)); },
    [](sqlite3_file* f, int remove) {
      const InsideSqlite here;
      return methods(f).xShmUnmap(real(f), remove);
    },
    nullptr,
    nullptr,
};

// A file that is met for the first time is durable as it is. Read through the file itself: opening
// it once more and closing it would drop SQLite's locks.
void meet(FaultVfs& vfs, FaultFile& file) {
  sqlite3_int64 size = 0;
  file.real->pMethods->xFileSize(file.real, &size);
  const bool known = vfs.onDisk([&](Disk& disk) { return disk.knows(file.id); });
  // An empty one may be a new file in the place of an old one.
  if (known && size != 0) return;
  std::string content(static_cast<std::size_t>(size), '\0');
  if (size != 0) file.real->pMethods->xRead(file.real, content.data(), static_cast<int>(size), 0);
  vfs.onDisk([&](Disk& disk) { disk.adopt(file.id, std::move(content)); });
}

}  // namespace

int faultFileSize(const sqlite3_vfs& system) {
  return static_cast<int>(sizeof(FaultFile)) + system.szOsFile;
}

int openFaultFile(sqlite3_vfs*, const char* path, sqlite3_file* file, int flags, int* outFlags) {
  FaultVfs& vfs = FaultVfs::get();
  file->pMethods = nullptr;
  if (vfs.isPowerOut()) return SQLITE_CANTOPEN;
  auto* opening = new (file) FaultFile{};
  opening->real = reinterpret_cast<sqlite3_file*>(opening + 1);
  const InsideSqlite here;
  const int result = vfs.real()->xOpen(vfs.real(), path, opening->real, flags, outFlags);
  if (result != SQLITE_OK) return result;
  opening->path = new std::string(path != nullptr ? path : "(temporary)");
  if (path != nullptr) {
    const auto id = fileIdOf(path);
    opening->isNamed = id.has_value();
    if (id) opening->id = *id;
  }
  if (opening->isNamed) meet(vfs, *opening);
  opening->base.pMethods = &faultMethods;
  return SQLITE_OK;
}

}  // namespace enablement::testing
