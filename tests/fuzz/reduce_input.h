// What the fuzz target and the test of its corpus do with an input.
#pragma once

#include <string_view>

namespace enablement::fuzz {

// Reads the bytes as [state, action, …] and applies the actions in both generations. Throws
// std::logic_error when something does not hold that must; what is no JSON or is refused is fine.
void reduceInput(std::string_view bytes);

}  // namespace enablement::fuzz
