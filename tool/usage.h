// What is wrong with a command line, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <enablement/tool/exit_code.h>

namespace enablement::tool {

// Checks of a value. Their message goes on where the option's name ends: "--db" "is empty".
[[nodiscard]] CLI::Validator oneOf(std::vector<std::string> words);
[[nodiscard]] CLI::Validator numberFrom(std::int64_t least, std::int64_t most);

// Refuses empty values, of every option of every verb. They come from a variable that is not set,
// and taking them for "not given" would decide for everywhere instead of for one folder.
void refuseEmptyValues(CLI::App& app);

// The same where the parser does not see it: `--name=`, to which it would give the next word, and
// options that take a value or none. The option, or nothing; call it before parsing.
[[nodiscard]] std::string emptyOption(const CLI::App& app, int argc, const char* const* argv);

// Says what is wrong, and what may have been meant.
Exit usageError(const CLI::App& app, const CLI::ParseError& error);
Exit emptyValue(const std::string& option);
Exit unknownVerb(const CLI::App& app, const std::string& word);

// The verb that was chosen, e.g. `migrate up`, or the program itself.
[[nodiscard]] const CLI::App& chosenVerb(const CLI::App& app);

}  // namespace enablement::tool
