// What actions do to flat lists: active clients and working directories (S2). Internal.
//
// As in tree_rules.h: null is no list, nothing returned is *unchanged*.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <enablement/schema/json_text.h>

namespace enablement {

// The first object of the list whose `field` is that text. What is no object is passed over.
[[nodiscard]] std::optional<std::size_t> indexOf(const Json& list, const char* field,
                                                 const std::string& text);

// The entry put whole in the place of the first one with the same `field`, or at the end.
[[nodiscard]] Json withEntry(const Json* list, const char* field, const Json& entry);

[[nodiscard]] std::optional<Json> clientRemoved(const Json* list, const std::string& clientId);

// Directories are compared as they are written, never as URIs.
[[nodiscard]] std::optional<Json> directorySet(const Json* list, const std::string& directory);
[[nodiscard]] std::optional<Json> directoryRemoved(const Json* list, const std::string& directory);
[[nodiscard]] std::optional<Json> directoryReplaced(const Json* list, const std::string& directory,
                                                    const std::string& replacement);

}  // namespace enablement
