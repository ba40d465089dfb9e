#include <enablement/session/version.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>

#include <enablement/schema/text.h>

namespace enablement {
namespace {

using Numbers = std::array<unsigned, 3>;

constexpr Numbers oldest{0, 5, 2};
constexpr Numbers secondGeneration{0, 8, 0};

std::optional<Numbers> numbersIn(std::string_view version) {
  version = version.substr(0, version.find_first_of("-+"));
  Numbers numbers{};
  const char* at = version.data();
  const char* const end = at + version.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && (at == end || *at++ != '.')) return std::nullopt;
    const auto read = std::from_chars(at, end, numbers[i]);
    if (read.ec != std::errc()) return std::nullopt;
    at = read.ptr;
  }
  return at == end ? std::optional(numbers) : std::nullopt;
}

}  // namespace

Result<Generation> generationOf(std::string_view version) {
  const auto numbers = numbersIn(version);
  if (!numbers)
    return fail(ErrorCode::invalidArgument, quote(version) + " is no version of the protocol",
                "a version is three numbers, such as 0.8.0");
  if (*numbers < oldest)
    return fail(ErrorCode::invalidArgument,
                "version " + quote(version) + " of the protocol is too old",
                "customizations are spoken of from 0.5.2 on");
  return *numbers < secondGeneration ? Generation::first : Generation::second;
}

}  // namespace enablement
