// The one logger of the library. Internal: public headers do not show spdlog.
#pragma once

#include <memory>

namespace spdlog {
class logger;
}

namespace enablement {

// The spdlog logger "enablement": the one a daemon registered under that name, or a silent one.
// Any thread.
[[nodiscard]] std::shared_ptr<spdlog::logger> log();

}  // namespace enablement
