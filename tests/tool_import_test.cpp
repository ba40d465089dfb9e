// enablectl import and export, as a person and a script see them.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <enablement/tool/console.h>

#include "database_text.h"
#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string storage = R"({"customizationEnablement": {
  "global": {"file:///plugins/alpha": false, "file:///plugins/alpha#mcp=azure": false},
  "workingDirectories": {"file:///repo": {"acme/tools": false}}}})";

class Import : public Tool {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    const fs::path path = home() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  std::string sessionDb(const std::string& folder, const std::string& value) const {
    const fs::path path = home() / folder / "session.db";
    fs::create_directories(path.parent_path());
    SQLite::Database database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("CREATE TABLE session_metadata (key TEXT, value TEXT)");
    SQLite::Statement insert(database,
                             "INSERT INTO session_metadata VALUES ('customizationEnablement', ?)");
    insert.bind(1, value);
    insert.exec();
    return path.string();
  }
};

TEST_F(Import, ADryRunPrintsTheWholePlanAndCreatesNothing) {
  const std::string source = file("storage.json", storage);
  const Ran ran = onStore({"import", "--host-storage", source, "-n"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "  would take file:///plugins/alpha off everywhere\n"
            "  would take file:///plugins/alpha#mcp=azure off everywhere\n"
            "  would take acme/tools off in the folder file:///repo\n" +
                tool::wrapped(source + ": would take 3 decisions") + "\n");
  EXPECT_FALSE(fs::exists(db()));
  EXPECT_EQ(onStore({"import", "--host-storage", source}).exit, 0);
  EXPECT_THAT(onStore({"import", "--host-storage", source, "-n"}).out,
              HasSubstr("imported before"));
}

TEST_F(Import, TheSameAgainSaysSoAndForceImportsIt) {
  const std::string source = file("storage.json", storage);
  EXPECT_EQ(onStore({"import", "--host-storage", source}).exit, 0);
  const Ran again = onStore({"import", "--host-storage", source});
  EXPECT_EQ(again.exit, 0);
  EXPECT_THAT(again.out, HasSubstr("imported before and unchanged"));
  EXPECT_THAT(onStore({"import", "--host-storage", source, "--force"}).out,
              HasSubstr("took 0 decisions, 3 were there"));
}

TEST_F(Import, WhatIsRejectedIsListedWithItsPositionAndTheRestIsTaken) {
  const std::string source =
      file("s.json", R"({"customizationEnablement": {"global": {"acme/a": "false", "": true,
                         "acme/b": false}}})");
  const Ran ran = onStore({"import", "--host-storage", source});
  EXPECT_EQ(ran.exit, 8);
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("rejected /customizationEnablement/global/acme~1a: is neither true"),
                    HasSubstr("rejected /customizationEnablement/global/: ")));
  EXPECT_EQ(json::parse(onStore({"list", "--json"}).out).size(), 1U);
  const json out =
      json::parse(onStore({"import", "--host-storage", source, "--force", "--json"}).out);
  EXPECT_EQ(out["dryRun"], false);
  EXPECT_EQ(out["sources"][0]["kind"], "hostStorage");
  EXPECT_EQ(out["sources"][0]["state"], "imported");
  EXPECT_EQ(out["sources"][0]["items"][0], (json{{"fate", "already"},
                                                 {"scope", "global"},
                                                 {"where", ""},
                                                 {"target", "acme/b"},
                                                 {"enabled", false}}));
  EXPECT_EQ(out["sources"][0]["rejected"].size(), 2U);
}

