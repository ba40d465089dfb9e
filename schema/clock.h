// Time as the store keeps it: UTC, milliseconds since 1970-01-01.
#pragma once

#include <chrono>
#include <functional>

namespace enablement {

using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

// Where "now" comes from. Called under the writer's lock, so it must not call back into the
// service. Tests inject a fake one.
using Clock = std::function<Timestamp()>;

[[nodiscard]] inline Timestamp systemNow() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace enablement
