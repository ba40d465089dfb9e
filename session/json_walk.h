// A look at all of a JSON value that nobody has looked at yet. Internal.
#pragma once

#include <cstddef>
#include <string>

#include <enablement/schema/json_text.h>

namespace enablement {

// What is wrong with the value, for a sentence about it, or nothing: "is nested deeper than 64
// levels", "is longer than 8388608 bytes" as text without spaces (escapes count as one byte),
// "holds text that is not UTF-8", "holds something that is not JSON". Without recursion, because
// copying, comparing and printing a value are recursive: they are safe only afterwards. It stops at
// the first problem, so that a huge value costs no more than the limit.
[[nodiscard]] std::string problemOfJson(const Json& value, std::size_t maxDepth,
                                        std::size_t maxBytes);

}  // namespace enablement
