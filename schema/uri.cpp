#include <enablement/schema/uri.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <enablement/schema/text.h>

namespace enablement {
namespace {

// The five components of RFC 3986, as written. Absent and empty differ: `file:///a?` is refused,
// and an empty authority makes the path that follows it absolute.
struct Components {
  std::string_view scheme;
  std::optional<std::string_view> authority = {};
  std::string_view path = {};
  std::optional<std::string_view> query = {};
  std::optional<std::string_view> fragment = {};
};

enum class Letters { kept, lowered };

// Not <cctype>: its answers depend on the locale.
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool isUnreserved(char c) {
  return isLetter(c) || isDigit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

bool isSchemeOctet(char c) {
  return isLetter(c) || isDigit(c) || c == '+' || c == '-' || c == '.';
}

// The value of a hex digit, -1 for anything else.
int hexValue(char c) {
  if (isDigit(c)) return c - '0';
  const char small = lower(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

bool hasBrokenEscape(std::string_view text) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 3))
    if (text.size() - at < 3 || hexValue(text[at + 1]) < 0 || hexValue(text[at + 2]) < 0)
      return true;
  return false;
}

void appendEscape(std::string& out, char octet) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(octet);
  out += {'%', digits[byte >> 4], digits[byte & 0xF]};
}

// The canonical spelling of a component whose escapes are whole: unreserved octets decoded,
// everything else encoded but the octets of `raw`. An encoded octet of `raw` stays encoded: it is
// data where the raw one is a delimiter.
std::string encoded(std::string_view text, std::string_view raw, Letters letters = Letters::kept) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char octet = text[i];
    const bool escaped = octet == '%';
    if (escaped) {
      octet = static_cast<char>(hexValue(text[i + 1]) * 16 + hexValue(text[i + 2]));
      i += 2;
    }
    if (isUnreserved(octet))
      out += letters == Letters::lowered ? lower(octet) : octet;
    else if (!escaped && raw.find(octet) != std::string_view::npos)
      out += octet;
    else
      appendEscape(out, octet);
  }
  return out;
}

// Cuts `text` at the first `mark` and gives what is behind it, if there is one.
std::optional<std::string_view> cutOff(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const auto behind = text.substr(at + 1);
  text = text.substr(0, at);
  return behind;
}

// None when the text has no scheme in front. Behind an authority the path is absolute or empty,
// because nothing but `/`, `?`, `#` or the end ends an authority.
std::optional<Components> split(std::string_view uri) {
  const auto schemeEnd = std::find_if_not(uri.begin(), uri.end(), isSchemeOctet);
  if (schemeEnd == uri.end() || *schemeEnd != ':' || !isLetter(uri.front())) return std::nullopt;
  const auto colon = static_cast<std::size_t>(schemeEnd - uri.begin());
  Components parts{.scheme = uri.substr(0, colon)};
  std::string_view rest = uri.substr(colon + 1);
  parts.fragment = cutOff(rest, '#');
  parts.query = cutOff(rest, '?');
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    parts.authority = rest.substr(0, rest.find('/'));
    rest.remove_prefix(parts.authority->size());
  }
  parts.path = rest;
  return parts;
}

std::string canonicalScheme(std::string_view scheme) {
  std::string out(scheme);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

// The port is part of the host's text here: its colon is kept like those of an IPv6 address.
std::string canonicalAuthority(std::string_view authority) {
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return encoded(authority, ":[]", Letters::lowered);
  return encoded(authority.substr(0, at), ":") + '@' +
         encoded(authority.substr(at + 1), ":[]", Letters::lowered);
}

// RFC 3986, 5.2.4, of a path that starts with `/`. Every octet is appended and removed at most
// once, so a long run of `..` stays linear.
std::string withoutDotSegments(std::string_view path) {
  std::string out;
  out.reserve(path.size());
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(0, end);  // with the slash in front of it
    path.remove_prefix(end);
    const bool up = segment == "/..";
    if (!up && segment != "/.") {
      out += segment;
      continue;
    }
    if (up) out.resize(out.empty() ? 0 : out.rfind('/'));
    if (path.empty()) out += '/';
  }
  return out;
}

void dropTrailingSlashes(std::string& path) {
  const std::size_t last = path.find_last_not_of('/');
  path.resize(last == std::string::npos ? 1 : last + 1);
}

