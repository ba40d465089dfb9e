// The fuzz target's corpus, in every build (S2).
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/reduce_input.h"
#include "places.h"

namespace enablement {
namespace {

TEST(ReducerFuzz, FindsNothingInItsCorpus_S2) {
  std::size_t files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(testing::inTests("fuzz/corpus/reduce"))) {
    std::ifstream stream(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_FALSE(bytes.empty()) << file.path();
    EXPECT_NO_THROW(fuzz::reduceInput(bytes)) << file.path();
    ++files;
  }
  EXPECT_GT(files, 10U);
}

}  // namespace
}  // namespace enablement
