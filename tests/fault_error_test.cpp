// Every single operation on the disk fails: the call fails with the right code, memory equals disk,
// nobody is told anything, and the next call works once the cause is gone (I14).
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault/fault_vfs.h"
#include "fault/scenarios.h"
#include "fault/support.h"
#include "fault/tally.h"

namespace enablement::testing {
namespace {

using ::testing::AnyOf;
using ::testing::AnyOfArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string nameOf(Fault fault, Lasting lasting) {
  const std::string name = fault == Fault::ioError ? "I/O error"
                           : fault == Fault::full  ? "disk full"
                                                   : "short write";
  return name + (lasting == Lasting::once ? "" : " from then on");
}

class FailingDisk : public ::testing::TestWithParam<Scenario> {
 protected:
  void TearDown() override { vfs_.reset(); }

  void SetUp() override {
    before_ = filesBefore(GetParam());
    states_ = statesOf(GetParam(), folder_.path(), before_);
    restart();
    play();
    operations_ = vfs_.operations();
    for (std::size_t number = 1; number <= operations_; ++number)
      names_.push_back(vfs_.operation(number));
    reads_ = vfs_.reads();
    vfs_.reset();
  }

  void restart() {
    service_.reset();
    vfs_.reset();
    restore(folder_.path(), before_);
  }

  void open() {
    service_ = openFor(GetParam(), folder_.path());
    subscription_ = service_->subscribe([this](const Event&) { ++events_; });
  }

  // Without a fault; the service stays open, so that closing it is not counted.
  void play() {
    open();
    for (const Scenario::Call& call : GetParam().calls) (void)call(*service_);
  }

  // The code that an operation's failure must have.
  [[nodiscard]] bool fits(ErrorCode code, Fault fault, std::size_t number) const {
    if (fault == Fault::ioError) return code == ErrorCode::io;
    // Only a write or a system call can say that the disk is full.
    const bool says = names_[number - 1].starts_with("write");
    return code == ErrorCode::full || (!says && code == ErrorCode::io);
  }

  // What the service knows and what its file holds.
  void expectState(std::size_t step) { EXPECT_EQ(pictureOf(*service_), states_[step]); }

  [[nodiscard]] std::vector<std::string> enabledOffs() const { return Offs().enabledIn(*service_); }

  FaultVfs& vfs_ = FaultVfs::get();
  TempFolder folder_;
  FolderCopy before_;
  std::vector<Picture> states_;
  std::size_t operations_ = 0;
  std::vector<std::string> names_;  // of the operations, on a good disk
  std::size_t reads_ = 0;
  int events_ = 0;
  std::unique_ptr<EnablementService> service_;
  Subscription subscription_;
};

class FailingWrites : public FailingDisk {
 protected:
  // Opens the service with a fault to come; tries again without it if it came.
  void openThrough(Fault fault, std::size_t number) {
    open();
    const ServiceStatus status = service_->status();
    if (status.state == ServiceStatus::State::ready) return;
    ASSERT_TRUE(vfs_.hasFired());
    ++refused_;
    EXPECT_TRUE(fits(status.error->code, fault, number)) << describe(*status.error);
    for (const Target& target : scenarioTargets())
      EXPECT_EQ(inWords(service_->resolve(session, target)), "pending(store)");
    vfs_.heal();
    const Status again = service_->refresh();
    ASSERT_TRUE(again) << describe(again.error());
  }

  void callThrough(std::size_t step, Fault fault, std::size_t number) {
    const Scenario::Call& call = GetParam().calls[step];
    events_ = 0;
    const Status done = call(*service_);
    if (done) return;
    ASSERT_TRUE(vfs_.hasFired()) << describe(done.error());
    ++refused_;
    EXPECT_TRUE(fits(done.error().code, fault, number)) << describe(done.error());
    EXPECT_EQ(events_, 0);
    EXPECT_THAT(enabledOffs(), IsEmpty());
    expectState(step + 1);
    vfs_.heal();
    const Status again = call(*service_);
    ASSERT_TRUE(again) << describe(again.error());
  }

  void playThrough(Fault fault, Lasting lasting, std::size_t number) {
    restart();
    SCOPED_TRACE(nameOf(fault, lasting) + " at operation " + std::to_string(number) + ", " +
                 names_[number - 1]);
    vfs_.failAt(number, fault, lasting);
    ASSERT_NO_FATAL_FAILURE(openThrough(fault, number));
    expectState(1);
    for (std::size_t step = 0; step < GetParam().calls.size(); ++step) {
      ASSERT_NO_FATAL_FAILURE(callThrough(step, fault, number)) << "step " << step;
      expectState(step + 2);
    }
    vfs_.heal();
    service_ = openFor(GetParam(), folder_.path());
    EXPECT_EQ(contentOf(*service_), states_.back().stored);
  }

