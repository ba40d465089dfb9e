// Canonical URIs and marketplace ids (contract, section 4).
#include <enablement/schema/uri.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <nlohmann/json.hpp>

#include <rapidcheck/gtest.h>

#include <enablement/schema/text.h>

#include "places.h"

namespace enablement {
namespace {

using namespace std::string_literals;

// The canonical text, or the word of the error.
std::string canonicalOrError(std::string_view uri) {
  const auto canonical = canonicalUri(uri);
  return canonical ? *canonical : std::string(name(canonical.error().code));
}

std::string pluginOrError(std::string_view text) {
  const auto canonical = canonicalPluginUri(text);
  return canonical ? *canonical : std::string(name(canonical.error().code));
}

bool isPrintableAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

const nlohmann::json& vectors() {
  static const nlohmann::json parsed = [] {
    std::ifstream file(testing::inTests("vectors/uri.json"));
    return nlohmann::json::parse(file);
  }();
  return parsed;
}

std::vector<std::string> texts(const char* group) {
  return vectors().at(group).get<std::vector<std::string>>();
}

std::vector<std::vector<std::string>> rows(const char* group) {
  return vectors().at(group).get<std::vector<std::vector<std::string>>>();
}

// --- The vectors ---------------------------------------------------------------------------------

TEST(CanonicalUri, EveryRowOfTheVectorsHolds_I3) {
  ASSERT_FALSE(rows("canonical").empty());
  for (const auto& row : rows("canonical")) {
    EXPECT_EQ(canonicalOrError(row.at(0)), row.at(1)) << row.at(0);
    EXPECT_EQ(pluginOrError(row.at(0)), row.at(1)) << row.at(0);
  }
}

TEST(CanonicalUri, EveryCanonicalTextOfTheVectorsStaysAsItIs_I3) {
  for (const auto& row : rows("canonical"))
    EXPECT_EQ(canonicalOrError(row.at(1)), row.at(1)) << "from " << row.at(0);
}

TEST(CanonicalUri, EveryInvalidRowOfTheVectorsIsRefusedWithItsCode_I3) {
  ASSERT_FALSE(rows("invalid").empty());
  for (const auto& row : rows("invalid"))
    EXPECT_EQ(canonicalOrError(row.at(0)), row.at(1)) << row.at(0);
}

TEST(MarketplaceId, EveryRowOfTheVectorsIsOneAndIsKeptByteForByte_I3) {
  ASSERT_FALSE(texts("marketplaceIds").empty());
  for (const auto& id : texts("marketplaceIds")) {
    EXPECT_TRUE(isMarketplaceId(id)) << id;
    EXPECT_EQ(pluginOrError(id), id);
    EXPECT_EQ(canonicalOrError(id), "invalidUri") << "a folder is always a URI: " << id;
  }
}

TEST(MarketplaceId, EveryOtherRowOfTheVectorsIsNone_I3) {
  ASSERT_FALSE(texts("notMarketplaceIds").empty());
  for (const auto& text : texts("notMarketplaceIds")) {
    EXPECT_FALSE(isMarketplaceId(text)) << text;
    EXPECT_EQ(pluginOrError(text), "invalidUri") << text;
  }
}

// --- Corners that the vectors leave out ----------------------------------------------------------

struct Row {
  std::string input;
  std::string canonical;  // or the word of the error
};

void expectRows(const std::vector<Row>& table) {
  for (const auto& row : table) {
    EXPECT_EQ(canonicalOrError(row.input), row.canonical) << row.input;
    if (row.canonical == "invalidUri") continue;
    EXPECT_EQ(canonicalOrError(row.canonical), row.canonical) << "again, from " << row.input;
  }
}

TEST(CanonicalUri, ASchemeIsALetterAndThenLettersDigitsPlusMinusDot_I3) {
  expectRows({
      {"A1+-.:x", "a1+-.:x"},
      {"+a:x", "invalidUri"},
      {"a_b:x", "invalidUri"},
      {"a%62:x", "invalidUri"},
      {"é:x", "invalidUri"},
      {"a b:x", "invalidUri"},
      {"a/b:x", "invalidUri"},
      {"a?b:x", "invalidUri"},
      {"a:x", "invalidUri"},
      {":", "invalidUri"},
      {"foo", "invalidUri"},
      {"foo:", "foo:"},
      {"FOO:?Q", "foo:?Q"},
      {"foo:#F", "foo:#F"},
  });
}

TEST(CanonicalUri, TheHostIsFoldedAfterDecodingAndTheUserInfoIsNot_I3) {
  expectRows({
      {"https://%48/x", "https://h/x"},
      {"https://É/x", "https://%C3%89/x"},
      {"https://H%2fX/x", "https://h%2Fx/x"},
      {"https://[2001:DB8::A]:8%30/x", "https://[2001:db8::a]:80/x"},
      {"https://h%3a8%5B/x", "https://h%3A8%5B/x"},
      {"https://h:/x", "https://h:/x"},
      {"https://User:Pa:ss@H/x", "https://User:Pa:ss@h/x"},
      {"https://u%3as@H/x", "https://u%3As@h/x"},
      {"https://[u]@h/x", "https://%5Bu%5D@h/x"},
      {"https://a@B@C/x", "https://a%40B@c/x"},
      {"https://U%40H/x", "https://u%40h/x"},
      {"https://@/x", "https://@/x"},
      {"https://u@/x", "https://u@/x"},
      {"https://h\\s/x", "https://h%5Cs/x"},
      {"https://h?q", "https://h/?q"},
      {"https://h#f", "https://h/#f"},
      {"https://h?u@x", "https://h/?u%40x"},
  });
}

TEST(CanonicalUri, ALocalhostOfAFileIsNoAuthorityHoweverItIsSpelled_I3) {
  expectRows({
      {"file://%6cocal%48ost/x", "file:///x"},
      {"file://localhost", "file:///"},
      {"file://localhost:80/x", "file://localhost:80/x"},
      {"file://u@localhost/x", "file://u@localhost/x"},
      {"file://localhost.example/x", "file://localhost.example/x"},
      {"https://LOCALHOST/x", "https://localhost/x"},
      {"file://localhost//x", "invalidUri"},
  });
}

TEST(CanonicalUri, AFileHasAnAbsolutePathAndNeitherQueryNorFragment_I3) {
  expectRows({
      {"file:.", "invalidUri"},
      {"file:c:/x", "invalidUri"},
      {"file:%2Fx", "invalidUri"},
      {"file:?", "invalidUri"},
      {"FILE:///a?", "invalidUri"},
      {"file://h/a#", "invalidUri"},
      {"file://server", "file://server/"},
      {"file:/", "file:///"},
      {"file:///a\\b", "file:///a%5Cb"},
  });
}

TEST(CanonicalUri, DotSegmentsAreResolvedAfterDecodingInAbsolutePathsOnly_I3) {
  expectRows({
      {"foo:/a/%2E%2e/./%2e/b", "foo:/b"},
      {"foo:/a/.../b", "foo:/a/.../b"},
      {"foo:/a/.b/..c", "foo:/a/.b/..c"},
      {"foo:/a/b%2F../c", "foo:/a/b%2F../c"},
      {"foo:/a/..", "foo:/"},
      {"foo:/..", "foo:/"},
      {"foo:/.", "foo:/"},
      {"foo:a/%2E%2E/b/", "foo:a/../b/"},
      {"foo:..", "foo:.."},
      {"foo:./x", "foo:./x"},
      {"https://h/a//../b", "https://h/a/b"},
      {"https://h/a/../../..", "https://h/"},
      {"https://h/a?../b/.", "https://h/a?..%2Fb%2F."},
  });
}

TEST(CanonicalUri, TwoSlashesInFrontAreRefusedWhereNoAuthorityIs_I3) {
  expectRows({
      {"foo:////", "invalidUri"},
      {"foo:////../x", "invalidUri"},
      {"foo:///.//x", "invalidUri"},
      {"foo:/a/..//", "invalidUri"},
      {"foo:/a/../b//c", "foo:/b//c"},
      {"foo:a//b", "foo:a//b"},
      {"https://h//a//", "https://h//a"},
      {"https://h//", "https://h/"},
      {"https://h/a/..//b", "https://h//b"},
      {"foo:/%2Fx", "foo:/%2Fx"},
  });
}

TEST(CanonicalUri, ADriveLetterAtTheFrontIsLowerCaseInEveryScheme_I3) {
  expectRows({
      {"foo:%43%3a", "foo:c%3A"},
      {"foo:/%43:", "foo:/c%3A"},
      {"https://h/C:/X", "https://h/c%3A/X"},
      {"https://h/a/../C:/X", "https://h/c%3A/X"},
      {"https://h//C:/X", "https://h//C%3A/X"},
      {"foo:./C:/x", "foo:./C%3A/x"},
      {"foo:/CC:/x", "foo:/CC%3A/x"},
      {"foo:/1:/x", "foo:/1%3A/x"},
      {"foo:/C/x", "foo:/C/x"},
      {"foo:C", "foo:C"},
      {"foo:/C%253A", "foo:/C%253A"},
  });
}

TEST(CanonicalUri, QueryAndFragmentKeepNothingRawAndAreDroppedWhenEmpty_I3) {
  expectRows({
      {"foo:x?a?b/c:d#e#f?g/h", "foo:x?a%3Fb%2Fc%3Ad#e%23f%3Fg%2Fh"},
      {"foo:x?#", "foo:x"},
      {"foo:x?#f", "foo:x#f"},
      {"foo:x?q#", "foo:x?q"},
      {"foo:x#?", "foo:x#%3F"},
      {"foo:/x/?q", "foo:/x?q"},
  });
}

TEST(CanonicalUri, OctetsThatAreNotUtf8StayEncodedOrBecomeSo_I3) {
  expectRows({
      {"foo:\xFF", "foo:%FF"},
      {"foo:%c3%28", "foo:%C3%28"},
      {"foo:\xC3", "foo:%C3"},
      {"foo:%7f%1F", "foo:%7F%1F"},
      {"foo:\xC2\x85", "foo:%C2%85"},
  });
}

TEST(CanonicalUri, ABrokenEscapeOrARawControlIsRefusedInEveryComponent_I3) {
  for (const auto& before : {"foo:", "foo://u", "foo://u@h", "foo:/a", "foo:a?q", "foo:a?q#f"})
    for (const auto& bad : {"%"s, "%4"s, "%4g"s, "%g4"s, "%%41"s, "\t"s, "\x7F"s, "\0"s}) {
      EXPECT_EQ(canonicalOrError(before + bad), "invalidUri") << before << bad;
      EXPECT_EQ(canonicalOrError(before + bad + "/x"), "invalidUri") << before << bad << "/x";
    }
}

TEST(CanonicalUri, MessagesSayWhatIsWrongWithWhichTextAndWhatToDo_I14) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"/repo", "no scheme"},          {"C:\\repo", "drive letter"},
      {"file:///a#b", "? or #"},       {"file:repo", "not absolute"},
      {"foo:%zz", "two hex digits"},   {"foo:a\nb", "control character"},
      {"foo:/a/..//b", "starts with "}};
  for (const auto& [uri, why] : table) {
    const auto error = canonicalUri(uri).error();
    EXPECT_NE(error.message.find(enablement::quote(uri)), std::string::npos) << error.message;
    EXPECT_NE(error.message.find(why), std::string::npos) << error.message;
    EXPECT_FALSE(error.hint.empty()) << error.message;
  }
  const auto plugin = canonicalPluginUri("./alpha").error();
  EXPECT_NE(plugin.message.find("\"./alpha\""), std::string::npos) << plugin.message;
  EXPECT_NE(plugin.hint.find("marketplace id"), std::string::npos) << plugin.hint;
}