TEST_F(Import, ASourceThatCannotBeReadIsReportedAndTheOthersAreImported) {
  sessionDb("sessions/a", R"({"p1": false})");
  file("sessions/b/session.db", "no database at all, but a diary");
  sessionDb("sessions/c", R"({"p1": true})");
  file("sessions/d/other.txt", "nothing to see");
  const std::vector<std::string> words{"import", "--sessions", (home() / "sessions").string(),
                                       "--scheme", "copilot"};
  const Ran ran = onStore(words);
  EXPECT_EQ(ran.exit, 8);
  EXPECT_THAT(ran.err, HasSubstr("b/session.db"));
  const json exported = json::parse(onStore({"export"}).out);
  EXPECT_EQ(exported["unclaimed"], json::parse(R"([
      {"session": "copilot:/a", "id": "p1", "enabled": false},
      {"session": "copilot:/c", "id": "p1", "enabled": true}])"));

  const Ran alone = onStore({"import", "--session-db", "s=1:/x=" + (home() / "none.db").string()});
  EXPECT_EQ(alone.exit, 2);
  EXPECT_THAT(alone.err, HasSubstr("there is no file"));
  EXPECT_EQ(onStore({"import", "--host-storage", file("bad.json", "[]")}).exit, 2);
}

TEST_F(Import, ASessionIsNamedByItsUri) {
  const std::string database = sessionDb("one", R"({"p1": false})");
  EXPECT_EQ(onStore({"import", "--session-db", "ahp://x?a=b=" + database}).exit, 0);
  EXPECT_EQ(json::parse(onStore({"export"}).out)["unclaimed"][0]["session"], "ahp://x?a=b");
  const std::string list =
      file("list.json", R"([{"type": "plugin", "id": "p1", "uri": "acme/p"}])");
  const Ran tree = onStore({"tree", list, "--session", "ahp://x?a=b", "--no-directory"});
  EXPECT_THAT(tree.out, HasSubstr("- p1"));
  const Ran explained = onStore(
      {"explain", "--entry", "p1", "--list", list, "--session", "ahp://x?a=b", "--no-directory"});
  EXPECT_EQ(explained.exit, 1);
  EXPECT_THAT(explained.out, HasSubstr("not claimed"));
}

TEST_F(Import, DisabledServersAreOffInAFolder) {
  const std::string off = file("off.json", R"(["search"])");
  EXPECT_EQ(onStore({"import", "--disabled-servers", off, "--directory", home().string()}).exit, 0);
  EXPECT_EQ(json::parse(onStore({"list", "--json"}).out)[0]["where"],
            "file://" + fs::canonical(home()).string());
}

TEST_F(Import, AnExportGoesBackAndForth) {
  const std::string source = file("storage.json", storage);
  EXPECT_EQ(onStore({"import", "--host-storage", source}).exit, 0);
  const std::string first = (home() / "first.json").string();
  EXPECT_EQ(onStore({"export", first}).exit, 0);
  const std::string other = (home() / "other.db").string();
  EXPECT_EQ(run({"--db", other, "import", "--format", "json", first}).exit, 0);
  EXPECT_EQ(run({"--db", other, "export"}).out, textOf(first));

  const Ran legacy = onStore({"export", "--format", "legacy"});
  EXPECT_EQ(legacy.exit, 0);
  EXPECT_EQ(json::parse(legacy.out), json::parse(storage));
  EXPECT_EQ(onStore({"set", "acme/s", "off", "--scope", "session", "--session", "ahp://1",
                     "--no-directory"})
                .exit,
            0);
  const Ran partly = onStore({"export", "--format", "legacy"});
  EXPECT_EQ(partly.exit, 8);
  EXPECT_THAT(partly.err, HasSubstr("acme/s off in the session ahp://1"));
}

TEST_F(Import, UsageIsExplained) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"import"},
           {"import", "--sessions", "x"},
           {"import", "--directory", "."},
           {"import", "file.json"},
           {"import", "--format", "xml", "file"},
           {"import", "--session-db", "nothing"},
           {"import", "--sessions", "/nowhere/at/all", "--scheme", "x"}}) {
    const Ran ran = onStore(words);
    EXPECT_EQ(ran.exit, 2) << words.back();
    EXPECT_THAT(ran.err, Not(IsEmpty()));
  }
  EXPECT_EQ(onStore({"export"}).exit, 4) << "there is no store";
  expectNarrow(onStore({"import", "--help"}).out);
  expectNarrow(onStore({"export", "--help"}).out);
}

}  // namespace
}  // namespace enablement::testing
