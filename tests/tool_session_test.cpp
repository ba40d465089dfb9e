// enablectl session: logs are played, and what they did is told.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SessionLog : public Tool {
 protected:
  Ran play(const std::string& text, const std::vector<std::string>& options = {}) {
    const fs::path file = home() / "log.jsonl";
    writeFile(file, text);
    std::vector<std::string> arguments{"session", file.string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  }
};

TEST_F(SessionLog, TheExampleOfItsHelpShowsWhatWasStoredRefusedRoutedAndSent) {
  const std::string file = "examples/session-log.jsonl";
  EXPECT_THAT(run({"session", "--help"}).out, HasSubstr("enablectl session " + file));
  const Ran ran = run({"session", inExamples("session-log.jsonl")});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.err, IsEmpty());
  expectNarrow(ran.out);
  for (const char* expected :
       {"  applied  but Global: it is a setting of client window-1\n",
        "  stored   file:///plugins/azure is now off in the session ahp://copilot/1\n",
        "  stored   mcpServers#search is now off in the session ahp://copilot/1\n",
        "  refused  a client may not send", "  routed   it is a setting of client window-1\n",
        "  sent     session/customizationToggled azure\n",
        "  sent     client window-1 is gone: fail the calls that wait for it\n"})
    EXPECT_THAT(ran.out, HasSubstr(expected));
}

TEST_F(SessionLog, AsJsonEachLineHasItsAnswerInBothGenerations) {
  const Ran ran = run({"session", "--json", inExamples("session-log.jsonl")});
  EXPECT_EQ(ran.exit, 0);
  const json lines = json::parse(ran.out).at("lines");
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_EQ(lines[4]["outcome"], "applied");
  EXPECT_EQ(lines[4]["clientOwned"], "window-1");
  EXPECT_EQ(lines[4]["stored"].size(), 1U);
  EXPECT_EQ(lines[4]["sent"][0]["firstGeneration"]["enabled"], false);
  EXPECT_EQ(lines[5]["sent"][0]["action"]["enablement"],
            json::parse(R"([{"kind": "session", "enabled": false}])"));
  EXPECT_EQ(lines[6]["outcome"], "refused");
  EXPECT_EQ(lines[6]["reason"]["code"], "invalidArgument");
  EXPECT_EQ(lines[7]["route"]["client"], "window-1");
  EXPECT_EQ(lines[9]["sent"][1]["clientLeft"], "window-1");
}

TEST_F(SessionLog, IsPlayedOnACopyOfTheStoreThatIsNamed) {
  ASSERT_EQ(onStore({"set", "acme/tools", "off", "--scope", "global"}).exit, 0);
  const std::string before = onStore({"list", "--json"}).out;
  const std::string log =
      R"({"do": "open", "session": "s", "workingDirectories": []}
{"do": "load", "session": "s"}

{"session": "s", "action": {"type": "session/customizationsChanged", "customizations": [{"type": "plugin", "id": "t", "uri": "acme/tools"}]}}
{"do": "decide", "session": "s", "target": "acme/tools", "scope": "session", "enabled": true}
{"do": "decide", "session": "s", "target": "acme/tools", "scope": "workspace"}
)";
  const Ran ran = play(log, {"--db", db().string(), "-v"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"kind\":\"global\""));  // what was decided before
  EXPECT_THAT(ran.out, HasSubstr("stored   acme/tools is now on in the session s"));
  EXPECT_THAT(ran.out, HasSubstr("failed   session \"s\" has no folder"));
  EXPECT_EQ(onStore({"list", "--json"}).out, before);
  EXPECT_EQ(play(log, {"--db", (home() / "absent.db").string()}).exit, 4);
}

TEST_F(SessionLog, ALineThatIsMalformedIsNamedAndNothingIsReported) {
  const std::string open = R"({"do": "open", "session": "s"})"
                           "\n";
  for (const char* line :
       {"{", "7", "{}", R"({"do": "dance"})", R"({"do": "load"})",
        R"({"do": "open", "session": "s", "workingDirectories": [1]})",
        R"({"do": "owners", "session": "s", "owners": {"a": 1}})",
        R"({"do": "decide", "session": "s", "target": "a/b", "scope": "team"})",
        R"({"do": "tick", "milliseconds": -1})", R"({"do": "reconnect", "client": "c"})",
        R"({"session": "s", "client": "c", "action": {}})",
        R"({"session": "s", "client": "c", "version": "new", "action": {}})",
        R"({"client": "c", "version": "0.8.0", "action": {}})"}) {
    const Ran ran = play(open + line);
    EXPECT_EQ(ran.exit, 2) << line;
    EXPECT_THAT(ran.out, IsEmpty()) << line;
    EXPECT_THAT(ran.err, HasSubstr("line 2")) << line;
    expectNarrow(ran.err.substr(ran.err.find('\n') + 1));
  }
}

TEST_F(SessionLog, TextFromOutsideIsShownWithItsControlsEscaped) {
  const Ran ran = play(
      R"({"session": "s", "client": "\u001b[31m", "version": "0.8.0", "action": {"type": "\u001b[2J"}})");
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out.find('\x1b'), std::string::npos);
  EXPECT_THAT(ran.out, HasSubstr("refused"));
}

}  // namespace
}  // namespace enablement::testing
