// Where SQLite's exceptions become errors of ours. Internal: includes SQLiteCpp.
#pragma once

#include <filesystem>
#include <type_traits>
#include <utility>

#include <SQLiteCpp/Exception.h>

#include <enablement/schema/error.h>

namespace enablement {

// `doing` completes "cannot …", e.g. "read the decisions".
[[nodiscard]] Error sqliteError(const SQLite::Exception& exception, std::string_view doing,
                                const std::filesystem::path& file);

// Runs `body` and turns an exception of SQLite's into an Error. `body` returns a value, nothing, or
// a Result.
template <typename Body>
auto attempt(std::string_view doing, const std::filesystem::path& file, Body body) {
  using Value = std::invoke_result_t<Body>;
  if constexpr (requires { std::declval<Value>().error(); }) {
    try {
      return body();
    } catch (const SQLite::Exception& exception) {
      return Value(fail(sqliteError(exception, doing, file)));
    }
  } else {
    try {
      if constexpr (std::is_void_v<Value>) {
        body();
        return Status();
      } else {
        return Result<Value>(body());
      }
    } catch (const SQLite::Exception& exception) {
      return Result<Value>(fail(sqliteError(exception, doing, file)));
    }
  }
}

}  // namespace enablement
