// Where a decision would go, told in advance to a user interface (S5).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <enablement/schema/scope.h>

namespace enablement {

struct Route {
  enum class Kind : unsigned char {
    host,        // the host stores it
    client,      // it is that client's own setting: the host stores nothing
    impossible,  // nothing would come of it; `obstacle` says why
  };
  enum class Obstacle : unsigned char {
    none,
    noWorkspace,  // workspace scope in a session that has no folder
    container,    // the container is off and masks it
    invalid,      // its URI or name is bad, or its container's: it has no key
    flag,         // it has one flag for this session, no decisions by scope
  };

  Kind kind = Kind::host;
  std::string client = {};
  Obstacle obstacle = Obstacle::none;
  // The id of the container that masks it; of a bare server whose plugin is not in the list, the
  // plugin as it is printed.
  std::string container = {};
  // Which scope switches the container off; none: its flag, its default, or that it is invalid.
  std::optional<Scope> containerScope = {};
};

[[nodiscard]] std::string_view name(Route::Kind kind);
[[nodiscard]] std::string_view name(Route::Obstacle obstacle);

}  // namespace enablement
