#include <enablement/resolver/background.h>

#include <utility>

namespace enablement {

Background::~Background() {
  stop();
}

void Background::post(Job job) {
  {
    const std::scoped_lock lock(mutex_);
    if (!stopping_) {
      posted_.push_back(std::move(job));
      return start();
    }
  }
  job();
}

void Background::every(std::chrono::milliseconds interval, Job job) {
  const std::scoped_lock lock(mutex_);
  interval_ = interval;
  periodic_ = std::move(job);
  start();
}

void Background::start() {
  if (!stopping_ && !thread_.joinable()) thread_ = std::thread([this] { run(); });
  wake_.notify_one();
}

void Background::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    wake_.notify_one();
  }
  if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) thread_.join();
}

void Background::run() {
  auto due = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!stopping_ || !posted_.empty()) {
    Job job;
    if (!posted_.empty()) {
      job = std::move(posted_.front());
      posted_.pop_front();
    } else if (periodic_ && std::chrono::steady_clock::now() >= due) {
      job = periodic_;
      due = std::chrono::steady_clock::now() + interval_;
    } else if (periodic_) {
      wake_.wait_until(lock, due);
      continue;
    } else {
      wake_.wait(lock);
      continue;
    }
    lock.unlock();
    job();
    lock.lock();
  }
}

}  // namespace enablement
