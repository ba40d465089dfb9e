#include <enablement/session/outcome.h>

#include <array>

namespace enablement {

std::string_view name(Outcome::Kind kind) {
  static constexpr std::array<std::string_view, 3> names{"applied", "ignored", "refused"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace enablement