TEST(MarketplaceId, CornersThatTheVectorsLeaveOut_I3) {
  for (const auto& id : {"plugins/alpha", "a", "a/", "a/../b", "mcpservers", "mcpServersX", "~a",
                         "a%zz", "a=b", "a?b", "-x", "a\xC2\xA0z"})
    EXPECT_TRUE(isMarketplaceId(id)) << id;
  for (const auto& text : {" a"s, "a "s, "a\tb"s, "a\x7F"s, "a\0b"s, "a\xFF"s, "#"s, ".a"s, "/"s})
    EXPECT_FALSE(isMarketplaceId(text)) << text;
}

// --- Length --------------------------------------------------------------------------------------

TEST(CanonicalUri, SixtyFourKibibytesWorkAndAreNeverCutOneMoreByteIsAnInvalidArgument_I3) {
  const std::string longest = "foo:/" + std::string(maxTextBytes - 5, 'a');
  EXPECT_EQ(canonicalOrError(longest), longest);
  EXPECT_EQ(canonicalOrError(longest + 'a'), "invalidArgument");
  EXPECT_EQ(canonicalOrError(longest + '\n'), "invalidArgument");
  EXPECT_EQ(canonicalOrError(std::string(maxTextBytes + 1, '/')), "invalidArgument");
  const auto error = canonicalUri(longest + 'a').error();
  EXPECT_NE(error.message.find("65537 bytes is too long"), std::string::npos) << error.message;
}

