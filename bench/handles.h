// Handles and states alone, where EnablementService offers them. Which it does is asked of its
// type, so that the benchmark has these cases from the day they exist, and compiles before.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <enablement/bench/data.h>
#include <enablement/resolver/service.h>

namespace enablement::bench {

template <typename Service>
concept Interns = requires(Service& service, std::string_view session, const Target& target) {
  service.resolve(service.intern(session), service.intern(target));
};

template <typename Service>
concept StatesAlone = requires(const Service& service, std::string_view session,
                               const Target& target) {
  service.ownState(session, target);
};

// The state alone; where there is no such call, the whole answer's.
template <typename Service>
[[nodiscard]] Effective ownState(const Service& service, std::string_view session,
                                 const Target& target) {
  if constexpr (StatesAlone<Service>) {
    return service.ownState(session, target);
  } else {
    return ownAnswer(service.resolve(session, target));
  }
}

// What each look-up asks, as handles.
template <Interns Service>
[[nodiscard]] auto internedLookups(Service& service, const DataSet& data,
                                   const std::vector<Target>& targets) {
  using Session = decltype(service.intern(std::string_view()));
  using Interned = decltype(service.intern(targets.front()));
  std::vector<std::pair<Session, Interned>> lookups;
  lookups.reserve(data.lookups().size());
  for (const Lookup& lookup : data.lookups())
    lookups.emplace_back(service.intern(std::string_view(data.sessions()[lookup.session])),
                         service.intern(targets[lookup.target]));
  return lookups;
}

}  // namespace enablement::bench
