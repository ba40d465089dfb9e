#include <enablement/resolver/dispatcher.h>

#include <algorithm>
#include <exception>
#include <utility>

#include <spdlog/spdlog.h>

#include <enablement/schema/log.h>

namespace enablement {
namespace {

void call(const EnablementService::Listener& listener, const Event& event) {
  try {
    listener(event);
  } catch (const std::exception& exception) {
    log()->error("a listener threw: {}", exception.what());
  } catch (...) {
    log()->error("a listener threw something that is no std::exception");
  }
}

}  // namespace

Subscription Dispatcher::subscribe(Listener listener) {
  auto kept = std::make_shared<Listener>(std::move(listener));
  const std::scoped_lock lock(mutex_);
  std::erase_if(listeners_, [](const auto& known) { return known.expired(); });
  listeners_.push_back(kept);
  return Subscription(std::move(kept));
}

bool Dispatcher::isHeard() {
  const std::scoped_lock lock(mutex_);
  return std::any_of(listeners_.begin(), listeners_.end(),
                     [](const auto& known) { return !known.expired(); });
}

void Dispatcher::enqueue(Event event) {
  const std::scoped_lock lock(mutex_);
  if (!closed_) waiting_.push_back(std::move(event));
}

void Dispatcher::deliver() {
  std::unique_lock lock(mutex_);
  if (delivering_) return;
  delivering_ = true;
  while (!waiting_.empty()) {
    const Event event = std::move(waiting_.front());
    waiting_.pop_front();
    const auto known = listeners_;
    lock.unlock();
    for (const auto& candidate : known) {
      // Looked up one by one: an earlier listener may have unsubscribed a later one.
      const auto listener = candidate.lock();
      if (listener && !closed_) call(*listener, event);
    }
    lock.lock();
  }
  delivering_ = false;
}

void Dispatcher::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  waiting_.clear();
}

}  // namespace enablement