TEST(CanonicalUri, TheLimitIsOnTheTextAsGivenNotOnItsCanonicalForm_I3) {
  EXPECT_EQ(canonicalOrError("foo:/" + std::string(maxTextBytes - 5, ' ')),
            "foo:/" + repeated("%20", maxTextBytes - 5));
  EXPECT_EQ(canonicalOrError("foo:/" + repeated("%61", maxTextBytes)), "invalidArgument");
}

TEST(CanonicalUri, TheLongestPathsOfDotsAndSlashesAreResolved_I3) {
  const std::size_t room = maxTextBytes - 16;
  EXPECT_EQ(canonicalOrError("https://h" + repeated("/a", room / 5) + repeated("/..", room / 5)),
            "https://h/");
  EXPECT_EQ(canonicalOrError("https://h" + repeated("/x/..", room / 5) + "/b"), "https://h/b");
  EXPECT_EQ(canonicalOrError("https://h" + repeated("/%2e", room / 4) + "/b"), "https://h/b");
  EXPECT_EQ(canonicalOrError("https://h/b" + std::string(room, '/')), "https://h/b");
  EXPECT_EQ(canonicalOrError("https://h/" + std::string(room, '/')), "https://h/");
  EXPECT_EQ(canonicalOrError("https://" + std::string(room, '@') + "h"),
            "https://" + repeated("%40", room - 1) + "@h/");
}

