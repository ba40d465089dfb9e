// A backup is whole or not there at all, whatever the disk does, and the store itself is never
// touched by it (I13, I14).
#include <memory>
#include <string>
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

class ABackup : public ::testing::Test {
 protected:
  void SetUp() override {
    offs_.store(file_);
    before_ = copyOf(folder_.path());
    // A backup of what is in the write-ahead log as well.
    restart();
    content_ = contentOf(*service_);
    vfs_.reset();
    restart();
    const std::size_t first = vfs_.operations() + 1;
    ASSERT_EQ(outcome(service_->backup(copy_)), "ok");
    first_ = first;
    last_ = vfs_.operations();
    ASSERT_GT(last_, first_);
  }
  void TearDown() override {
    service_.reset();
    vfs_.reset();
  }

  void restart() {
    service_.reset();
    vfs_.reset();
    restore(folder_.path(), before_);
    service_ = EnablementService::open(optionsFor(file_));
    const Target late = plugin("acme/late");
    ASSERT_EQ(outcome(service_->setStored(late, std::nullopt, false, actor)), "ok");
  }

  // Says what is wrong with a store; nothing if nothing is.
  std::string wrongWith(const fs::path& file) {
    const auto opened = EnablementService::open(optionsFor(file));
    if (opened->status().state != ServiceStatus::State::ready)
      return file.string() + " is refused: " + describe(*opened->status().error);
    const auto content = contentOf(*opened);
    return content == content_ ? "" : file.string() + ::testing::PrintToString(content);
  }

  Offs offs_;
  TempFolder folder_;
  fs::path file_ = storeIn(folder_.path());
  fs::path copy_ = folder_.path() / "copy.db";
  FolderCopy before_;
  std::vector<std::string> content_;
  std::size_t first_ = 0;  // operation of the backup
  std::size_t last_ = 0;
  FaultVfs& vfs_ = FaultVfs::get();
  std::unique_ptr<EnablementService> service_;
};

TEST_F(ABackup, IsWholeOrNotThereWhenTheDiskFails_I14) {
  for (const Fault fault : {Fault::ioError, Fault::full, Fault::shortWrite})
    for (std::size_t number = first_; number <= last_; ++number) {
      restart();
      SCOPED_TRACE("operation " + std::to_string(number));
      Tally& sum = tally("a backup on a failing disk");
      ++sum.tried;
      vfs_.failAt(number, fault, Lasting::once);
      const std::string said = outcome(service_->backup(copy_));
      vfs_.heal();
      if (said != "ok") {
        EXPECT_THAT(said, AnyOf("io", "full"));
        EXPECT_EQ(outcome(service_->backup(folder_.path() / "second.db")), "ok");
      }
      EXPECT_EQ(contentOf(*service_), content_);
      service_.reset();
      std::string wrong = wrongWith(file_);
      if (said == "ok" || fs::exists(copy_)) wrong += wrongWith(copy_);
      EXPECT_EQ(wrong, "");
      if (HasFailure()) return void(++sum.lost);
      ++(said == "ok" ? sum.survived : sum.refused);
    }
}

TEST_F(ABackup, IsWholeOrNotThereWhenThePowerGoes_I14) {
  for (std::size_t number = first_; number <= last_; ++number) {
    restart();
    vfs_.cutPowerAfter(number, folder_.path());
    (void)service_->backup(copy_);
    service_.reset();
    ASSERT_TRUE(vfs_.isPowerOut());
    const Wreck wreck = vfs_.wreck();
    for (std::uint64_t seed = 0; seed <= 4; ++seed) {
      SCOPED_TRACE("operation " + std::to_string(number) + ", seed " + std::to_string(seed));
      Tally& sum = tally("power cut during a backup");
      ++sum.tried;
      vfs_.reset();
      wreck.rebuild(folder_.path(),
                    {seed == 0 ? Survivors::Kind::none : Survivors::Kind::some, seed});
      std::string wrong = wrongWith(file_);
      if (fs::exists(copy_)) wrong += wrongWith(copy_);
      EXPECT_EQ(wrong, "");
      if (HasFailure()) return void(++sum.lost);
      ++sum.survived;
    }
  }
}

}  // namespace
}  // namespace enablement::testing
