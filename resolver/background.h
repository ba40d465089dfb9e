// The one thread that a service has if it is asked to: posted jobs and a periodic one. Internal.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace enablement {

// The thread starts with the first job. Any thread; stop() from the thread itself only tells it to
// end, the destructor then waits.
class Background {
 public:
  using Job = std::function<void()>;

  Background() = default;
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // After stop() the job runs at once, in the calling thread: no posted job is ever forgotten.
  void post(Job job);
  // Runs `job` at this interval from now on, in place of an earlier one.
  void every(std::chrono::milliseconds interval, Job job);
  // Runs what was posted, then ends.
  void stop();

 private:
  void start();
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> posted_;
  Job periodic_;
  std::chrono::milliseconds interval_{0};
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace enablement
