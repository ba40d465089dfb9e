// A host beside a service that other threads write to.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <enablement/resolver/gate.h>

#include "session_fixture.h"

namespace enablement::test {
namespace {

TEST(HostThread, EventsOfOtherThreadsWakeItsOwnAndNoneIsLost_S7) {
  HostWorld world;
  std::mutex mutex;
  std::condition_variable woken;
  bool waits = false;
  world.wake = [&] {
    const std::scoped_lock lock(mutex);
    waits = true;
    woken.notify_one();
  };
  world.start();
  ASSERT_NO_FATAL_FAILURE(world.settle(json(R"([
      {"type": "plugin", "id": "p0", "uri": "acme/p0"}, {"type": "plugin", "id": "p1", "uri": "acme/p1"},
      {"type": "plugin", "id": "p2", "uri": "acme/p2"}])")));

  constexpr int writes = 200;
  std::atomic<int> running{3};
  std::vector<std::thread> writers;
  for (int w = 0; w < 3; ++w)
    writers.emplace_back([&, w] {
      const Target target = pluginAt("acme/p" + std::to_string(w));
      for (int i = 0; i < writes; ++i)
        EXPECT_TRUE(world.service->setStored(target, std::nullopt, i % 2 == 0, "writer"));
      --running;
      world.wake();
    });
  while (running > 0) {
    std::unique_lock lock(mutex);
    woken.wait(lock, [&] { return waits; });
    waits = false;
    lock.unlock();
    world.host->tick(world.clock.now());
    world.toggle("p0", ordered_json::array({{{"kind", "session"}, {"enabled", true}}}));
  }
  for (std::thread& writer : writers) writer.join();
  while (world.host->nextDeadline()) world.host->tick(world.clock.now());

  const auto now = gate(*world.service, world.s, world.tree(), {});
  ASSERT_TRUE(now);
  EXPECT_EQ(nlohmann::json(now->customizations()), nlohmann::json(world.tree()));
  for (const char* id : {"p1", "p2"}) EXPECT_EQ(world.shown(id), "global=off") << id;
}

}  // namespace
}  // namespace enablement::test
