// Looking up allocates nothing: the one promise about speed that can be tested.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <enablement/bench/allocations.h>
#include <enablement/bench/data.h>
#include <enablement/bench/handles.h>

namespace enablement::bench {
namespace {

class Allocation : public testing::Test {
 protected:
  // How often all look-ups allocate after a first pass, which may fill what a thread keeps.
  template <typename Ask>
  std::uint64_t allocationsOf(Ask ask) {
    const auto pass = [&] {
      for (std::size_t i = 0; i < data_.lookups().size(); ++i) {
        const auto answer = ask(i);
        asm volatile("" : : "r"(&answer) : "memory");
      }
    };
    pass();
    const std::uint64_t before = allocations();
    pass();
    return allocations() - before;
  }
  [[nodiscard]] std::string_view session(std::size_t i) const {
    return data_.sessions()[data_.lookups()[i].session];
  }
  [[nodiscard]] const Target& target(std::size_t i) const {
    return targets_[data_.lookups()[i].target];
  }
  // Null where the service has no handles yet.
  template <typename Service>
  std::optional<std::uint64_t> allocationsOfHandles(Service& service) {
    if constexpr (Interns<Service>) {
      const auto interned = internedLookups(service, data_, targets_);
      return allocationsOf(
          [&](std::size_t i) { return service.resolve(interned[i].first, interned[i].second); });
    } else {
      return std::nullopt;
    }
  }

  DataSet data_{sizeA};
  std::vector<Target> targets_ = targetsOf(data_);
  std::unique_ptr<EnablementService> service_ = inMemory(data_);
};

TEST_F(Allocation, IsCountedAtAll) {
  EXPECT_GE(allocationsOf([](std::size_t) { return std::string(100, 'x'); }),
            data_.lookups().size());
}

TEST_F(Allocation, TheWholeAnswerTakesNone) {
  EXPECT_EQ(allocationsOf([&](std::size_t i) { return service_->resolve(session(i), target(i)); }),
            0U);
}

TEST_F(Allocation, TheStateAloneTakesNone) {
  EXPECT_EQ(
      allocationsOf([&](std::size_t i) { return ownState(*service_, session(i), target(i)); }), 0U);
}

TEST_F(Allocation, TheEffectiveAnswerTakesNone) {
  EXPECT_EQ(
      allocationsOf([&](std::size_t i) { return service_->effective(session(i), target(i)); }), 0U);
}

TEST_F(Allocation, AnAnswerByHandlesTakesNone) {
  const auto count = allocationsOfHandles(*service_);
  if (!count) GTEST_SKIP() << "no handles yet";
  EXPECT_EQ(*count, 0U);
}

TEST_F(Allocation, APendingAnswerTakesNone) {
  EXPECT_EQ(allocationsOf([&](std::size_t i) {
              return service_->resolve("ahp://copilot/a-session-never-named", target(i));
            }),
            0U);
}

}  // namespace
}  // namespace enablement::bench
