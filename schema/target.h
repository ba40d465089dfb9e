// What a decision is about, and the one key it is stored under.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <enablement/schema/error.h>

namespace enablement {

enum class TargetType : unsigned char { plugin, mcpServer };

[[nodiscard]] std::string_view name(TargetType type);

// The stored identity of a target: the triple (type, owner, name) (I1). Neither a customization id,
// nor a server's own file, nor its place in the tree is part of it (I2), and none can get in: a key
// is only made by the functions below. Immutable, cheap to copy, any thread; a moved-from key may
// only be destroyed or assigned.
class TargetKey {
 public:
  // A plugin, by its URI or marketplace id. `invalidUri`, `invalidArgument`.
  static Result<TargetKey> plugin(std::string_view uri);
  // A server with an owning plugin. `invalidUri`, `invalidArgument`.
  static Result<TargetKey> mcpServer(std::string_view name, std::string_view owningPlugin);
  // The same, of a plugin whose key is at hand. `invalidArgument`; `owningPlugin` must be a plugin.
  static Result<TargetKey> mcpServer(std::string_view name, const TargetKey& owningPlugin);
  // A server without one. `invalidArgument`.
  static Result<TargetKey> mcpServer(std::string_view name);
  // From the printed form (I4). `invalidUri`, `invalidArgument`.
  static Result<TargetKey> parse(std::string_view printed);
  // From stored columns, which are canonical already: they are taken as they are. `corrupt` when
  // they are no key.
  static Result<TargetKey> fromColumns(std::string_view type, std::string_view owner,
                                       std::string_view name);
  // The same for a server of a plugin whose key is at hand.
  static Result<TargetKey> fromColumns(const TargetKey& owningPlugin, std::string_view name);

  [[nodiscard]] TargetType type() const { return identity_->type; }
  // The canonical plugin URI; for a server without an owner empty.
  [[nodiscard]] const std::string& owner() const;
  // The server's name; empty for a plugin.
  [[nodiscard]] const std::string& name() const;
  // `<plugin URI>`, `<plugin URI>#mcp=<name>` or `mcpServers#<name>` (I4).
  [[nodiscard]] std::string printed() const;
  // The owning plugin of a server, if it has one: its container in the sense of I9.
  [[nodiscard]] std::optional<TargetKey> container() const;
  // Of the triple; the same within a process only.
  [[nodiscard]] std::size_t hash() const { return hash_; }

  friend bool operator==(const TargetKey& a, const TargetKey& b) {
    return a.hash_ == b.hash_ && (a.identity_ == b.identity_ || same(*a.identity_, *b.identity_));
  }
  // By type, then owner, then name, byte order: the order of everything that is listed.
  friend bool operator<(const TargetKey& a, const TargetKey& b);

 private:
  struct Identity {
    TargetType type;
    std::string text;                       // a plugin's URI or a server's name
    std::shared_ptr<const Identity> owner;  // a server's plugin
    std::size_t hash;
  };

  explicit TargetKey(std::shared_ptr<const Identity> identity)
      : hash_(identity->hash), identity_(std::move(identity)) {}
  static TargetKey make(TargetType type, std::string text, std::shared_ptr<const Identity> owner);
  static bool same(const Identity& a, const Identity& b);

  std::size_t hash_;  // here, too, so that a table is searched without touching the identity
  std::shared_ptr<const Identity> identity_;
};

struct TargetKeyHash {
  std::size_t operator()(const TargetKey& key) const { return key.hash(); }
};

// A target as a caller names it: its key, and for a server what the runtime's own configuration
// says about it, if it says anything. The discovery default is never stored as a decision.
struct Target {
  TargetKey key;
  std::optional<bool> discoveryDefault = {};
};

// A target in strings as they come from outside, not yet canonical.
struct TargetText {
  TargetType type = TargetType::plugin;
  std::string_view uri = {};                          // plugin: its URI or marketplace id
  std::string_view name = {};                         // mcpServer: its name
  std::optional<std::string_view> owningPlugin = {};  // mcpServer: its plugin, if any
  std::optional<bool> discoveryDefault = {};          // mcpServer
};

// `invalidUri`, `invalidArgument`.
[[nodiscard]] Result<Target> makeTarget(const TargetText& text);

}  // namespace enablement
