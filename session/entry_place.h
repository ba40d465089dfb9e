// Where an entry stands in a list of customizations, and what it is a target of. Internal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <enablement/resolver/entry_target.h>
#include <enablement/schema/json_text.h>

namespace enablement {

struct EntryPlace {
  const Json* entry;
  const Json* container = nullptr;  // null at the top level
};

// The children of a container: of any top-level entry with a list of them, whatever its type,
// except a server. Null if it is none.
[[nodiscard]] const Json* childrenOf(const Json& entry);

// The entry that an id means, in the reducer's order: the top level first, then children,
// containers in order (S4). `list` may be null.
[[nodiscard]] std::optional<EntryPlace> placeOf(const Json* list, const std::string& id);

// Calls `visit(place)` for each entry, children after their container.
template <typename Visit>
void forEachEntry(const Json& list, const Visit& visit) {
  for (const Json& top : list) {
    visit(EntryPlace{&top});
    if (const Json* children = childrenOf(top))
      for (const Json& child : *children) visit(EntryPlace{&child, &top});
  }
}

// Of a plugin or server, as the gate sees it there (I5). The error of its container's URI where
// that is bad.
[[nodiscard]] Result<Target> targetAt(const EntryPlace& place, const OwnerMap& owners);

// A text field, or an empty text.
[[nodiscard]] std::string_view textOr(const Json& entry, const char* field);

}  // namespace enablement
