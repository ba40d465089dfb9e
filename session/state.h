// What a session publishes, as one immutable value.
#pragma once

#include <memory>

#include <nlohmann/json.hpp>

#include <enablement/schema/error.h>

namespace enablement {

enum class Generation : unsigned char;

// The state of a session as the protocol has it: an object with `customizations`, `activeClients`,
// `workingDirectories` and whatever else, in its order. It never changes; reduce() makes the next
// one. A handle: copies share the object. Any thread.
class PublishedState {
 public:
  // `invalidArgument` unless it is an object in which each of the three is a list, null or absent,
  // nested at most 64 levels deep, all text in it UTF-8. What the lists hold is not checked: an
  // entry that is no object is kept and never found.
  [[nodiscard]] static Result<PublishedState> create(nlohmann::ordered_json json);

  [[nodiscard]] const nlohmann::ordered_json& json() const { return *json_; }

  // Whether both are the same object: what reduce() returns when nothing changes (S2). States that
  // are merely equal are not.
  [[nodiscard]] bool isSame(const PublishedState& other) const { return json_ == other.json_; }

 private:
  friend Result<PublishedState> reduce(const PublishedState& state,
                                       const nlohmann::ordered_json& action, Generation generation);
  explicit PublishedState(nlohmann::ordered_json json);

  std::shared_ptr<const nlohmann::ordered_json> json_;
};

}  // namespace enablement
