// What enablectl tells its caller when it ends. The numbers are promised in README.md.
#pragma once

#include <enablement/schema/error.h>

namespace enablement::tool {

enum class Exit : int {
  done = 0,      // resolve, explain: enabled
  no = 1,        // resolve, explain: disabled; replay, reduce: mismatches; purge: declined
  usage = 2,     // usage, invalid argument or URI
  pending = 3,   // resolve, explain: pending, whatever it waits for; tree: all of it is
  database = 4,  // database missing, unreadable, corrupt, newer, or an I/O error
  busy = 5,      // another process held the write lock for too long
  refused = 7,   // read-only, noWorkspace, foreignWorkspace, full, limit
};

[[nodiscard]] Exit exitOf(ErrorCode code);

}  // namespace enablement::tool