void lowerDriveLetter(std::string& path) {
  const std::size_t at = path.starts_with('/') ? 1 : 0;
  if (path.size() > at && isLetter(path[at]) && path.compare(at + 1, 3, "%3A") == 0)
    path[at] = lower(path[at]);
}

tl::unexpected<Error> invalid(std::string_view uri, std::string_view why, std::string hint) {
  return fail(ErrorCode::invalidUri, "the URI " + quote(uri) + ' ' + std::string(why),
              std::move(hint));
}

// What can be said of a text before it is taken apart.
Status checkText(std::string_view uri) {
  if (uri.size() > maxTextBytes)
    return fail(
        ErrorCode::invalidArgument,
        "the URI " + quote(uri) + " of " + std::to_string(uri.size()) + " bytes is too long",
        "at most " + std::to_string(maxTextBytes) + " bytes are accepted");
  if (uri.empty()) return fail(ErrorCode::invalidUri, "the URI is empty");
  if (hasControl(uri))
    return invalid(uri, "holds a control character", "remove it, or encode it as in %0A");
  if (hasBrokenEscape(uri))
    return invalid(uri, "holds a % that two hex digits do not follow",
                   "write a percent sign itself as %25");
  return {};
}

// A path that starts with `//` would be read back as an authority, so it is refused as it comes and
// as dot segments leave it; only an authority in front of it makes it unambiguous.
Result<std::string> canonicalPath(std::string_view uri, const Components& parts,
                                  bool hasAuthority) {
  std::string path = encoded(parts.path, "/");
  if (path.empty() && parts.authority) path = "/";
  if (path.starts_with('/')) {
    std::string resolved = withoutDotSegments(path);
    if (!hasAuthority && (path.starts_with("//") || resolved.starts_with("//")))
      return invalid(uri, "has no authority and a path that starts with //",
                     "remove the superfluous slash");
    path = std::move(resolved);
    dropTrailingSlashes(path);
  }
  lowerDriveLetter(path);
  return path;
}

}  // namespace

Result<std::string> canonicalUri(std::string_view uri) {
  if (auto ok = checkText(uri); !ok) return fail(ok.error());
  const auto parts = split(uri);
  if (!parts) return invalid(uri, "has no scheme", "write a folder like file:///home/ada/project");
  if (parts->scheme.size() == 1)
    return invalid(uri, "starts with a drive letter, not with a scheme",
                   "write a folder like file:///c:/Users/Ada/project");

  std::string out = canonicalScheme(parts->scheme);
  const bool isFile = out == "file";
  if (isFile && (parts->query || parts->fragment))
    return invalid(uri, "is a file: URI with a ? or #",
                   "write these as %3F and %23 where they are part of a file's name");
  if (isFile && !parts->authority && !parts->path.starts_with('/'))
    return invalid(uri, "is a file: URI whose path is not absolute",
                   "write it like file:///home/ada/project");

  std::string authority = parts->authority ? canonicalAuthority(*parts->authority) : std::string();
  if (isFile && authority == "localhost") authority.clear();
  const auto path = canonicalPath(uri, *parts, !authority.empty());
  if (!path) return fail(path.error());

  out += ':';
  if (isFile || !authority.empty()) out += "//" + authority;
  out += *path;
  if (parts->query && !parts->query->empty()) out += '?' + encoded(*parts->query, {});
  if (parts->fragment && !parts->fragment->empty()) out += '#' + encoded(*parts->fragment, {});
  return out;
}

bool isMarketplaceId(std::string_view text) {
  return !text.empty() && text.size() <= maxTextBytes && text != "mcpServers" &&
         text.front() != '/' && text.front() != '.' &&
         text.find_first_of(":#\\ ") == std::string_view::npos && !hasControl(text) && isUtf8(text);
}

Result<std::string> canonicalPluginUri(std::string_view text) {
  if (isMarketplaceId(text)) return std::string(text);
  // Without a colon it may have been meant as either.
  if (text.size() <= maxTextBytes && text.find(':') == std::string_view::npos)
    return fail(ErrorCode::invalidUri,
                "the plugin " + quote(text) + " is neither a URI nor a marketplace id",
                "name it by a URI with a scheme, or by a marketplace id such as acme/tools");
  return canonicalUri(text);
}

std::string fileUriOfPath(std::string_view path) {
  static constexpr char hex[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain)
      uri += c;
    else
      uri += {'%', hex[byte >> 4], hex[byte & 0xF]};
  }
  return uri;
}

}  // namespace enablement
