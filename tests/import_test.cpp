// Decisions from what agent hosts have on disk: read entry by entry, taken in once, never against
// what the store has decided, and never silently on.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <enablement/resolver/claim.h>
#include <enablement/resolver/explain.h>
#include <enablement/resolver/gate.h>
#include <enablement/store/export.h>
#include <enablement/store/import_source.h>

#include "database_text.h"
#include "fuzz/import_input.h"
#include "places.h"
#include "service_fixture.h"

namespace enablement {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using test::must;
using test::Names;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using State = ImportedSource::State;
using Fate = ImportedItem::Fate;

const Target azure = test::serverOf("file:///plugins/alpha", "azure");

class ImportTest : public test::ServiceTest {
 protected:
  fs::path file(const std::string& name, const std::string& text) const {
    const fs::path path = folder_ / name;
    test::TempFolder::write(path, text);
    return path;
  }
  // A host storage file with these parts of customizationEnablement.
  ImportSource storage(const std::string& parts, const std::string& name = "storage.json") const {
    auto source = readHostStorage(file(name, R"({"customizationEnablement": {)" + parts +
                                                 R"(}, "customizationEnablementLru": [1]})"));
    must(source);
    return *std::move(source);
  }
  fs::path sessionDb(const std::string& value, const std::string& name = "session.db",
                     const std::string& pragma = "") const {
    const fs::path path = folder_ / name;
    SQLite::Database database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    if (!pragma.empty()) database.exec(pragma);
    database.exec("CREATE TABLE session_metadata (key TEXT PRIMARY KEY, value TEXT)");
    SQLite::Statement insert(database,
                             "INSERT INTO session_metadata VALUES ('customizationEnablement', ?)");
    insert.bind(1, value);
    insert.exec();
    return path;
  }
  ImportedSource take(ImportSource source, bool force = false) {
    const std::vector<ImportSource> sources{std::move(source)};
    auto report = service->importFrom(sources, {.force = force}, "importer");
    must(report);
    return report->sources.at(0);
  }
  void unclaimed(const std::string& session, const std::string& json) {
    take(readSessionDb(session, sessionDb(json, session + ".db")).value());
  }
  static Names positions(const std::vector<ImportNote>& notes) {
    Names all;
    for (const ImportNote& note : notes) all.push_back(note.position);
    return all;
  }
  ordered_json gated(const std::string& list, const OwnerMap& owners = {}) const {
    return gate(*service, s1, ordered_json::parse(list), owners).value().toJson();
  }
  Names waiting() const {
    const auto rows = service->unclaimed().value();
    Names all;
    for (const UnclaimedDecision& row : rows)
      all.push_back(row.session + " " + row.customizationId + (row.enabled ? " on" : " off"));
    return all;
  }
  std::size_t claims(const std::string& list, const OwnerMap& owners = {}) {
    const auto claimed = claim(*service, s1, ordered_json::parse(list), owners, "host");
    must(claimed);
    return *claimed;
  }
};

// Host storage.

TEST_F(ImportTest, TakesDecisionsForEverywhereAndForFoldersUnderCanonicalKeys_I1) {
  const auto taken = take(storage(
      R"("global": {"FILE:///plugins/alpha/": false, "file:///plugins/alpha#mcp=azure": true,
                    "mcpServers#search": false, "acme/tools": true},
         "workingDirectories": {"file:///Repo/": {"acme/tools": false},
                                "/bare/a b%20c/": {"acme/tools": true}})"));
  EXPECT_EQ(taken.count(Fate::taken), 6U);
  EXPECT_EQ(stored(),
            (Names{"global acme/tools on", "global file:///plugins/alpha off",
                   "global mcpServers#search off", "global file:///plugins/alpha#mcp=azure on",
                   "workspace file:///Repo acme/tools off",
                   "workspace file:///bare/a%20b%2520c acme/tools on"}));
  EXPECT_EQ(history(),
            (Names{"import global file:///plugins/alpha - off",
                   "import global file:///plugins/alpha#mcp=azure - on",
                   "import global mcpServers#search - off", "import global acme/tools - on",
                   "import workspace file:///Repo acme/tools - off",
                   "import workspace file:///bare/a%20b%2520c acme/tools - on"}));
}

TEST_F(ImportTest, AKeyOfAServerBecomesAServerNotAPlugin_I4) {
  take(storage(R"("global": {"file:///plugins/alpha#mcp=azure": false})"));
  settle(s1, none);
  EXPECT_EQ(ask(s1, azure), "off global=off");
  EXPECT_EQ(ask(s1, test::plugin("file:///plugins/alpha")), "on");
}

TEST_F(ImportTest, WhatEqualsTheDefaultIsTakenToo) {
  take(storage(R"("global": {"acme/alpha": true})"));
  EXPECT_EQ(stored(), Names{"global acme/alpha on"});
}

TEST_F(ImportTest, BadEntriesAreNamedAndLoseNoGoodOnes) {
  const auto taken = take(storage(
      R"("global": {"acme/a": "false", "acme/b": 0, "acme/c": null, "acme/d": {"enabled": false},
                    "acme/e": [], "": true, "file:///p?x": true, "not a key": true,
                    "acme/good": false},
         "workingDirectories": {"relative/path": {"acme/x": true}, "": {"acme/x": true},
                                "file:///one": 7, "file:///two": {"acme/good": false}})"));
  const std::string global = "/customizationEnablement/global/";
  const std::string folders = "/customizationEnablement/workingDirectories/";
  EXPECT_EQ(positions(taken.rejected),
            (Names{global + "acme~1a", global + "acme~1b", global + "acme~1c", global + "acme~1d",
                   global + "acme~1e", global, global + "file:~1~1~1p?x", global + "not a key",
                   folders + "relative~1path", folders, folders + "file:~1~1~1one"}));
  EXPECT_EQ(stored(), (Names{"global acme/good off", "workspace file:///two acme/good off"}))
      << "nothing became on";
}

TEST_F(ImportTest, OfTwoSpellingsThatDisagreeOffWinsAndIsReported) {
  const auto taken = take(storage(
      R"("global": {"file:///p": false, "file:///p/": true, "FILE:///q": true, "file:///q": true},
         "workingDirectories": {"file:///Repo": {"acme/x": true}, "/Repo": {"acme/x": false}})"));
  EXPECT_THAT(positions(taken.conflicts),
              ElementsAre("/customizationEnablement/global/file:~1~1~1p~1",
                          "/customizationEnablement/workingDirectories/~1Repo/acme~1x"));
  EXPECT_EQ(stored(), (Names{"global file:///p off", "global file:///q on",
                             "workspace file:///Repo acme/x off"}));
}

TEST_F(ImportTest, WhatIsNotJsonOrOfAnotherShapeChangesNothing) {
  const std::vector<std::string> bad{
      "",
      "nonsense",
      "[]",
      "{}",
      R"({"customizationEnablement": 7})",
      R"({"customizationEnablement": {"global": []}})",
      R"({"customizationEnablement": {"workingDirectories": "x"}})",
      R"({"customizationEnablement": {"global": {"acme/a": true, "acme/a": false}}})",
      R"({"customizationEnablement": {"global": )" + std::string(100'000, '[') +
          std::string(100'000, ']') + "}}"};
  for (const std::string& text : bad) {
    const auto source = readHostStorage(file("bad.json", text));
    ASSERT_FALSE(source) << text.substr(0, 80);
    EXPECT_EQ(source.error().code, ErrorCode::invalidArgument);
    EXPECT_THAT(source.error().message, HasSubstr("bad.json"));
  }
  EXPECT_FALSE(readHostStorage(folder_ / "missing.json"));
  EXPECT_FALSE(readHostStorage(folder_ / ""));
}

TEST_F(ImportTest, AFileOf50MegabytesIsRead) {
  std::string text = R"({"customizationEnablement": {"global": {"acme/x": false}}, "other": [)";
  while (text.size() < 50'000'000) text += "\"" + std::string(1000, 'y') + "\",";
  const auto source = readHostStorage(file("large.json", text + "1]}"));
  must(source);
  EXPECT_THAT(source->decisions, SizeIs(1));
}

// Once.

TEST_F(ImportTest, TheSameSourceAgainDoesNothingUnlessForced) {
  const auto source = storage(R"("global": {"acme/alpha": false})");
  EXPECT_EQ(take(source).state, State::imported);
  const auto rows = sequence();
  EXPECT_EQ(take(source).state, State::unchanged);
  restart();
  EXPECT_EQ(take(source).state, State::unchanged) << "after a restart too";
  const auto forced = take(source, true);
  EXPECT_EQ(forced.state, State::imported);
  EXPECT_EQ(forced.count(Fate::already), 1U);
  EXPECT_EQ(sequence(), rows);
}

TEST_F(ImportTest, ADecisionInTheStoreWins) {
  must(service->setStored(alpha, std::nullopt, true, "user"));
  const auto taken = take(storage(R"("global": {"acme/alpha": false, "acme/beta": false})"));
  EXPECT_EQ(taken.count(Fate::kept), 1U);
  EXPECT_EQ(stored(), (Names{"global acme/alpha on", "global acme/beta off"}));
}

TEST_F(ImportTest, ALegacyFileReadAgainDoesNotUndoWhatTheUserChangedSince) {
  take(storage(R"("global": {"acme/alpha": false, "acme/beta": false})"));
  settle(s1, none);
  must(service->set(s1, alpha, Scope::global, true, "user"));  // inherits on: nothing is stored now
  EXPECT_EQ(stored(), Names{"global acme/beta off"});
  const auto changed =
      storage(R"("global": {"acme/alpha": false, "acme/beta": false, "acme/new": false})");
  EXPECT_EQ(take(changed).count(Fate::kept), 1U);
  EXPECT_EQ(take(changed, true).count(Fate::kept), 1U) << "forced or not";
  EXPECT_EQ(stored(), (Names{"global acme/beta off", "global acme/new off"}));
}

TEST_F(ImportTest, ASourceThatAppearsLaterIsStillTaken) {
  take(storage(R"("global": {"acme/alpha": false})"));
  EXPECT_EQ(take(storage(R"("global": {"acme/beta": false})", "other.json")).state,
            State::imported);
  EXPECT_EQ(stored(), (Names{"global acme/alpha off", "global acme/beta off"}));
}

TEST_F(ImportTest, AllSourcesTogetherMakeOneEvent_I17) {
  settle(s1, one);
  settle(s2, two);
  (void)heard();
  const std::vector<ImportSource> sources{
      storage(R"("workingDirectories": {"file:///one": {"acme/a": false}})", "a.json"),
      failedSource(ImportKind::hostStorage, "gone.json", "", {ErrorCode::io, "gone", ""}),
      storage(R"("workingDirectories": {"file:///one": {"acme/b": false}})", "b.json"),
      readSessionDb(s2, sessionDb(R"({"id": false})")).value()};
  std::size_t steps = 0;
  const auto report =
      service->importFrom(sources, {.progress = [&](auto, auto) { ++steps; }}, "importer");
  must(report);
  EXPECT_EQ(report->sources[1].state, State::failed);
  EXPECT_EQ(report->sources[3].state, State::imported);
  EXPECT_EQ(heard(), (std::vector<Names>{{"s1", "s2"}}));
  EXPECT_EQ(steps, 4U);
}

TEST_F(ImportTest, ADryRunTellsThePlanAndChangesNothing) {
  must(service->setStored(beta, std::nullopt, true, "user"));
  const std::vector<ImportSource> sources{
      storage(R"("global": {"acme/alpha": false, "acme/beta": false})", "a.json"),
      storage(R"("global": {"acme/alpha": true})", "b.json")};
  const auto rows = sequence();
  const auto report = service->importFrom(sources, {.dryRun = true}, "importer");
  must(report);
  EXPECT_EQ(report->sources[0].count(Fate::taken), 1U);
  EXPECT_EQ(report->sources[0].count(Fate::kept), 1U);
  EXPECT_EQ(report->sources[1].count(Fate::kept), 1U) << "the first source would be there first";
  EXPECT_EQ(sequence(), rows);
  EXPECT_THAT(service->content().value().imports, IsEmpty());
}

TEST_F(ImportTest, WhatCannotBeWrittenFailsAsAWhole_I14) {
  const auto source = storage(R"("global": {"acme/a": false, "acme/b": false})");
  options.decisionCap = 1;
  restart();
  const auto refused = take(source);
  EXPECT_EQ(refused.state, State::failed);
  EXPECT_EQ(name(refused.error.value().code), "limit");
  EXPECT_EQ(stored(), Names{});
  options.decisionCap.reset();
  restart();
  EXPECT_EQ(take(source).state, State::imported) << "no marker was left";
  const test::OtherWriter other(options.path);
  EXPECT_EQ(name(take(storage(R"("global": {"acme/c": true})")).error.value().code), "busy");
}

// Session databases.

TEST_F(ImportTest, SessionDecisionsWaitUnderTheirIds) {
  unclaimed(s1, R"({"plugin-1": false, "skill-1": true, "": true, "x": 1})");
  EXPECT_EQ(waiting(), (Names{"s1 plugin-1 off", "s1 skill-1 on"}));
  EXPECT_EQ(stored(), Names{});
  restart();
  EXPECT_EQ(waiting(), (Names{"s1 plugin-1 off", "s1 skill-1 on"}));
}

TEST_F(ImportTest, ASessionDatabaseIsNeverAltered) {
  for (const std::string pragma : {"", "PRAGMA journal_mode = WAL"}) {
    const fs::path own = folder_ / ("own" + pragma.substr(0, 3));
    fs::create_directory(own);
    const fs::path database = sessionDb(R"({"id": false})", own.filename() / "session.db", pragma);
    const auto before = test::TempFolder::bytesOf(database);
    EXPECT_THAT(readSessionDb(s1, database).value().unclaimed, SizeIs(1));
    EXPECT_EQ(test::TempFolder::bytesOf(database), before);
    EXPECT_EQ(std::distance(fs::directory_iterator(own), fs::directory_iterator()), 1);
  }
}

TEST_F(ImportTest, ALeftOverLogOfASessionDatabaseIsReadFromACopy) {
  fs::create_directory(folder_ / "live");
  fs::create_directory(folder_ / "left");
  const fs::path live = sessionDb("{}", "live/session.db", "PRAGMA journal_mode = WAL");
  const fs::path left = folder_ / "left/session.db";
  SQLite::Database writer(live.string(), SQLite::OPEN_READWRITE);
  writer.exec("UPDATE session_metadata SET value = '{\"id\": false}'");
  EXPECT_THAT(readSessionDb(s1, live).value().unclaimed, SizeIs(1)) << "while it is in use";
  fs::copy_file(live, left);
  fs::copy_file(live.string() + "-wal", left.string() + "-wal");
  EXPECT_THAT(readSessionDb(s1, left).value().unclaimed, SizeIs(1));
  EXPECT_FALSE(fs::exists(left.string() + "-shm"));
}

TEST_F(ImportTest, ASessionDatabaseThatCannotBeReadSaysWhy) {
  const auto codeOf = [&](const fs::path& database) {
    const auto source = readSessionDb(s1, database);
    return source ? std::string("read") : std::string(name(source.error().code));
  };
  EXPECT_EQ(codeOf(folder_ / "missing.db"), "invalidArgument");
  EXPECT_EQ(codeOf(file("text.db", "a diary, and a long one")), "corrupt");
  EXPECT_EQ(codeOf(file("empty.db", "")), "corrupt");
  EXPECT_EQ(codeOf(folder_ / ""), "corrupt");
  {
    SQLite::Database old((folder_ / "old.db").string(),
                         SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    old.exec("CREATE TABLE metadata (key, value)");
  }
  EXPECT_EQ(codeOf(folder_ / "old.db"), "corrupt");
  EXPECT_EQ(codeOf(sessionDb("[]", "list.db")), "invalidArgument");
  EXPECT_EQ(codeOf(sessionDb("{", "broken.db")), "invalidArgument");
  const fs::path locked = sessionDb("{}", "locked.db");
  SQLite::Database writer(locked.string(), SQLite::OPEN_READWRITE);
  writer.exec("BEGIN EXCLUSIVE");
  EXPECT_EQ(codeOf(locked), "busy");
  writer.exec("COMMIT; DELETE FROM session_metadata");
  EXPECT_THAT(readSessionDb(s1, locked).value().unclaimed, IsEmpty()) << "nothing was decided";
}

TEST_F(ImportTest, AnUnclaimedDecisionCountsInTheGateForItsEntryAlone_I19) {
  unclaimed(s1, R"({"p1": false, "m1": false, "skill": false, "flag": true})");
  settle(s1, none);
  const ordered_json out = gated(R"([
      {"type": "plugin", "id": "p1", "uri": "acme/alpha", "children": [
        {"type": "skill", "id": "in p1"}]},
      {"type": "plugin", "id": "p2", "uri": "acme/alpha"},
      {"type": "mcpServer", "id": "m1", "name": "git"},
      {"type": "mcpServer", "id": "owned", "name": "db"},
      {"type": "directory", "id": "d", "enabled": true, "children": [
        {"type": "skill", "id": "skill"}, {"type": "skill", "id": "flag", "enabled": false}]}])",
                                 {{"db", "acme/alpha"}});
  EXPECT_EQ(out["effective"]["p1"], (ordered_json{{"state", "disabled"}, {"reason", "session"}}));
  EXPECT_EQ(out["effective"]["in p1"]["reason"], "container");
  EXPECT_EQ(out["effective"]["p2"]["state"], "enabled") << "the same target under another id";
  EXPECT_EQ(out["mcpServers"]["m1"], false);
  EXPECT_EQ(out["mcpServers"]["owned"], false) << "its plugin is off under the plugin's id";
  EXPECT_EQ(out["effective"]["skill"], (ordered_json{{"state", "disabled"}, {"reason", "flag"}}));
  EXPECT_EQ(out["effective"]["flag"]["state"], "disabled") << "an import switches nothing on";
  EXPECT_EQ(out["customizations"][0]["enablement"],
            ordered_json::parse(R"([{"kind": "session", "enabled": false}])"));
  settle(s2, none);
  EXPECT_EQ(ask(s2, alpha), "on") << "in that session alone";
}

TEST_F(ImportTest, AKeyedDecisionGoesBeforeAnUnclaimedOne) {
  unclaimed(s1, R"({"p1": false})");
  settle(s1, none);
  must(service->setStored(alpha, std::nullopt, false, "user"));
  must(service->set(s1, alpha, Scope::session, true, "user"));
  EXPECT_EQ(gated(R"([{"type": "plugin", "id": "p1", "uri": "acme/alpha"}])")["effective"]["p1"],
            (ordered_json{{"state", "enabled"}, {"reason", "session"}}));
}

TEST_F(ImportTest, AClaimedDecisionIsAnOrdinaryOneWithItsHistory_I13) {
  unclaimed(s1, R"({"p1": false, "m1": false, "d": false, "gone": false, "later": true})");
  settle(s1, none);
  (void)heard();
  const auto last = sequence();
  EXPECT_EQ(claims(R"([{"type": "plugin", "id": "p1", "uri": "acme/alpha", "children": [
                         {"type": "mcpServer", "id": "m1", "name": "db"}]},
                       {"type": "directory", "id": "d"}])"),
            2U);
  EXPECT_EQ(heard(), std::vector<Names>{{"s1"}});
  EXPECT_EQ(stored(), (Names{"session s1 acme/alpha off", "session s1 acme/alpha#mcp=db off"}));
  EXPECT_EQ(waiting(), (Names{"s1 d off", "s1 gone off", "s1 later on"}));
  EXPECT_EQ(ask(s1, alpha), "off session=off");
  EXPECT_EQ(ask(s1, db), "off session=off");
  EXPECT_THAT(history(last), SizeIs(4));
  EXPECT_EQ(claims(R"([{"type": "plugin", "id": "p1", "uri": "acme/beta"}])"), 0U) << "once";
  EXPECT_EQ(heard(), std::vector<Names>{});
  restart();
  settle(s1, none);
  EXPECT_EQ(ask(s1, alpha), "off session=off");
}

TEST_F(ImportTest, AClaimLeavesAKeyedDecisionAsItIs) {
  unclaimed(s1, R"({"p1": true})");
  settle(s1, none);
  must(service->set(s1, alpha, Scope::session, false, "user"));
  EXPECT_EQ(claims(R"([{"type": "plugin", "id": "p1", "uri": "acme/alpha"}])"), 1U);
  EXPECT_EQ(stored(), Names{"session s1 acme/alpha off"});
  EXPECT_EQ(waiting(), Names{});
}

TEST_F(ImportTest, OfTwoIdsForOneTargetOffIsClaimed) {
  unclaimed(s1, R"({"a": true, "b": false})");
  EXPECT_EQ(claims(R"([{"type": "plugin", "id": "a", "uri": "acme/alpha"},
                       {"type": "plugin", "id": "b", "uri": "file:///x/../acme"},
                       {"type": "plugin", "id": "b", "uri": "acme/alpha"}])"),
            2U);
  EXPECT_EQ(stored(), (Names{"session s1 acme/alpha on", "session s1 file:///acme off"}));
  unclaimed(s2, R"({"a": true, "b": false})");
  EXPECT_EQ(
      claim(*service, s2, ordered_json::parse(R"([{"type": "plugin", "id": "a", "uri": "acme/beta"},
                                          {"type": "plugin", "id": "b", "uri": "acme/beta"}])"),
            {}, "host")
          .value(),
      2U);
  EXPECT_EQ(stored().back(), "session s2 acme/beta off");
}

TEST_F(ImportTest, ADeletedSessionTakesItsUnclaimedDecisionsAlong_I15) {
  unclaimed(s1, R"({"p1": false})");
  unclaimed(s2, R"({"p1": false})");
  must(service->closeSession(s1));
  EXPECT_EQ(waiting().size(), 2U);
  must(service->deleteSession(s1));
  EXPECT_EQ(waiting(), Names{"s2 p1 off"});
}

TEST_F(ImportTest, AnotherProcessSeesUnclaimedDecisionsComeAndGo_I18) {
  settle(s1, none);
  const auto other = EnablementService::open(options);
  must(other->importFrom(
      std::vector<ImportSource>{readSessionDb(s1, sessionDb(R"({"p1": false})")).value()}, {},
      "other"));
  must(service->refresh());
  EXPECT_EQ(heard(), std::vector<Names>{{"s1"}});
  const std::string list = R"([{"type": "plugin", "id": "p1", "uri": "acme/alpha"}])";
  EXPECT_EQ(gated(list)["effective"]["p1"]["state"], "disabled");
  must(claim(*other, s1, ordered_json::parse(list), {}, "other"));
  must(service->refresh());
  EXPECT_EQ(ask(s1, alpha), "off session=off");
}

TEST_F(ImportTest, ExplainTellsThatADecisionIsNotClaimedYet) {
  unclaimed(s1, R"({"p1": false})");
  settle(s1, none);
  const auto list = ordered_json::parse(R"([{"type": "plugin", "id": "p1", "uri": "acme/alpha"}])");
  const auto explanation = explain(*service, s1, list, {}, "p1");
  must(explanation);
  EXPECT_THAT(toText(*explanation), HasSubstr("not claimed yet"));
  EXPECT_EQ(toJson(*explanation)["layers"][0]["unclaimed"], true);
  EXPECT_EQ(explanation->answer.state, EffectiveState::disabled);
}

// Disabled servers.

TEST_F(ImportTest, DisabledServersAreOffEverywhereOrInAFolder) {
  const fs::path list = file("off.json", R"(["search", "a b", "", 7, "search", "x\u0000"])");
  const auto everywhere = take(readDisabledServers(list).value());
  EXPECT_EQ(positions(everywhere.rejected), (Names{"/2", "/3", "/5"}));
  take(readDisabledServers(list, one).value());
  EXPECT_EQ(stored(), (Names{"global mcpServers#a b off", "global mcpServers#search off",
                             "workspace file:///one mcpServers#a b off",
                             "workspace file:///one mcpServers#search off"}));
  EXPECT_FALSE(readDisabledServers(file("object.json", "{}")));
}

// Export.

TEST_F(ImportTest, AnExportImportedIntoAnEmptyStoreIsTheSameStore) {
  settle(s1, one);
  must(service->setStored(alpha, std::nullopt, false, "user"));
  must(service->setStored(db, one, true, "user"));
  must(service->set(s1, test::server("sp ace \"quoted\" é"), Scope::session, false, "user"));
  must(service->set(s2, test::server("later", false), Scope::workspace, false, "user"));
  must(service->replace(s2, beta, {{Scope::workspace, true, "file:///two"}}, "user"));
  must(service->clear(s2, alpha, Scope::session, "user"));
  unclaimed(s3, R"({"p1": false, "p\"2": true})");
  const std::string text = exportJson(service->content().value());
  const Names queue = queued();
  const fs::path exported = file("export.json", text);

  options.path = folder_ / "copy.db";
  restart();
  const auto taken = take(readExport(exported).value());
  EXPECT_THAT(taken.rejected, IsEmpty());
  EXPECT_EQ(exportJson(service->content().value()), text);
  EXPECT_EQ(queued(), queue);
  restart();
  settle(s2, two);
  EXPECT_EQ(queued(), Names{}) << "what waited is applied as it would have been";
}

TEST_F(ImportTest, PartsForASessionThatIsSettledHereNeedNotWait) {
  const fs::path exported =
      file("export.json", R"({"format": "enablement-export", "version": 1, "queued": [
          {"session": "s1", "target": "acme/alpha", "scope": "session", "asked": "off"}]})");
  settle(s1, none);
  take(readExport(exported).value());
  EXPECT_EQ(queued(), Names{});
  EXPECT_EQ(ask(s1, alpha), "off session=off");
}

