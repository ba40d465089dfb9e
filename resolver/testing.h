// For the tests of those who link the library: a service without a file, and a clock they move.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include <enablement/resolver/service.h>
#include <enablement/schema/clock.h>

namespace enablement::testing {

// Stands still until it is moved. Copies are the same clock. Any thread.
class FakeClock {
 public:
  explicit FakeClock(Timestamp start = Timestamp(std::chrono::hours(1))) { set(start); }

  void set(Timestamp time) { now_->store(time.time_since_epoch().count()); }
  void advance(std::chrono::milliseconds by) { now_->fetch_add(by.count()); }
  [[nodiscard]] Timestamp now() const { return Timestamp(std::chrono::milliseconds(*now_)); }
  [[nodiscard]] Clock clock() const {
    return [copy = *this] { return copy.now(); };
  }

 private:
  std::shared_ptr<std::atomic<std::int64_t>> now_ = std::make_shared<std::atomic<std::int64_t>>();
};

// A whole service, with rows, queue and history, on a store in memory that ends with it.
[[nodiscard]] inline std::unique_ptr<EnablementService> openInMemory(
    const FakeClock& clock = FakeClock()) {
  return EnablementService::open({.path = {}, .clock = clock.clock()});
}

}  // namespace enablement::testing
