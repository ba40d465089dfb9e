// The three look-ups and nothing else, on flat hash maps with numbers as keys: whoever asks has
// numbered sessions and targets beforehand.
#pragma once

#include <cstdint>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include <enablement/bench/data.h>
#include <enablement/bench/found.h>

namespace enablement::bench {

class IntegerMaps {
 public:
  explicit IntegerMaps(const DataSet& data) {
    for (std::uint32_t i = 0; i < data.size().sessions; ++i)
      folders_.push_back(data.folderIndexOf(i));
    for (const Decision& decision : data.decisions())
      mapOf(decision.scope).emplace(both(decision.place, decision.target), decision.enabled);
  }

  [[nodiscard]] Found find(std::uint32_t session, std::uint32_t target) const {
    return in(session_, Scope::session, session, target) |
           in(workspace_, Scope::workspace, folders_[session], target) |
           in(global_, Scope::global, 0, target);
  }

 private:
  using Map = absl::flat_hash_map<std::uint64_t, bool>;

  static std::uint64_t both(std::uint32_t place, std::uint32_t target) {
    return std::uint64_t{place} << 32 | target;
  }
  static Found in(const Map& map, Scope scope, std::uint32_t place, std::uint32_t target) {
    const auto it = map.find(both(place, target));
    return it == map.end() ? 0 : found(scope, it->second);
  }
  Map& mapOf(Scope scope) {
    return scope == Scope::session ? session_ : scope == Scope::workspace ? workspace_ : global_;
  }

  std::vector<std::uint32_t> folders_;  // by session
  Map session_;
  Map workspace_;
  Map global_;
};

}  // namespace enablement::bench
