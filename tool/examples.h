// The lists of examples/, which an installed enablectl carries with it.
#pragma once

#include <string_view>

namespace enablement::tool {

[[nodiscard]] std::string_view azureSession();
[[nodiscard]] std::string_view azureSessionLater();

}  // namespace enablement::tool
