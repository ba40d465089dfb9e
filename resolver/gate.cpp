#include <enablement/resolver/gate.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include <enablement/resolver/answer.h>
#include <enablement/resolver/answer_json.h>
#include <enablement/resolver/service_impl.h>

namespace enablement {
namespace {

using nlohmann::ordered_json;

tl::unexpected<Error> malformed(const EntryPosition& position, std::string_view what) {
  std::string where = "[";
  for (const std::size_t index : position)
    where += (where.size() > 1 ? ", " : "") + std::to_string(index);
  return fail(
      ErrorCode::invalidArgument,
      position.empty() ? "the customizations " + std::string(what)
                       : "the customization at " + where + "] " + std::string(what),
      "every entry is an object with the texts id and type, and children, if any, in a list");
}

bool isText(const ordered_json& entry, const char* field) {
  const auto it = entry.find(field);
  return it != entry.end() && it->is_string();
}

const std::string& idOf(const ordered_json& entry) {
  return entry.at("id").get_ref<const std::string&>();
}

Status checkEntry(const ordered_json& entry, const EntryPosition& position) {
  if (!entry.is_object()) return malformed(position, "is not an object");
  if (!isText(entry, "id")) return malformed(position, "has no id");
  if (!isText(entry, "type")) return malformed(position, "has no type");
  return {};
}

// The children that are visited: what hangs below a server is passed through.
template <typename Json>
Json* childrenOf(Json& entry) {
  if (kindOf(entry) == EntryKind::mcpServer) return nullptr;
  const auto it = entry.find("children");
  return it == entry.end() ? nullptr : &*it;
}

// An entry's own answer, before any container is asked.
struct Own {
  Effective answer;
  std::optional<TargetKey> key = {};  // of a plugin or server that is valid
};

bool isPending(const Own& own) {
  return own.answer.state == EffectiveState::pending;
}

int strictness(EffectiveState state) {
  switch (state) {
    case EffectiveState::disabled:
      return 2;
    case EffectiveState::pending:
      return 1;
    case EffectiveState::enabled:
      return 0;
  }
  return 2;
}

}  // namespace

// Nothing is answered before the whole list is known to be well-formed: there is no partial result.
Status checkList(const ordered_json& list) {
  if (!list.is_array()) return malformed({}, "are not a list");
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (auto ok = checkEntry(list[i], {i}); !ok) return ok;
    const ordered_json* children = childrenOf(list[i]);
    if (!children) continue;
    if (!children->is_array()) return malformed({i}, "has children that are not a list");
    for (std::size_t j = 0; j < children->size(); ++j)
      if (auto ok = checkEntry((*children)[j], {i, j}); !ok) return ok;
  }
  return {};
}

// One pass over a list, on one state of the service.
class Gate {
 public:
  Gate(const State& state, std::string_view session, const OwnerMap& owners)
      : state_(state), session_(state.session(session)), owners_(owners) {
    out_.generation_ = state.generation;
  }

  GatedList run(ordered_json list) {
    rememberPlugins(list);
    for (std::size_t i = 0; i < list.size(); ++i) visitTopLevel(list[i], i);
    for (std::size_t i = 0; i < out_.effective_.size(); ++i) {
      const auto& [id, answer] = out_.effective_[i];
      if (isServer_[i]) out_.mcpServers_.emplace_back(id, answer.state == EffectiveState::enabled);
    }
    std::sort(out_.pending_.begin(), out_.pending_.end());
    out_.pending_.erase(std::unique(out_.pending_.begin(), out_.pending_.end()),
                        out_.pending_.end());
    out_.customizations_ = std::move(list);
    return std::move(out_);
  }

 private:
  void visitTopLevel(ordered_json& entry, std::size_t i) {
    const EntryKind kind = kindOf(entry);
    const Own own = kind == EntryKind::flagged
                        ? Own{answerOfFlagged(entry)}
                        : resolveEntry(entry, targetOfTopLevel(entry, owners_), {i});
    if (ordered_json* children = childrenOf(entry)) return visitContainer(entry, own, *children, i);
    record(entry, maskedByOwner(own));
  }

  // The container of a bare server is the plugin that owns it, in the list or not.
  Effective maskedByOwner(const Own& own) {
    const auto owner = own.key ? own.key->container() : std::nullopt;
    if (!owner) return own.answer;
    const std::string* id = idOfPlugin(*owner);
    const Target plugin{*owner};
    return masked(own.answer, ownAnswer(id ? enablement::resolveEntry(state_, session_, plugin, *id)
                                           : resolve(state_, session_, plugin))
                                  .state);
  }

  void visitContainer(const ordered_json& entry, const Own& own, ordered_json& children,
                      std::size_t i) {
    const bool isPlugin = kindOf(entry) == EntryKind::plugin;
    std::vector<Own> owns;
    owns.reserve(children.size());
    for (std::size_t j = 0; j < children.size(); ++j)
      owns.push_back(resolveChild(children[j], isPlugin, own.key, {i, j}));

    // A container that would be on is held back by a pending child: the runtime may find the child
    // by itself in it.
    Effective container = own.answer;
    const bool held = container.state == EffectiveState::enabled &&
                      std::any_of(owns.begin(), owns.end(), isPending);
    if (held) {
      container = {EffectiveState::pending, EffectiveReason::child};
      out_.pending_.push_back(idOf(entry));
    }
    record(entry, container);
    for (std::size_t j = 0; j < children.size(); ++j) {
      const Effective& answer = owns[j].answer;
      record(children[j],
             answer.reason == EffectiveReason::invalid ? answer : masked(answer, container.state));
    }
  }

