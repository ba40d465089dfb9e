#include <enablement/resolver/explain.h>

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include <enablement/resolver/answer.h>
#include <enablement/resolver/answer_json.h>
#include <enablement/resolver/gate.h>
#include <enablement/resolver/service_impl.h>
#include <enablement/schema/text.h>

namespace enablement {
namespace {

using Kind = ExplainedLayer::Kind;
using nlohmann::ordered_json;

// The layers of one state, with the deciding one and the redundant ones marked.
std::vector<ExplainedLayer> layersOf(const State& state, std::string_view session,
                                     const KnownSession& known, const Target& target,
                                     const std::optional<std::string_view>& entryId) {
  const Layers found = layersOf(state, known, target);
  const auto imported = entryId ? known.unclaimedValue(*entryId) : std::nullopt;
  const std::string* folder = known.directory.uri();
  const std::string* client = known.clients->owner(target.key);
  std::vector<ExplainedLayer> layers{
      {Kind::session, found.session, std::string(session)},
      {Kind::workspace, found.workspace, folder ? *folder : std::string()},
      {Kind::global, found.global},
      {Kind::clientBase, found.clientBase, client ? *client : std::string()},
      {Kind::discoveryDefault, found.discoveryDefault},
      {Kind::builtIn, true}};
  if (imported && !found.session) {
    layers.front().value = imported;
    layers.front().unclaimed = true;
  }

  bool below = true;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    if (!layer->value) continue;
    const bool stored = layer->kind <= Kind::global;
    layer->redundant = stored && *layer->value == below;
    below = *layer->value;
  }
  return layers;
}

void markDeciding(std::vector<ExplainedLayer>& layers) {
  const auto first = std::find_if(layers.begin(), layers.end(),
                                  [](const ExplainedLayer& l) { return l.value.has_value(); });
  if (first != layers.end()) first->decides = true;
}

// When and by whom each stored layer was changed last.
void addChanges(std::vector<ExplainedLayer>& layers, const std::vector<HistoryEntry>& history) {
  for (ExplainedLayer& layer : layers) {
    if (layer.kind > Kind::global || layer.unclaimed) continue;
    const auto last = std::find_if(history.rbegin(), history.rend(), [&](const HistoryEntry& e) {
      return e.subject == HistoryEntry::Subject::decision && name(e.scope) == name(layer.kind) &&
             e.place == layer.where;
    });
    // A change that this process has not read in yet would not explain the value it answers with.
    if (last == history.rend() || last->after != layer.value) continue;
    layer.changed = last->at;
    layer.by = last->actor;
    layer.cause = last->cause;
  }
}

ordered_json layerJson(const ExplainedLayer& layer) {
  ordered_json json{{"layer", name(layer.kind)}};
  json["enabled"] = layer.value ? ordered_json(*layer.value) : ordered_json();
  if (!layer.where.empty()) json["where"] = layer.where;
  if (layer.changed) {
    json["changed"] = layer.changed->time_since_epoch().count();
    json["by"] = layer.by;
    json["cause"] = name(*layer.cause);
  }
  json["decides"] = layer.decides;
  json["redundant"] = layer.redundant;
  if (layer.unclaimed) json["unclaimed"] = true;
  return json;
}

struct FoundEntry {
  const ordered_json* entry;
  const ordered_json* container;  // null at the top level
};

std::optional<FoundEntry> findEntry(const ordered_json& list, std::string_view id) {
  for (const ordered_json& entry : list)
    if (entry.at("id") == id) return FoundEntry{&entry, nullptr};
  for (const ordered_json& entry : list) {
    const auto children = entry.find("children");
    if (kindOf(entry) == EntryKind::mcpServer || children == entry.end()) continue;
    for (const ordered_json& child : *children)
      if (child.at("id") == id) return FoundEntry{&child, &entry};
  }
  return std::nullopt;
}

std::optional<Target> targetOf(const FoundEntry& found, const OwnerMap& owners) {
  if (kindOf(*found.entry) == EntryKind::flagged) return std::nullopt;
  Result<Target> target = fail(ErrorCode::invalidArgument, "");
  if (!found.container) {
    target = targetOfTopLevel(*found.entry, owners);
  } else {
    std::optional<TargetKey> plugin;
    if (kindOf(*found.container) == EntryKind::plugin) {
      const auto container = targetOfTopLevel(*found.container, owners);
      if (!container) return std::nullopt;
      plugin = container->key;
    }
    target = targetOfChild(*found.entry, plugin);
  }
  return target ? std::optional(*target) : std::nullopt;
}

}  // namespace

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::session:
      return "session";
    case Kind::workspace:
      return "workspace";
    case Kind::global:
      return "global";
    case Kind::clientBase:
      return "clientBase";
    case Kind::discoveryDefault:
      return "discoveryDefault";
    case Kind::builtIn:
      return "default";
  }
  return "default";
}

