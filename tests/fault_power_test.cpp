// The power goes after every single operation on the disk: what was acknowledged is there, and what
// was not is whole or not there at all (I13, I14, I16).
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fault/fault_vfs.h"
#include "fault/scenarios.h"
#include "fault/support.h"
#include "fault/tally.h"

namespace enablement::testing {
namespace {

// Nothing that was not synced, all of it, and some arbitrary parts.
std::vector<Survivors> ways() {
  std::vector<Survivors> all{{Survivors::Kind::none}, {Survivors::Kind::all}};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) all.push_back({Survivors::Kind::some, seed});
  return all;
}

std::string inWords(Survivors survivors) {
  if (survivors.kind == Survivors::Kind::none) return "nothing unsynced survived";
  if (survivors.kind == Survivors::Kind::all) return "everything survived";
  return "some survived, seed " + std::to_string(survivors.seed);
}

std::string integrityOf(const fs::path& file) {
  try {
    return RawDatabase(file).ask("PRAGMA integrity_check");
  } catch (const std::exception& exception) {
    return exception.what();
  }
}

class PowerCut : public ::testing::Test {
 protected:
  void TearDown() override { vfs_.reset(); }

  // Plays the scenario until the power goes; how many steps were acknowledged before.
  std::size_t playUntilDark(const Scenario& scenario) {
    std::size_t acknowledged = 0;
    const auto service = openFor(scenario, folder_.path());
    const bool opened = service->status().state == ServiceStatus::State::ready;
    if (vfs_.isPowerOut() || !opened) return acknowledged;
    ++acknowledged;
    for (const Scenario::Call& call : scenario.calls) {
      const Status done = call(*service);
      if (vfs_.isPowerOut() || !done) return acknowledged;
      ++acknowledged;
    }
    return acknowledged;
  }

  std::size_t operationsOf(const Scenario& scenario, const FolderCopy& before) {
    restore(folder_.path(), before);
    vfs_.reset();
    playUntilDark(scenario);
    return vfs_.operations();
  }

  // What is left when the power goes after an operation, and how many steps had been acknowledged.
  std::pair<Wreck, std::size_t> cutAfter(std::size_t number, const Scenario& scenario,
                                         const FolderCopy& before) {
    restore(folder_.path(), before);
    vfs_.reset();
    vfs_.cutPowerAfter(number, folder_.path());
    const std::size_t acknowledged = playUntilDark(scenario);
    EXPECT_TRUE(vfs_.isPowerOut()) << "there was no operation " << number;
    return {vfs_.wreck(), acknowledged};
  }

  void rebuild(const Wreck& wreck, Survivors survivors) {
    vfs_.reset();
    wreck.rebuild(folder_.path(), survivors);
  }

  // Opens what was left over; says what is wrong with it, nothing if nothing is.
  std::string wrongWith(const Scenario& scenario, const std::vector<Picture>& states,
                        std::size_t acknowledged) {
    const auto service = openFor(scenario, folder_.path());
    const ServiceStatus status = service->status();
    if (status.state != ServiceStatus::State::ready)
      return "it is refused: " + (status.error ? describe(*status.error) : "for no reason");
    const auto content = contentOf(*service);
    const bool before = content == states[acknowledged].stored;
    const bool after =
        acknowledged + 1 < states.size() && content == states[acknowledged + 1].stored;
    if (!before && !after) return "it holds " + ::testing::PrintToString(content);
    const auto written = service->setStored(plugin("acme/afterwards"), std::nullopt, false, actor);
    if (!written) return "it cannot be written: " + describe(written.error());
    service->close();
    const std::string integrity = integrityOf(storeIn(folder_.path()));
    return integrity == "ok" ? "" : "its integrity: " + integrity;
  }

  FaultVfs& vfs_ = FaultVfs::get();
  TempFolder folder_;
};

class PowerCutDuring : public PowerCut, public ::testing::WithParamInterface<Scenario> {};

TEST_P(PowerCutDuring, LeavesTheStateBeforeOrTheStateAfter_I14) {
  const Scenario& scenario = GetParam();
  const FolderCopy before = filesBefore(scenario);
  const std::vector<Picture> states = statesOf(scenario, folder_.path(), before);
  const std::size_t operations = operationsOf(scenario, before);
  ASSERT_GT(operations, 2U);
  Tally& sum = tally("power cut");
  for (std::size_t number = 1; number <= operations; ++number) {
    const auto [wreck, acknowledged] = cutAfter(number, scenario, before);
    const std::string where = vfs_.operation(number);
    for (const Survivors survivors : ways()) {
      rebuild(wreck, survivors);
      const std::string wrong = wrongWith(scenario, states, acknowledged);
      ++sum.tried;
      ++(wrong.empty() ? sum.survived : sum.lost);
      ASSERT_EQ(wrong, "") << "after operation " << number << " (" << where << "), "
                           << inWords(survivors) << ", " << acknowledged << " steps acknowledged";
    }
  }
}

// Opening what a power cut left is work on the disk too, and the power can go again.
TEST_P(PowerCutDuring, ASecondCutDuringTheRecoveryLosesNothing_I14) {
  const Scenario& scenario = GetParam();
  const FolderCopy before = filesBefore(scenario);
  const std::vector<Picture> states = statesOf(scenario, folder_.path(), before);
  const std::size_t operations = operationsOf(scenario, before);
  const Scenario reopening{"reopening", nullptr, {}, scenario.adjust};
  Tally& sum = tally("power cut during the recovery");
  for (std::size_t number = 1; number <= operations; number += 2) {
    const auto [wreck, acknowledged] = cutAfter(number, scenario, before);
    rebuild(wreck, {Survivors::Kind::some, number});
    const FolderCopy left = copyOf(folder_.path());
    const std::size_t more = operationsOf(reopening, left);
    for (std::size_t second = 1; second <= more; ++second) {
      rebuild(cutAfter(second, reopening, left).first, {Survivors::Kind::some, second});
      const std::string wrong = wrongWith(scenario, states, acknowledged);
      ++sum.tried;
      ++(wrong.empty() ? sum.survived : sum.lost);
      ASSERT_EQ(wrong, "") << "after operations " << number << " and " << second;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fault, PowerCutDuring, ::testing::ValuesIn(scenarios()),
                         [](const auto& param) { return param.param.name; });

// These tests can fail: on a disk that only says that it has synced, acknowledged decisions go.
TEST_F(PowerCut, IsSeenToLoseDecisionsOnADiskThatLies) {
  const Scenario scenario = scenarios()[2];
  const FolderCopy before = filesBefore(scenario);
  const std::vector<Picture> states = statesOf(scenario, folder_.path(), before);
  restore(folder_.path(), before);
  vfs_.reset();
  playUntilDark(scenario);
  const std::size_t operations = vfs_.operations();
  std::size_t lost = 0;
  for (std::size_t number = 1; number <= operations; ++number) {
    restore(folder_.path(), before);
    vfs_.reset();
    vfs_.swallowSyncs();
    vfs_.cutPowerAfter(number, folder_.path());
    const std::size_t acknowledged = playUntilDark(scenario);
    rebuild(Wreck(vfs_.wreck()), {Survivors::Kind::none});
    if (!wrongWith(scenario, states, acknowledged).empty()) ++lost;
  }
  EXPECT_GT(lost, 0U);
}

}  // namespace
}  // namespace enablement::testing
