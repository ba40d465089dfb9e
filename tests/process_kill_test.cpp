// A process is killed in the middle of its work: what it had acknowledged is there, and the call
// that it was in is whole or has not happened (I14).
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault/support.h"
#include "process/child_process.h"

namespace enablement::testing {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

// What the child's odd and even replacements leave.
std::vector<std::string> stateAfter(int number) {
  const std::string target = ": acme/alternating ";
  const std::string folder = "workspace " + std::string(folderUri) + target;
  const std::string own = "session " + std::string(session) + target;
  if (number == 0) return {};
  if (number % 2 == 1) return {"global " + target + "off", own + "off", folder + "on"};
  return {own + "on", folder + "off"};
}

TEST(AKilledProcess, LeavesTheStateItAcknowledgedOrTheOneAfter_I14) {
  const TempFolder folder;
  const fs::path file = folder.path() / "enablement.db";
  std::mt19937 random(20260101);
  int between = 0;
  int total = 0;
  for (int round = 0; round < 300; ++round) {
    restore(folder.path(), {});
    int acknowledged = 0;
    {
      ChildProcess child({"alternate", file.string()});
      const int least = static_cast<int>(random() % 6);
      while (acknowledged < least) acknowledged = std::stoi(child.hear().value());
      // A moment of the call that it is in now. From the start on in the first rounds: the file may
      // not be there yet.
      const auto moment =
          steady_clock::now() + microseconds(random() % (least == 0 ? 20'000 : 700));
      while (steady_clock::now() < moment) {
      }
      child.kill();
      for (const std::string& line : child.heardSoFar()) acknowledged = std::stoi(line);
    }
    const auto service = EnablementService::open(optionsFor(file));
    ASSERT_EQ(service->status().state, ServiceStatus::State::ready);
    const std::vector<std::string> content = contentOf(*service);
    if (content != stateAfter(acknowledged)) {
      ASSERT_EQ(content, stateAfter(acknowledged + 1)) << "after " << acknowledged;
      ++between;
    }
    total += acknowledged;
  }
  EXPECT_GT(total, 300);
  std::printf("%d acknowledged replacements, none lost; %d killed between commit and word of it\n",
              total, between);
}

}  // namespace
}  // namespace enablement::testing
