// Definitions and names from outside, with what is malformed taken out (E2). Internal.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <enablement/enforcement/inputs.h>
#include <enablement/enforcement/plan.h>

namespace enablement {

// Definitions by name. They point into the sources.
using DefinitionsByName = std::map<std::string, const nlohmann::ordered_json*, std::less<>>;

// What is well-formed in `definitions`; the rest is reported under `source`. Null counts as a
// definition only if `nullable`. The names of malformed definitions are still names: `names` gets
// every one that may be a server's.
[[nodiscard]] DefinitionsByName wellFormed(const nlohmann::ordered_json& definitions,
                                           const std::string& source, bool nullable,
                                           std::set<std::string, std::less<>>& names,
                                           std::vector<Dropped>& dropped);

// An object of these definitions, in order of their names.
[[nodiscard]] nlohmann::ordered_json objectOf(const DefinitionsByName& definitions);

// The members of an object by name; finding one in a large object takes long otherwise.
[[nodiscard]] DefinitionsByName byName(const nlohmann::ordered_json& object);

}  // namespace enablement
