// Words that are nearly another one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace enablement::tool {

// Whether one may be a slip for the other: a letter or two too many, too few, wrong or swapped.
[[nodiscard]] bool nearly(std::string_view a, std::string_view b);

// The word that `typed` is most likely a slip for, if it is near enough to any.
[[nodiscard]] std::optional<std::string> nearest(std::string_view typed,
                                                 std::span<const std::string> words);

}  // namespace enablement::tool
