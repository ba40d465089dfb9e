// The open files of FaultVfs.
#pragma once

#include <sqlite3.h>

namespace enablement::testing {

// What SQLite has to allocate for a file of ours, the system's own file behind it.
int faultFileSize(const sqlite3_vfs& real);

// xOpen.
int openFaultFile(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* outFlags);

}  // namespace enablement::testing
