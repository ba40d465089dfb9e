// Announcements: which sessions an event names, when it comes, what a listener may do (I17, I18).
#include <future>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service_fixture.h"

namespace enablement {
namespace {

using test::must;
using test::Names;
using test::show;
using test::states;

using Heard = std::vector<Names>;

class Events : public test::ServiceTest {
 protected:
  // The events of one call.
  template <typename Result>
  Heard of(const Result& result) {
    must(result);
    return heard();
  }
  Result<Resolution> set(const std::string& session, const Target& target, Scope scope,
                         bool enabled) {
    return service->set(session, target, scope, enabled, "t");
  }
  Status store(const Target& target, std::optional<WorkingDirectory> directory, bool enabled) {
    return service->setStored(target, std::move(directory), enabled, "t");
  }
  Heard load(const std::string& session) { return of(service->loadSession(session)); }
  Heard move(const std::string& session, const WorkingDirectory& directory) {
    return of(service->setWorkingDirectory(session, directory));
  }
  Heard turn(const std::string& session, bool active) {
    return of(service->setTurnActive(session, active));
  }
};
class Turns : public Events {};
class Listeners : public Events {};
class Foreign : public Events {};

const Heard silence = {};

// --- Whom an event names -------------------------------------------------------------------------

TEST_F(Events, AGlobalValueNamesEveryKnownSessionSettledOrNot_I17) {
  EXPECT_EQ(of(store(alpha, std::nullopt, false)), silence) << "nobody is known yet";
  settle(s3, none);
  must(service->setTurnActive(s1, false));
  must(service->setWorkingDirectory(s2, one));
  EXPECT_EQ(of(store(alpha, std::nullopt, true)), (Heard{{s1, s2, s3}}));
  EXPECT_EQ(of(store(alpha, std::nullopt, true)), silence) << "the same value again";
  EXPECT_EQ(of(set(s3, alpha, Scope::global, false)), (Heard{{s1, s2, s3}}));
  EXPECT_EQ(of(service->clearStored(alpha, std::nullopt, "t")), (Heard{{s1, s2, s3}}));
}

TEST_F(Events, AWorkspaceValueNamesTheKnownSessionsInTheFolderLoadedOrNot_I17) {
  settle(s1, one);
  must(service->setWorkingDirectory(s2, one));
  settle(s3, two);
  EXPECT_EQ(of(set(s1, alpha, Scope::workspace, false)), (Heard{{s1, s2}}));
  EXPECT_EQ(of(store(alpha, two, false)), Heard{{s3}});
  EXPECT_EQ(of(store(alpha, test::folder("file:///three"), false)), silence);
}

TEST_F(Events, ASessionValueNamesThatSessionIfItIsLoaded_I17) {
  settle(s1, one);
  settle(s2, one);
  EXPECT_EQ(of(set(s1, alpha, Scope::session, false)), Heard{{s1}});
  must(set(s2, alpha, Scope::session, false));
  must(service->closeSession(s2));
  must(service->setWorkingDirectory(s2, two));
  (void)heard();
  EXPECT_EQ(of(service->purge(alpha.key, "t")), Heard{{s1}}) << "s2 is known, not loaded";
  EXPECT_EQ(of(set(s2, beta, Scope::session, false)), silence) << "it was queued";
}

TEST_F(Events, ALoadNamesTheSessionAlsoWhenItStaysPendingOnItsFolder_I17) {
  EXPECT_EQ(load(s1), Heard{{s1}});
  EXPECT_EQ(load(s1), silence);
  EXPECT_EQ(move(s2, one), silence) << "a session that is not loaded";
  EXPECT_EQ(load(s2), Heard{{s2}});
}

TEST_F(Events, AFolderThatIsSettledChangedOrUnsettledNamesALoadedSession_I17) {
  must(service->loadSession(s1));
  (void)heard();
  for (const WorkingDirectory& directory : {one, two, none, unknown, none}) {
    EXPECT_EQ(move(s1, directory), Heard{{s1}});
    EXPECT_EQ(move(s1, directory), silence) << "the same folder again";
  }
  EXPECT_EQ(move(s1, test::folder("file:///one")), Heard{{s1}});
  EXPECT_EQ(move(s1, test::folder("FILE://localhost/one/")), silence) << "another spelling of it";
}

TEST_F(Events, QueuedPartsThatApplyNameThoseTheyReachInTheSameEvent_I17) {
  settle(s2, one);
  must(set(s1, alpha, Scope::workspace, false));
  must(set(s1, alpha, Scope::session, true));
  EXPECT_EQ(move(s1, one), (Heard{{s1, s2}}));
  EXPECT_EQ(load(s1), Heard{{s1}});
  must(set("a", beta, Scope::workspace, false));
  must(service->loadSession("a"));
  (void)heard();
  EXPECT_EQ(move("a", one), (Heard{{"a", s1, s2}}));
}

TEST_F(Events, ABaseNamesASettledSessionThatSeesAnotherValueByIt_I17) {
  settle(s1, one);
  settle(s2, one);
  EXPECT_EQ(of(base(s1, "editor", {states("acme/alpha", false)})), Heard{{s1}});
  EXPECT_EQ(of(base(s1, "editor", {states("acme/alpha", false)})), silence);
  EXPECT_EQ(of(base(s1, "later", {states("acme/alpha", true)})), silence) << "it does not decide";
  EXPECT_EQ(of(base(s1, "editor", {{"acme/alpha"}})), Heard{{s1}});
  EXPECT_EQ(of(service->removeClientBase(s1, "editor")), silence);
  EXPECT_EQ(of(service->removeClientBase(s1, "later")), Heard{{s1}}) << "absent is a value";
  must(store(alpha, std::nullopt, true));
  (void)heard();
  EXPECT_EQ(of(base(s1, "editor", {states("acme/alpha", false)})), silence) << "the host covers it";
  EXPECT_EQ(of(base(s1, "editor", {states("acme/beta", false)})), Heard{{s1}});
  must(service->setWorkingDirectory(s1, unknown));
  (void)heard();
  EXPECT_EQ(of(base(s1, "editor", {})), silence) << "not settled";
}

TEST_F(Events, ClosingAndDeletingNameNobodyEvenWithDecisionsAndAQueue_I17) {
  settle(s1, one);
  settle(s2, one);
  must(set(s1, alpha, Scope::session, false));
  must(service->setWorkingDirectory(s1, unknown));
  must(set(s1, alpha, Scope::workspace, false));
  (void)heard();
  EXPECT_EQ(of(service->closeSession(s2)), silence);
  EXPECT_EQ(of(service->deleteSession(s1)), silence);
}

TEST_F(Events, ThereIsOnePerCallHoweverMuchItChanges_I17) {
  settle(s1, one);
  settle(s2, one);
  EXPECT_EQ(of(service->replace(
                s1, alpha,
                {{Scope::session, true}, {Scope::workspace, false}, {Scope::global, false}}, "t")),
            (Heard{{s1, s2}}));
  const std::vector<Write> writes = {{beta, Set{Scope::session, false}},
                                     {db, Set{Scope::session, false}}};
  EXPECT_EQ(of(service->batch(s1, writes, "t")), Heard{{s1}});
  EXPECT_EQ(of(service->purge(alpha.key, "t")), (Heard{{s1, s2}}));
  EXPECT_EQ(of(service->purge(alpha.key, "t")), silence);
  EXPECT_EQ(of(service->batch(s1, {}, "t")), silence);
}

// --- Turns ---------------------------------------------------------------------------------------

TEST_F(Turns, AMoveDuringATurnIsAnnouncedOnceAtItsEndAlsoWhenItWentBack_I17) {
  settle(s1, one);
  for (const auto& last : {two, one}) {
    EXPECT_EQ(turn(s1, true), silence);
    EXPECT_EQ(move(s1, none), silence);
    EXPECT_EQ(move(s1, unknown), silence);
    EXPECT_EQ(move(s1, last), silence);
    EXPECT_EQ(turn(s1, true), silence) << "it runs already";
    EXPECT_EQ(turn(s1, false), Heard{{s1}});
    EXPECT_EQ(turn(s1, false), silence);
  }
  must(service->setTurnActive(s1, true));
  EXPECT_EQ(turn(s1, false), silence) << "a turn without a move";
  EXPECT_EQ(move(s1, two), Heard{{s1}}) << "no turn runs";
}

TEST_F(Turns, TheNewFolderCountsAtOnceThoughItsAnnouncementWaits_I17) {
  must(store(alpha, two, false));
  settle(s1, one);
  must(service->setTurnActive(s1, true));
  must(service->setWorkingDirectory(s1, two));
  EXPECT_EQ(ask(s1, alpha), "off workspace=off");
}

TEST_F(Turns, OthersAreToldAtOnceOfQueuedPartsThatApplyDuringATurn_I17) {
  settle(s1, one);
  settle(s2, two);
  must(service->setTurnActive(s1, true));
  must(service->setWorkingDirectory(s1, unknown));
  must(set(s1, alpha, Scope::workspace, false));
  EXPECT_EQ(move(s1, two), Heard{{s2}});
  EXPECT_EQ(stored(), Names{"workspace file:///two acme/alpha off"});
  EXPECT_EQ(turn(s1, false), Heard{{s1}});
}

TEST_F(Turns, EventsOfOtherCallsNameTheSessionAtOnceAndDoNotReplaceTheWaitingOne_I17) {
  settle(s1, one);
  must(service->setTurnActive(s1, true));
  EXPECT_EQ(move(s1, two), silence);
  EXPECT_EQ(of(set(s1, alpha, Scope::session, false)), Heard{{s1}});
  EXPECT_EQ(of(store(alpha, two, false)), Heard{{s1}});
  EXPECT_EQ(of(base(s1, "editor", {states("acme/beta", false)})), Heard{{s1}});
  EXPECT_EQ(turn(s1, false), Heard{{s1}});
}

TEST_F(Turns, ClosingOrDeletingTheSessionDropsTheWaitingOne_I17) {
  for (const bool deletes : {false, true}) {
    settle(s1, one);
    must(service->setTurnActive(s1, true));
    EXPECT_EQ(move(s1, two), silence);
    EXPECT_EQ(of(deletes ? service->deleteSession(s1) : service->closeSession(s1)), silence);
    settle(s1, one);
    EXPECT_EQ(turn(s1, false), silence);
  }
}

TEST_F(Turns, ForASessionThatIsNotLoadedNothingWaits_I17) {
  must(service->setTurnActive(s1, true));
  EXPECT_EQ(move(s1, one), silence);
  EXPECT_EQ(load(s1), Heard{{s1}});
  EXPECT_EQ(turn(s1, false), silence);
}

// --- Listeners -----------------------------------------------------------------------------------

TEST_F(Listeners, HearWhenTheNewValueIsCommittedAndCanBeResolved_I17) {
  settle(s1, one);
  Names seen;
  const auto listening = service->subscribe([&](const Event&) {
    seen = stored();
    seen.push_back(ask(s1, alpha));
  });
  must(set(s1, alpha, Scope::session, false));
  EXPECT_EQ(seen, (Names{"session s1 acme/alpha off", "off session=off"}));
}

TEST_F(Listeners, AreCalledOutsideEveryLockSoThatOtherThreadsGetThrough_I17) {
  settle(s1, one);
  std::string answer;
  const auto listening = service->subscribe([&, first = true](const Event&) mutable {
    if (!std::exchange(first, false)) return;
    std::thread([&] { answer = show(set(s1, beta, Scope::session, false)); }).join();
  });
  must(set(s1, alpha, Scope::session, false));
  EXPECT_EQ(answer, "off session=off");
  EXPECT_EQ(heard(), (Heard{{s1}, {s1}}));
}

TEST_F(Listeners, MayWriteAndTheirEventComesAfterTheCurrentOneToEverybody_I17) {
  settle(s1, one);
  settle(s2, two);
  Names order;
  const auto writing = service->subscribe([&](const Event& event) {
    order.push_back("writer hears " + event.sessions.front());
    if (event.sessions.front() == s1) {
      must(set(s2, alpha, Scope::session, false));
      order.emplace_back("writer has written");
    }
  });
  const auto reading = service->subscribe(
      [&](const Event& event) { order.push_back("reader hears " + event.sessions.front()); });
  must(set(s1, alpha, Scope::session, false));
  EXPECT_EQ(order, (Names{"writer hears s1", "writer has written", "reader hears s1",
                          "writer hears s2", "reader hears s2"}));
}

TEST_F(Listeners, WhoThrowsIsLoggedAndTheOthersStillHear_I17) {
  const test::LogCapture log;
  settle(s1, one);
  int calls = 0;
  const auto throwing = service->subscribe([](const Event&) { throw std::runtime_error("mine"); });
  const auto worse = service->subscribe([](const Event&) { throw 7; });
  const auto calm = service->subscribe([&](const Event&) { ++calls; });
  must(set(s1, alpha, Scope::session, false));
  must(set(s1, beta, Scope::session, false));
  EXPECT_EQ(calls, 2) << "and is called again itself";
  using ::testing::HasSubstr;
  EXPECT_THAT(log.lines(), ::testing::ElementsAre(HasSubstr("mine"), HasSubstr("error"),
                                                  HasSubstr("mine"), HasSubstr("error")));
}

TEST_F(Listeners, MayUnsubscribeThemselvesAndOthersInsideACallback_I17) {
  settle(s1, one);
  Names calls;
  Subscription self;
  Subscription other;
  self = service->subscribe([&](const Event&) {
    calls.emplace_back("self");
    self.reset();
    other = Subscription();
  });
  other = service->subscribe([&](const Event&) { calls.emplace_back("other"); });
  must(set(s1, alpha, Scope::session, false));
  must(set(s1, beta, Scope::session, false));
  EXPECT_EQ(calls, Names{"self"});
}

TEST_F(Listeners, MaySubscribeAnotherInsideACallbackWhoHearsTheNextEvent_I17) {
  settle(s1, one);
  int calls = 0;
  Subscription kept;
  Subscription adding = service->subscribe(
      [&](const Event&) { kept = service->subscribe([&](const Event&) { ++calls; }); });
  must(set(s1, alpha, Scope::session, false));
  { const Subscription moved = std::move(adding); }
  calls = 0;
  must(set(s1, beta, Scope::session, false));
  EXPECT_EQ(calls, 1);
}

TEST_F(Listeners, HearNothingAfterAClosingNotEvenWhatWaitsAlready_I17) {
  settle(s1, one);
  const auto closing = service->subscribe([&](const Event&) {
    must(set(s1, beta, Scope::session, false));
    service->close();
  });
  Heard late;
  const auto listening =
      service->subscribe([&](const Event& event) { late.push_back(event.sessions); });
  must(set(s1, alpha, Scope::session, false));
  EXPECT_EQ(late, silence);
  EXPECT_EQ(heard(), Heard{{s1}}) << "it was told before the closing";
  EXPECT_EQ(show(set(s1, alpha, Scope::session, true)), "invalidArgument");
}

TEST_F(Listeners, HearInCommitOrderWhoeverWrites_I17) {
  settle(s1, one);
  settle(s2, two);
  const auto last = sequence();
  const auto write = [&](const Target& target, const WorkingDirectory& directory) {
    for (int i = 0; i < 50; ++i) must(store(target, directory, i % 2 != 0));
  };
  std::thread other([&] { write(alpha, one); });
  write(alpha, two);
  other.join();
  Heard committed;
  for (const std::string& row : history(last))
    committed.push_back({row.find("file:///one") != std::string::npos ? s1 : s2});
  EXPECT_EQ(committed.size(), 100U);
  EXPECT_EQ(heard(), committed);
}

// --- Other processes -----------------------------------------------------------------------------

TEST_F(Foreign, CommitsAreReadAndAnnouncedWithTheNextRefresh_I18) {
  settle(s1, one);
  settle(s2, two);
  const auto other = EnablementService::open(options);
  must(other->setStored(alpha, one, false, "other"));
  must(other->set(s2, beta, Scope::session, false, "other"));
  EXPECT_EQ(ask(s1, alpha), "on");
  must(service->refresh());
  ASSERT_EQ(heardEvents().size(), 1U);
  EXPECT_EQ(heardEvents()[0].origin, Event::Origin::anotherProcess);
  EXPECT_EQ(heard(), (Heard{{s1, s2}}));
  EXPECT_EQ(ask(s1, alpha), "off workspace=off");
  EXPECT_EQ(ask(s2, beta), "off session=off");
  must(service->refresh());
  EXPECT_EQ(heard(), silence);
  must(other->setStored(alpha, test::folder("file:///three"), false, "other"));
  must(other->purge(alpha.key, "other"));
  must(service->refresh());
  EXPECT_EQ(heard(), Heard{{s1}});
  must(other->deleteSession(s2));
  must(service->refresh());
  EXPECT_EQ(heard(), Heard{{s2}});
  EXPECT_EQ(ask(s2, beta), "on");
}

TEST_F(Foreign, CommitsAreSeenByTheNextLoadAndByEveryWrite_I18) {
  settle(s1, one);
  const auto other = EnablementService::open(options);
  must(other->setStored(alpha, std::nullopt, false, "other"));
  must(service->loadSession(s2));
  EXPECT_EQ(ask(s1, alpha), "off global=off");
  must(other->setStored(beta, std::nullopt, false, "other"));
  EXPECT_EQ(show(set(s1, beta, Scope::session, true)), "on session=on global=off")
      << "planned on what is in the file, not on older memory";
  EXPECT_EQ(heardEvents().back().origin, Event::Origin::thisProcess);
  EXPECT_EQ(heard().back(), Names{s1});
}

TEST_F(Foreign, TheWatcherTellsOfThemByItself_I18) {
  settle(s1, one);
  std::promise<std::string> told;
  const auto listening = service->subscribe([&](const Event&) { told.set_value(ask(s1, alpha)); });
  service->watch(std::chrono::milliseconds(2));
  must(EnablementService::open(options)->setStored(alpha, std::nullopt, false, "other"));
  auto answer = told.get_future();
  ASSERT_EQ(answer.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  EXPECT_EQ(answer.get(), "off global=off");
  service->close();  // waits for the listener to return
}

}  // namespace
}  // namespace enablement
