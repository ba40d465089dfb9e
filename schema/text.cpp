#include <enablement/schema/text.h>

#include <algorithm>
#include <cstdint>

namespace enablement {
namespace {

constexpr std::size_t shownBytes = 80;

bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// The length of the UTF-8 sequence at the front of `text`, 0 when it is broken.
std::size_t sequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const unsigned char second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second > 0x9F;
  const bool tooLarge = lead == 0xF4 && second > 0x8F;
  return overlong || surrogate || tooLarge ? 0 : length;
}

Status checkLength(std::string_view what, std::string_view text) {
  if (text.size() <= maxTextBytes) return {};
  return fail(ErrorCode::invalidArgument,
              std::string(what) + " of " + std::to_string(text.size()) + " bytes is too long",
              "at most " + std::to_string(maxTextBytes) + " bytes are accepted");
}

}  // namespace

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool hasControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(), isControl);
}

std::string quote(std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string out = "\"";
  while (!text.empty()) {
    if (out.size() > shownBytes) return out + "\"…";
    const std::size_t length = sequenceLength(text);
    if (length == 0 || isControl(text.front())) {
      const auto byte = static_cast<unsigned char>(text.front());
      out += {'\\', 'x', hex[byte >> 4], hex[byte & 0xF]};
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out + "\"";
}

Status checkServerName(std::string_view name) {
  if (name.empty())
    return fail(ErrorCode::invalidArgument, "the server name is empty",
                "an MCP server is named by the name in its configuration");
  if (auto ok = checkLength("a server name", name); !ok) return ok;
  if (hasControl(name) || !isUtf8(name))
    return fail(ErrorCode::invalidArgument,
                "the server name " + quote(name) + " holds a control character or is not UTF-8",
                "correct the name in the server's configuration");
  return {};
}

Status checkSession(std::string_view session) {
  if (session.empty()) return fail(ErrorCode::invalidArgument, "the session name is empty");
  if (auto ok = checkLength("a session name", session); !ok) return ok;
  if (!isUtf8(session))
    return fail(ErrorCode::invalidArgument, "the session name " + quote(session) + " is not UTF-8");
  return {};
}

}  // namespace enablement
