// Answers, and the life of a session: known, loaded, settled, closed, deleted.
#include <functional>
#include <future>
#include <string>
#include <type_traits>
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

class Answers : public test::ServiceTest {};
class Sessions : public test::ServiceTest {};

// --- Answers -------------------------------------------------------------------------------------

// Whether on or off can be had from a value without asking what it is.
template <typename T>
concept ReadableAsBool = std::is_constructible_v<bool, const T&> || requires(const T& value) {
  value.enabled();
};
static_assert(ReadableAsBool<Resolved>);
static_assert(!ReadableAsBool<Pending> && !ReadableAsBool<Resolution>);
static_assert(!ReadableAsBool<Effective> && !ReadableAsBool<EffectiveState>);

TEST_F(Answers, TheMostSpecificDecisionDecidesAndTheListHasThemAll_I6) {
  settle(s1, one);
  EXPECT_EQ(ask(s1, alpha), "on");
  EXPECT_EQ(show(service->set(s1, alpha, Scope::global, false, "t")), "off global=off");
  EXPECT_EQ(show(service->set(s1, alpha, Scope::workspace, true, "t")),
            "on workspace=on global=off");
  EXPECT_EQ(show(service->set(s1, alpha, Scope::session, false, "t")),
            "off session=off workspace=on global=off");
  EXPECT_EQ(ask(s1, db), "on") << "a server's own answer is not its plugin's";
  settle(s2, two);
  EXPECT_EQ(ask(s2, alpha), "off global=off");
  settle(s3, none);
  EXPECT_EQ(ask(s3, alpha), "off global=off");
}

TEST_F(Answers, GlobalIsTheHostsWordElseTheClientsElseTheRuntimes_I6) {
  settle(s1, one);
  const Target git = test::server("git", false);
  EXPECT_EQ(ask(s1, git), "off global=off");
  const Target owned = test::serverOf("acme/alpha", "db", false);
  must(base(s1, "editor", {{"acme/alpha", {}, {{"db", {{"global", true}}}}}}));
  EXPECT_EQ(ask(s1, owned), "on global=on");
  must(service->setStored(owned, std::nullopt, false, "t"));
  EXPECT_EQ(ask(s1, owned), "off global=off");
  EXPECT_EQ(ask(s1, test::server("git")), "on");
}

TEST_F(Answers, AnAnswerThatWasHandedOutNeverChanges_I6) {
  settle(s1, one);
  must(service->set(s1, alpha, Scope::workspace, false, "t"));
  const auto answer = std::get<Resolved>(service->resolve(s1, alpha));
  const std::span<const Layer> list = answer.enablement();
  const std::string* uri = answer.workingDirectory().uri();
  must(service->clear(s1, alpha, Scope::workspace, "t"));
  must(service->set(s1, alpha, Scope::session, true, "t"));
  must(service->setWorkingDirectory(s1, two));
  must(service->closeSession(s1));
  service.reset();
  EXPECT_FALSE(answer.enabled());
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0], (Layer{Scope::workspace, false}));
  EXPECT_EQ(*uri, "file:///one");
}

TEST_F(Answers, PendingSaysWhatIsMissingAndNoFolderIsNotPending_I6) {
  EXPECT_EQ(ask(s1, alpha), "pending(session)");
  must(service->setWorkingDirectory(s1, one));
  EXPECT_EQ(ask(s1, alpha), "pending(session)");
  must(service->setWorkingDirectory(s1, unknown));
  must(service->loadSession(s1));
  EXPECT_EQ(ask(s1, alpha), "pending(workingDirectory)");
  must(service->setWorkingDirectory(s1, none));
  EXPECT_EQ(ask(s1, alpha), "on");
  service->close();
  EXPECT_EQ(ask(s1, alpha), "pending(store)");
}

TEST_F(Answers, PendingIsForgottenAsSoonAsItIsOverAndComesBackWithItsReason_I7) {
  must(service->setStored(alpha, one, false, "t"));
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(ask(s1, alpha), "pending(session)");
    settle(s1, one);
    EXPECT_EQ(ask(s1, alpha), "off workspace=off");
    must(service->setWorkingDirectory(s1, unknown));
    EXPECT_EQ(ask(s1, alpha), "pending(workingDirectory)");
    must(service->setWorkingDirectory(s1, two));
    EXPECT_EQ(ask(s1, alpha), "on");
    must(service->closeSession(s1));
  }
}

