#include <enablement/session/toggle.h>

#include <array>
#include <utility>

#include <enablement/schema/text.h>
#include <enablement/session/action_shape.h>

namespace enablement {
namespace {

struct Decision {
  bool enabled;
  std::optional<std::string> folder = {};
};

using Decisions = std::array<std::optional<Decision>, precedence.size()>;

Result<std::optional<std::string>> folderIn(const Json& decision, Scope scope) {
  const Json* uri = scope == Scope::workspace ? fieldOf(decision, "uri") : nullptr;
  if (uri == nullptr) return std::nullopt;
  if (!uri->is_string())
    return fail(ErrorCode::invalidArgument, "the uri of a workspace decision is not a text",
                "name the session's folder, or leave it out");
  const auto folder = WorkingDirectory::directory(uri->get_ref<const std::string&>());
  if (!folder) return fail(folder.error());
  return *folder->uri();
}

// A list as it comes from outside. The shape of its entries is checked.
Result<Decisions> decisionsIn(const Json& list) {
  Decisions decisions;
  for (const Json& entry : list) {
    const auto scope = parseScope(textIn(entry, "kind"));
    if (!scope) return fail(scope.error());
    auto& decision = decisions[index(*scope)];
    if (decision)
      return fail(ErrorCode::invalidArgument,
                  "there are two decisions of scope " + std::string(name(*scope)),
                  "a list has at most one decision of each scope");
    auto folder = folderIn(entry, *scope);
    if (!folder) return fail(folder.error());
    decision = Decision{entry.at("enabled").get<bool>(), *std::move(folder)};
  }
  return decisions;
}

// What was published. The gate wrote it, or it came so from a client: what is not understood was
// not shown to anybody as a decision.
Decisions decisionsOf(const Json& entry) {
  const Json* list = fieldOf(entry, "enablement");
  Decisions decisions;
  if (list == nullptr || !list->is_array()) return decisions;
  for (const Json& one : *list) {
    const Json* enabled = fieldOf(one, "enabled");
    const auto scope = parseScope(textOr(one, "kind"));
    if (!scope || enabled == nullptr || !enabled->is_boolean()) continue;
    auto& decision = decisions[index(*scope)];
    if (decision) continue;
    const auto folder = folderIn(one, *scope);
    decision = Decision{enabled->get<bool>(), folder ? *folder : std::nullopt};
  }
  return decisions;
}

Json asJson(Scope scope, const Decision& decision) {
  Json json{{"kind", name(scope)}};
  if (decision.folder) json["uri"] = *decision.folder;
  json["enabled"] = decision.enabled;
  return json;
}

bool isEcho(const Decision& asked, const std::optional<Decision>& published) {
  if (!published || asked.enabled != published->enabled) return false;
  // Without a folder the session's own is meant, and that is what was published.
  return !asked.folder || !published->folder || asked.folder == published->folder;
}

}  // namespace

std::optional<Json> inSecondGeneration(const Json& action, Generation generation,
                                       const EntryPlace& published) {
  const Json* list = fieldOf(action, "enablement");
  const bool hasList = list != nullptr && list->is_array();
  if (generation == Generation::second) return hasList ? std::optional(action) : std::nullopt;
  const Json* enabled = fieldOf(action, "enabled");
  if (enabled == nullptr || !enabled->is_boolean()) return std::nullopt;
  Json next = action;
  next.erase("enabled");
  if (hasList) return next;
  Json decisions = Json::array();
  decisions.push_back({{"kind", name(Scope::session)}, {"enabled", *enabled}});
  if (kindOf(*published.entry) != EntryKind::flagged) {
    const Decisions shown = decisionsOf(*published.entry);
    for (const Scope scope : {Scope::workspace, Scope::global})
      if (const auto& kept = shown[index(scope)]) decisions.push_back(asJson(scope, *kept));
  }
  next["enablement"] = std::move(decisions);
  return next;
}

Result<std::vector<ScopeWish>> wishesOf(const Json& asked, const Json& published, bool wasPending) {
  auto wanted = decisionsIn(asked);
  if (!wanted) return fail(wanted.error());
  const Decisions shown = decisionsOf(published);
  std::vector<ScopeWish> wishes;
  for (const Scope scope : writeOrder) {
    const auto& want = (*wanted)[index(scope)];
    const auto& was = shown[index(scope)];
    const bool isWish = want ? !isEcho(*want, was) : was && !wasPending;
    if (!isWish) continue;
    ScopeWish& wish = wishes.emplace_back();
    wish.scope = scope;
    wish.folder = want ? want->folder : was->folder;
    if (want) wish.enabled = want->enabled;
  }
  return wishes;
}

bool derivedFrom(const Json* enablement) {
  if (enablement == nullptr || !enablement->is_array()) return true;
  for (const Scope scope : precedence)
    for (const Json& decision : *enablement)
      if (textOr(decision, "kind") == name(scope)) {
        const Json* enabled = fieldOf(decision, "enabled");
        return enabled != nullptr && enabled->is_boolean() && enabled->get<bool>();
      }
  return true;
}

}  // namespace enablement
