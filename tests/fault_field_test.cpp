// Cases from the field: what went wrong elsewhere, each with what has to happen here.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault/fault_vfs.h"
#include "fault/support.h"
#include "fault/tally.h"
#include "process/child_process.h"

namespace enablement::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Not;

class FromTheField : public ::testing::Test {
 protected:
  void SetUp() override {
    offs_.store(file_);
    FaultVfs::get().reset();
  }
  void TearDown() override { FaultVfs::get().reset(); }

  [[nodiscard]] std::unique_ptr<EnablementService> open(milliseconds busyTimeout) const {
    ServiceOptions options = optionsFor(file_);
    options.busyTimeout = busyTimeout;
    return EnablementService::open(options);
  }

  // Another process that holds the file until finish().
  [[nodiscard]] std::unique_ptr<ChildProcess> hold(const std::string& statements) const {
    auto other = std::make_unique<ChildProcess>(
        std::vector<std::string>{"hold", file_.string(), statements});
    EXPECT_EQ(other->hear(), "ready");
    return other;
  }

  Offs offs_;
  TempFolder folder_;
  fs::path file_ = folder_.path() / "enablement.db";
};

TEST_F(FromTheField, AFileWhoseFirst100BytesAreOverwritten) {
  std::string bytes = readFile(file_);
  std::fill_n(bytes.begin(), 100, '\xFF');
  writeFile(file_, bytes);
  {
    const auto service = open(milliseconds(50));
    settle(*service);
    EXPECT_THAT(offs_.answersOf(*service), Each("pending(store)"));
    EXPECT_EQ(outcome(service->set(session, offs_.undecided, Scope::global, true, actor)),
              "corrupt");
    EXPECT_THAT(offs_.answersOf(*service), Each("pending(store)"));
  }
  EXPECT_EQ(readFile(file_), bytes);
}

