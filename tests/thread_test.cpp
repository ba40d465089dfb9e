// Any thread may call anything at any time: answers are always right, events arrive one at a time,
// and nothing deadlocks (I6, I14, I15, I17). Meant for the thread sanitizer.
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault/support.h"

namespace enablement::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::IsEmpty;

class Threads : public ::testing::Test {
 protected:
  void SetUp() override {
    offs_.store(file_);
    service_ = EnablementService::open(optionsFor(file_));
    settle(*service_);
  }

  Offs offs_;
  TempFolder folder_;
  fs::path file_ = folder_.path() / "enablement.db";
  std::unique_ptr<EnablementService> service_;
};

// Everything at once for as long as the writers take.
class Bustle {
 public:
  Bustle(EnablementService& service, const Offs& offs) : service_(service), offs_(offs) {}

  void run() {
    std::vector<std::thread> others;
    for (int i = 0; i < 8; ++i) others.emplace_back([this] { read(); });
    others.emplace_back([this] { openAndCloseSessions(); });
    others.emplace_back([this] { loadAndDelete(); });
    {
      std::vector<std::thread> writers;
      for (int i = 0; i < 2; ++i) writers.emplace_back([this, i] { write(i); });
      for (std::thread& writer : writers) writer.join();
    }
    done_ = true;
    for (std::thread& other : others) other.join();
  }

  std::atomic<int> wrong{0};
  std::atomic<int> answers{0};

 private:
#ifdef __SANITIZE_THREAD__
  static constexpr int rounds = 12;
#else
  static constexpr int rounds = 300;
#endif

  void expectOk(const std::string& what) {
    if (what != "ok") ++wrong;
  }

  // What nobody touches is always as it was, and a server's answer is never on under a plugin that
  // is always off.
  void read() {
    const Target child = server("db", offs_.global.key.printed());
    while (!done_) {
      if (!offs_.enabledIn(service_).empty()) ++wrong;
      if (inWords(service_.resolve(session, offs_.undecided)) != "on") ++wrong;
      if (service_.effective(session, child).state != EffectiveState::disabled) ++wrong;
      if (service_.status().state != ServiceStatus::State::ready) ++wrong;
      ++answers;
    }
  }

  void write(int writer) {
    const Target own = plugin("acme/writer-" + std::to_string(writer));
    for (int i = 0; i < rounds; ++i) {
      expectOk(outcome(service_.set(session, own, Scope::global, false, actor)));
      if (inWords(service_.resolve(session, own)) != "off") ++wrong;
      expectOk(outcome(service_.clear(session, own, Scope::global, actor)));
      if (inWords(service_.resolve(session, own)) != "on") ++wrong;
    }
    expectOk(outcome(service_.set(session, own, Scope::global, false, actor)));
  }

  void openAndCloseSessions() {
    const std::string here = "ahp://copilot/coming-and-going";
    const std::vector<StatedPlugin> base{{"acme/stated", {{"global", false}}}};
    while (!done_) {
      expectOk(outcome(service_.loadSession(here)));
      expectOk(outcome(service_.setWorkingDirectory(here, directory(folderUri))));
      expectOk(outcome(service_.stateClientBase(here, "window", base)));
      expectOk(outcome(service_.set(here, plugin("acme/going"), Scope::session, false, actor)));
      if (inWords(service_.resolve(here, plugin("acme/stated"))) != "off") ++wrong;
      if (inWords(service_.resolve(here, offs_.workspace)) != "off") ++wrong;
      expectOk(outcome(service_.setTurnActive(here, true)));
      expectOk(outcome(service_.setWorkingDirectory(here, WorkingDirectory::none())));
      expectOk(outcome(service_.setTurnActive(here, false)));
      expectOk(outcome(service_.closeSession(here)));
      if (inWords(service_.resolve(here, offs_.workspace)) != "pending(session)") ++wrong;
    }
  }

  void loadAndDelete() {
    const std::string here = "ahp://copilot/loaded-and-deleted";
    while (!done_) {
      expectOk(outcome(service_.set(here, plugin("acme/deleted"), Scope::session, false, actor)));
      auto loading = service_.loadSessionAsync(here);
      expectOk(outcome(service_.deleteSession(here)));
      const std::string loaded = outcome(loading.get());
      if (loaded != "ok" && loaded != "invalidArgument") ++wrong;
      // Whoever was first, the session is gone now.
      if (inWords(service_.resolve(here, plugin("acme/deleted"))) != "pending(session)") ++wrong;
    }
  }

  EnablementService& service_;
  const Offs& offs_;
  std::atomic<bool> done_{false};
};

