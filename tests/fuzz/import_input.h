// What the fuzz target and the test of its corpus do with an input.
#pragma once

#include <string_view>

namespace enablement::fuzz {

// Hands the bytes after the first to the reader that the first one names: h host storage, d
// disabled servers, e export, v the value in a session database, b the bytes of one. What is read
// is taken into a store, exported and read again. Throws std::logic_error when something does not
// hold that must.
void importInput(std::string_view bytes);

}  // namespace enablement::fuzz
