// Delivers events in order, one at a time, outside every lock (I17). Internal.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include <enablement/resolver/service.h>

namespace enablement {

// Any thread. Whoever finds nobody delivering delivers everything that waits; a listener that calls
// back into the service finds itself delivering, so that its event comes after the current one.
class Dispatcher {
 public:
  [[nodiscard]] Subscription subscribe(EnablementService::Listener listener);
  // Whether anybody would hear an event. Who subscribes while it is being made may miss it.
  [[nodiscard]] bool isHeard();
  // In commit order: called under the writer's lock.
  void enqueue(Event event);
  // Called outside every lock.
  void deliver();
  // No event after it.
  void close();

 private:
  using Listener = EnablementService::Listener;

  std::mutex mutex_;
  std::deque<Event> waiting_;
  std::vector<std::weak_ptr<Listener>> listeners_;
  bool delivering_ = false;
  std::atomic<bool> closed_{false};
};

}  // namespace enablement
