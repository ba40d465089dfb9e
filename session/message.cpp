#include <enablement/session/message.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <enablement/schema/json_text.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/json_same.h>
#include <enablement/session/list_rules.h>
#include <enablement/session/projection.h>

namespace enablement {
namespace {

std::shared_ptr<const Json> shared(Json json) {
  return std::make_shared<const Json>(std::move(json));
}

bool isUnique(const Json& list, const std::string& id) {
  return std::count_if(list.begin(), list.end(),
                       [&](const Json& entry) { return textIn(entry, "id") == id; }) == 1;
}

// The one entry of the top level in which the lists differ, if putting it in leads from one to the
// other.
std::optional<std::size_t> onlyDifference(const Json& before, const Json& after) {
  const bool grown = after.size() == before.size() + 1;
  if (!grown && after.size() != before.size()) return std::nullopt;
  std::optional<std::size_t> differing;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (i < before.size() && sameJson(before[i], after[i])) continue;
    if (differing) return std::nullopt;
    differing = i;
  }
  if (!differing || !isUnique(after, textIn(after[*differing], "id"))) return std::nullopt;
  if (*differing < before.size() &&
      textIn(before[*differing], "id") != textIn(after[*differing], "id"))
    return std::nullopt;
  return differing;
}

Json treeAction(const Json& list, std::optional<std::size_t> only) {
  if (only)
    return {{"type", name(ActionType::customizationUpdated)}, {"customization", list[*only]}};
  return {{"type", name(ActionType::customizationsChanged)}, {"customizations", list}};
}

// Whatever is called so holds entries of a tree.
Json withoutLists(const Json& action) {
  Json next = action;
  for (const char* field : {"customizations", "customization", "activeClient"}) next.erase(field);
  return next;
}

}  // namespace

SessionMessage SessionMessage::tree(std::string session, GatedList list, const Json* before) {
  SessionMessage message(Kind::action, std::move(session));
  const auto only =
      before == nullptr ? std::nullopt : onlyDifference(*before, list.customizations());
  message.second_ = shared(treeAction(list.customizations(), only));
  // There an entry can change with another one: they are sent whole.
  message.first_ = shared(treeAction(inFirstGeneration(list), std::nullopt));
  message.list_ = std::make_shared<const GatedList>(std::move(list));
  return message;
}

SessionMessage SessionMessage::projectedTree(std::string session, GatedList list) {
  SessionMessage message = tree(std::move(session), std::move(list), nullptr);
  message.second_ = nullptr;
  return message;
}

SessionMessage SessionMessage::client(std::string session, const Json& activeClient,
                                      std::optional<GatedList> own) {
  SessionMessage message(Kind::action, std::move(session));
  const auto with = [&](const Json* list) {
    Json client = activeClient;
    if (list == nullptr)
      client.erase("customizations");
    else
      client["customizations"] = *list;
    return shared({{"type", name(ActionType::activeClientSet)}, {"activeClient", client}});
  };
  if (!own) {
    message.first_ = message.second_ = with(nullptr);
    return message;
  }
  const Json projected = inFirstGeneration(*own);
  message.first_ = with(&projected);
  message.second_ = with(&own->customizations());
  return message;
}

SessionMessage SessionMessage::toggle(std::string session, const Json& action,
                                      bool inFirstGeneration) {
  SessionMessage message(Kind::action, std::move(session));
  Json second = withoutLists(action);
  second.erase("enabled");
  Json first = second;
  first.erase("enablement");
  first["enabled"] = inFirstGeneration;
  message.first_ = shared(std::move(first));
  message.second_ = shared(std::move(second));
  return message;
}

std::optional<SessionMessage> SessionMessage::other(std::string session, const Json& action) {
  const auto type = actionType(textIn(action, "type"));
  if (!type) return std::nullopt;
  switch (*type) {
    case ActionType::customizationsChanged:
    case ActionType::customizationUpdated:
    case ActionType::customizationToggled:
    case ActionType::activeClientSet:
      return std::nullopt;
    default:
      break;
  }
  SessionMessage message(Kind::action, std::move(session));
  message.first_ = message.second_ = shared(withoutLists(action));
  return message;
}

SessionMessage SessionMessage::clientLeft(std::string session, std::string client) {
  SessionMessage message(Kind::clientLeft, std::move(session));
  message.client_ = std::move(client);
  return message;
}

SessionMessage SessionMessage::parsePlugin(std::string session, PluginToParse plugin) {
  SessionMessage message(Kind::parsePlugin, std::move(session));
  message.plugin_ = std::make_shared<const PluginToParse>(std::move(plugin));
  return message;
}

const Json* SessionMessage::actionFor(Generation generation) const {
  return generation == Generation::first ? first_.get() : second_.get();
}

}  // namespace enablement
