// Where the tests find the files and programs that they use. Only places.cpp is compiled with paths
// of this checkout in it, so that another checkout can share what a compiler cache holds.
#pragma once

#include <string>
#include <string_view>

namespace enablement::testing {

// A file below tests/, e.g. "vectors/uri.json".
std::string inTests(std::string_view below);
// A file below examples/.
std::string inExamples(std::string_view below);

extern const char* const enablectlProgram;
extern const char* const minimalDaemonProgram;

}  // namespace enablement::testing
