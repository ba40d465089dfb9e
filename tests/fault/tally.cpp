#include "tally.h"

#include <cstdio>
#include <map>

#include <gtest/gtest.h>

namespace enablement::testing {
namespace {

std::map<std::string, Tally>& rows() {
  static std::map<std::string, Tally> all;
  return all;
}

void print(const std::string& name, const Tally& row) {
  std::printf("%-44s %8zu %8zu %9zu %6zu\n", name.c_str(), row.tried, row.refused, row.survived,
              row.lost);
}

class Table : public ::testing::Environment {
 public:
  void TearDown() override {
    if (rows().empty()) return;
    Tally all;
    std::printf("\n%-44s %8s %8s %9s %6s\n", "fault", "tried", "refused", "survived", "lost");
    for (const auto& [name, row] : rows()) {
      print(name, row);
      all.tried += row.tried;
      all.refused += row.refused;
      all.survived += row.survived;
      all.lost += row.lost;
    }
    print("all", all);
    EXPECT_EQ(all.lost, 0U);
  }
};

const auto* const table = ::testing::AddGlobalTestEnvironment(new Table);

}  // namespace

Tally& tally(const std::string& row) {
  return rows()[row];
}

}  // namespace enablement::testing