TEST(MarketplaceId, SixtyFourKibibytesWorkAndOneMoreByteIsAnInvalidArgument_I3) {
  const std::string longest(maxTextBytes, 'a');
  EXPECT_EQ(pluginOrError(longest), longest);
  EXPECT_FALSE(isMarketplaceId(longest + 'a'));
  EXPECT_EQ(pluginOrError(longest + 'a'), "invalidArgument");
}

// --- Properties ----------------------------------------------------------------------------------

// Texts made of what the parser has to tell apart; most of them are URIs.
rc::Gen<std::string> uriLikeText() {
  const auto scheme = rc::gen::element<std::string>("foo:", "FILE:", "file:///", "https://",
                                                    "C:", "foo:/", "x-y+z.1:", "a", "");
  const auto part = rc::gen::element<std::string>(
      "/", "/", "//", ".", "..", "/./", "/../", "%2e", "%2E", "%2F", "%25", "C:", "c%3a", "?", "#",
      "=", "%3d", "#mcp=", "@", ":", "[", "]", "localhost", "Host", "a", "Z", "%41", "%c3%a9", "é",
      "\xFF", "%ff", "%00", " ", "+", "\\");
  return rc::gen::map(
      rc::gen::pair(scheme,
                    rc::gen::resize(12, rc::gen::container<std::vector<std::string>>(part))),
      [](const std::pair<std::string, std::vector<std::string>>& made) {
        std::string text = made.first;
        for (const auto& piece : made.second) text += piece;
        return text;
      });
}

