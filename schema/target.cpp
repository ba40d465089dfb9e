#include <enablement/schema/target.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <enablement/schema/text.h>
#include <enablement/schema/uri.h>

namespace enablement {
namespace {

constexpr std::string_view ownerlessPrefix = "mcpServers#";
// A canonical plugin URI never holds it: there a `=` behind `#` is `%3D` (I4).
constexpr std::string_view serverMark = "#mcp=";

const std::string none;

}  // namespace

std::string_view name(TargetType type) {
  return type == TargetType::plugin ? "plugin" : "mcpServer";
}

TargetKey TargetKey::make(TargetType type, std::string text,
                          std::shared_ptr<const Identity> owner) {
  const std::size_t seed = (owner ? owner->hash : 0) + static_cast<std::size_t>(type);
  const std::size_t hash = XXH3_64bits_withSeed(text.data(), text.size(), seed);
  return TargetKey(
      std::make_shared<const Identity>(Identity{type, std::move(text), std::move(owner), hash}));
}

bool TargetKey::same(const Identity& a, const Identity& b) {
  if (a.type != b.type || a.text != b.text) return false;
  if (!a.owner || !b.owner) return !a.owner && !b.owner;
  return a.owner == b.owner || same(*a.owner, *b.owner);
}

Result<TargetKey> TargetKey::plugin(std::string_view uri) {
  return canonicalPluginUri(uri).map([](std::string canonical) {
    return make(TargetType::plugin, std::move(canonical), nullptr);
  });
}

Result<TargetKey> TargetKey::mcpServer(std::string_view name, std::string_view owningPlugin) {
  if (auto ok = checkServerName(name); !ok) return fail(ok.error());
  return plugin(owningPlugin).and_then([&](const TargetKey& owner) {
    return mcpServer(name, owner);
  });
}

Result<TargetKey> TargetKey::mcpServer(std::string_view name, const TargetKey& owningPlugin) {
  if (auto ok = checkServerName(name); !ok) return fail(ok.error());
  return make(TargetType::mcpServer, std::string(name), owningPlugin.identity_);
}

Result<TargetKey> TargetKey::mcpServer(std::string_view name) {
  if (auto ok = checkServerName(name); !ok) return fail(ok.error());
  return make(TargetType::mcpServer, std::string(name), nullptr);
}

Result<TargetKey> TargetKey::parse(std::string_view printed) {
  if (printed.starts_with(ownerlessPrefix))
    return mcpServer(printed.substr(ownerlessPrefix.size()));
  const std::size_t mark = printed.find(serverMark);
  if (mark == std::string_view::npos) return plugin(printed);
  return mcpServer(printed.substr(mark + serverMark.size()), printed.substr(0, mark));
}

Result<TargetKey> TargetKey::fromColumns(std::string_view type, std::string_view owner,
                                         std::string_view name) {
  if (type == "plugin" && !owner.empty() && name.empty())
    return make(TargetType::plugin, std::string(owner), nullptr);
  if (type == "mcpServer" && !name.empty()) {
    auto plugin =
        owner.empty() ? nullptr : make(TargetType::plugin, std::string(owner), nullptr).identity_;
    return make(TargetType::mcpServer, std::string(name), std::move(plugin));
  }
  return fail(ErrorCode::corrupt,
              "a stored row has no valid key: type " + quote(type) + ", owner " + quote(owner) +
                  ", name " + quote(name),
              "run `enablectl check`");
}

Result<TargetKey> TargetKey::fromColumns(const TargetKey& owningPlugin, std::string_view name) {
  if (owningPlugin.type() != TargetType::plugin || name.empty())
    return fromColumns("mcpServer", {}, name);
  return make(TargetType::mcpServer, std::string(name), owningPlugin.identity_);
}

const std::string& TargetKey::owner() const {
  if (type() == TargetType::plugin) return identity_->text;
  return identity_->owner ? identity_->owner->text : none;
}

const std::string& TargetKey::name() const {
  return type() == TargetType::plugin ? none : identity_->text;
}

std::string TargetKey::printed() const {
  if (type() == TargetType::plugin) return owner();
  if (owner().empty()) return std::string(ownerlessPrefix) + name();
  return owner() + std::string(serverMark) + name();
}

std::optional<TargetKey> TargetKey::container() const {
  if (!identity_->owner) return std::nullopt;
  return TargetKey(identity_->owner);
}

bool operator<(const TargetKey& a, const TargetKey& b) {
  if (a.type() != b.type()) return a.type() < b.type();
  if (const int order = a.owner().compare(b.owner()); order != 0) return order < 0;
  return a.name() < b.name();
}

Result<Target> makeTarget(const TargetText& text) {
  const auto key = text.type == TargetType::plugin ? TargetKey::plugin(text.uri)
                   : text.owningPlugin ? TargetKey::mcpServer(text.name, *text.owningPlugin)
                                       : TargetKey::mcpServer(text.name);
  if (!key) return fail(key.error());
  return Target{*key,
                text.type == TargetType::mcpServer ? text.discoveryDefault : std::optional<bool>{}};
}

}  // namespace enablement
