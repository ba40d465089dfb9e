// Imported session decisions that find out what their customization ids stand for.
#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <enablement/resolver/entry_target.h>
#include <enablement/schema/error.h>

namespace enablement {

class EnablementService;

// Looks in a session's list for entries with ids that unclaimed decisions bear. Each such decision
// becomes an ordinary session decision of the entry's target, or goes where one is stored already;
// an id that stands in the list more than once is that of its first entry. Entries that have no
// key, such as skills and directories, claim nothing: their decisions go on counting under their
// ids. How many were claimed. One event; any thread. `invalidArgument` for a list that is
// malformed.
Result<std::size_t> claim(EnablementService& service, std::string_view session,
                          const nlohmann::ordered_json& customizations, const OwnerMap& owners,
                          std::string_view actor);

}  // namespace enablement
