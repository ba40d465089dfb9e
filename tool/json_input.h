// Text from a file or from standard input.
#pragma once

#include <string>

#include <enablement/schema/error.h>
#include <enablement/schema/json_text.h>

namespace enablement::tool {

// The bytes of a file, or of standard input for "-". `invalidArgument` when it cannot be read.
[[nodiscard]] Result<std::string> readText(const std::string& file);

// What is called `file` in messages: "-" is "standard input".
[[nodiscard]] std::string inputName(const std::string& file);

}  // namespace enablement::tool
