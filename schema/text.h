// Checks and views of text that comes from outside.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <enablement/schema/error.h>

namespace enablement {

// Names, URIs and session names up to this many bytes work and are never cut (I3).
inline constexpr std::size_t maxTextBytes = std::size_t{64} * 1024;

// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool isUtf8(std::string_view text);

// Whether an ASCII control character (U+0000–001F, 007F) is in it.
[[nodiscard]] bool hasControl(std::string_view text);

// `text` in quotation marks for a message: controls and broken UTF-8 escaped, long text shortened.
[[nodiscard]] std::string quote(std::string_view text);

// A server name as it is: compared byte for byte, never trimmed or folded. `invalidArgument` when
// it is empty, holds a control character, is not UTF-8, or is longer than maxTextBytes (I3).
[[nodiscard]] Status checkServerName(std::string_view name);

// A session's opaque name: `invalidArgument` when it is empty, not UTF-8, or too long.
[[nodiscard]] Status checkSession(std::string_view session);

}  // namespace enablement
