// The stored key of a target and its printed form (I1–I4).
#include <enablement/schema/target.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>

#include <enablement/schema/text.h>

namespace enablement {
namespace {

using namespace std::string_literals;

using Columns = std::tuple<std::string, std::string, std::string>;

Columns columns(const TargetKey& key) {
  return {std::string(name(key.type())), key.owner(), key.name()};
}

TargetKey plugin(std::string_view uri) {
  return TargetKey::plugin(uri).value();
}
TargetKey server(std::string_view serverName) {
  return TargetKey::mcpServer(serverName).value();
}
TargetKey server(std::string_view serverName, std::string_view owner) {
  return TargetKey::mcpServer(serverName, owner).value();
}
TargetKey parsed(std::string_view printed) {
  return TargetKey::parse(printed).value();
}

// The word of the error, or the printed form of what should not have worked.
std::string failureOf(const Result<TargetKey>& key) {
  return key ? key->printed() : std::string(name(key.error().code));
}

// --- The triple ----------------------------------------------------------------------------------

TEST(TargetKey, IsTheTripleOfTypeOwnerAndName_I1) {
  EXPECT_EQ(columns(plugin("https://h/p")), Columns("plugin", "https://h/p", ""));
  EXPECT_EQ(columns(server("db", "https://h/p")), Columns("mcpServer", "https://h/p", "db"));
  EXPECT_EQ(columns(server("db")), Columns("mcpServer", "", "db"));
}

TEST(TargetKey, APluginAndTheOwnerOfAServerAreCanonical_I3) {
  EXPECT_EQ(columns(plugin("HTTPS://H/a/../p/")), Columns("plugin", "https://h/p", ""));
  EXPECT_EQ(columns(server("db", "HTTPS://H/%70/")), Columns("mcpServer", "https://h/p", "db"));
  EXPECT_EQ(server("db", "HTTPS://H/%70/"), server("db", "https://h/p"));
}

TEST(TargetKey, APluginMayBeNamedByAMarketplaceIdKeptByteForByte_I3) {
  EXPECT_EQ(plugin("Acme/Tools@2").owner(), "Acme/Tools@2");
  EXPECT_NE(plugin("Acme/Tools"), plugin("acme/tools"));
  EXPECT_EQ(server("db", "acme/tools").printed(), "acme/tools#mcp=db");
}

TEST(TargetKey, NamesCompareByteForByte_I3) {
  const std::vector<std::string> names = {"db",          "DB",        " db",       "db ",
                                          "d b",         "\xC3\xA9",  "e\xCC\x81", "d%62",
                                          "constructor", "__proto__", "db/",       "mcpServers"};
  for (const auto& a : names)
    for (const auto& b : names) {
      EXPECT_EQ(server(a) == server(b), a == b) << a << " and " << b;
      EXPECT_EQ(server(a, "acme/tools") == server(b, "acme/tools"), a == b) << a << " and " << b;
    }
  for (const auto& serverName : names) EXPECT_EQ(server(serverName).name(), serverName);
}

TEST(TargetKey, APluginNeverMeetsAServerNorOneOwnerAnother_I1) {
  const std::vector<TargetKey> keys = {plugin("db"),
                                       server("db"),
                                       server("db", "db"),
                                       server("db", "acme/tools"),
                                       plugin("https://h/p#mcp=db"),
                                       server("db", "https://h/p"),
                                       server("db", "https://h/q")};
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < keys.size(); ++j) {
      EXPECT_EQ(keys[i] == keys[j], i == j) << keys[i].printed() << " and " << keys[j].printed();
      EXPECT_EQ(keys[i].printed() == keys[j].printed(), i == j);
    }
}

TEST(TargetKey, TheContainerOfAServerIsItsOwningPlugin_I9) {
  EXPECT_EQ(server("db", "HTTPS://h/p/").container(), plugin("https://h/p"));
  EXPECT_EQ(server("db").container(), std::nullopt);
  EXPECT_EQ(plugin("https://h/p").container(), std::nullopt);
}

TEST(TargetKey, EqualKeysHashAlikeHoweverTheyWereMade_I1) {
  const auto made = server("db", "https://h/p");
  for (const auto& same : {server("db", "HTTPS://H/x/../p"), parsed("https://h/p#mcp=db"),
                           TargetKey::fromColumns("mcpServer", "https://h/p", "db").value()}) {
    EXPECT_EQ(made, same);
    EXPECT_EQ(made.hash(), same.hash());
  }
  EXPECT_EQ(plugin("acme/tools").hash(), parsed("acme/tools").hash());
  const std::unordered_set<TargetKey, TargetKeyHash> keys = {
      made, parsed("https://h/p#mcp=db"), server("db"), plugin("db"), parsed("mcpServers#db")};
  EXPECT_EQ(keys.size(), 3U);
}

TEST(TargetKey, IsOrderedByTypeThenOwnerThenNameInBytes_I1) {
  const std::vector<TargetKey> sorted = {plugin("Z"),      plugin("a"),       plugin("a/b"),
                                         plugin("é"),      server("z"),       server("a", "Z"),
                                         server("A", "a"), server("a", "a"),  server("a b", "a"),
                                         server("é", "a"), server("a", "a/b")};
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = 0; j < sorted.size(); ++j)
      EXPECT_EQ(sorted[i] < sorted[j], i < j) << sorted[i].printed() << " " << sorted[j].printed();
}

