// Several processes on one file: nothing that was acknowledged is lost, resurrected or undone
// (I10, I13, I14, I18).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault/support.h"
#include "places.h"
#include "process/child_process.h"

namespace enablement::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSubsetOf;
using ::testing::Lt;

class Processes : public ::testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<EnablementService> open() const {
    auto service = EnablementService::open(optionsFor(file_));
    settle(*service);
    return service;
  }

  // Another process with a service on the file.
  [[nodiscard]] std::unique_ptr<ChildProcess> serve() const {
    auto other = std::make_unique<ChildProcess>(std::vector<std::string>{"serve", file_.string()});
    EXPECT_EQ(other->hear(), "ready");
    return other;
  }

  [[nodiscard]] std::string integrity(const fs::path& file) const {
    return RawDatabase(file).ask("PRAGMA integrity_check");
  }

  TempFolder folder_;
  fs::path file_ = folder_.path() / "enablement.db";
};

TEST_F(Processes, TwoWritersAndAReaderLoseAndResurrectNothing_I14) {
  { const auto create = open(); }
  constexpr int each = 500;
  ChildProcess first({"write", file_.string(), "acme/first", std::to_string(each)});
  ChildProcess second({"write", file_.string(), "acme/second", std::to_string(each)});
  // What was read once is read from then on.
  const auto reader = open();
  std::size_t seen = 0;
  std::size_t reads = 0;
  std::vector<std::string> before;
  while (seen < std::size_t{2} * each) {
    ASSERT_EQ(outcome(reader->refresh()), "ok");
    std::vector<std::string> now = contentOf(*reader);
    ASSERT_TRUE(std::includes(now.begin(), now.end(), before.begin(), before.end()));
    if (now.size() == seen && first.hasEnded() && second.hasEnded()) break;
    seen = now.size();
    before = std::move(now);
    ++reads;
  }
  const auto busyFirst = first.hear();
  const auto busySecond = second.hear();
  EXPECT_EQ(first.finish(), 0);
  EXPECT_EQ(second.finish(), 0);
  EXPECT_EQ(contentOf(*reader).size(), std::size_t{2} * each);
  EXPECT_EQ(outcome(reader->refresh()), "ok");
  for (const char* name : {"acme/first-", "acme/second-"})
    for (int i = 0; i < each; ++i)
      ASSERT_EQ(inWords(reader->resolve(session, plugin(name + std::to_string(i)))), "off");
  std::printf("%zu reads meanwhile; busy: %s and %s times\n", reads,
              busyFirst.value_or("?").c_str(), busySecond.value_or("?").c_str());
}

TEST_F(Processes, AClearIsNotUndoneByTheNextWriteOfAnother_I10) {
  const auto service = open();
  const Target cleared = plugin("acme/cleared");
  ASSERT_EQ(outcome(service->set(session, cleared, Scope::global, false, actor)), "ok");
  const auto other = serve();
  ASSERT_EQ(other->ask("resolve acme/cleared"), "off");
  ASSERT_EQ(outcome(service->clear(session, cleared, Scope::global, actor)), "ok");
  EXPECT_EQ(other->ask("set acme/written global off"), "ok");
  EXPECT_THAT(contentOf(*service), ElementsAre("global : acme/written off"));
  EXPECT_EQ(other->ask("resolve acme/cleared"), "on");
  EXPECT_EQ(outcome(service->refresh()), "ok");
  EXPECT_EQ(inWords(service->resolve(session, cleared)), "on");
}

TEST_F(Processes, ASetOfTheValueRememberedHereIsNotSkippedWhenAnotherHasChangedIt_I11) {
  const auto service = open();
  const Target target = plugin("acme/changed");
  for (const std::string scope : {"global", "workspace", "session"}) {
    SCOPED_TRACE(scope);
    const Scope at = parseScope(scope).value();
    ASSERT_EQ(outcome(service->set(session, target, at, false, actor)), "ok");
    const auto other = serve();
    ASSERT_EQ(other->ask("clear acme/changed " + scope), "ok");
    ASSERT_EQ(outcome(service->set(session, target, at, false, actor)), "ok");
    EXPECT_EQ(inWords(service->resolve(session, target)), "off");
    EXPECT_THAT(contentOf(*service), Contains(HasSubstr(scope)));
    EXPECT_EQ(other->ask("refresh"), "ok");
    EXPECT_EQ(other->ask("resolve acme/changed"), "off");
    ASSERT_EQ(outcome(service->clear(session, target, at, actor)), "ok");
  }
}

