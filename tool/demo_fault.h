// The second part of the demo: the classic fault, which is not there.
#pragma once

#include <cstddef>
#include <string_view>

#include <enablement/resolver/explain.h>
#include <enablement/resolver/service.h>
#include <enablement/schema/error.h>
#include <enablement/tool/console.h>

namespace enablement::tool {

// What is seen of the azure plugin in a session.
struct AzureSeen {
  std::string_view place;  // of the server in the list
  std::size_t skills = 0;
  std::size_t skillsOn = 0;
  Explanation server;
};

// The list of the first run, and that of the second, in which the server has moved.
[[nodiscard]] Result<AzureSeen> seenBefore(const EnablementService& service,
                                           std::string_view session);
[[nodiscard]] Result<AzureSeen> seenLater(const EnablementService& service,
                                          std::string_view session);

void printFault(const Console& console, const AzureSeen& before, const AzureSeen& later,
                bool quiet);

}  // namespace enablement::tool
