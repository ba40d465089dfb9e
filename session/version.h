// The protocol's versions, as peers negotiate them.
#pragma once

#include <string_view>

#include <enablement/schema/error.h>
#include <enablement/session/reducer.h>

namespace enablement {

// Which generation a peer speaks that negotiated this version, e.g. "0.8.0" (S1). `invalidArgument`
// for a version before 0.5.2, or what is none: three numbers with dots, perhaps with "-…" or "+…"
// behind them, which say nothing here.
[[nodiscard]] Result<Generation> generationOf(std::string_view version);

}  // namespace enablement
