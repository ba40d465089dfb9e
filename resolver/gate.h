// The gate: the one function that every list of customizations passes through before it leaves the
// host (I19).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <enablement/resolver/entry_target.h>
#include <enablement/schema/error.h>
#include <enablement/schema/resolution.h>

namespace enablement {

class EnablementService;
class Gate;

// Where an entry stands: [i] at the top level, [i, j] as a child.
using EntryPosition = std::vector<std::size_t>;

// An entry that has no key. It is published as it came and is off.
struct EntryProblem {
  EntryPosition position;
  ErrorCode code;  // invalidUri or invalidArgument
};

// Whether a list is well-formed: every entry an object with an id and a type, children in lists.
// `invalidArgument` with the position.
[[nodiscard]] Status checkList(const nlohmann::ordered_json& customizations);

// A list as it may be published, with the answer for each of its entries. Only the gate makes one,
// so that a function which takes it cannot be given a list that was not gated. A value; any thread.
class GatedList {
 public:
  // The list: of a settled entry the resolved `enablement` in place of its own, left out when
  // empty; of a pending entry exactly what came.
  [[nodiscard]] const nlohmann::ordered_json& customizations() const { return customizations_; }
  // Ids in byte order: entries whose own resolution is pending, and containers that a pending child
  // holds back.
  [[nodiscard]] const std::vector<std::string>& pending() const { return pending_; }
  // Own answer and container combined (I9), for every entry, in list order. Where entries bear one
  // id, the strictest answer.
  [[nodiscard]] const std::vector<std::pair<std::string, Effective>>& effective() const {
    return effective_;
  }
  // Whether each MCP server may run: true only if it is effectively enabled. In list order.
  [[nodiscard]] const std::vector<std::pair<std::string, bool>>& mcpServers() const {
    return mcpServers_;
  }
  [[nodiscard]] const std::vector<EntryProblem>& problems() const { return problems_; }

  // The answer for an id; null for an id that is not in the list.
  [[nodiscard]] const Effective* find(std::string_view id) const;

  // Which state of the service it was computed from, and whether that is still the newest. Asking
  // is cheap; false may also mean a change that does not concern this list.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  [[nodiscard]] bool isCurrent(const EnablementService& service) const;

  // {customizations, pending, effective, mcpServers, problems?}, as in the contract.
  [[nodiscard]] nlohmann::ordered_json toJson() const;

 private:
  friend class Gate;
  GatedList() = default;

  nlohmann::ordered_json customizations_;
  std::vector<std::string> pending_;
  std::vector<std::pair<std::string, Effective>> effective_;
  std::map<std::string, std::size_t, std::less<>> indexOfId_;
  std::vector<std::pair<std::string, bool>> mcpServers_;
  std::vector<EntryProblem> problems_;
  std::uint64_t generation_ = 0;
};

// A pure read of the service: it states nothing, stores nothing, announces nothing.
// `invalidArgument` with the position when the list is malformed in structure; a bad URI or name
// disables only its own entry. Any thread; waits for no lock that is held during I/O.
[[nodiscard]] Result<GatedList> gate(const EnablementService& service, std::string_view session,
                                     nlohmann::ordered_json customizations, const OwnerMap& owners);

}  // namespace enablement