TEST_F(Answers, NothingTurnsPendingIntoOn_I7) {
  for (const Scope scope : precedence)
    EXPECT_EQ(show(service->set(s1, alpha, scope, true, "t")), "pending(session)");
  must(base(s1, "editor", {states("acme/alpha", true)}));
  must(service->setTurnActive(s1, true));
  EXPECT_EQ(ask(s1, alpha), "pending(session)");
  EXPECT_EQ(show(service->effective(s1, alpha)), "pending/session");
  must(service->loadSession(s1));
  EXPECT_EQ(ask(s1, alpha), "pending(workingDirectory)");
  EXPECT_EQ(show(service->effective(s1, test::server("git", true))), "pending/workingDirectory");
}

TEST_F(Answers, TheOwningPluginMasksAServersOwnAnswer_I9) {
  EXPECT_EQ(show(service->effective(s1, db)), "pending/session");
  settle(s1, one);
  EXPECT_EQ(show(service->effective(s1, db)), "enabled/default");
  must(service->set(s1, db, Scope::workspace, false, "t"));
  EXPECT_EQ(show(service->effective(s1, db)), "disabled/workspace");
  must(service->set(s1, alpha, Scope::session, false, "t"));
  EXPECT_EQ(show(service->effective(s1, db)), "disabled/container");
  EXPECT_EQ(show(service->effective(s1, alpha)), "disabled/session");
  EXPECT_EQ(ask(s1, db), "off workspace=off") << "a container never rewrites its children";
  must(service->set(s1, alpha, Scope::session, true, "t"));
  must(service->clear(s1, db, Scope::workspace, "t"));
  must(base(s1, "editor", {states("acme/alpha", false)}));
  EXPECT_EQ(show(service->effective(s1, db)), "disabled/container");
  EXPECT_EQ(show(service->effective(s1, test::server("db"))), "enabled/default");
  EXPECT_EQ(show(service->effective(s1, test::serverOf("acme/beta", "db", false))),
            "disabled/global");
}

TEST_F(Answers, TheCascadeIsOneRuleForEveryPairOfAnswers_I9_I20) {
  using enum EffectiveState;
  const auto under = [](EffectiveState own, EffectiveState container) {
    return show(masked({own, EffectiveReason::workspace}, container));
  };
  for (const auto own : {enabled, disabled, EffectiveState::pending})
    EXPECT_EQ(under(own, disabled), "disabled/container");
  for (const auto container : {enabled, EffectiveState::pending}) {
    EXPECT_EQ(under(disabled, container), "disabled/workspace");
    EXPECT_EQ(under(EffectiveState::pending, container), "pending/workspace");
  }
  EXPECT_EQ(under(enabled, enabled), "enabled/workspace");
  EXPECT_EQ(under(enabled, EffectiveState::pending), "pending/container");
}

// --- Sessions ------------------------------------------------------------------------------------

TEST_F(Sessions, AreMadeKnownByASuccessfulCallThatTellsSomethingAndByNoOther_I15) {
  (void)ask(s1, alpha);
  (void)service->effective(s1, alpha);
  must(service->removeClientBase(s1, "editor"));
  must(service->closeSession(s1));
  must(service->deleteSession(s1));
  EXPECT_EQ(known(), Names{});
  const std::vector<std::function<Status()>> calls = {
      [&] { return service->loadSession("a"); },
      [&] { return service->setWorkingDirectory("b", unknown); },
      [&] { return service->setTurnActive("c", false); }, [&] { return base("d", "editor", {}); },
      [&] { return service->set("e", alpha, Scope::session, true, "t").map([](const auto&) {}); }};
  for (const auto& call : calls) must(call());
  EXPECT_EQ(known(), (Names{"a", "b", "c", "d", "e"}));
  must(service->closeSession("b"));
  must(service->deleteSession("d"));
  EXPECT_EQ(known(), (Names{"a", "c", "e"}));
}

TEST_F(Sessions, ARepublishOfAnOlderClientValueTakesNoDecisionAway_I8) {
  settle(s1, one);
  must(base(s1, "editor", {states("acme/alpha", false)}));
  must(service->set(s1, alpha, Scope::global, true, "t"));
  const auto last = sequence();
  for (const bool older : {true, false, true})
    must(base(s1, "editor", {states("acme/alpha", older)}));
  must(base(s1, "editor", {}));
  must(service->removeClientBase(s1, "editor"));
  EXPECT_EQ(stored(), Names{"global acme/alpha on"});
  EXPECT_EQ(history(last), Names{}) << "a base never writes";
}

