// What the clients of one session state: the base that lies under the host's decisions. Internal.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include <enablement/overlay/statement.h>
#include <enablement/schema/error.h>
#include <enablement/schema/target.h>

namespace enablement {

// A client's statement with canonical keys: each target it names, with its opinion if it has one
// (I8).
using Opinions = absl::flat_hash_map<TargetKey, std::optional<bool>, TargetKeyHash>;

// `invalidUri`, `invalidArgument` for a record whose URI or child name is bad: then nothing of the
// statement counts.
[[nodiscard]] Result<Opinions> opinionsOf(std::span<const StatedPlugin> plugins);

// A value, never stored and never written through: nothing in here can reach a stored decision.
class ClientBase {
 public:
  ClientBase() = default;

  [[nodiscard]] bool empty() const { return verdicts_.empty(); }
  // The first client with an opinion decides, in the order in which they first stated something.
  [[nodiscard]] std::optional<bool> value(const TargetKey& key) const;
  // The client that a target belongs to, named by it with or without an opinion; null: the host's.
  // Of several, the one whose opinion decides, else the first.
  [[nodiscard]] const std::string* owner(const TargetKey& key) const;
  [[nodiscard]] bool has(std::string_view client) const;

  // A client that states again keeps its place.
  [[nodiscard]] ClientBase with(std::string_view client, Opinions opinions) const;
  [[nodiscard]] ClientBase without(std::string_view client) const;

  // Every target on whose value the two differ; absent counts as a value.
  [[nodiscard]] std::vector<TargetKey> differences(const ClientBase& other) const;

 private:
  struct Client {
    std::string id;
    std::shared_ptr<const Opinions> opinions;
  };
  // What all clients together say of a target.
  struct Verdict {
    std::optional<bool> value;
    std::size_t client;
  };

  explicit ClientBase(std::vector<Client> clients);

  std::vector<Client> clients_;
  absl::flat_hash_map<TargetKey, Verdict, TargetKeyHash> verdicts_;
};

}  // namespace enablement