// The invariants of a result, whatever the text was.
void checkCanonical(std::string_view text) {
  if (const auto uri = canonicalUri(text)) {
    RC_ASSERT(canonicalOrError(*uri) == *uri);
    RC_ASSERT(pluginOrError(text) == *uri);
    RC_ASSERT(isPrintableAscii(*uri));
    RC_ASSERT(!isMarketplaceId(text));
  }
  if (const auto plugin = canonicalPluginUri(text)) {
    RC_ASSERT(pluginOrError(*plugin) == *plugin);
    RC_ASSERT(plugin->find("#mcp=") == std::string::npos);
    RC_ASSERT(!plugin->starts_with("mcpServers#"));
  }
}

RC_GTEST_PROP(CanonicalUri, IsIdempotentAsciiAndNoServerKeyForAnyText_I4, (std::string text)) {
  checkCanonical(text);
  checkCanonical("foo:" + text);
  checkCanonical("https://" + text);
}

RC_GTEST_PROP(CanonicalUri, IsIdempotentAsciiAndNoServerKeyForTextsOfDelimiters_I4, ()) {
  checkCanonical(*uriLikeText());
}

// What a URI means before it is spelled: octets in which nothing is a delimiter.
struct Meant {
  std::string scheme;
  std::optional<std::vector<std::string>> userInfo;  // with raw colons between
  std::optional<std::vector<std::string>> host;      // with raw colons between
  std::vector<std::string> segments;                 // of a path that starts with `/`
  std::string query;
  std::string fragment;
};

bool isAlphanumeric(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

std::string lowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string escape(char octet, bool upperFirst = true, bool upperSecond = true) {
  const auto byte = static_cast<unsigned char>(octet);
  const auto digit = [](unsigned value, bool upper) {
    return (upper ? "0123456789ABCDEF" : "0123456789abcdef")[value];
  };
  return {'%', digit(byte >> 4U, upperFirst), digit(byte & 15U, upperSecond)};
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const auto& part : parts) out += (&part == &parts.front() ? "" : ":") + part;
  return out;
}

template <typename F>
std::vector<std::string> each(std::vector<std::string> parts, F change) {
  for (auto& part : parts) part = change(part);
  return parts;
}

bool startsWithDrive(const std::string& segment) {
  return segment.size() > 1 && std::isalpha(static_cast<unsigned char>(segment[0])) != 0 &&
         segment[1] == ':';
}

// What the contract prints for it.
std::string printed(const Meant& uri) {
  const auto text = [](const std::string& meant) {
    std::string out;
    for (const char c : meant) {
      const bool unreserved = isAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
      out += unreserved ? std::string(1, c) : escape(c);
    }
    return out;
  };
  std::string out = uri.scheme + ':';
  if (uri.host || uri.scheme == "file") out += "//";
  if (uri.userInfo) out += joined(each(*uri.userInfo, text)) + '@';
  if (uri.host) out += joined(each(each(*uri.host, lowerCase), text));
  if (uri.segments.empty()) out += '/';
  for (const auto& segment : uri.segments) {
    const bool drive = &segment == &uri.segments.front() && startsWithDrive(segment);
    out += '/' + text(drive ? lowerCase(segment.substr(0, 1)) + segment.substr(1) : segment);
  }
  if (!uri.query.empty()) out += '?' + text(uri.query);
  if (!uri.fragment.empty()) out += '#' + text(uri.fragment);
  return out;
}

// How a counterexample is shown.
std::ostream& operator<<(std::ostream& out, const Meant& uri) {
  return out << printed(uri);
}

// Rolls dice for one of the many texts that mean the same. Not a generator: the counterexamples of
// one would be shrunk dice by dice, for minutes.
class Speller {
 public:
  explicit Speller(std::uint32_t seed) : dice_(seed) {}

  std::string spell(const Meant& uri) {
    std::string out = cased(uri.scheme) + ':' + authority(uri) + path(uri);
    const bool isFile = uri.scheme == "file";
    if (!uri.query.empty() || (!isFile && roll())) out += '?' + component(uri.query, "#");
    if (!uri.fragment.empty() || (!isFile && roll())) out += '#' + component(uri.fragment, "");
    return out;
  }

 private:
  bool roll() { return (dice_() & 1U) != 0; }

  std::string cased(std::string text) {
    for (char& c : text)
      if (isAlphanumeric(c) && roll())
        c = static_cast<char>(c >= 'a' ? std::toupper(c) : std::tolower(c));
    return text;
  }

