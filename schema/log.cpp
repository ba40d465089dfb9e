#include <enablement/schema/log.h>

#include <mutex>

#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>

namespace enablement {

std::shared_ptr<spdlog::logger> log() {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (auto registered = spdlog::get("enablement")) return registered;
  return spdlog::null_logger_mt("enablement");
}

}  // namespace enablement
