// The fuzz targets' corpora, in every build (S2, S4).
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/host_input.h"
#include "fuzz/reduce_input.h"
#include "places.h"

namespace enablement {
namespace {

// How many files there are.
template <typename Input>
std::size_t takeAll(const std::string& corpus, const Input& input) {
  std::size_t files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(testing::inTests("fuzz/corpus/" + corpus))) {
    std::ifstream stream(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_FALSE(bytes.empty()) << file.path();
    EXPECT_NO_THROW(input(bytes)) << file.path();
    ++files;
  }
  return files;
}

TEST(ReducerFuzz, FindsNothingInItsCorpus_S2) {
  EXPECT_GT(takeAll("reduce", fuzz::reduceInput), 10U);
}

TEST(HostFuzz, FindsNothingInItsCorpus_S4) {
  EXPECT_GT(takeAll("host", fuzz::hostInput), 8U);
}

}  // namespace
}  // namespace enablement
