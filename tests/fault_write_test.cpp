// Writes that cannot be done on a store that is open and well: the code says why, nothing changes,
// nobody is told, and the next call works once the cause is gone (I14).
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault/fault_vfs.h"
#include "fault/support.h"
#include "fault/tally.h"
#include "process/child_process.h"

namespace enablement::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Le;

// The three offs and an open, settled service on them.
struct Bench {
  explicit Bench(const fs::path& folder)
      : file(folder / "enablement.db"), options(optionsFor(file)) {
    offs.store(file);
    options.busyTimeout = std::chrono::milliseconds(50);
    FaultVfs::get().reset();
  }
  void open() {
    service = EnablementService::open(options);
    settle(*service);
  }

  Offs offs;
  fs::path file;
  ServiceOptions options;
  std::unique_ptr<EnablementService> service;
  std::unique_ptr<ChildProcess> other;
};

struct Obstacle {
  ErrorCode code;
  void (*put)(Bench&);
  void (*remove)(Bench&);
};

void PrintTo(const Obstacle& obstacle, std::ostream* stream) {
  *stream << name(obstacle.code);
}

void reopen(Bench& bench, std::optional<std::size_t> cap) {
  bench.options.decisionCap = cap;
  bench.service.reset();
  bench.open();
}

const std::vector<Obstacle> obstacles{
    {ErrorCode::full, [](Bench&) { FaultVfs::get().limitBytes(FaultVfs::get().bytes()); },
     [](Bench&) { FaultVfs::get().heal(); }},
    {ErrorCode::io,
     [](Bench&) {
       FaultVfs& vfs = FaultVfs::get();
       vfs.failAt(vfs.operations() + 1, Fault::ioError, Lasting::fromThenOn);
     },
     [](Bench&) { FaultVfs::get().heal(); }},
    {ErrorCode::busy,
     [](Bench& bench) {
       bench.other = std::make_unique<ChildProcess>(
           std::vector<std::string>{"hold", bench.file.string(), "BEGIN IMMEDIATE"});
       ASSERT_EQ(bench.other->hear(), "ready");
     },
     [](Bench& bench) { EXPECT_EQ(bench.other->finish(), 0); }},
    {ErrorCode::limit, [](Bench& bench) { reopen(bench, 3); },
     [](Bench& bench) { reopen(bench, 4); }},
    {ErrorCode::readOnly,
     [](Bench& bench) {
       bench.options.access = Access::look;
       reopen(bench, {});
     },
     [](Bench& bench) {
       bench.options.access = Access::existing;
       reopen(bench, {});
     }},
};

class Writing : public ::testing::TestWithParam<Obstacle> {
 protected:
  void TearDown() override { FaultVfs::get().reset(); }
};

TEST_P(Writing, ThatFailsChangesNothing_I14) {
  const TempFolder folder;
  Bench bench(folder.path());
  const LogCounter log;
  bench.open();
  GetParam().put(bench);
  EnablementService& service = *bench.service;
  const Offs& offs = bench.offs;
  const std::vector<std::string> content = contentOf(service);
  int events = 0;
  auto subscription = service.subscribe([&](const Event&) { ++events; });
  const std::string code(name(GetParam().code));
  const Target& target = offs.undecided;
  const std::vector<Write> two{{offs.global, Set{Scope::global, false}},
                               {target, Set{Scope::global, false}}};
  Tally& sum = tally("writes that cannot be done");
  for (int i = 0; i < 3; ++i) {
    ++sum.tried;
    EXPECT_EQ(outcome(service.set(session, target, Scope::global, false, actor)), code);
    EXPECT_EQ(outcome(service.set(session, target, Scope::workspace, false, actor)), code);
    EXPECT_EQ(outcome(service.replace(session, target, {{Scope::session, false}}, actor)), code);
    EXPECT_EQ(outcome(service.batch(session, two, actor)), code);
    EXPECT_EQ(outcome(service.setStored(target, std::nullopt, false, actor)), code);
    // From a session that nobody knows: it is not known afterwards either.
    EXPECT_EQ(outcome(service.set("ahp://new", target, Scope::global, false, actor)), code);
    EXPECT_EQ(inWords(service.resolve("ahp://new", target)), "pending(session)");
    EXPECT_THAT(offs.answersOf(service), ElementsAre("off", "off", "off", "on"));
    EXPECT_EQ(contentOf(service), content);
    ++(HasFailure() ? sum.lost : sum.refused);
  }
  EXPECT_EQ(events, 0);
  EXPECT_THAT(log.errors(), Le(1U)) << log.text();
  {
    const auto second = EnablementService::open(optionsFor(bench.file));
    settle(*second);
    EXPECT_THAT(offs.answersOf(*second), ElementsAre("off", "off", "off", "on"));
  }

  GetParam().remove(bench);
  subscription = bench.service->subscribe([&](const Event&) { ++events; });
  EXPECT_EQ(outcome(bench.service->set(session, target, Scope::global, false, actor)), "ok");
  EXPECT_THAT(offs.answersOf(*bench.service), ElementsAre("off", "off", "off", "off"));
  EXPECT_EQ(events, 1);
}