  std::string component(const std::string& text, std::string_view delimiters) {
    std::string out;
    for (const char c : text) {
      const bool mustBeEncoded =
          c == '%' || hasControl({&c, 1}) || delimiters.find(c) != std::string_view::npos;
      out += mustBeEncoded || roll() ? escape(c, roll(), roll()) : std::string(1, c);
    }
    return out;
  }

  std::string authority(const Meant& uri) {
    if (!uri.host) {
      if (roll()) return "";
      return uri.scheme == "file" && roll() ? "//" + component(cased("localhost"), "") : "//";
    }
    // User info ends at the last `@`, so in it an `@` may be raw.
    std::string out = "//";
    if (uri.userInfo)
      out +=
          joined(each(*uri.userInfo, [this](const auto& t) { return component(t, "/?#:"); })) + '@';
    return out + joined(each(*uri.host,
                             [this](const auto& t) { return component(cased(t), "/?#@:[]"); }));
  }

  std::string path(const Meant& uri) {
    std::string out = detour();
    for (const auto& segment : uri.segments) {
      const bool drive = &segment == &uri.segments.front() && startsWithDrive(segment);
      const auto text = drive ? cased(segment.substr(0, 1)) + segment.substr(1) : segment;
      out += '/' + component(text, "/?#") + detour();
    }
    if (out.empty()) return uri.host && roll() ? "" : "/";
    while (!uri.segments.empty() && roll()) out += '/';
    return out;
  }

  // Segments that lead nowhere.
  std::string detour() {
    std::string out;
    while (roll() && roll()) out += roll() ? "/" + dot() : "/x/" + dot() + dot();
    return out;
  }

  std::string dot() { return component(".", ""); }

  std::mt19937 dice_;
};

rc::Gen<std::string> octets() {
  const auto octet =
      rc::gen::oneOf(rc::gen::inRange('a', 'g'), rc::gen::arbitrary<char>(),
                     rc::gen::elementOf("AZaz09-._~ /?#[]@:!$&'()*+,;=%|\\\"<>\xC3\xA9\x01"s));
  return rc::gen::resize(8, rc::gen::container<std::string>(octet));
}

rc::Gen<std::vector<std::string>> partsBetweenColons() {
  return rc::gen::resize(3,
                         rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(octets())));
}

// No dot segment: those are for the speller to add.
rc::Gen<std::string> segment() {
  return rc::gen::suchThat(rc::gen::oneOf(octets(), rc::gen::element("c:"s, "C:x"s, "z"s)),
                           [](const std::string& text) { return text != "." && text != ".."; });
}

rc::Gen<Meant> meantUri() {
  return rc::gen::exec([] {
    Meant uri;
    uri.scheme = *rc::gen::element("file"s, "https"s, "foo"s, "vscode-remote"s, "git+ssh"s);
    if (*rc::gen::arbitrary<bool>()) {
      uri.host = *partsBetweenColons();
      uri.host->front().insert(0, "h");  // neither empty nor localhost
      if (*rc::gen::arbitrary<bool>()) uri.userInfo = *partsBetweenColons();
    }
    uri.segments = *rc::gen::resize(6, rc::gen::container<std::vector<std::string>>(segment()));
    // An empty one at the end is what the speller may add; at the front it needs an authority.
    if (!uri.segments.empty() && uri.segments.back().empty()) uri.segments.back() = "last";
    if (!uri.segments.empty() && uri.segments.front().empty() && !uri.host)
      uri.segments.front() = "first";
    if (uri.scheme != "file") {
      uri.query = *octets();
      uri.fragment = *octets();
    }
    return uri;
  });
}

RC_GTEST_PROP(CanonicalUri, EverySpellingOfAUriBecomesTheOneTextThatIsPrintedForIt_I3, ()) {
  const Meant uri = *meantUri();
  const auto spelling = Speller(*rc::gen::arbitrary<std::uint32_t>()).spell(uri);
  RC_ASSERT(canonicalOrError(spelling) == printed(uri));
  checkCanonical(spelling);
}

}  // namespace
}  // namespace enablement
