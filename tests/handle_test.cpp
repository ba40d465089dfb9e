// Handles answer as names do, whatever has become of the session or target since they were made.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <enablement/resolver/answer_json.h>
#include <enablement/resolver/testing.h>

#include "service_fixture.h"

namespace enablement {
namespace {

using test::must;

const std::vector<std::string> sessions{"ahp://a", "ahp://b", "ahp://c", "ahp://d"};
const std::vector<std::string> printed{"acme/alpha", "acme/alpha#mcp=db", "mcpServers#search",
                                       "acme/beta"};

Target targetOf(const std::string& text) {
  return Target{TargetKey::parse(text).value()};
}

struct Handles {
  std::vector<SessionHandle> sessions;
  std::vector<Target> targets;
};

Handles handlesOf(const EnablementService& service) {
  Handles handles;
  for (const std::string& session : sessions) handles.sessions.push_back(service.intern(session));
  for (const std::string& text : printed) handles.targets.push_back(service.intern(targetOf(text)));
  return handles;
}

void expectTheSameAnswers(const EnablementService& service, const Handles& handles) {
  for (std::size_t s = 0; s < sessions.size(); ++s) {
    EXPECT_EQ(handles.sessions[s].name(), sessions[s]);
    for (std::size_t t = 0; t < printed.size(); ++t) {
      const Target fresh = targetOf(printed[t]);
      const Resolution byName = service.resolve(sessions[s], fresh);
      EXPECT_EQ(toJson(service.resolve(handles.sessions[s], handles.targets[t])), toJson(byName))
          << sessions[s] << ' ' << printed[t];
      const Effective own = ownAnswer(byName);
      EXPECT_EQ(service.ownState(sessions[s], fresh), own) << sessions[s] << ' ' << printed[t];
      EXPECT_EQ(service.ownState(handles.sessions[s], handles.targets[t]), own);
      EXPECT_EQ(service.effective(handles.sessions[s], handles.targets[t]),
                service.effective(sessions[s], fresh));
    }
  }
}

// Sessions come, go and take each other's places, decisions come and go, clients speak; the handles
// were made at the start, and anew in between.
TEST(Handle, AnswersAsTheNameDoesThroughRandomHistories_I6) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return random() % n; };
    const auto service = testing::openInMemory();
    const Handles early = handlesOf(*service);
    Handles late = early;
    for (int step = 0; step < 60; ++step) {
      const std::string& session = sessions[below(sessions.size())];
      const Target target = targetOf(printed[below(printed.size())]);
      switch (below(9)) {
        case 0:
          must(service->closeSession(session));
          break;
        case 1:
          must(service->deleteSession(session));
          break;
        case 2:
          must(service->setWorkingDirectory(session, WorkingDirectory::none()));
          break;
        case 3:
          must(service->setWorkingDirectory(
              session,
              WorkingDirectory::directory("file:///r" + std::to_string(below(2))).value()));
          break;
        case 4:
          must(service->loadSession(session));
          break;
        case 5: {
          const std::vector<StatedPlugin> plugins{{"acme/alpha", {{"global", false}}, {}}};
          must(service->stateClientBase(session, "window", plugins));
          break;
        }
        case 6:
          late = handlesOf(*service);
          break;
        default:
          // Refused where the session has no folder to decide in.
          (void)service->set(session, target, precedence[below(3)], below(2) == 0, "test");
      }
    }
    expectTheSameAnswers(*service, early);
    expectTheSameAnswers(*service, late);
  }
}

TEST(Handle, OfAnotherServiceIsUnderstood_I6) {
  const auto one = testing::openInMemory();
  const auto other = testing::openInMemory();
  for (const std::string& session : sessions) must(one->loadSession(session));
  must(other->loadSession(sessions[3]));
  must(other->setWorkingDirectory(sessions[3], WorkingDirectory::none()));
  must(other->set(sessions[3], targetOf(printed[0]), Scope::session, false, "test"));
  expectTheSameAnswers(*other, handlesOf(*one));
}

TEST(Handle, OfASessionKeepsNothingKnown_I15) {
  const auto service = testing::openInMemory();
  const SessionHandle handle = service->intern("ahp://a");
  EXPECT_EQ(service->ownState(handle, targetOf(printed[0])),
            (Effective{EffectiveState::pending, EffectiveReason::session}));
  must(service->loadSession("ahp://a"));
  must(service->setWorkingDirectory("ahp://a", WorkingDirectory::none()));
  EXPECT_EQ(service->ownState(handle, targetOf(printed[0])).state, EffectiveState::enabled);
  must(service->closeSession("ahp://a"));
  must(service->loadSession("ahp://b"));  // takes its place
  must(service->setWorkingDirectory("ahp://b", WorkingDirectory::none()));
  EXPECT_EQ(service->ownState(handle, targetOf(printed[0])).state, EffectiveState::pending);
}

}  // namespace
}  // namespace enablement