  std::size_t refused_ = 0;
};

TEST_P(FailingWrites, FailTheCallAndChangeNothing_I14) {
  for (const Fault fault : {Fault::ioError, Fault::full, Fault::shortWrite})
    for (const Lasting lasting : {Lasting::once, Lasting::fromThenOn})
      for (std::size_t number = 1; number <= operations_; ++number) {
        Tally& sum = tally(nameOf(fault, lasting));
        const std::size_t before = refused_;
        ASSERT_NO_FATAL_FAILURE(playThrough(fault, lasting, number));
        ++sum.tried;
        if (HasFailure()) return void(++sum.lost);
        ++(refused_ > before ? sum.refused : sum.survived);
      }
  // A fault that reached nobody would prove nothing.
  EXPECT_GT(refused_, operations_ / 2);
}

// The process ends while the disk is broken: what was acknowledged is in the file.
TEST_P(FailingWrites, LoseNothingWhenTheServiceIsClosedOnABrokenDisk_I14) {
  Tally& sum = tally("closed on a broken disk");
  for (std::size_t number = 1; number <= operations_; ++number) {
    restart();
    vfs_.failAt(number, Fault::ioError, Lasting::fromThenOn);
    open();
    std::size_t acknowledged = service_->status().state == ServiceStatus::State::ready ? 1 : 0;
    for (const Scenario::Call& call : GetParam().calls) {
      if (acknowledged == 0 || !call(*service_)) break;
      ++acknowledged;
    }
    service_.reset();
    vfs_.reset();
    const auto content = contentOf(*openFor(GetParam(), folder_.path()));
    // A commit whose sync failed is told to have failed, but a recovery may find it whole.
    std::vector<std::vector<std::string>> allowed{states_[acknowledged].stored};
    if (acknowledged + 1 < states_.size()) allowed.push_back(states_[acknowledged + 1].stored);
    ++sum.tried;
    ++(::testing::Value(content, AnyOfArray(allowed)) ? sum.survived : sum.lost);
    EXPECT_THAT(content, AnyOfArray(allowed)) << names_[number - 1];
  }
}

// A disk that says it has written and has not: nobody can know at once, but nothing that was off is
// ever on without a word.
TEST_P(FailingWrites, TurnNothingOnWhenTheDiskSwallowsThem_I16) {
  Tally& sum = tally("an operation that was swallowed");
  // What no scenario touches.
  const std::string off = "global : " + Offs().global.key.printed() + " off";
  const auto& stored = states_[0].stored;
  const bool wasOff = std::find(stored.begin(), stored.end(), off) != stored.end();
  for (std::size_t number = 1; number <= operations_; ++number) {
    SCOPED_TRACE("operation " + std::to_string(number) + ", " + names_[number - 1]);
    restart();
    vfs_.failAt(number, Fault::swallow, Lasting::once);
    play();
    service_.reset();
    vfs_.reset();
    const auto service = openFor(GetParam(), folder_.path());
    settle(*service);
    ++sum.tried;
    const bool told = service->status().state != ServiceStatus::State::ready;
    EXPECT_FALSE(wasOff && inWords(service->resolve(session, Offs().global)) == "on");
    if (HasFailure()) return void(++sum.lost);
    ++(told ? sum.refused : sum.survived);
  }
}

class FailingReads : public FailingDisk {
 protected:
  // How many steps were acknowledged, and the error that ended them.
  std::pair<std::size_t, std::optional<Error>> playUntilError() {
    open();
    const ServiceStatus status = service_->status();
    if (status.state != ServiceStatus::State::ready) return {0, status.error};
    std::size_t acknowledged = 1;
    for (const Scenario::Call& call : GetParam().calls) {
      const Status done = call(*service_);
      if (!done) return {acknowledged, done.error()};
      ++acknowledged;
    }
    return {acknowledged, std::nullopt};
  }

  void expectPendingOr(const Picture& state) {
    const std::vector<std::string> answers = pictureOf(*service_).answers;
    for (std::size_t i = 0; i < answers.size(); ++i)
      EXPECT_THAT(answers[i], AnyOf(HasSubstr("pending"), state.answers[i]));
  }
};

TEST_P(FailingReads, AreNeverTakenForNoDecisions_I16) {
  Tally& sum = tally("reads that fail");
  std::size_t refused = 0;
  // Of a long recovery every so many reads are enough.
  const std::size_t stride = reads_ / 100 + 1;
  for (const Lasting lasting : {Lasting::once, Lasting::fromThenOn})
    for (std::size_t number = 1; number <= reads_; number += stride) {
      SCOPED_TRACE("read " + std::to_string(number));
      restart();
      vfs_.failReadAt(number, Fault::ioError, lasting);
      const auto [acknowledged, error] = playUntilError();
      if (error) {
        EXPECT_EQ(error->code, ErrorCode::io) << describe(*error);
      }
      expectPendingOr(states_[acknowledged]);
      vfs_.heal();
      EXPECT_EQ(outcome(service_->refresh()), "ok");
      EXPECT_EQ(contentOf(*service_), states_[acknowledged].stored);
      ++sum.tried;
      if (HasFailure()) return void(++sum.lost);
      ++(error ? sum.refused : sum.survived);
      refused += error ? 1 : 0;
    }
  EXPECT_GT(refused, 0U);
}

const auto byName = [](const auto& param) { return param.param.name; };
INSTANTIATE_TEST_SUITE_P(Fault, FailingWrites, ::testing::ValuesIn(scenarios()), byName);
INSTANTIATE_TEST_SUITE_P(Fault, FailingReads, ::testing::ValuesIn(scenarios()), byName);

}  // namespace
}  // namespace enablement::testing
