// The three scopes a person decides at, most specific first.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <enablement/schema/error.h>

namespace enablement {

enum class Scope : unsigned char {
  session,    // this session only
  workspace,  // every session whose primary working directory is the folder
  global,     // everywhere
};

// The order in which scopes are asked (I6): the first decision found decides.
inline constexpr std::array precedence{Scope::session, Scope::workspace, Scope::global};
static_assert(Scope::session < Scope::workspace && Scope::workspace < Scope::global);

// The order in which a write plans its scopes (I11): each inherits from those planned before it.
inline constexpr std::array writeOrder{Scope::global, Scope::workspace, Scope::session};

[[nodiscard]] constexpr std::size_t index(Scope scope) {
  return static_cast<std::size_t>(scope);
}

[[nodiscard]] std::string_view name(Scope scope);

// `invalidArgument` for anything but the three words (I14).
[[nodiscard]] Result<Scope> parseScope(std::string_view word);

}  // namespace enablement