TEST_F(Sessions, AClientsValuesGoWithItAndOnlyItsOwn_I8) {
  settle(s1, one);
  settle(s2, one);
  must(base(s1, "first", {states("acme/alpha", false)}));
  must(base(s1, "second", {states("acme/alpha", true), states("acme/beta", false)}));
  EXPECT_EQ(ask(s1, alpha), "off global=off");
  EXPECT_EQ(ask(s2, alpha), "on") << "a base belongs to its session";
  must(service->removeClientBase(s1, "first"));
  EXPECT_EQ(ask(s1, alpha), "on global=on");
  EXPECT_EQ(ask(s1, beta), "off global=off");
}

TEST_F(Sessions, ClosingForgetsTheMemoryAndKeepsWhatIsStoredOrQueued_I15) {
  settle(s1, one);
  must(service->set(s1, alpha, Scope::session, false, "t"));
  must(base(s1, "editor", {states("acme/beta", false)}));
  must(service->setWorkingDirectory(s1, unknown));
  must(service->set(s1, db, Scope::session, false, "t"));
  must(service->closeSession(s1));
  EXPECT_EQ(ask(s1, alpha), "pending(session)");
  EXPECT_EQ(stored(), Names{"session s1 acme/alpha off"});
  EXPECT_EQ(queued(), Names{"s1 session acme/alpha#mcp=db off"});
  settle(s1, none);
  EXPECT_EQ(ask(s1, alpha), "off session=off");
  EXPECT_EQ(ask(s1, db), "off session=off");
  EXPECT_EQ(ask(s1, beta), "on") << "the client has to state again";
}

TEST_F(Sessions, DeletingErasesTheSessionsOwnRowsAndNoWiderOnes_I15) {
  settle(s1, one);
  settle(s2, one);
  for (const Scope scope : precedence) must(service->set(s1, alpha, scope, false, "t"));
  must(service->set(s2, alpha, Scope::session, false, "t"));
  must(service->setWorkingDirectory(s1, unknown));
  must(service->set(s1, db, Scope::workspace, false, "t"));
  must(service->deleteSession(s1));
  const Names left = {"global acme/alpha off", "session s2 acme/alpha off",
                      "workspace file:///one acme/alpha off"};
  EXPECT_EQ(stored(), left);
  EXPECT_EQ(queued(), Names{});
  EXPECT_EQ(ask(s1, alpha), "pending(session)");
  settle(s1, two);
  EXPECT_EQ(ask(s1, alpha), "off global=off") << "used again it starts empty";
  must(service->closeSession(s1));
  must(service->deleteSession(s2));
  must(service->deleteSession("never seen"));
  EXPECT_EQ(stored(), (Names{left[0], left[2]}));
}

TEST_F(Sessions, ALoadInFlightBringsNothingBackAfterAClosingOrADeletion_I15) {
  must(service->set(s2, alpha, Scope::session, false, "t"));
  must(service->closeSession(s2));
  // The worker is held up while it announces the first load; the others wait behind it.
  std::promise<void> reached;
  std::promise<void> release;
  const auto gate = service->subscribe([&, first = true](const Event&) mutable {
    if (!std::exchange(first, false)) return;
    reached.set_value();
    release.get_future().wait();
  });
  auto held = service->loadSessionAsync(s1);
  reached.get_future().wait();
  auto closed = service->loadSessionAsync(s2);
  auto deleted = service->loadSessionAsync(s3);
  must(service->closeSession(s2));
  must(service->deleteSession(s3));
  release.set_value();
  EXPECT_EQ(show(held.get()), "done");
  EXPECT_EQ(show(closed.get()), "invalidArgument");
  EXPECT_EQ(show(deleted.get()), "invalidArgument");
  EXPECT_EQ(known(), Names{s1});
  EXPECT_EQ(show(service->loadSessionAsync(s2).get()), "done");
}

TEST_F(Sessions, AfterARestartMemoryIsGoneAndDecisionsAreKept_I15) {
  settle(s1, one);
  for (const Scope scope : precedence) must(service->set(s1, alpha, scope, false, "t"));
  const Names before = stored();
  restart();
  EXPECT_EQ(stored(), before);
  EXPECT_EQ(known(), Names{});
  settle(s1, one);
  EXPECT_EQ(ask(s1, alpha), "off session=off workspace=off global=off");
}

}  // namespace
}  // namespace enablement
