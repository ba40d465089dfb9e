// Bytes of a store's file are flipped at random: never a crash, and what was off is never on
// without an error or a pending (I16). SQLite alone would not notice most of them.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault/support.h"
#include "fault/tally.h"

namespace enablement::testing {
namespace {

using ::testing::IsEmpty;

// A store with some of everything, as a clean stop leaves it.
void storeSomething(const fs::path& file, const Offs& offs) {
  offs.store(file);
  const auto service = EnablementService::open(optionsFor(file));
  settle(*service);
  for (int i = 0; i < 40; ++i) {
    const Target target = server("server-" + std::to_string(i), "https://plugins.example/p");
    const Scope scope = i % 3 == 0 ? Scope::global : i % 3 == 1 ? Scope::workspace : Scope::session;
    ASSERT_EQ(outcome(service->set(session, target, scope, i % 2 == 0, actor)), "ok");
  }
  const Target waiting = plugin("acme/waiting");
  ASSERT_EQ(outcome(service->set("ahp://unsettled", waiting, Scope::session, false, actor)), "ok");
}

// As a killed process leaves it: the three offs are in the file, the rest is in the log.
void leaveSomethingInTheLog(const fs::path& file, const Offs& offs) {
  storeSomething(file, offs);
  inAnotherProcess([&] {
    const auto service = EnablementService::open(optionsFor(file));
    bool written = true;
    for (int i = 0; i < 10 && written; ++i) {
      const Target target = plugin("acme/late-" + std::to_string(i));
      written = service->setStored(target, std::nullopt, false, actor).has_value();
    }
    ::_exit(written ? 0 : 1);  // nothing is closed
  });
}

class FlippedBytes : public ::testing::Test {
 protected:
  // One trial: the files as they were but for one byte of `flipped`. Writes, too, to see that a
  // store that was let in does not fall over.
  void tryFlip(const FolderCopy& good, const std::string& flipped, Tally& sum) {
    FolderCopy files = good;
    const auto damaged = std::find_if(files.begin(), files.end(),
                                      [&](const auto& file) { return file.first == flipped; });
    ASSERT_NE(damaged, files.end());
    const std::size_t position = random_() % damaged->second.size();
    damaged->second[position] ^= static_cast<char>(1 + random_() % 255);
    restore(folder_.path(), files);
    ++sum.tried;
    const auto service = EnablementService::open(optionsFor(file_));
    settle(*service);
    const std::vector<std::string> enabled = offs_.enabledIn(*service);
    EXPECT_THAT(enabled, IsEmpty()) << flipped << " at " << position;
    if (!enabled.empty()) return void(++sum.lost);
    const auto content = contentOf(*service);
    const bool told = service->status().state != ServiceStatus::State::ready ||
                      content.at(0).starts_with("unreadable: ");
    ++(told ? sum.refused : sum.survived);
    shown_ += !told && content != content_ ? 1 : 0;
    (void)service->set(session, offs_.undecided, Scope::global, false, actor);
    EXPECT_THAT(offs_.enabledIn(*service), IsEmpty()) << "after a write";
  }

  // What the good files hold.
  void remember(const FolderCopy& good) {
    restore(folder_.path(), good);
    content_ = contentOf(*EnablementService::open(optionsFor(file_)));
  }

  Offs offs_;
  TempFolder folder_;
  fs::path file_ = folder_.path() / "enablement.db";
  std::mt19937 random_{20260101};
  std::vector<std::string> content_;
  std::size_t shown_ = 0;  // another content was shown, and nothing told
};

TEST_F(FlippedBytes, OfACleanlyClosedFileNeverTurnAnythingOn_I16) {
  storeSomething(file_, offs_);
  const FolderCopy good = copyOf(folder_.path());
  ASSERT_EQ(good.size(), 1U);
  remember(good);
  Tally& sum = tally("a flipped byte in the file");
  for (int i = 0; i < 2'000; ++i) tryFlip(good, "enablement.db", sum);
  // No other decision or queued part came, went or changed either.
  EXPECT_EQ(shown_, 0U);
  // A test that refuses everything, or nothing, would prove nothing.
  EXPECT_GT(sum.refused, 100U);
  EXPECT_GT(sum.survived, 100U);
}

TEST_F(FlippedBytes, OfAFileWithALogBesideItNeverTurnAnythingOn_I16) {
  leaveSomethingInTheLog(file_, offs_);
  const FolderCopy good = copyOf(folder_.path());
  remember(good);
  Tally& sum = tally("a flipped byte in a file with a log");
  for (int i = 0; i < 500; ++i) tryFlip(good, "enablement.db", sum);
  EXPECT_EQ(shown_, 0U);
}

// A log that is damaged ends before the damage: SQLite takes it for one that was not written out.
// Decisions that were in the file stand; those behind the damage are the ones that can go.
TEST_F(FlippedBytes, OfTheLogNeverTurnOnWhatWasInTheFile_I16) {
  leaveSomethingInTheLog(file_, offs_);
  const FolderCopy good = copyOf(folder_.path());
  remember(good);
  Tally& sum = tally("a flipped byte in the log");
  for (int i = 0; i < 500; ++i) tryFlip(good, "enablement.db-wal", sum);
  std::printf("%zu of %zu damaged logs were read up to the damage\n", shown_, sum.tried);
}

}  // namespace
}  // namespace enablement::testing
