// Times as people write them.
#pragma once

#include <chrono>
#include <string_view>

#include <enablement/schema/clock.h>
#include <enablement/schema/error.h>

namespace enablement::tool {

// How long ago: 90s, 15m, 12h, 30d, 4w. `invalidArgument`.
[[nodiscard]] Result<std::chrono::milliseconds> parseAge(std::string_view text);

// A moment: an age before `now`, or a UTC date or time as 2026-11-30, 2026-11-30T14:02 or
// 2026-11-30T14:02:11Z. `invalidArgument`.
[[nodiscard]] Result<Timestamp> parseMoment(std::string_view text, Timestamp now);

}  // namespace enablement::tool