TEST_F(Threads, ReadAndWriteAndComeAndGoAllAtOnce_I17) {
  std::atomic<int> inside{0};
  std::atomic<int> nested{0};
  std::atomic<int> events{0};
  std::vector<Subscription> subscriptions;
  for (int i = 0; i < 2; ++i)
    subscriptions.push_back(service_->subscribe([&](const Event& event) {
      if (inside++ != 0 || event.sessions.empty()) ++nested;
      // Listeners call back into the service, some of them to write.
      (void)service_->resolve(session, offs_.global);
      if (++events % 16 == 0)
        (void)service_->set(session, plugin("acme/listener"), Scope::global, events % 32 == 0,
                            actor);
      --inside;
    }));
  service_->watch(milliseconds(1));
  // A second service on the same file: its commits come in through the watcher.
  const auto second = EnablementService::open(optionsFor(file_));
  std::atomic<bool> done{false};
  std::thread elsewhere([&] {
    for (bool on = false; !done; on = !on) {
      (void)second->setStored(plugin("acme/elsewhere"), std::nullopt, on, actor);
      // SQLite's lock is not fair: one that never lets go would starve the others into busy.
      std::this_thread::sleep_for(milliseconds(2));
    }
  });
  Bustle bustle(*service_, offs_);
  bustle.run();
  done = true;
  elsewhere.join();
  EXPECT_EQ(bustle.wrong, 0);
  EXPECT_EQ(nested, 0);
  EXPECT_THAT(bustle.answers.load(), Gt(20));
  EXPECT_THAT(events.load(), Gt(20));
  EXPECT_THAT(offs_.answersOf(*service_), ElementsAre("off", "off", "off", "on"));
  // Memory equals disk, once the last listener that still runs has come back.
  subscriptions.clear();
  const auto again = EnablementService::open(optionsFor(file_));
  settle(*again);
  const auto differing = [&] {
    EXPECT_EQ(outcome(service_->refresh()), "ok");
    EXPECT_EQ(outcome(again->refresh()), "ok");
    std::vector<std::string> names;
    for (const char* name : {"acme/writer-0", "acme/writer-1", "acme/listener", "acme/elsewhere"})
      if (inWords(service_->resolve(session, plugin(name))) !=
          inWords(again->resolve(session, plugin(name))))
        names.emplace_back(name);
    return names;
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!differing().empty() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  EXPECT_THAT(differing(), IsEmpty());
}

// A load is in flight when its session goes: it must bring nothing back.
TEST_F(Threads, ALoadInFlightChangesNothingWhenItsSessionIsClosedOrDeleted_I15) {
  ServiceOptions options = optionsFor(file_);
  const auto service = EnablementService::open(options);
  for (const bool deletes : {false, true}) {
    std::promise<void> started;
    std::promise<void> go;
    auto released = go.get_future();
    // The worker is busy announcing another load, so that ours waits behind it.
    auto subscription = service->subscribe([&, first = true](const Event&) mutable {
      if (!std::exchange(first, false)) return;
      started.set_value();
      released.wait();
    });
    auto before = service->loadSessionAsync(deletes ? "ahp://before-delete" : "ahp://before-close");
    started.get_future().wait();
    auto loading = service->loadSessionAsync(std::string(session));
    EXPECT_EQ(outcome(deletes ? service->deleteSession(session) : service->closeSession(session)),
              "ok");
    go.set_value();
    EXPECT_EQ(outcome(before.get()), "ok");
    EXPECT_EQ(outcome(loading.get()), "invalidArgument");
    EXPECT_EQ(inWords(service->resolve(session, offs_.session)), "pending(session)");
    subscription.reset();
    settle(*service);
    EXPECT_EQ(inWords(service->resolve(session, offs_.session)), deletes ? "on" : "off");
    EXPECT_EQ(outcome(service->closeSession(session)), "ok");
  }
}

// A load that is asked for after the session was closed is a new one.
TEST_F(Threads, ALoadAfterACloseIsNotHeldBackByIt_I15) {
  EXPECT_EQ(outcome(service_->closeSession(session)), "ok");
  auto loading = service_->loadSessionAsync(std::string(session));
  EXPECT_EQ(outcome(loading.get()), "ok");
  EXPECT_EQ(outcome(service_->setWorkingDirectory(session, directory(folderUri))), "ok");
  EXPECT_THAT(offs_.answersOf(*service_), ElementsAre("off", "off", "off", "on"));
}

TEST_F(Threads, EveryLoadIsAnsweredWhenTheServiceIsClosedMeanwhile_I15) {
  service_->watch(milliseconds(1));
  std::vector<std::future<Status>> loads;
  for (int i = 0; i < 50; ++i)
    loads.push_back(service_->loadSessionAsync("ahp://copilot/" + std::to_string(i)));
  std::thread closer([&] { service_->close(); });
  loads.push_back(service_->loadSessionAsync("ahp://copilot/late"));
  closer.join();
  loads.push_back(service_->loadSessionAsync("ahp://copilot/later"));
  for (auto& load : loads) EXPECT_THAT(outcome(load.get()), AnyOf("ok", "invalidArgument"));
  EXPECT_EQ(service_->status().state, ServiceStatus::State::closed);
  EXPECT_THAT(offs_.enabledIn(*service_), IsEmpty());
}

// From inside a callback, on the service's own thread or another, the service can be closed.
TEST_F(Threads, AListenerMayCloseTheService_I17) {
  std::atomic<int> events{0};
  const auto subscription = service_->subscribe([&](const Event&) {
    ++events;
    service_->close();
  });
  auto loading = service_->loadSessionAsync("ahp://copilot/the-last");
  EXPECT_EQ(outcome(loading.get()), "ok");
  ASSERT_TRUE(eventually([&] { return events == 1; }));
  EXPECT_TRUE(eventually([&] { return service_->status().state == ServiceStatus::State::closed; }));
  EXPECT_EQ(outcome(service_->set(session, offs_.undecided, Scope::global, false, actor)),
            "invalidArgument");
  EXPECT_EQ(events, 1);
}

}  // namespace
}  // namespace enablement::testing
