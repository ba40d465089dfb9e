// What the faults of a run came to, printed as one table at its end.
#pragma once

#include <cstddef>
#include <string>

namespace enablement::testing {

struct Tally {
  std::size_t tried = 0;
  std::size_t refused = 0;   // told to the caller: an error, or pending
  std::size_t survived = 0;  // everything that was acknowledged is there
  std::size_t lost = 0;      // an acknowledged decision is gone, or an off is on; must stay 0
};

// The row of that name in the table. The run fails if anything in it is lost.
Tally& tally(const std::string& row);

}  // namespace enablement::testing