TEST_F(ImportTest, BadRowsOfAnExportAreRejectedOneByOne) {
  const auto source =
      readExport(file("export.json", R"({"format": "enablement-export", "version": 1,
      "decisions": [{"scope": "galaxy", "target": "acme/a", "enabled": true}, 7,
                    {"scope": "global", "target": "", "enabled": true},
                    {"scope": "global", "target": "acme/a", "enabled": "true"},
                    {"scope": "workspace", "target": "acme/a", "enabled": true},
                    {"scope": "global", "target": "acme/a", "enabled": true}],
      "queued": [{"session": "s", "target": "acme/a", "scope": "global", "asked": "on"}],
      "unclaimed": [{"session": "", "id": "x", "enabled": true}],
      "imports": [{"kind": "gossip"}]})"));
  must(source);
  EXPECT_EQ(positions(source->rejected),
            (Names{"/decisions/0", "/decisions/1", "/decisions/2", "/decisions/3", "/decisions/4",
                   "/queued/0", "/unclaimed/0", "/imports/0"}));
  EXPECT_THAT(source->decisions, SizeIs(1));
  for (const char* text : {"{}", "[]", R"({"format": "enablement-export", "version": 2})",
                           R"({"format": "enablement-export", "version": 1, "decisions": 7})"})
    EXPECT_FALSE(readExport(file("bad.json", text))) << text;
}