// --- What is refused -----------------------------------------------------------------------------

TEST(TargetKey, AnEmptyControlOrNonUtf8NameIsAnInvalidArgument_I3) {
  for (const auto& bad : {""s, "\n"s, "a\tb"s, "a\0b"s, "\x1F"s, "a\x7F"s, "\xFF"s, "a\xC3"s,
                          "\xED\xA0\x80"s, "\xC0\xAF"s, "\xF4\x90\x80\x80"s}) {
    EXPECT_EQ(failureOf(TargetKey::mcpServer(bad)), "invalidArgument");
    EXPECT_EQ(failureOf(TargetKey::mcpServer(bad, "acme/tools")), "invalidArgument");
    EXPECT_EQ(failureOf(TargetKey::parse("mcpServers#" + bad)), "invalidArgument");
    EXPECT_EQ(failureOf(TargetKey::parse("acme/tools#mcp=" + bad)), "invalidArgument");
  }
  for (const auto& good : {" "s, "\xC2\x80"s, "\xF0\x9F\x98\x80"s, "\"\\"s, "#"s})
    EXPECT_EQ(server(good).name(), good);
}

TEST(TargetKey, ABadPluginUriIsAnInvalidUriAlsoAsAnOwner_I3) {
  for (const auto& bad : {"", "/repo", "./alpha", "mcpServers", "file:///a#b", "foo:%zz", "a b"}) {
    EXPECT_EQ(failureOf(TargetKey::plugin(bad)), "invalidUri") << bad;
    EXPECT_EQ(failureOf(TargetKey::mcpServer("db", bad)), "invalidUri") << bad;
  }
  EXPECT_EQ(failureOf(TargetKey::parse("")), "invalidUri");
  EXPECT_EQ(failureOf(TargetKey::parse("#mcp=db")), "invalidUri");
  EXPECT_EQ(failureOf(TargetKey::parse("mcpServers")), "invalidUri");
  EXPECT_EQ(failureOf(TargetKey::parse("mcpServers:db#")), "mcpservers:db");
}

TEST(TargetKey, NamesAndUrisOf64KibibytesWorkAndOneMoreByteIsAnInvalidArgument_I3) {
  const std::string serverName(maxTextBytes, 'n');
  const std::string uri = "foo:/" + std::string(maxTextBytes - 5, 'u');
  const auto key = server(serverName, uri);
  EXPECT_EQ(columns(key), Columns("mcpServer", uri, serverName));
  EXPECT_EQ(parsed(key.printed()), key);
  EXPECT_EQ(parsed(server(serverName).printed()), server(serverName));
  EXPECT_EQ(parsed(plugin(uri).printed()), plugin(uri));
  EXPECT_EQ(failureOf(TargetKey::plugin(uri + 'u')), "invalidArgument");
  EXPECT_EQ(failureOf(TargetKey::mcpServer("db", uri + 'u')), "invalidArgument");
  EXPECT_EQ(failureOf(TargetKey::mcpServer(serverName + 'n')), "invalidArgument");
  EXPECT_EQ(failureOf(TargetKey::mcpServer(serverName + 'n', uri)), "invalidArgument");
  EXPECT_EQ(failureOf(TargetKey::parse("mcpServers#" + serverName + 'n')), "invalidArgument");
}

TEST(TargetKey, LongNamesThatDifferInTheLastByteStayApart_I3) {
  std::string a(maxTextBytes, 'n');
  std::string b = a;
  b.back() = 'm';
  EXPECT_NE(server(a), server(b));
  EXPECT_NE(plugin(a), plugin(b));
  EXPECT_NE(server("db", a), server("db", b));
}

// --- Stored columns ------------------------------------------------------------------------------

TEST(TargetKey, StoredColumnsAreTakenAsTheyAre_I1) {
  for (const auto& key : {plugin("https://h/p"), server("db"), server("db", "acme/tools")}) {
    const auto [type, owner, serverName] = columns(key);
    EXPECT_EQ(TargetKey::fromColumns(type, owner, serverName).value(), key) << key.printed();
  }
}

TEST(TargetKey, ColumnsThatAreNoKeyAreCorrupt_I16) {
  const std::vector<Columns> rows = {
      {"plugin", "", ""},     {"plugin", "", "db"}, {"plugin", "a", "db"}, {"mcpServer", "", ""},
      {"mcpServer", "a", ""}, {"", "a", ""},        {"Plugin", "a", ""},   {"skill", "a", "b"}};
  for (const auto& [type, owner, serverName] : rows)
    EXPECT_EQ(failureOf(TargetKey::fromColumns(type, owner, serverName)), "corrupt")
        << type << "|" << owner << "|" << serverName;
}

// --- The printed form ----------------------------------------------------------------------------