namespace {

Explanation explainAs(const EnablementService& service, std::string_view session,
                      const Target& target, const std::optional<std::string_view>& entryId) {
  static const KnownSession unknown;
  Explanation explanation{std::string(session), target.key.printed(), target.key};
  {
    const State& state = Inside::state(service);
    const KnownSession* found = state.session(session);
    const KnownSession& known = found ? *found : unknown;
    explanation.directory = known.directory;
    explanation.own = ownAnswer(entryId ? resolveEntry(state, found, target, *entryId)
                                        : resolve(state, found, target));
    explanation.answer = effective(state, found, target);
    explanation.layers = layersOf(state, session, known, target, entryId);
    if (explanation.own.state != EffectiveState::pending) markDeciding(explanation.layers);
    if (const auto container = target.key.container())
      explanation.container = {container->printed(),
                               ownAnswer(resolve(state, found, Target{*container}))};
  }
  const auto history = service.history({.target = target.key});
  const auto queued = service.queued();
  if (!history || !queued) {
    explanation.historyError = history ? queued.error() : history.error();
    return explanation;
  }
  addChanges(explanation.layers, *history);
  std::copy_if(queued->begin(), queued->end(), std::back_inserter(explanation.queued),
               [&](const QueuedPart& part) {
                 return part.session == session && part.target.key == target.key;
               });
  return explanation;
}

}  // namespace

Explanation explain(const EnablementService& service, std::string_view session,
                    const Target& target) {
  return explainAs(service, session, target, std::nullopt);
}

Result<Explanation> explain(const EnablementService& service, std::string_view session,
                            const ordered_json& customizations, const OwnerMap& owners,
                            std::string_view id) {
  const auto gated = gate(service, session, customizations, owners);
  if (!gated) return fail(gated.error());
  const auto found = findEntry(customizations, id);
  if (!found)
    return fail(ErrorCode::invalidArgument, "no customization has the id " + quote(id),
                "ids are those of the list's entries");
  const auto target = targetOf(*found, owners);
  Explanation explanation = target ? explainAs(service, session, *target, id)
                                   : Explanation{std::string(session), std::string(id)};
  // The gate knows more than the target: flags, children, and what is invalid.
  explanation.subject = id;
  explanation.answer = *gated->find(id);
  if (!target)
    explanation.own = kindOf(*found->entry) == EntryKind::flagged ? answerOfFlag(*found->entry)
                                                                  : explanation.answer;
  if (found->container) {
    const auto& containerId = found->container->at("id").get_ref<const std::string&>();
    explanation.container = {containerId, *gated->find(containerId)};
  }
  return explanation;
}

ordered_json toJson(const Explanation& explanation) {
  ordered_json json{{"session", explanation.session}, {"subject", explanation.subject}};
  if (explanation.key) json["target"] = explanation.key->printed();
  json["workingDirectory"] = enablement::toJson(explanation.directory);
  json["state"] = name(explanation.answer.state);
  json["reason"] = name(explanation.answer.reason);
  json["own"] = enablement::toJson(explanation.own);
  json["layers"] = ordered_json::array();
  for (const ExplainedLayer& layer : explanation.layers) json["layers"].push_back(layerJson(layer));
  json["queued"] = ordered_json::array();
  for (const QueuedPart& part : explanation.queued)
    json["queued"].push_back({{"scope", name(part.scope)},
                              {"folder", part.folder},
                              {"asked", name(part.asked)},
                              {"since", part.since.time_since_epoch().count()},
                              {"by", part.by}});
  if (explanation.container)
    json["container"] = {{"name", explanation.container->name},
                         {"state", name(explanation.container->answer.state)},
                         {"reason", name(explanation.container->answer.reason)}};
  if (explanation.historyError)
    json["historyError"] = {{"code", name(explanation.historyError->code)},
                            {"message", explanation.historyError->message}};
  return json;
}

}  // namespace enablement
