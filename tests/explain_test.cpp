// Why an answer is as it is: every layer, the one that decides, what masks it.
#include <nlohmann/json.hpp>

#include <enablement/resolver/explain.h>
#include <enablement/resolver/testing.h>

#include "service_fixture.h"

namespace enablement::test {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ExplainTest : public ServiceTest {
 protected:
  // 2026-11-30 14:02 UTC
  ExplainTest() {
    clock.at(1'796'047'320'000);
    settle(s1, one);
  }

  std::string text(const Target& target) { return toText(explain(*service, s1, target)); }

  // "session=off decides" and so on, of the layers that say something.
  Names layers(const Target& target) {
    Names shown;
    for (const ExplainedLayer& layer : explain(*service, s1, target).layers)
      if (layer.value)
        shown.push_back(std::string(name(layer.kind)) + "=" + word(layer.value) +
                        (layer.decides ? " decides" : "") + (layer.redundant ? " redundant" : ""));
    return shown;
  }
};

TEST_F(ExplainTest, EveryLayerIsNamedAndTheMostSpecificOneDecides_I6) {
  must(base(s1, "editor", {states("acme/alpha", true)}));
  must(service->set(s1, alpha, Scope::global, false, "test"));
  must(service->set(s1, alpha, Scope::workspace, true, "test"));
  must(service->set(s1, alpha, Scope::session, false, "test"));
  EXPECT_EQ(layers(alpha), (Names{"session=off decides", "workspace=on", "global=off",
                                  "clientBase=on", "default=on"}));
  EXPECT_EQ(explain(*service, s1, alpha).layers.size(), 6U) << "also those that say nothing";
}

TEST_F(ExplainTest, ADecisionThatRepeatsWhatItWouldInheritIsCalledRedundant_I11) {
  must(service->set(s1, alpha, Scope::global, false, "test"));
  must(service->set(s1, alpha, Scope::session, false, "test"));
  EXPECT_EQ(layers(alpha), (Names{"session=off decides redundant", "global=off", "default=on"}));
}

TEST_F(ExplainTest, TheFirstLineIsTheAnswerInWords) {
  must(service->set(s1, alpha, Scope::workspace, false, "enablectl"));
  EXPECT_THAT(text(alpha), StartsWith("disabled in this folder since 2026-11-30 14:02 UTC by "
                                      "enablectl; everywhere else it is enabled\n"));
  EXPECT_THAT(text(beta), StartsWith("enabled by default; nobody has decided anything\n"));
}

TEST_F(ExplainTest, AMaskedAnswerNamesItsContainerAndKeepsItsOwn_I9) {
  must(service->set(s1, alpha, Scope::global, false, "test"));
  const Explanation masked = explain(*service, s1, db);
  EXPECT_EQ(show(masked.answer), "disabled/container");
  EXPECT_EQ(show(masked.own), "enabled/default");
  EXPECT_EQ(masked.container->name, "acme/alpha");
  EXPECT_THAT(text(db), StartsWith("disabled because acme/alpha is disabled (global); its own "
                                   "answer: enabled by default"));
}

TEST_F(ExplainTest, APendingAnswerSaysWhatItWaitsForAndNoLayerDecides_I7) {
  must(service->set(s1, alpha, Scope::global, false, "test"));
  must(service->setWorkingDirectory(s1, unknown));
  EXPECT_THAT(text(alpha), StartsWith("pending until the session's folder is known\n"));
  EXPECT_EQ(layers(alpha), (Names{"global=off", "default=on"}));
}

TEST_F(ExplainTest, WhatIsQueuedIsShown_I12) {
  must(service->setWorkingDirectory(s1, unknown));
  must(service->set(s1, alpha, Scope::session, false, "window 2"));
  EXPECT_THAT(text(alpha),
              HasSubstr("waits: off for the session, asked 2026-11-30 14:02 UTC by window 2\n"));
}

TEST_F(ExplainTest, ARemovedDecisionStillTellsWhoRemovedIt_I13) {
  must(service->set(s1, alpha, Scope::global, false, "one window"));
  must(service->clear(s1, alpha, Scope::global, "another window"));
  const Explanation explained = explain(*service, s1, alpha);
  const ExplainedLayer& global = explained.layers[2];
  EXPECT_EQ(global.value, std::nullopt);
  EXPECT_EQ(global.by, "another window");
  EXPECT_EQ(global.cause, Cause::clear);
}

TEST_F(ExplainTest, AnEntryIsExplainedAsTheGateAnswersIt_I19) {
  const auto list = ordered_json::parse(R"([
      {"type": "directory", "id": "d", "enabled": false, "children": [
        {"type": "skill", "id": "s"}, {"type": "mcpServer", "id": "m", "name": "db"}]}])");
  const auto skill = explain(*service, s1, list, {}, "s").value();
  EXPECT_EQ(show(skill.answer), "disabled/container");
  EXPECT_TRUE(skill.layers.empty());
  EXPECT_EQ(toText(skill),
            "disabled because d is disabled (flag); its own answer: enabled by "
            "default; nobody has decided anything\n");
  const auto inside = explain(*service, s1, list, {}, "m").value();
  EXPECT_EQ(inside.key, server("db").key);
  EXPECT_EQ(show(inside.own), "enabled/default");
  EXPECT_EQ(explain(*service, s1, list, {}, "absent").error().code, ErrorCode::invalidArgument);
}

TEST_F(ExplainTest, TheFastAnswerAndTheExplainedOneAgree_I9) {
  must(service->set(s1, alpha, Scope::workspace, false, "test"));
  for (const Target& target : {alpha, beta, db})
    for (const std::string& session : {s1, s2})
      EXPECT_EQ(explain(*service, session, target).answer, service->effective(session, target));
}

TEST_F(ExplainTest, WhatIsTooWideForATableStandsBelowItsRow) {
  const std::string wide = "file:///" + std::string(70, 'w');
  settle(s1, folder(wide));
  must(service->set(s1, alpha, Scope::workspace, false, "window 2"));
  EXPECT_THAT(text(alpha), HasSubstr("\n> workspace         off    2026-11-30 14:02 UTC  window 2\n"
                                     "    where  " +
                                     wide + "\n"));
  EXPECT_THAT(text(alpha), HasSubstr("  layer             value  changed               by\n"));
}

TEST_F(ExplainTest, AnAnswerThatAnotherEntryOfTheSameIdGivesIsNotCalledItsOwn_I19) {
  const auto list = ordered_json::parse(R"([{"type": "mcpServer", "id": "m", "name": "db"},
      {"type": "skill", "id": "m", "enabled": false}])");
  EXPECT_THAT(toText(explain(*service, s1, list, {}, "m").value()),
              StartsWith("disabled because another entry has the same id (flag); its own answer: "
                         "enabled by default"));
}

TEST(TestingService, LivesInMemoryWithAClockThatIsMoved) {
  enablement::testing::FakeClock clock;
  const auto service = enablement::testing::openInMemory(clock);
  must(service->setStored(plugin("acme/alpha"), std::nullopt, false, "test"));
  clock.advance(std::chrono::hours(1));
  must(service->setStored(plugin("acme/beta"), std::nullopt, false, "test"));
  const auto rows = service->stored().value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].since - rows[0].since, std::chrono::hours(1));
}

}  // namespace
}  // namespace enablement::test