INSTANTIATE_TEST_SUITE_P(Fault, Writing, ::testing::ValuesIn(obstacles),
                         [](const auto& param) { return std::string(name(param.param.code)); });

// What a cap refuses is more decisions, not other ones.
TEST(AFullStore, StillTakesChangesAndRemovals_I13) {
  const TempFolder folder;
  Bench bench(folder.path());
  bench.options.decisionCap = 3;
  bench.open();
  EnablementService& service = *bench.service;
  EXPECT_EQ(outcome(service.set(session, bench.offs.global, Scope::global, false, actor)), "ok");
  EXPECT_EQ(outcome(service.clear(session, bench.offs.global, Scope::global, actor)), "ok");
  EXPECT_EQ(outcome(service.set(session, bench.offs.undecided, Scope::global, false, actor)), "ok");
  EXPECT_EQ(outcome(service.set(session, bench.offs.global, Scope::global, false, actor)), "limit");
}

// Really read-only: as a user who is bound by permission bits, which root is not.
struct Permissions {
  std::string name;
  mode_t file;
  mode_t folder;
};

void PrintTo(const Permissions& permissions, std::ostream* stream) {
  *stream << permissions.name;
}

class AReadOnlyStore : public ::testing::TestWithParam<Permissions> {};

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += word + " ";
  return all;
}

TEST_P(AReadOnlyStore, AnswersRightAndRefusesWrites_I14) {
  if (!canBecomeNobody()) GTEST_SKIP() << "only root can become somebody else";
  const TempFolder folder;
  const Bench bench(folder.path());
  const std::string before = readFile(bench.file);
  ASSERT_EQ(::chmod(bench.file.c_str(), GetParam().file), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), GetParam().folder), 0);
  const std::string said = asNobody(folder.path(), [&] {
    const auto service = EnablementService::open(bench.options);
    settle(*service);
    std::string words = joined(bench.offs.answersOf(*service));
    for (int i = 0; i < 3; ++i)
      words +=
          outcome(service->set(session, bench.offs.undecided, Scope::global, false, actor)) + " ";
    words += service->status().readOnly ? "(read-only) " : "(writable) ";
    words += outcome(service->refresh()) + " ";
    return words + joined(bench.offs.answersOf(*service));
  });
  EXPECT_EQ(said, "off off off on readOnly readOnly readOnly (read-only) ok off off off on ");
  EXPECT_EQ(readFile(bench.file), before);
}

INSTANTIATE_TEST_SUITE_P(Fault, AReadOnlyStore,
                         ::testing::Values(Permissions{"AFileThatCannotBeWritten", 0400, 0700},
                                           Permissions{"AFolderThatCannotBeWritten", 0600, 0500},
                                           Permissions{"NeitherFileNorFolder", 0400, 0500}),
                         [](const auto& param) { return param.param.name; });

// A folder that cannot be written, and in the log are decisions that the file does not have yet.
TEST(AReadOnlyStoreWithALog, NeverAnswersFromTheFileAlone_I16) {
  if (!canBecomeNobody()) GTEST_SKIP() << "only root can become somebody else";
  for (const bool sharedMemoryIsLeft : {false, true}) {
    const TempFolder folder;
    const Bench bench(folder.path());
    inAnotherProcess([&] {
      const auto service = EnablementService::open(bench.options);
      const bool written =
          service->setStored(bench.offs.undecided, std::nullopt, false, actor).has_value();
      ::_exit(written ? 0 : 1);  // nothing is closed
    });
    if (!sharedMemoryIsLeft) fs::remove(bench.file.string() + "-shm");
    ASSERT_EQ(::chmod(folder.path().c_str(), 0500), 0);
    const std::string said = asNobody(folder.path(), [&] {
      const auto service = EnablementService::open(bench.options);
      settle(*service);
      return joined(bench.offs.answersOf(*service));
    });
    const std::string pending = "pending(store) ";
    EXPECT_THAT(said, ::testing::AnyOf("off off off off ", pending + pending + pending + pending));
  }
}

// SQLite reads a store whose shared memory it cannot make, but does not write to it.
TEST(AStoreWhoseSharedMemoryIsAFolder, AnswersRightAndRefusesWrites_I14) {
  const TempFolder folder;
  const Bench bench(folder.path());
  const std::string before = readFile(bench.file);
  fs::create_directory(bench.file.string() + "-shm");
  {
    const auto service = EnablementService::open(bench.options);
    settle(*service);
    EXPECT_THAT(bench.offs.answersOf(*service), ElementsAre("off", "off", "off", "on"));
    const auto set = service->set(session, bench.offs.undecided, Scope::global, false, actor);
    EXPECT_EQ(outcome(set), "readOnly");
    EXPECT_THAT(bench.offs.answersOf(*service), ElementsAre("off", "off", "off", "on"));
    EXPECT_THAT(bench.offs.enabledIn(*service), IsEmpty());
  }
  EXPECT_EQ(readFile(bench.file), before);
}

}  // namespace
}  // namespace enablement::testing