TEST_F(ImportTest, TheLegacyFormIsReadBackAndNamesWhatItCannotExpress) {
  settle(s1, one);
  must(service->setStored(alpha, std::nullopt, false, "user"));
  must(service->setStored(db, one, true, "user"));
  must(service->set(s1, beta, Scope::session, false, "user"));
  unclaimed(s2, R"({"p1": false})");
  const auto legacy = exportLegacy(service->content().value());
  EXPECT_THAT(legacy.left, ElementsAre(HasSubstr("acme/beta off in the session s1"),
                                       HasSubstr("the entry p1 off in the session s2")));
  options.path = folder_ / "copy.db";
  restart();
  take(readHostStorage(file("legacy.json", legacy.text)).value());
  EXPECT_EQ(stored(),
            (Names{"global acme/alpha off", "workspace file:///one acme/alpha#mcp=db on"}));
}

// The fuzz target's corpus, in every build.
TEST(ImportFuzz, FindsNothingInItsCorpus) {
  std::size_t files = 0;
  for (const auto& one : fs::directory_iterator(testing::inTests("fuzz/corpus/import"))) {
    EXPECT_NO_THROW(fuzz::importInput(testing::textOf(one.path()))) << one.path();
    ++files;
  }
  EXPECT_GT(files, 6U);
}

}  // namespace
}  // namespace enablement
