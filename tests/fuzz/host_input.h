// What the fuzz target and the test of its corpus do with an input.
#pragma once

#include <string_view>

namespace enablement::fuzz {

// Reads the bytes as a list of [client or null, generation, action], dispatched in order to a host
// with one session. Throws std::logic_error when something does not hold that must: a refused
// action changes nothing, peers that apply what is sent have the host's state, what is published is
// what the gate says, and calls end. What is no JSON or is refused is fine.
void hostInput(std::string_view bytes);

}  // namespace enablement::fuzz
