// What every verb promises: its shape with --json, examples that run, and 80 columns. How long they
// take is measured in bench/.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "json_schema.h"
#include "tool_fixture.h"

namespace enablement::testing {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Promises : public Tool {
 protected:
  // Every verb for people: "list", "migrate up".
  std::vector<std::string> verbs() {
    std::vector<std::string> all;
    for (const std::string& verb : offered({""}))
      if (verb != "migrate") all.push_back(verb);
    for (const std::string& verb : offered({"migrate", ""})) all.push_back("migrate " + verb);
    return all;
  }
  std::string helpOf(const std::string& verb) {
    std::vector<std::string> words = wordsOf(verb);
    words.emplace_back("--help");
    const Ran help = run(words);
    EXPECT_EQ(help.exit, 0) << verb;
    return help.out;
  }
  static std::vector<std::string> wordsOf(const std::string& verb) {
    std::istringstream stream(verb);
    return {std::istream_iterator<std::string>(stream), {}};
  }
  // A store in which there is some of everything that the tool can make.
  void fill() {
    onStore({"disable", "file:///plugins/alpha"});
    onStore({"disable", "file:///plugins/alpha", "--directory", "file:///gone"});
    onStore({"enable", "file:///plugins/alpha", "--session", "s", "--no-directory"});
    onStore({"disable", "mcpServers#search", "--session", "waits"});
    for (int i = 0; i < 5; ++i) {
      onStore({"disable", "acme/a"});
      onStore({"enable", "acme/a"});
    }
  }

