// Where a session stands in the table of known sessions.
#pragma once

#include <cstddef>

#include <enablement/schema/hashed_text.h>

namespace enablement {

// A session's name, and where it stood in a table: a hint that every look-up checks. Sessions come
// and go, and their slots are given to others; then the name finds them.
struct SessionPlace {
  HashedText name;
  std::size_t slot;
};

}  // namespace enablement