TEST(TargetKey, PrintsAsTheContractSaysAndParsesBack_I4) {
  const std::vector<std::pair<TargetKey, std::string>> table = {
      {plugin("https://h/p"), "https://h/p"},
      {plugin("acme/tools"), "acme/tools"},
      {plugin("https://h/p#mcp=db"), "https://h/p#mcp%3Ddb"},
      {server("db", "https://h/p"), "https://h/p#mcp=db"},
      {server("db", "https://h/p#f"), "https://h/p#f#mcp=db"},
      {server("db"), "mcpServers#db"},
      {server("a#mcp=b"), "mcpServers#a#mcp=b"},
      {server("a#mcp=b", "acme/tools"), "acme/tools#mcp=a#mcp=b"},
      {server("mcpServers#x"), "mcpServers#mcpServers#x"},
      {server("mcpServers#x", "acme/tools"), "acme/tools#mcp=mcpServers#x"},
      {server("#mcp=", "mcpservers:q"), "mcpservers:q#mcp=#mcp="},
      {server(" "), "mcpServers# "}};
  for (const auto& [key, printed] : table) {
    EXPECT_EQ(key.printed(), printed);
    EXPECT_EQ(parsed(printed), key) << printed;
    EXPECT_EQ(columns(parsed(printed)), columns(key)) << printed;
  }
}

rc::Gen<std::string> serverNames() {
  const auto piece = rc::gen::element("#mcp="s, "mcpServers#"s, "#"s, "="s, ":"s, " "s, "a"s, "Z"s,
                                      "é"s, "😀"s, "%3D"s, "/"s, "\\"s, "\""s);
  return rc::gen::map(rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(piece)),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const auto& part : pieces) text += part;
                        return text;
                      });
}

rc::Gen<TargetKey> keys() {
  return rc::gen::exec([] {
    const auto owner =
        *rc::gen::element(""s, "acme/tools"s, "mcpServersX"s, "mcpservers:q"s, "https://h/p#mcp=x"s,
                          "foo:#mcp=#mcp="s, "file:///p/%23mcp=x"s, "foo:"s, "a=b"s, "foo:?#mcp"s);
    if (!owner.empty() && *rc::gen::arbitrary<bool>()) return plugin(owner);
    const auto serverName = *serverNames();
    return owner.empty() ? server(serverName) : server(serverName, owner);
  });
}

RC_GTEST_PROP(TargetKey, EveryPrintedFormParsesBackToItsKey_I4, ()) {
  const auto key = *keys();
  const auto back = TargetKey::parse(key.printed());
  RC_ASSERT(back.has_value());
  RC_ASSERT(columns(*back) == columns(key));
  RC_ASSERT(back->hash() == key.hash());
  RC_ASSERT(back->container() == key.container());
}

RC_GTEST_PROP(TargetKey, TwoKeysAreEqualExactlyWhenTheirColumnsAndTheirPrintedFormsAre_I4, ()) {
  const auto a = *keys();
  const auto b = *keys();
  RC_ASSERT((a == b) == (columns(a) == columns(b)));
  RC_ASSERT((a == b) == (a.printed() == b.printed()));
  RC_ASSERT((a < b) == (std::tuple(a.type(), a.owner(), a.name()) <
                        std::tuple(b.type(), b.owner(), b.name())));
}

// --- Targets -------------------------------------------------------------------------------------

TEST(Target, IsMadeOfTheTextsThatItsTypeUses_I2) {
  const auto made = makeTarget({.type = TargetType::mcpServer,
                                .uri = "file:///cache/0f3a/mcp.json",
                                .name = "db",
                                .owningPlugin = "HTTPS://H/p",
                                .discoveryDefault = false})
                        .value();
  EXPECT_EQ(made.key, server("db", "https://h/p")) << "a server's own file is not part of its key";
  EXPECT_EQ(made.discoveryDefault, std::optional(false));

  const auto whole = makeTarget({.type = TargetType::plugin,
                                 .uri = "https://h/p/",
                                 .name = "Display name\n",
                                 .owningPlugin = "not a uri",
                                 .discoveryDefault = false})
                         .value();
  EXPECT_EQ(whole.key, plugin("https://h/p")) << "a plugin's display name is not checked";
  EXPECT_EQ(whole.discoveryDefault, std::nullopt) << "only servers have a discovery default";
}

TEST(Target, AServerWithoutAnOwnerHasNoneAndAnEmptyOwnerIsNotNone_I3) {
  const auto bare = makeTarget({.type = TargetType::mcpServer, .name = "db"});
  EXPECT_EQ(bare.value().key, server("db"));
  EXPECT_EQ(bare.value().discoveryDefault, std::nullopt);
  const auto empty = makeTarget({.type = TargetType::mcpServer, .name = "db", .owningPlugin = ""});
  EXPECT_EQ(empty.error().code, ErrorCode::invalidUri);
}

TEST(Target, ABadNameOrUriIsRefused_I3) {
  EXPECT_EQ(makeTarget({.type = TargetType::mcpServer}).error().code, ErrorCode::invalidArgument);
  EXPECT_EQ(makeTarget({.type = TargetType::plugin}).error().code, ErrorCode::invalidUri);
}

}  // namespace
}  // namespace enablement