  Own resolveChild(ordered_json& entry, bool inPlugin, const std::optional<TargetKey>& plugin,
                   const EntryPosition& position) {
    const EntryKind kind = kindOf(entry);
    if (kind == EntryKind::flagged) return {answerOfFlagged(entry)};
    auto target = targetOfChild(entry, plugin);
    // A server below an invalid plugin has no key; the container masks it. Built as if it had no
    // owner, its target only shows whether its name is a problem of its own.
    if (target && kind == EntryKind::mcpServer && inPlugin && !plugin)
      return {{EffectiveState::disabled, EffectiveReason::container}};
    return resolveEntry(entry, target, position);
  }

  // Resolves a plugin or server and puts the resolved list into the entry.
  Own resolveEntry(ordered_json& entry, const Result<Target>& target,
                   const EntryPosition& position) {
    if (!target) {
      out_.problems_.push_back({position, target.error().code});
      return {{EffectiveState::disabled, EffectiveReason::invalid}};
    }
    const Resolution resolution = enablement::resolveEntry(state_, session_, *target, idOf(entry));
    if (const auto* resolved = std::get_if<Resolved>(&resolution)) {
      entry.erase("enablement");
      if (!resolved->enablement().empty()) entry["enablement"] = enablementJson(*resolved);
    } else {
      out_.pending_.push_back(idOf(entry));
    }
    return {ownAnswer(resolution), target->key};
  }

  // Where entries bear one id the strictest answer stands, with the reason of the first that has
  // it.
  void record(const ordered_json& entry, Effective answer) {
    const std::string& id = idOf(entry);
    const auto [it, added] = out_.indexOfId_.try_emplace(id, out_.effective_.size());
    if (added) {
      out_.effective_.emplace_back(id, answer);
      isServer_.push_back(false);
    } else {
      Effective& known = out_.effective_[it->second].second;
      if (strictness(answer.state) > strictness(known.state)) known = answer;
    }
    if (kindOf(entry) == EntryKind::mcpServer) isServer_[it->second] = true;
  }

  // What has no key can have been switched off under its id alone. An on says nothing against its
  // flag.
  Effective answerOfFlagged(const ordered_json& entry) {
    const auto imported = session_ ? session_->unclaimedValue(idOf(entry)) : std::nullopt;
    if (imported == false) return {EffectiveState::disabled, EffectiveReason::flag};
    return answerOfFlag(entry);
  }

  // Only where decisions bear ids does it matter under which one a plugin is in the list.
  void rememberPlugins(const ordered_json& list) {
    if (!session_ || !session_->unclaimed) return;
    for (const ordered_json& entry : list) {
      if (kindOf(entry) != EntryKind::plugin || !session_->unclaimedValue(idOf(entry))) continue;
      if (const auto target = targetOfTopLevel(entry, owners_))
        pluginIds_.try_emplace(target->key, idOf(entry));
    }
  }
  [[nodiscard]] const std::string* idOfPlugin(const TargetKey& plugin) const {
    const auto found = pluginIds_.find(plugin);
    return found == pluginIds_.end() ? nullptr : &found->second;
  }

  const State& state_;
  const KnownSession* session_;  // null when it is not known
  const OwnerMap& owners_;
  std::map<TargetKey, std::string> pluginIds_;
  GatedList out_;
  std::vector<bool> isServer_;  // beside out_.effective_
};

Result<GatedList> gate(const EnablementService& service, std::string_view session,
                       ordered_json customizations, const OwnerMap& owners) {
  if (auto ok = checkList(customizations); !ok) return fail(ok.error());
  return Gate(Inside::state(service), session, owners).run(std::move(customizations));
}

const Effective* GatedList::find(std::string_view id) const {
  const auto it = indexOfId_.find(id);
  return it == indexOfId_.end() ? nullptr : &effective_[it->second].second;
}

bool GatedList::isCurrent(const EnablementService& service) const {
  return service.generation() == generation_;
}

ordered_json GatedList::toJson() const {
  // Appended without looking for the key: ids are unique here, and a list may be long.
  const auto append = [](ordered_json& object, const std::string& key, ordered_json value) {
    object.get_ref<ordered_json::object_t&>().emplace_back(key, std::move(value));
  };
  ordered_json effective = ordered_json::object();
  for (const auto& [id, answer] : effective_) append(effective, id, enablement::toJson(answer));
  ordered_json servers = ordered_json::object();
  for (const auto& [id, runs] : mcpServers_) append(servers, id, runs);

  ordered_json json{{"customizations", customizations_},
                    {"pending", pending_},
                    {"effective", std::move(effective)},
                    {"mcpServers", std::move(servers)}};
  if (problems_.empty()) return json;
  ordered_json problems = ordered_json::array();
  for (const EntryProblem& problem : problems_)
    problems.push_back({{"position", problem.position}, {"code", name(problem.code)}});
  json["problems"] = std::move(problems);
  return json;
}

}  // namespace enablement