 private:
  std::vector<std::string> offered(std::vector<std::string> words) {
    words.insert(words.begin(), {"complete", "--"});
    std::vector<std::string> verbs;
    for (const std::string& line : linesOf(run(words).out))
      if (!line.starts_with(":")) verbs.push_back(line.substr(0, line.find('\t')));
    return verbs;
  }
};

// --json

TEST_F(Promises, EveryVerbPrintsWhatItsSchemaSays) {
  fill();
  const json schemas = json::parse(read(inTests("../docs/cli/schemas.json")));
  const SchemaCheck check(schemas);
  const std::string list = inExamples("azure-session-later.json");
  const std::string copy = (home() / "copy.db").string();
  const std::string storage = (home() / "storage.json").string();
  writeFile(storage, R"({"customizationEnablement": {"global": {"acme/i": false, "acme/j": 1}}})");
  // A verb, then what it is called with, once for each shape that it has.
  const std::vector<std::pair<std::string, std::vector<std::string>>> calls{
      {"demo", {}},
      {"set", {"acme/b", "off", "--scope", "global"}},
      {"clear", {"acme/b", "--scope", "global", "-n"}},
      {"enable", {"acme/c", "--session", "s"}},
      {"disable", {"acme/b", "--directory", "/r"}},
      {"revert", {"acme/b", "--directory", "/r"}},
      {"revert", {"acme/b", "--all"}},
      {"revert", {"acme/none", "--all", "-n"}},
      {"resolve", {"acme/a", "--session", "s", "--directory", "/r"}},
      {"resolve", {"acme/a", "--session", "s", "--no-directory", "--db", "/none"}},
      {"get", {"acme/a"}},
      {"get", {"acme/none"}},
      {"explain", {"acme/a#mcp=db", "--session", "s", "--directory", "/r"}},
      {"explain", {"mcpServers#search", "--session", "waits", "--no-directory"}},
      {"tree", {list, "--session", "s", "--no-directory"}},
      {"list", {}},
      {"list", {"--queued"}},
      {"list", {"--unclaimed"}},
      {"sessions", {}},
      {"sessions", {"--stale", "0", "--delete", "-n"}},
      {"history", {}},
      {"restore", {"6", "-n"}},
      {"delta", {}},
      {"prune", {"--redundant", "--missing-folders", "--older-than", "0s"}},
      {"doctor", {}},
      {"doctor", {"--redact", "--db", "/none"}},
      {"purge", {"acme/a", "-n"}},
      {"migrate status", {}},
      {"migrate up", {"-n"}},
      {"migrate down", {"-n"}},
      {"migrate goto", {"1", "-n"}},
      {"migrate validate", {}},
      {"migrate repair", {"-n"}},
      {"check", {"--full"}},
      {"backup", {copy}},
      {"recover", {copy, "--into", (home() / "fresh.db").string()}},
      {"vacuum", {"-n"}},
      {"vacuum", {}},
      {"import", {"--host-storage", storage, "--disabled-servers", "/none", "-n"}},
      {"import", {"--host-storage", storage}},
      {"import", {"--host-storage", storage}},
      {"export", {}},
      {"export", {"--format", "legacy"}},
      {"replay", {inTests("vectors/tree.json")}},
      {"reduce", {inTests("vectors/reducer-gen2.json")}},
      {"plan", {list, "--runtime", "codex", "--session", "s", "--no-directory"}},
      {"session", {inExamples("session-log.jsonl")}},
  };
  std::vector<std::string> checked{"completion", "watch"};  // no JSON; watch is tested as it runs
  for (const auto& [verb, arguments] : calls) {
    std::vector<std::string> words = wordsOf(verb);
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.emplace_back("--json");
    const Ran ran = onStore(words);
    const std::string what = ::testing::PrintToString(words);
    const json value = json::parse(ran.out, nullptr, false);
    ASSERT_FALSE(value.is_discarded()) << what << ran.out << ran.err;
    ASSERT_TRUE(schemas["verbs"].contains(verb)) << verb;
    EXPECT_THAT(check.faults(schemas["verbs"][verb], value), IsEmpty()) << what;
    checked.push_back(verb);
  }
  for (const std::string& verb : verbs()) EXPECT_THAT(checked, Contains(verb));
}

TEST_F(Promises, TheSchemasWouldRefuseSomethingElse) {
  const json schemas = json::parse(read(inTests("../docs/cli/schemas.json")));
  const SchemaCheck check(schemas);
  for (const auto& [verb, schema] : schemas["verbs"].items()) {
    EXPECT_THAT(check.faults(schema, json::parse(R"({"x": 1})")), Not(IsEmpty())) << verb;
    EXPECT_THAT(check.faults(schema, json("x")), Not(IsEmpty())) << verb;
  }
}

TEST_F(Promises, TheManualNamesEveryVerb) {
  const std::string manual = read(inTests("../docs/cli.md"));
  for (const std::string& verb : verbs())
    EXPECT_THAT(manual, HasSubstr("\n### enablectl " + verb)) << verb;
}

// Help

TEST_F(Promises, EveryHelpFitsInEightyColumns) {
  for (const std::string& verb : verbs()) expectNarrow(helpOf(verb));
  expectNarrow(run({"--help"}).out);
  expectNarrow(run({"migrate", "--help"}).out);
}

class Examples : public Promises {
 protected:
  void SetUp() override {
    Promises::SetUp();
    fill();
    for (const char* folder : {".agent-host/sessions", ".config/fish/completions", "backups", "bin",
                               "fixtures", "scenarios", "src/api", "src/site", "examples"})
      fs::create_directories(home() / folder);
    const std::string list = R"([{"type": "mcpServer", "id": "azure-storage", "name": "azure"}])";
    const std::string exported = onStore({"export"}).out;
    const std::string log = read(inExamples("session-log.jsonl"));
    const std::string scenario = R"([{"name": "n", "targets": {}, "steps": []}])";
    for (const auto& [file, text] : std::map<std::string, std::string>{
             {"list.json", list},
             {"owners.json", "{}"},
             {"report.json", scenario},
             {"scenarios/a.json", scenario},
             {"fixtures/a.json", "[]"},
             {"old.json", "[]"},
             {"off.json", "[]"},
             {"enablement.db", read(db())},
             {"reported.jsonl", log},
             {"examples/session-log.jsonl", log},
             {"examples/azure-session.json", read(inExamples("azure-session.json"))},
             {"export.json", exported},
             {".agent-host/storage.json", R"({"customizationEnablement": {}})"},
             {"damaged.db", read(db())}})
      writeFile(home() / file, text);
    // Programs that the examples take from elsewhere.
    for (const auto& [program, text] :
         std::map<std::string, std::string>{{"dump-list", "cat \"$HOME/list.json\""},
                                            {"make-scenario", "cat \"$HOME/report.json\""},
                                            {"make-fixture", "echo []"},
                                            {"read-log", "cat \"$HOME/reported.jsonl\""},
                                            {"jq", "cat"}}) {
      writeFile(home() / "bin" / program, "#!/bin/sh\n" + text + "\n");
      fs::permissions(home() / "bin" / program, fs::perms::owner_all);
    }
    fs::create_symlink(enablectlProgram, home() / "bin" / "enablectl");
  }
  // The examples of a help, each on one line.
  static std::vector<std::string> examplesIn(const std::string& help) {
    std::vector<std::string> examples;
    bool goesOn = false;
    for (std::string line : linesOf(help.substr(std::min(help.size(), help.find("Examples:\n"))))) {
      if (!line.starts_with("  ")) continue;
      const bool ends = !line.ends_with("\\");
      if (!ends) line.pop_back();
      if (goesOn)
        examples.back() += line;
      else
        examples.push_back(line.substr(2));
      goesOn = !ends;
    }
    return examples;
  }
  // In a shell at home, on the store of the test; what goes on is ended after a second.
  int runInShell(std::string example) {
    if (const std::size_t at = example.find("/backups/"); at != std::string::npos)
      example.insert(at, "$HOME");
    writeFile(home() / "example.sh", "set -o pipefail\n" + example + "\n");
    const std::string command = "cd '" + home().string() + "' && HOME='" + home().string() +
                                "' PATH=\"$PWD/bin:$PATH\" ENABLEMENT_DB='" + db().string() +
                                "' timeout 1 bash example.sh < /dev/null > said 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(Examples, OfEveryHelpRun) {
  const std::string store = read(db());
  for (const std::string& verb : verbs()) {
    const auto examples = examplesIn(helpOf(verb));
    EXPECT_THAT(examples, Not(IsEmpty())) << verb;
    for (const std::string& example : examples) {
      fs::remove(db().string() + "-wal");
      fs::remove(db().string() + "-shm");
      writeFile(db(), store);
      const bool goesOn = verb == "watch" || example == "enablectl history -f";
      // An answer of no, or pending, is one; so is an export to a form with less room.
      const int exit = runInShell(example);
      EXPECT_TRUE(goesOn ? exit == 124 : exit == 0 || exit == 1 || exit == 3 || exit == 8)
          << exit << " " << example << '\n'
          << read(home() / "said");
    }
  }
}

}  // namespace
}  // namespace enablement::testing
