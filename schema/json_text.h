// JSON from outside: the one way in. Internal.
#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

#include <enablement/schema/error.h>

namespace enablement {

using Json = nlohmann::ordered_json;

// Deeper documents are refused: what walks a value later may do so by recursion.
inline constexpr std::size_t maxJsonDepth = 64;

// One JSON document. `invalidArgument`, naming `name`, line and column, for text that is not JSON,
// is nested too deep, has a key twice in one object, or holds a number out of range. `name` is what
// a person calls the text: a file.
[[nodiscard]] Result<Json> parseJson(std::string_view text, std::string_view name);

}  // namespace enablement