TEST_F(FromTheField, AReaderThatIsLockedOut) {
  const auto other = hold("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  const auto service = open(milliseconds(50));
  std::vector<std::vector<std::string>> events;
  const auto subscription =
      service->subscribe([&](const Event& event) { events.push_back(event.sessions); });
  EXPECT_EQ(outcome(service->setWorkingDirectory(session, directory(folderUri))), "ok");
  EXPECT_EQ(outcome(service->loadSession(session)), "busy");
  EXPECT_THAT(offs_.answersOf(*service), Each("pending(store)"));
  EXPECT_THAT(events, IsEmpty());
  EXPECT_EQ(other->finish(), 0);
  EXPECT_EQ(outcome(service->loadSession(session)), "ok");
  EXPECT_THAT(offs_.answersOf(*service), ElementsAre("off", "off", "off", "on"));
  EXPECT_THAT(events, ElementsAre(ElementsAre(session)));
}

TEST_F(FromTheField, AFirstCallThatIsAWriteWhileTheFileIsLocked) {
  for (const char* lock : {"BEGIN IMMEDIATE", "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"}) {
    SCOPED_TRACE(lock);
    const std::vector<std::string> content = contentOf(*open(milliseconds(50)));
    const auto other = hold(lock);
    const auto service = open(milliseconds(50));
    EXPECT_EQ(outcome(service->set(session, offs_.undecided, Scope::global, false, actor)), "busy");
    EXPECT_EQ(outcome(service->set(session, offs_.undecided, Scope::session, false, actor)),
              "busy");
    EXPECT_EQ(outcome(service->set(session, offs_.global, Scope::workspace, true, actor)), "busy");
    EXPECT_EQ(other->finish(), 0);
    EXPECT_EQ(outcome(service->refresh()), "ok");
    EXPECT_EQ(contentOf(*service), content);
    settle(*service);
    EXPECT_THAT(offs_.answersOf(*service), ElementsAre("off", "off", "off", "on"));
  }
}

Target longNamed(int number) {
  std::string uri = "https://plugins.example/" + std::to_string(number) + "/";
  return plugin(uri + std::string(200 - uri.size(), 'x'));
}

TEST_F(FromTheField, LongPluginSourcesUntilTheDiskIsFull) {
  FaultVfs& vfs = FaultVfs::get();
  const auto service = open(milliseconds(50));
  settle(*service);
  vfs.limitBytes(vfs.bytes() + 400'000);
  int stored = 0;
  Result<Resolution> last = service->set(session, longNamed(0), Scope::global, false, actor);
  while (last && stored < 5000)
    last = service->set(session, longNamed(++stored), Scope::global, false, actor);
  ASSERT_EQ(outcome(last), "full");
  ASSERT_GT(stored, 10);
  const Target failing = longNamed(stored);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(outcome(service->set(session, failing, Scope::global, false, actor)), "full");

  // As it was, here, in a second service, and in another process.
  const auto isAsItWas = [&](const EnablementService& asked) {
    EXPECT_EQ(inWords(asked.resolve(session, failing)), "on");
    EXPECT_EQ(inWords(asked.resolve(session, longNamed(0))), "off");
    EXPECT_EQ(inWords(asked.resolve(session, longNamed(stored - 1))), "off");
    EXPECT_THAT(contentOf(asked), Not(Contains(HasSubstr(failing.key.printed()))));
    EXPECT_THAT(offs_.answersOf(asked), ElementsAre("off", "off", "off", "on"));
  };
  isAsItWas(*service);
  const auto second = open(milliseconds(50));
  settle(*second);
  isAsItWas(*second);
  ChildProcess third({"serve", file_.string()});
  ASSERT_EQ(third.hear(), "ready");
  EXPECT_EQ(third.ask("resolve " + failing.key.printed()), "on");
  EXPECT_EQ(third.ask("resolve " + longNamed(stored - 1).key.printed()), "off");

  vfs.heal();
  EXPECT_EQ(outcome(service->set(session, failing, Scope::global, false, actor)), "ok");
  EXPECT_EQ(inWords(service->resolve(session, failing)), "off");
  EXPECT_EQ(outcome(second->refresh()), "ok");
  EXPECT_EQ(inWords(second->resolve(session, failing)), "off");
  EXPECT_EQ(third.ask("refresh"), "ok");
  EXPECT_EQ(third.ask("resolve " + failing.key.printed()), "off");
  std::printf("the disk was full after %d decisions\n", stored);
}

TEST_F(FromTheField, AStoreThatIsOpenedToLookOnly) {
  const std::string before = readFile(file_);
  {
    ServiceOptions options = optionsFor(file_);
    options.access = Access::look;
    const auto service = EnablementService::open(options);
    settle(*service);
    for (int i = 0; i < 3; ++i) {
      EXPECT_THAT(offs_.answersOf(*service), ElementsAre("off", "off", "off", "on"));
      EXPECT_EQ(outcome(service->set(session, offs_.undecided, Scope::global, false, actor)),
                "readOnly");
      EXPECT_EQ(outcome(service->clear(session, offs_.global, Scope::global, actor)), "readOnly");
    }
    EXPECT_THAT(offs_.answersOf(*service), ElementsAre("off", "off", "off", "on"));
  }
  EXPECT_EQ(readFile(file_), before);
  EXPECT_EQ(copyOf(folder_.path()).size(), 1U);
}

// How long the slowest answer took that was really waited for. One that merely lost the processor
// says nothing of locks; a thread that waits gives it up of its own accord.
struct Watch {
  milliseconds longest{0};
  long answers = 0;
  long enabled = 0;
};

long timesGivenUp() {
  rusage usage = {};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

Watch resolveUntil(const std::atomic<bool>& done, const EnablementService& service,
                   const Target& target) {
  Watch watch;
  while (!done) {
    const long before = timesGivenUp();
    const auto start = steady_clock::now();
    if (inWords(service.resolve(session, target)) == "on") ++watch.enabled;
    const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
    if (timesGivenUp() != before) watch.longest = std::max(watch.longest, took);
    ++watch.answers;
  }
  return watch;
}

TEST_F(FromTheField, AnotherProcessThatHoldsTheWriteLockForThreeTimeouts) {
  constexpr milliseconds timeout{200};
  const auto service = open(timeout);
  settle(*service);
  const auto other = hold("BEGIN IMMEDIATE; UPDATE decision SET enabled = 1");
  std::atomic<bool> done{false};
  Watch watch;
  std::thread reader([&] { watch = resolveUntil(done, *service, offs_.global); });
  for (int i = 0; i < 3; ++i) {
    const auto start = steady_clock::now();
    EXPECT_EQ(outcome(service->set(session, offs_.undecided, Scope::global, false, actor)), "busy");
    const auto waited = steady_clock::now() - start;
    EXPECT_THAT(waited, Ge(timeout * 9 / 10));
    EXPECT_THAT(waited, Le(timeout * 10));  // a busy machine is no fault
  }
  done = true;
  reader.join();
  EXPECT_EQ(watch.enabled, 0);
  EXPECT_GT(watch.answers, 1000);
  EXPECT_THAT(watch.longest, Le(milliseconds(50)));
  EXPECT_EQ(other->finish(), 0);
  EXPECT_EQ(outcome(service->set(session, offs_.undecided, Scope::global, false, actor)), "ok");
  EXPECT_THAT(offs_.answersOf(*service), ElementsAre("off", "off", "off", "off"));
}

TEST_F(FromTheField, AListenerThatWritesAndStatesItsBaseFromInsideTheCallback) {
  const auto service = open(milliseconds(50));
  settle(*service);
  const Target target = offs_.undecided;
  const std::vector<StatedPlugin> older{{target.key.printed(), {{"global", true}}}};
  ASSERT_EQ(outcome(service->stateClientBase(session, "window", older)), "ok");
  int calls = 0;
  const auto subscription = service->subscribe([&](const Event&) {
    ++calls;
    EXPECT_EQ(outcome(service->stateClientBase(session, "window", older)), "ok");
    EXPECT_EQ(outcome(service->set(session, target, Scope::workspace, false, actor)), "ok");
  });
  EXPECT_EQ(outcome(service->set(session, target, Scope::global, false, actor)), "ok");
  EXPECT_THAT(calls, Le(2));
  EXPECT_EQ(inWords(service->resolve(session, target)), "off");
  EXPECT_THAT(contentOf(*service), Contains("global : acme/undecided off"));
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int cycles = 2'000;
#else
constexpr int cycles = 20'000;
#endif

std::uintmax_t sizeOf(const fs::path& file) {
  std::error_code missing;
  const auto size = fs::file_size(file, missing);
  return missing ? 0 : size;
}

TEST_F(FromTheField, ThousandsOfDecisionsAndTensOfThousandsOfChangesLaterTheOldestOffIsStillOff) {
  const auto service = open(milliseconds(50));
  settle(*service);
  std::vector<Write> writes;
  for (int i = 0; i < 5'000; ++i)
    writes.push_back({plugin("acme/plugin-" + std::to_string(i)), Set{Scope::global, false}});
  ASSERT_EQ(outcome(service->batch(session, writes, actor)), "ok");

  const fs::path log = file_.string() + "-wal";
  const auto measure = [&] { return sizeOf(file_) + sizeOf(log); };
  std::uintmax_t halfway = 0;
  for (int i = 0; i < cycles; ++i) {
    ASSERT_EQ(outcome(service->set(session, offs_.undecided, Scope::global, false, actor)), "ok");
    ASSERT_EQ(outcome(service->clear(session, offs_.undecided, Scope::global, actor)), "ok");
    if (i == cycles * 3 / 4) halfway = measure();
  }
  std::printf("%d cycles: %ju bytes after three quarters, %ju at the end\n", cycles, halfway,
              measure());
  // History is bounded, and so is the log: the last quarter may not add more than a log's worth.
  EXPECT_THAT(measure(), Le(halfway + 6'000'000));
  EXPECT_THAT(offs_.answersOf(*service), ElementsAre("off", "off", "off", "on"));
  const auto again = open(milliseconds(50));
  settle(*again);
  EXPECT_THAT(offs_.answersOf(*again), ElementsAre("off", "off", "off", "on"));
  for (const Write& write : writes)
    ASSERT_EQ(inWords(again->resolve(session, write.target)), "off");
}

}  // namespace
}  // namespace enablement::testing
