// The clients' base: what the editors connected to a session state of their own plugins (I8).
#include <enablement/overlay/client_base.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <enablement/overlay/session_table.h>

#include "service_fixture.h"

namespace enablement {
namespace {

using test::Names;

using List = std::vector<StatedEntry>;

const List noOpinion = {};
const List on = {{"global", true}};
const List off = {{"global", false}};

TargetKey plugin(std::string_view uri) {
  return TargetKey::plugin(uri).value();
}
TargetKey child(std::string_view uri, std::string_view name) {
  return TargetKey::mcpServer(name, uri).value();
}

const TargetKey alpha = plugin("acme/alpha");
const TargetKey db = child("acme/alpha", "db");

Opinions says(const std::vector<StatedPlugin>& plugins) {
  return opinionsOf(plugins).value();
}
Opinions saysOfAlpha(const List& list) {
  return says({{"acme/alpha", list}});
}
Opinions saysOfDb(const List& list) {
  return says({{"acme/alpha", {}, {{"db", list}}}});
}

std::string valueOf(const ClientBase& base, const TargetKey& key) {
  return test::word(base.value(key));
}
std::string ownerOf(const ClientBase& base, const TargetKey& key) {
  const std::string* owner = base.owner(key);
  return owner ? *owner : "the host";
}
Names differing(const ClientBase& a, const ClientBase& b) {
  Names keys;
  for (const TargetKey& key : a.differences(b)) keys.push_back(key.printed());
  std::sort(keys.begin(), keys.end());
  return keys;
}

// --- One statement -------------------------------------------------------------------------------

TEST(Statement, TheGlobalEntryOfAListIsItsValueAndOtherKindsAreIgnored_I8) {
  const std::vector<std::pair<List, std::optional<bool>>> lists = {
      {{}, std::nullopt},
      {{{"global", false}}, false},
      {{{"global", true}}, true},
      {{{"session", false}, {"workspace", false}}, std::nullopt},
      {{{"Global", false}, {" global", false}, {"", false}, {"user", false}}, std::nullopt},
      {{{"session", true}, {"global", false}, {"workspace", true}}, false},
      {{{"global", false}, {"global", true}}, false},
      {{{"global", true}, {"global", false}}, true},
  };
  for (const auto& [list, value] : lists) {
    EXPECT_EQ(saysOfAlpha(list).at(alpha), value);
    EXPECT_EQ(saysOfDb(list).at(db), value);
  }
}

TEST(Statement, OfTwoRecordsOfOnePluginTheFirstWithAnOpinionCounts_I8) {
  const auto twice = [](const List& first, const List& second) {
    return says({{"acme/alpha", first}, {"acme/alpha", second}}).at(alpha);
  };
  EXPECT_EQ(twice(noOpinion, off), false);
  EXPECT_EQ(twice(off, on), false);
  EXPECT_EQ(twice(on, off), true);
  EXPECT_EQ(twice(off, noOpinion), false);
  EXPECT_EQ(twice(noOpinion, noOpinion), std::nullopt);
  // Two spellings of one URI are one plugin, and its children are looked for in both records.
  const auto opinions = says({{"file:///P/%61", {}, {{"db", noOpinion}, {"git", on}}},
                              {"FILE:///P/a/", off, {{"db", off}, {"git", off}}}});
  EXPECT_EQ(opinions.size(), 3U);
  EXPECT_EQ(opinions.at(plugin("file:///P/a")), false);
  EXPECT_EQ(opinions.at(child("file:///P/a", "db")), false);
  EXPECT_EQ(opinions.at(child("file:///P/a", "git")), true);
}

TEST(Statement, AChildIsNamedByAnOwnKeyOfChildEnablementEvenWithAnEmptyList_I8) {
  const Opinions opinions = saysOfDb(noOpinion);
  ASSERT_TRUE(opinions.contains(db));
  EXPECT_EQ(opinions.at(db), std::nullopt);
  EXPECT_EQ(opinions.size(), 2U);
  EXPECT_FALSE(opinions.contains(child("acme/alpha", "DB")));
}

TEST(Statement, ServersMayBeNamedLikeMembersOfAScriptObject_I8) {
  for (const char* name : {"constructor", "__proto__", "toString", "prototype", "length", "0"}) {
    const Opinions opinions = says({{"acme/alpha", {}, {{name, off}}}});
    EXPECT_EQ(opinions.size(), 2U) << name;
    EXPECT_EQ(opinions.at(child("acme/alpha", name)), false) << name;
    EXPECT_FALSE(saysOfDb(off).contains(child("acme/alpha", name))) << name;
  }
}

TEST(Statement, AServerIsItsPluginsChildAndNoServerOfTheSameNameElsewhere_I8_I1) {
  const Opinions opinions = saysOfDb(off);
  EXPECT_FALSE(opinions.contains(TargetKey::mcpServer("db").value()));
  EXPECT_FALSE(opinions.contains(child("acme/beta", "db")));
}

TEST(Statement, OneBadUriOrChildNameRefusesTheWholeStatement_I8_I3) {
  const std::vector<std::pair<StatedPlugin, ErrorCode>> bad = {
      {{"/bare/path", off}, ErrorCode::invalidUri},
      {{"", off}, ErrorCode::invalidUri},
      {{"file:///p", {}, {{"", off}}}, ErrorCode::invalidArgument},
      {{"file:///p", {}, {{"a\nb", off}}}, ErrorCode::invalidArgument},
      {{"file:///p", {}, {{"\xFF", off}}}, ErrorCode::invalidArgument},
      {{"file:///p", {}, {{std::string(65'537, 'a'), off}}}, ErrorCode::invalidArgument},
  };
  for (const auto& [record, code] : bad) {
    const auto opinions = opinionsOf(std::vector<StatedPlugin>{{"acme/alpha", off}, record});
    ASSERT_FALSE(opinions) << record.uri;
    EXPECT_EQ(opinions.error().code, code) << opinions.error().message;
  }
}

// --- Several clients -----------------------------------------------------------------------------

TEST(ClientBase, TheFirstClientWithAnOpinionDecides_I8) {
  const ClientBase base = ClientBase()
                              .with("a", saysOfAlpha(noOpinion))
                              .with("b", saysOfAlpha(off))
                              .with("c", saysOfAlpha(on));
  EXPECT_EQ(valueOf(base, alpha), "off");
  EXPECT_EQ(valueOf(base.without("b"), alpha), "on");
  EXPECT_EQ(valueOf(base.without("a"), alpha), "off");
  EXPECT_EQ(valueOf(base.without("b").without("c"), alpha), "-");
  EXPECT_EQ(valueOf(ClientBase(), alpha), "-");
}

TEST(ClientBase, AClientTakesItsPlaceWithItsFirstStatementBeItAnEmptyList_I8) {
  const ClientBase base = ClientBase().with("a", says({})).with("b", saysOfAlpha(off));
  EXPECT_TRUE(base.has("a"));
  EXPECT_EQ(valueOf(base, alpha), "off");
  EXPECT_EQ(valueOf(base.with("a", saysOfAlpha(on)), alpha), "on");
}

TEST(ClientBase, AClientThatStatesAgainKeepsItsPlace_I8) {
  const ClientBase base = ClientBase().with("a", saysOfAlpha(on)).with("b", saysOfAlpha(off));
  EXPECT_EQ(valueOf(base.with("b", saysOfAlpha(off)), alpha), "on");
  EXPECT_EQ(valueOf(base.with("a", saysOfAlpha(on)).with("b", saysOfAlpha(off)), alpha), "on");
  // Only a client that left comes back as the last.
  EXPECT_EQ(valueOf(base.without("a").with("a", saysOfAlpha(on)), alpha), "off");
}

TEST(ClientBase, AStatementReplacesTheEarlierOneAsAWhole_I8) {
  const ClientBase base = ClientBase().with("a", says({{"acme/alpha", off}, {"acme/beta", off}}));
  const ClientBase after = base.with("a", says({{"acme/beta", on}}));
  EXPECT_EQ(valueOf(after, alpha), "-");
  EXPECT_EQ(ownerOf(after, alpha), "the host");
  EXPECT_EQ(valueOf(after, plugin("acme/beta")), "on");
}

TEST(ClientBase, RemovingAClientTakesItsValuesAwayAndOnlyItsOwn_I8) {
  const ClientBase base = ClientBase()
                              .with("a", says({{"acme/alpha", off}, {"acme/beta", off}}))
                              .with("b", says({{"acme/beta", on}}));
  const ClientBase after = base.without("a");
  EXPECT_EQ(valueOf(after, alpha), "-");
  EXPECT_EQ(valueOf(after, plugin("acme/beta")), "on");
  EXPECT_FALSE(after.has("a"));
  EXPECT_EQ(valueOf(after.without("somebody else"), plugin("acme/beta")), "on");
}

TEST(ClientBase, BelongsToTheClientWhoseOpinionDecidesElseToTheFirstThatNamesIt_I8) {
  EXPECT_EQ(ownerOf(ClientBase(), db), "the host");
  const ClientBase base = ClientBase()
                              .with("a", says({}))
                              .with("b", saysOfDb(noOpinion))
                              .with("c", saysOfDb(noOpinion));
  EXPECT_EQ(ownerOf(base, db), "b");
  EXPECT_EQ(ownerOf(base.with("c", saysOfDb(off)), db), "c");
  EXPECT_EQ(ownerOf(base.with("c", saysOfDb(off)).with("b", saysOfDb(on)), db), "b");
  EXPECT_EQ(ownerOf(base.without("b").without("c"), db), "the host");
  EXPECT_EQ(ownerOf(base, child("acme/alpha", "constructor")), "the host");
}

TEST(ClientBase, ANewBaseIsAnotherValueAndLeavesTheOldOneAlone_I6) {
  const ClientBase base = ClientBase().with("a", saysOfAlpha(on));
  const ClientBase restated = base.with("a", saysOfAlpha(off));
  const ClientBase left = base.without("a");
  EXPECT_EQ(valueOf(base, alpha), "on");
  EXPECT_EQ(valueOf(restated, alpha), "off");
  EXPECT_EQ(valueOf(left, alpha), "-");
}

TEST(ClientBase, DifferencesAreTheTargetsWhoseValueDiffersAbsentBeingAValue_I17) {
  const ClientBase empty;
  const ClientBase silent = empty.with("a", saysOfDb(noOpinion));
  const ClientBase dbOff = empty.with("a", saysOfDb(off));
  EXPECT_EQ(differing(empty, silent), Names{});
  EXPECT_EQ(differing(empty, dbOff), Names{"acme/alpha#mcp=db"});
  EXPECT_EQ(differing(dbOff, empty), Names{"acme/alpha#mcp=db"});
  EXPECT_EQ(differing(silent, dbOff), Names{"acme/alpha#mcp=db"});
  EXPECT_EQ(differing(dbOff, silent), Names{"acme/alpha#mcp=db"});
  EXPECT_EQ(differing(dbOff, dbOff.with("a", saysOfDb(on))), Names{"acme/alpha#mcp=db"});
  // Who says it does not matter, nor what somebody further back would say.
  EXPECT_EQ(differing(dbOff, empty.with("z", saysOfDb(off))), Names{});
  EXPECT_EQ(differing(dbOff, dbOff.with("b", saysOfDb(on))), Names{});
  EXPECT_EQ(differing(dbOff.with("b", saysOfAlpha(off)), empty.with("a", saysOfAlpha(on))),
            (Names{"acme/alpha", "acme/alpha#mcp=db"}));
}

// --- The session table ---------------------------------------------------------------------------

TEST(SessionTable, NamesCompareByteForByte_I6) {
  SessionTable table;
  for (const std::string name : {"ahp://copilot/s", "AHP://copilot/s", "ahp://copilot/s/"})
    table.put(name, {});
  EXPECT_EQ(table.size(), 3U);
  EXPECT_EQ(table.find(std::string_view("ahp://copilot/S")), nullptr);
}

TEST(SessionTable, ASessionIsSettledWhenLoadedAndItsFolderIsKnownBeItNone_I6) {
  const auto loaded = std::shared_ptr<const SessionDecisions>(new SessionDecisions);
  EXPECT_FALSE(KnownSession{}.isSettled());
  EXPECT_FALSE(KnownSession{.decisions = loaded}.isSettled());
  EXPECT_FALSE(KnownSession{.directory = WorkingDirectory::none()}.isSettled());
  EXPECT_TRUE((KnownSession{loaded, WorkingDirectory::none()}).isSettled());
  EXPECT_TRUE((KnownSession{loaded, test::folder("file:///one")}).isSettled());
}

}  // namespace
}  // namespace enablement
