// Writes to a session that is not settled: what is stored at once, what waits, and what becomes of
// it (I12).
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service_fixture.h"

namespace enablement {
namespace {

using test::must;
using test::Names;
using test::show;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Queue : public test::ServiceTest {
 protected:
  std::string set(const std::string& session, const Target& target, Scope scope, bool enabled) {
    return show(service->set(session, target, scope, enabled, "t"));
  }
  void clear(const std::string& session, const Target& target, Scope scope) {
    must(service->clear(session, target, scope, "t"));
  }
  // A workspace entry that names a folder.
  void setIn(const std::string& uri, const std::string& session, const Target& target,
             bool enabled) {
    must(service->replace(session, target, {{Scope::workspace, enabled, uri}}, "t"));
  }
};

TEST_F(Queue, TheGlobalPartIsStoredAtOnceAndTheOthersWait_I12) {
  must(service->loadSession(s1));
  EXPECT_EQ(set(s1, alpha, Scope::session, true), "pending(workingDirectory)");
  EXPECT_EQ(set(s1, alpha, Scope::workspace, false), "pending(workingDirectory)");
  EXPECT_EQ(set(s1, alpha, Scope::global, true), "pending(workingDirectory)");
  EXPECT_EQ(
      show(service->replace(s2, beta, {{Scope::session, false}, {Scope::global, false}}, "t")),
      "pending(session)");
  EXPECT_EQ(stored(), (Names{"global acme/alpha on", "global acme/beta off"}))
      << "as asked: what they inherit is not known";
  EXPECT_EQ(queued(), (Names{"s1 session acme/alpha on", "s1 workspace acme/alpha off",
                             "s2 session acme/beta off"}));
}

TEST_F(Queue, TheWorkspacePartIsStoredAtOnceWhereTheFolderIsKnownLoadedOrNot_I12) {
  must(service->setWorkingDirectory(s1, one));
  EXPECT_EQ(set(s1, alpha, Scope::workspace, true), "pending(session)");
  EXPECT_EQ(stored(), Names{"workspace file:///one acme/alpha on"});
  clear(s1, alpha, Scope::workspace);
  EXPECT_EQ(stored(), Names{});
  EXPECT_EQ(queued(), Names{});
}

TEST_F(Queue, AReplacementFromAnUnsettledSessionWritesItsEntriesAndClearsNothing_I11) {
  settle(s1, one);
  must(service->batch(
      s1,
      std::vector<Write>{{alpha, Set{Scope::workspace, false}}, {alpha, Set{Scope::session, true}}},
      "t"));
  must(service->setWorkingDirectory(s1, unknown));
  must(service->replace(s1, alpha, {{Scope::global, true}}, "t"));
  EXPECT_EQ(stored(), (Names{"global acme/alpha on", "session s1 acme/alpha on",
                             "workspace file:///one acme/alpha off"}))
      << "a global on is stored as asked, and nothing is cleared";
  EXPECT_EQ(queued(), Names{});
}

TEST_F(Queue, ThereIsOnePartPerSessionTargetScopeAndFolderAndALaterOneTakesItsPlace_I12) {
  set(s1, alpha, Scope::session, false);
  set(s1, alpha, Scope::workspace, false);
  setIn("file:///one", s1, alpha, false);
  setIn("file:///two", s1, alpha, false);
  set(s2, alpha, Scope::session, false);
  EXPECT_EQ(queued().size(), 5U);
  set(s1, alpha, Scope::session, true);
  clear(s1, alpha, Scope::workspace);
  setIn("FILE://localhost/one/", s1, alpha, true);
  EXPECT_EQ(queued(),
            (Names{"s1 workspace file:///two acme/alpha off", "s1 session acme/alpha on",
                   "s1 workspace acme/alpha clear", "s1 workspace file:///one acme/alpha on",
                   "s2 session acme/alpha off"}));
}

TEST_F(Queue, PartsApplyAsSoonAsTheyCanTheWorkspaceOnesWithTheFolder_I12) {
  set(s1, alpha, Scope::session, true);
  set(s1, alpha, Scope::workspace, false);
  must(service->setWorkingDirectory(s1, one));
  EXPECT_EQ(stored(), Names{"workspace file:///one acme/alpha off"});
  EXPECT_EQ(queued(), Names{"s1 session acme/alpha on"});
  must(service->loadSession(s1));
  EXPECT_EQ(ask(s1, alpha), "on session=on workspace=off");
  EXPECT_EQ(queued(), Names{}) << "a settled session has no queue";
}

TEST_F(Queue, WorkspaceComesBeforeSessionSoThatTheSessionInheritsIt_I12) {
  must(service->loadSession(s1));
  set(s1, alpha, Scope::session, true);
  set(s1, alpha, Scope::workspace, false);
  const auto last = sequence();
  must(service->setWorkingDirectory(s1, one));
  EXPECT_EQ(history(last), (Names{"queueApplied workspace file:///one acme/alpha - off",
                                  "queueApplied part s1 workspace acme/alpha off",
                                  "queueApplied session s1 acme/alpha - on",
                                  "queueApplied part s1 session acme/alpha on"}));
}

TEST_F(Queue, TargetsComeInOrderOfTheirFirstQueueing_I12) {
  set(s1, beta, Scope::session, true);
  set(s1, alpha, Scope::session, false);
  set(s1, db, Scope::session, false);
  set(s1, beta, Scope::session, false);
  const auto last = sequence();
  settle(s1, one);
  EXPECT_THAT(history(last),
              ElementsAre("queueApplied session s1 acme/beta - off", HasSubstr("part"),
                          "queueApplied session s1 acme/alpha - off", HasSubstr("part"),
                          "queueApplied session s1 acme/alpha#mcp=db - off", HasSubstr("part")));
}

TEST_F(Queue, PartsApplyByTheRulesOfAnyWrite_I12_I11) {
  set(s1, alpha, Scope::session, true);
  must(service->setStored(beta, std::nullopt, true, "t"));
  must(base(s1, "editor", {test::states("acme/beta", false)}));
  clear(s1, db, Scope::session);
  const auto last = sequence();
  settle(s1, one);
  EXPECT_EQ(stored(), Names{"global acme/beta on"}) << "on was inherited, off was not there";
  EXPECT_EQ(history(last), (Names{"queueApplied part s1 session acme/alpha on",
                                  "queueApplied part s1 session acme/alpha#mcp=db clear"}));
}

TEST_F(Queue, OfTwoPartsForTheFolderTheLaterOneCounts_I12) {
  setIn("file:///one", s1, alpha, true);
  set(s1, alpha, Scope::workspace, false);
  set(s1, beta, Scope::workspace, false);
  setIn("file:///one", s1, beta, true);
  // Written again, the first one has become the later one.
  set(s1, db, Scope::workspace, true);
  setIn("file:///one", s1, db, false);
  set(s1, db, Scope::workspace, true);
  must(service->setWorkingDirectory(s1, one));
  EXPECT_EQ(stored(),
            (Names{"workspace file:///one acme/alpha off", "workspace file:///one acme/beta on",
                   "workspace file:///one acme/alpha#mcp=db on"}));
  EXPECT_EQ(queued(), Names{});
}

TEST_F(Queue, APartForAnotherFolderIsDroppedRecordedAndReportedOnce_I12) {
  const test::LogCapture log;
  setIn("file:///two", s1, alpha, false);
  setIn("file:///two", s1, beta, true);
  const auto last = sequence();
  settle(s1, one);
  restart();
  settle(s1, one);
  EXPECT_EQ(stored(), Names{});
  EXPECT_EQ(history(last), (Names{"queueDropped part s1 workspace file:///two acme/alpha off",
                                  "queueDropped part s1 workspace file:///two acme/beta on"}));
  EXPECT_THAT(
      log.lines(),
      ElementsAre(AllOf(HasSubstr("s1"), HasSubstr("acme/alpha"), HasSubstr("file:///two")),
                  AllOf(HasSubstr("s1"), HasSubstr("acme/beta"), HasSubstr("file:///two"))));
}

TEST_F(Queue, WithoutAFolderAnOnIsDroppedAndAnOffFallsBackToTheSession_I12) {
  const test::LogCapture log;
  set(s1, alpha, Scope::workspace, true);
  set(s1, beta, Scope::workspace, false);
  const auto last = sequence();
  must(service->setWorkingDirectory(s1, none));
  EXPECT_EQ(queued(), Names{"s1 session acme/beta off"}) << "until the session is settled";
  must(service->loadSession(s1));
  EXPECT_EQ(ask(s1, beta), "off session=off");
  EXPECT_EQ(ask(s1, alpha), "on");
  EXPECT_EQ(history(last), (Names{"queueDropped part s1 workspace acme/alpha on",
                                  "queued part s1 session acme/beta off",
                                  "queueDropped part s1 workspace acme/beta off",
                                  "queueApplied session s1 acme/beta - off",
                                  "queueApplied part s1 session acme/beta off"}));
  EXPECT_THAT(log.lines(), ElementsAre(HasSubstr("acme/alpha"), HasSubstr("acme/beta")));
}

TEST_F(Queue, AnOffThatFallsBackTakesThePlaceOfASessionClearButOfNoOnOrOff_I12) {
  settle(s1, one);
  for (const Target& target : {alpha, beta, db}) set(s1, target, Scope::session, false);
  must(service->setWorkingDirectory(s1, unknown));
  clear(s1, alpha, Scope::session);
  set(s1, beta, Scope::session, true);
  for (const Target& target : {alpha, beta, db}) set(s1, target, Scope::workspace, false);
  set(s1, db, Scope::session, true);
  must(service->setWorkingDirectory(s1, none));
  EXPECT_EQ(stored(), Names{"session s1 acme/alpha off"});
  EXPECT_EQ(queued(), Names{});
}

TEST_F(Queue, AnOffThatFallsBackKeepsItsTargetsPlace_I12) {
  set(s1, alpha, Scope::workspace, false);
  set(s1, beta, Scope::session, false);
  must(service->setWorkingDirectory(s1, none));
  EXPECT_EQ(queued(), (Names{"s1 session acme/alpha off", "s1 session acme/beta off"}));
}

TEST_F(Queue, AClearThatCannotApplyIsDroppedSilently_I12) {
  const test::LogCapture log;
  clear(s1, alpha, Scope::workspace);
  const auto last = sequence();
  settle(s1, none);
  EXPECT_EQ(stored(), Names{});
  EXPECT_EQ(queued(), Names{});
  EXPECT_EQ(history(last), Names{"queueDropped part s1 workspace acme/alpha clear"});
  EXPECT_THAT(log.lines(), IsEmpty());
}

TEST_F(Queue, APartIsKeptWithTheTargetOfTheLastCallThatQueuedAPartOfIt_I12) {
  const auto git = [](std::optional<bool> preset) { return test::server("git", preset); };
  const auto web = [](std::optional<bool> preset) { return test::server("web", preset); };
  set(s1, git({}), Scope::session, true);
  clear(s1, git(false), Scope::workspace);
  set(s1, web(false), Scope::session, true);
  clear(s1, web({}), Scope::workspace);
  restart();
  settle(s1, one);
  EXPECT_EQ(stored(), Names{"session s1 mcpServers#git on"})
      << "git would inherit off by now, web on";
}

TEST_F(Queue, TheQueueOutlivesAClosingAndARestart_I12) {
  set(s1, alpha, Scope::session, false);
  must(service->closeSession(s1));
  set(s2, alpha, Scope::workspace, false);
  restart();
  EXPECT_EQ(queued(), (Names{"s1 session acme/alpha off", "s2 workspace acme/alpha off"}));
  settle(s1, none);
  settle(s2, one);
  EXPECT_EQ(stored(), (Names{"session s1 acme/alpha off", "workspace file:///one acme/alpha off"}));
}

TEST_F(Queue, ALoadThatCannotApplyItFailsAndTheNextOneTriesAgain_I12) {
  set(s1, alpha, Scope::session, false);
  must(service->setWorkingDirectory(s1, one));
  const auto last = sequence();
  {
    const test::OtherWriter other(options.path);
    EXPECT_EQ(show(service->loadSession(s1)), "busy");
  }
  EXPECT_EQ(ask(s1, alpha), "pending(session)");
  EXPECT_EQ(queued(), Names{"s1 session acme/alpha off"});
  EXPECT_EQ(history(last), Names{});
  EXPECT_EQ(heard(), std::vector<Names>{});
  must(service->loadSession(s1));
  EXPECT_EQ(ask(s1, alpha), "off session=off");
  EXPECT_EQ(heard(), std::vector<Names>{{s1}});
}

TEST_F(Queue, AFolderThatCannotBeAppliedForIsNotTakenOnAndTheNextCallTriesAgain_I12) {
  must(service->loadSession(s1));
  set(s1, alpha, Scope::workspace, false);
  (void)heard();
  {
    const test::OtherWriter other(options.path);
    EXPECT_EQ(show(service->setWorkingDirectory(s1, one)), "busy");
  }
  EXPECT_EQ(ask(s1, alpha), "pending(workingDirectory)");
  EXPECT_EQ(stored(), Names{});
  EXPECT_EQ(heard(), std::vector<Names>{});
  must(service->setWorkingDirectory(s1, one));
  EXPECT_EQ(ask(s1, alpha), "off workspace=off");
  EXPECT_EQ(heard(), std::vector<Names>{{s1}});
}

TEST_F(Queue, WhatAnotherProcessQueuesForASettledSessionApplies_I12_I18) {
  settle(s1, one);
  const auto other = EnablementService::open(options);
  must(other->set(s1, alpha, Scope::session, false, "other"));
  must(other->set(s1, beta, Scope::workspace, false, "other"));
  must(service->refresh());
  EXPECT_EQ(queued(), Names{});
  EXPECT_EQ(ask(s1, alpha), "off session=off");
  EXPECT_EQ(ask(s1, beta), "off workspace=off");
  EXPECT_EQ(heard(), std::vector<Names>{{s1}});
}

TEST_F(Queue, WhoOnlyLooksSeesItAppliedAndChangesNothing_I12) {
  set(s1, alpha, Scope::session, false);
  set(s1, beta, Scope::workspace, false);
  service.reset();
  const auto before = folder_.contents();
  options.access = Access::look;
  open();
  settle(s1, one);
  EXPECT_EQ(ask(s1, alpha), "off session=off");
  EXPECT_EQ(ask(s1, beta), "off workspace=off");
  EXPECT_EQ(stored(), Names{});
  EXPECT_EQ(queued().size(), 2U);
  service.reset();
  EXPECT_EQ(folder_.contents(), before);
}

}  // namespace
}  // namespace enablement