TEST_F(Processes, TwoServicesAndTheCommandLineLoseNothing_I14) {
  const auto service = open();
  const auto other = serve();
  const auto command = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"--db", file_.string(), "-q"});
    return ChildProcess(words, enablectlProgram).finish();
  };
  std::vector<std::string> expected;
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    ASSERT_EQ(
        outcome(service->set(session, plugin("acme/here-" + number), Scope::global, false, actor)),
        "ok");
    ASSERT_EQ(other->ask("set acme/there-" + number + " global off"), "ok");
    ASSERT_EQ(command({"set", "acme/typed-" + number, "off", "--scope", "global"}), 0);
    ASSERT_EQ(command({"set", "acme/gone-" + number, "off", "--scope", "global"}), 0);
    ASSERT_EQ(other->ask("clear acme/gone-" + number + " global"), "ok");
    for (const char* who : {"here-", "there-", "typed-"})
      expected.push_back("global : acme/" + (who + number) + " off");
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(contentOf(*service), expected);
  EXPECT_EQ(outcome(service->refresh()), "ok");
  EXPECT_EQ(inWords(service->resolve(session, plugin("acme/typed-19"))), "off");
  EXPECT_EQ(inWords(service->resolve(session, plugin("acme/gone-19"))), "on");
  EXPECT_EQ(other->ask("refresh"), "ok");
  EXPECT_EQ(other->ask("resolve acme/typed-19"), "off");
}

// Opening a file once more in a process and closing it again drops the process's locks on it,
// unless SQLite does both: then another process would take the write-ahead log away from under us.
TEST_F(Processes, ASecondServiceHereThatComesAndGoesDoesNotGiveAwayTheLocks_I14) {
  const auto service = open();
  ASSERT_EQ(outcome(service->set(session, plugin("acme/first"), Scope::global, false, actor)),
            "ok");
  for (const Access access : {Access::look, Access::existing, Access::readWrite}) {
    ServiceOptions options = optionsFor(file_);
    options.access = access;
    const auto second = EnablementService::open(options);
    ASSERT_EQ(second->status().state, ServiceStatus::State::ready);
  }
  ASSERT_EQ(outcome(service->backup(folder_.path() / "copy")), "ok");
  ASSERT_EQ(outcome(service->backup(file_)), "invalidArgument");
  const fs::path log = file_.string() + "-wal";
  const auto before = fileIdOf(log);
  runSql(file_, "SELECT count(*) FROM decision");
  EXPECT_EQ(fileIdOf(log), before);
  ASSERT_EQ(outcome(service->set(session, plugin("acme/second"), Scope::global, false, actor)),
            "ok");
  EXPECT_EQ(serve()->ask("resolve acme/second"), "off");
}

// From the other process's acknowledgement to the announcement here.
TEST_F(Processes, AWatcherTellsOfAnothersChangeWithin100Milliseconds_I18) {
  const auto service = open();
  const auto other = serve();
  const Target target = plugin("acme/watched");
  std::atomic<int> events{0};
  std::atomic<int> mistaken{0};
  std::atomic<bool> expected{false};
  const auto subscription = service->subscribe([&](const Event& event) {
    const bool right = event.origin == Event::Origin::anotherProcess &&
                       event.sessions == std::vector<std::string>{std::string(session)} &&
                       inWords(service->resolve(session, target)) == (expected ? "on" : "off");
    if (!right) ++mistaken;
    ++events;
  });
  service->watch();
  std::vector<milliseconds> took;
  for (int i = 1; i <= 50; ++i) {
    expected = i % 2 == 0;
    const std::string ask = expected ? "clear acme/watched global" : "set acme/watched global off";
    ASSERT_EQ(other->ask(ask), "ok");
    const auto start = steady_clock::now();
    ASSERT_TRUE(eventually([&] { return events >= i; }));
    took.push_back(std::chrono::duration_cast<milliseconds>(steady_clock::now() - start));
  }
  std::sort(took.begin(), took.end());
  std::printf("announced after %d ms (median), %d ms at the most\n",
              static_cast<int>(took[took.size() / 2].count()),
              static_cast<int>(took.back().count()));
  EXPECT_EQ(events, 50);
  EXPECT_EQ(mistaken, 0);
  EXPECT_THAT(took[took.size() / 2], Lt(milliseconds(100)));
  EXPECT_THAT(took.back(), Lt(milliseconds(2000)));
}

TEST_F(Processes, ABackupHoldsEverythingAcknowledgedWhileAnotherGoesOnWriting_I13) {
  const auto service = open();
  ChildProcess other({"write", file_.string(), "acme/meanwhile", "400"});
  for (int i = 0; i < 20; ++i) {
    const Target target = plugin("acme/acknowledged-" + std::to_string(i));
    ASSERT_EQ(outcome(service->set(session, target, Scope::session, false, actor)), "ok");
    // The other's too, as far as it was read here.
    const std::vector<std::string> acknowledged = contentOf(*service);
    const fs::path copy = folder_.path() / ("backup-" + std::to_string(i));
    ASSERT_EQ(outcome(service->backup(copy)), "ok");
    EXPECT_EQ(outcome(service->backup(copy)), "invalidArgument");
    {
      const auto restored = EnablementService::open(optionsFor(copy));
      ASSERT_EQ(restored->status().state, ServiceStatus::State::ready);
      EXPECT_THAT(acknowledged, IsSubsetOf(contentOf(*restored)));
    }
    EXPECT_EQ(integrity(copy), "ok");
  }
  const auto busy = other.hear();
  EXPECT_EQ(other.finish(), 0);
  EXPECT_EQ(contentOf(*service).size(), 420U);
}

}  // namespace
}  // namespace enablement::testing
