// Runs the protocol's reducer fixtures: {description, reducer, initial, actions, expected}.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <enablement/schema/error.h>
#include <enablement/session/reducer.h>
#include <enablement/tool/json_input.h>

namespace enablement::tool {

struct FixtureFile {
  std::string name;  // what a person calls it
  Json fixtures;     // one, or a list of them
};

// A place at which two values differ.
struct Difference {
  std::string path;              // a JSON pointer; empty for the whole value
  std::optional<Json> expected;  // none: there is nothing on that side
  std::optional<Json> actual;
};

// A fixture whose actions do not lead where it says.
struct FixtureMismatch {
  std::string file;
  std::size_t number;  // the first one of a file is 1
  std::string description;
  Json expected;  // both without members that are null
  Json actual;
  std::vector<Difference> differences;
};

struct FixtureReport {
  std::size_t fixtures = 0;  // that were run
  std::size_t skipped = 0;   // of other reducers
  std::vector<FixtureMismatch> mismatches;
  std::vector<std::string> refusals;  // actions that the reducer refused: they changed nothing
};

// Applies each fixture's actions in order and compares, members that are null dropped on both
// sides. An action that the reducer refuses leaves the state as it was. A file that holds no
// fixtures and a fixture of the wrong shape are `invalidArgument`, naming both; then nothing is
// reported.
[[nodiscard]] Result<FixtureReport> runFixtures(std::span<const FixtureFile> files,
                                                Generation generation);

// The value without members that are null, at any depth. Nulls in a list stay: they are entries.
[[nodiscard]] Json withoutNulls(const Json& value);

// Where two values differ, in the order of `expected`. The order of members does not count.
[[nodiscard]] std::vector<Difference> differencesOf(const Json& expected, const Json& actual);

}  // namespace enablement::tool
