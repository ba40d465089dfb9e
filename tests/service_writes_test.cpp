// Writing decisions: which rows change, and what history says of it.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "service_fixture.h"

namespace enablement {
namespace {

using test::must;
using test::Names;
using test::show;
using test::states;

class Writing : public test::ServiceTest {
 protected:
  std::string set(const std::string& session, const Target& target, Scope scope, bool enabled) {
    return show(service->set(session, target, scope, enabled, "t"));
  }
  void storeGlobal(const Target& target, bool enabled) {
    must(service->setStored(target, std::nullopt, enabled, "t"));
  }
};

// --- Which rows ----------------------------------------------------------------------------------

TEST_F(Writing, TouchesOnlyTheScopesItNamesInTheCallersFolderAndSession_I10) {
  settle(s1, one);
  settle(s2, one);
  settle(s3, two);
  for (const auto& session : {s1, s3})
    for (const Scope scope : {Scope::workspace, Scope::session}) set(session, alpha, scope, false);
  set(s2, alpha, Scope::session, false);
  storeGlobal(alpha, false);
  const Names all = {"global acme/alpha off",
                     "session s1 acme/alpha off",
                     "session s2 acme/alpha off",
                     "session s3 acme/alpha off",
                     "workspace file:///one acme/alpha off",
                     "workspace file:///two acme/alpha off"};
  ASSERT_EQ(stored(), all);
  const std::vector<std::pair<Scope, std::size_t>> rows = {
      {Scope::global, 0}, {Scope::session, 1}, {Scope::workspace, 4}};
  for (const auto& [scope, row] : rows) {
    Names expected = all;
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(row));
    must(service->clear(s1, alpha, scope, "t"));
    EXPECT_EQ(stored(), expected);
    set(s1, alpha, scope, false);
    EXPECT_EQ(stored(), all);
  }
}

TEST_F(Writing, ADecisionThatAWiderOneMadeRedundantStays_I10) {
  settle(s1, one);
  set(s1, alpha, Scope::workspace, false);
  set(s1, alpha, Scope::session, true);
  must(service->clear(s1, alpha, Scope::workspace, "t"));
  EXPECT_EQ(stored(), Names{"session s1 acme/alpha on"});
  set(s1, alpha, Scope::global, false);
  EXPECT_EQ(ask(s1, alpha), "on session=on global=off") << "it was somebody's word";
}

TEST_F(Writing, AReplacementFromASettledSessionClearsWhatIsNotInIt_I10) {
  settle(s1, one);
  settle(s2, two);
  for (const auto& session : {s1, s2})
    for (const Scope scope : precedence) set(session, alpha, scope, false);
  must(service->replace(s1, alpha, {}, "t"));
  EXPECT_EQ(stored(), (Names{"session s2 acme/alpha off", "workspace file:///two acme/alpha off"}));
  must(service->replace(s2, alpha, {{Scope::session, true}, {Scope::global, false}}, "t"));
  EXPECT_EQ(stored(), (Names{"global acme/alpha off", "session s2 acme/alpha on"}));
  settle(s3, none);
  EXPECT_EQ(show(service->replace(s3, alpha, {}, "t")), "on")
      << "without a folder it names the rest";
  EXPECT_EQ(stored(), Names{"session s2 acme/alpha on"});
}

TEST_F(Writing, AReplacementEchoesInheritedValuesWithoutStoringThem_I11) {
  settle(s1, one);
  must(base(s1, "editor", {states("acme/alpha", false)}));
  const auto last = sequence();
  EXPECT_EQ(show(service->replace(s1, alpha, {{Scope::global, false}}, "t")), "off global=off");
  EXPECT_EQ(show(service->replace(s1, beta, {{Scope::global, true}}, "t")), "on");
  EXPECT_EQ(history(last), Names{});
  storeGlobal(alpha, true);
  must(service->replace(s1, alpha, {{Scope::session, false}, {Scope::global, true}}, "t"));
  EXPECT_EQ(stored(), (Names{"global acme/alpha on", "session s1 acme/alpha off"}));
}

TEST_F(Writing, StoresOnlyAnOnThatDiffersFromWhatIsInherited_I11) {
  settle(s1, one);
  EXPECT_EQ(set(s1, alpha, Scope::session, true), "on");
  must(base(s1, "editor", {states("acme/alpha", false)}));
  EXPECT_EQ(set(s1, alpha, Scope::session, true), "on session=on global=off");
  const Target git = test::server("git", false);
  EXPECT_EQ(set(s1, git, Scope::workspace, true), "on workspace=on global=off");
  EXPECT_EQ(set(s1, git, Scope::session, true), "on workspace=on global=off");
  EXPECT_EQ(set(s1, git, Scope::session, false), "off session=off workspace=on global=off");
  EXPECT_EQ(set(s1, git, Scope::session, true), "on workspace=on global=off");
}

TEST_F(Writing, AnOffIsStoredAlsoWhereItChangesNothingToday_I11) {
  settle(s1, one);
  must(base(s1, "editor", {states("acme/alpha", false)}));
  for (const Scope scope : {Scope::session, Scope::workspace, Scope::global})
    set(s1, alpha, scope, false);
  must(service->removeClientBase(s1, "editor"));
  EXPECT_EQ(ask(s1, alpha), "off session=off workspace=off global=off");
}

TEST_F(Writing, AnOffOfASharedOnIsStoredWhenANeighbourWouldInheritOn_I11) {
  settle(s1, one);
  must(base(s1, "editor", {states("acme/alpha", false)}));
  const auto offOverOn = [&] {
    storeGlobal(alpha, true);
    set(s1, alpha, Scope::global, false);
    const Names left = stored();
    must(service->clearStored(alpha, std::nullopt, "t"));
    return left;
  };
  EXPECT_EQ(offOverOn(), Names{}) << "alone, it inherits off from its client";
  must(service->setTurnActive(s2, false));
  EXPECT_EQ(offOverOn(), Names{"global acme/alpha off"}) << "a neighbour need not be settled";
  must(base(s2, "editor", {states("acme/alpha", false)}));
  EXPECT_EQ(offOverOn(), Names{}) << "its own client says off";
  must(base(s2, "editor", {states("acme/alpha", true)}));
  EXPECT_EQ(offOverOn(), Names{"global acme/alpha off"});
  must(service->closeSession(s2));
  EXPECT_EQ(offOverOn(), Names{}) << "it is no longer known";
}

TEST_F(Writing, OnlyNeighboursInTheFolderMatterToAWorkspaceOff_I11) {
  settle(s1, one);
  settle(s2, two);
  must(base(s1, "editor", {states("acme/alpha", false)}));
  const auto offOverOn = [&] {
    must(service->setStored(alpha, one, true, "t"));
    set(s1, alpha, Scope::workspace, false);
    const Names left = stored();
    must(service->clearStored(alpha, one, "t"));
    return left;
  };
  EXPECT_EQ(offOverOn(), Names{});
  must(service->setWorkingDirectory(s2, one));
  EXPECT_EQ(offOverOn(), Names{"workspace file:///one acme/alpha off"});
  storeGlobal(alpha, false);
  EXPECT_EQ(offOverOn(), Names{"global acme/alpha off"}) << "both inherit the host's off";
}

TEST_F(Writing, ANeighbourInheritsWithTheCallersDiscoveryDefault_I11) {
  settle(s1, one);
  settle(s2, one);
  const Target git = test::server("git", false);
  storeGlobal(git, true);
  EXPECT_EQ(set(s1, git, Scope::global, false), "off global=off");
  EXPECT_EQ(stored(), Names{}) << "for the neighbour, too, the runtime says off";
}

TEST_F(Writing, WithoutASessionWhatIsAskedIsStored_I11) {
  storeGlobal(alpha, true);
  must(service->setStored(alpha, one, true, "t"));
  EXPECT_EQ(stored(), (Names{"global acme/alpha on", "workspace file:///one acme/alpha on"}));
  must(service->clearStored(alpha, std::nullopt, "t"));
  must(service->clearStored(alpha, two, "t"));
  EXPECT_EQ(stored(), Names{"workspace file:///one acme/alpha on"});
  EXPECT_EQ(history(),
            (Names{"set global acme/alpha - on", "set workspace file:///one acme/alpha - on",
                   "clear global acme/alpha on -"}));
  EXPECT_EQ(known(), Names{});
}

TEST_F(Writing, ABatchIsPlannedInOrderEachWriteOnWhatTheOneBeforeLeft_I14) {
  settle(s1, one);
  const std::vector<Write> writes = {{alpha, Set{Scope::global, false}},
                                     {alpha, Set{Scope::session, true}},
                                     {beta, Replace{{{Scope::workspace, false}}}},
                                     {alpha, Clear{Scope::global}}};
  const auto answers = service->batch(s1, writes, "t").value();
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_EQ(show(answers[0]), "on session=on");
  EXPECT_EQ(show(answers[2]), "off workspace=off");
  EXPECT_EQ(show(answers[3]), "on session=on");
  EXPECT_EQ(heard(), std::vector<Names>{{s1}}) << "one event";
}

TEST_F(Writing, APurgeTakesEveryDecisionAboutTheTargetAndNothingElse_I15) {
  settle(s1, one);
  settle(s2, two);
  for (const auto& session : {s1, s2})
    for (const Scope scope : precedence) {
      set(session, alpha, scope, false);
      set(session, db, scope, false);
    }
  must(service->closeSession(s2));
  set(s3, alpha, Scope::workspace, false);
  set(s3, db, Scope::session, false);
  must(base(s1, "editor", {states("acme/alpha", false)}));
  must(service->purge(alpha.key, "t"));
  for (const auto& row : stored()) EXPECT_NE(row.find("#mcp=db"), std::string::npos) << row;
  EXPECT_EQ(stored().size(), 5U);
  EXPECT_EQ(queued(), Names{"s3 session acme/alpha#mcp=db off"});
  EXPECT_EQ(ask(s1, alpha), "off global=off") << "the client's base stays";
}

// --- History -------------------------------------------------------------------------------------

TEST_F(Writing, EveryChangeIsInHistoryWithItsCauseTimeActorAndSession_I13) {
  const auto at = [&](std::int64_t time) { clock.at(time); };
  settle(s1, one);
  at(1), must(service->set(s1, alpha, Scope::global, false, "a"));
  at(2), must(service->set(s1, alpha, Scope::global, true, "b"));
  at(3), must(service->set(s1, alpha, Scope::session, false, "c"));
  at(4), must(service->clear(s1, alpha, Scope::session, "d"));
  at(5), must(service->replace(s1, alpha, {{Scope::workspace, false}}, "e"));
  at(6), must(service->purge(alpha.key, "f"));
  at(7), must(service->setStored(beta, two, true, "g"));
  at(8), must(service->set(s2, beta, Scope::session, false, "h"));
  at(9), must(service->set(s2, beta, Scope::workspace, true, "i"));
  must(service->setWorkingDirectory(s2, none, "j"));
  at(10), must(service->loadSession(s2, "k"));
  at(11), must(service->deleteSession(s2, "l"));
  at(12), must(service->set(s3, db, Scope::session, true, "m"));
  at(13), must(service->deleteSession(s3, "n"));
  const auto all = service->history().value();
  Names rows;
  for (const HistoryEntry& entry : all)
    rows.push_back(std::to_string(entry.at.time_since_epoch().count()) + " " + entry.actor + " [" +
                   entry.session + "] " + show(entry));
  EXPECT_EQ(rows, (Names{"1 a [s1] set global acme/alpha - off",
                         "2 b [s1] redundant global acme/alpha off -",
                         "3 c [s1] set session s1 acme/alpha - off",
                         "4 d [s1] clear session s1 acme/alpha off -",
                         "5 e [s1] replace workspace file:///one acme/alpha - off",
                         "6 f [] purge workspace file:///one acme/alpha off -",
                         "7 g [] set workspace file:///two acme/beta - on",
                         "8 h [s2] queued part s2 session acme/beta off",
                         "9 i [s2] queued part s2 workspace acme/beta on",
                         "9 j [s2] queueDropped part s2 workspace acme/beta on",
                         "10 k [s2] queueApplied session s2 acme/beta - off",
                         "10 k [s2] queueApplied part s2 session acme/beta off",
                         "11 l [s2] sessionDeleted session s2 acme/beta off -",
                         "12 m [s3] queued part s3 session acme/alpha#mcp=db on",
                         "13 n [s3] sessionDeleted part s3 session acme/alpha#mcp=db on"}));
}

TEST_F(Writing, WhatChangesNothingLeavesNoHistory_I13) {
  settle(s1, one);
  set(s1, alpha, Scope::session, false);
  const auto last = sequence();
  set(s1, alpha, Scope::session, false);
  set(s1, beta, Scope::session, true);
  must(service->clear(s1, beta, Scope::global, "t"));
  must(service->clearStored(beta, one, "t"));
  must(service->purge(beta.key, "t"));
  must(service->deleteSession(s2));
  EXPECT_EQ(history(last), Names{});
}

}  // namespace
}  // namespace enablement
