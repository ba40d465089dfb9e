#include <enablement/enforcement/survey.h>

#include <algorithm>

#include <enablement/resolver/service.h>
#include <enablement/schema/json_text.h>
#include <enablement/schema/text.h>

namespace enablement {
namespace {

// In front of a name that stands for itself: no entry's id, so that what was imported under an id
// does not decide about a server that happens to be called so (I2).
const std::string bareId("\0bare:", 6);

std::string_view textOf(const Json& entry, const char* field) {
  const auto it = entry.find(field);
  if (it == entry.end() || !it->is_string()) return {};
  return it->get_ref<const std::string&>();
}

Answer answerOf(Effective effective) {
  return {effective.state, whyOf(effective.reason)};
}

int strictness(EffectiveState state) {
  return state == EffectiveState::disabled ? 2 : state == EffectiveState::pending ? 1 : 0;
}

// Several under one name: the strictest counts, with the reason of the first that has it.
void combine(std::optional<Answer>& into, Answer answer) {
  if (!into || strictness(answer.state) > strictness(into->state)) into = answer;
}

// What keeps all answers from being known, if anything does.
std::optional<NotYet> notLoaded(const SessionInputs& inputs) {
  const Target any{*TargetKey::mcpServer("any")};
  const Resolution resolution = inputs.service.resolve(inputs.session, any);
  const auto* pending = std::get_if<Pending>(&resolution);
  if (!pending || pending->reason == PendingReason::workingDirectory) return std::nullopt;
  return pending->reason == PendingReason::store ? NotYet::store : NotYet::session;
}

class Surveyor {
 public:
  Surveyor(Runtime runtime, const SessionInputs& inputs, const EnforcementState& state,
           const NameSet& fresh)
      : inputs_(inputs), state_(state), fresh_(fresh) {
    out_.runtime = runtime;
    out_.ephemeral = inputs.sources.ephemeral;
  }

  Planned<Survey> run() {
    if (const auto reason = notLoaded(inputs_)) return tl::unexpected(*reason);
    readSources();
    readPluginFiles();
    for (const Json& entry : inputs_.list.customizations()) visit(entry);
    for (PluginWish& plugin : out_.plugins) judge(plugin);
    keepDirectoriesApart();
    for (const PluginWish& plugin : out_.plugins) count(plugin);
    countWhatIsGone();
    if (!resolveNames()) return tl::unexpected(NotYet::superseded);
    applyOverrides();
    leaveInjectedAlone();
    // Answers that were read one by one are of one moment, or there is no plan.
    if (!inputs_.list.isCurrent(inputs_.service)) return tl::unexpected(NotYet::superseded);
    return std::move(out_);
  }

 private:
  void readSources() {
    const Sources& sources = inputs_.sources;
    out_.root = wellFormed(sources.rootConfiguration, "root configuration", false, out_.rootNames,
                           out_.dropped);
    out_.builtIns =
        wellFormed(sources.builtIns, "built-in servers", true, out_.builtInNames, out_.dropped);
    for (const WorkspaceServers& directory : sources.workspace) {
      auto definitions =
          wellFormed(directory.servers, "working directory", false,
                     directory.primary ? out_.primaryNames : out_.otherNames, out_.dropped);
      (directory.primary ? out_.primary : out_.otherRoots).merge(definitions);
    }
    out_.unknownUserConfig = !sources.userServers;
    if (!sources.userServers) return;
    for (const std::string& name : *sources.userServers) {
      if (checkServerName(name))
        out_.userNames.insert(name);
      else
        out_.dropped.push_back(
            {"the user's own list", isUtf8(name) ? name : quote(name), "is no server's name"});
    }
  }

  void readPluginFiles() {
    for (const auto& [uri, files] : inputs_.sources.plugins) {
      if (const auto key = TargetKey::plugin(uri))
        files_.emplace(key->owner(), &files);
      else
        out_.dropped.push_back({"plugins on disk", isUtf8(uri) ? uri : quote(uri), "is no URI"});
    }
  }

  void visit(const Json& entry) {
    const EntryKind kind = kindOf(entry);
    if (kind == EntryKind::mcpServer) return visitBare(entry);
    if (kind == EntryKind::plugin) return visitPlugin(entry);
    // The runtime finds what is in a directory by itself, whether the directory is on or off.
    const auto children = entry.find("children");
    if (children == entry.end()) return;
    for (const Json& child : *children) {
      const std::string name(textOf(child, "name"));
      if (kindOf(child) != EntryKind::mcpServer || !checkServerName(name)) continue;
      out_.listedNames.insert(name);
      countAlways(name, answerAt(child), isExplicit(child, targetOfChild(child, std::nullopt)));
    }
  }

  void visitBare(const Json& entry) {
    const std::string name(textOf(entry, "name"));
    if (!checkServerName(name)) return;
    out_.listedNames.insert(name);
    bareInList_.insert(name);
    countAlways(name, answerAt(entry), isExplicit(entry, targetOfTopLevel(entry, inputs_.owners)));
  }

  void visitPlugin(const Json& entry) {
    const auto key = TargetKey::plugin(textOf(entry, "uri"));
    const Answer answer = answerAt(entry);
    // Where entries name one plugin, it is one plugin: whatever one of them holds back is held
    // back.
    const std::string id(textOf(entry, "id"));
    const std::string uri = key ? key->owner() : isUtf8(id) ? id : quote(id);
    const auto [at, isNew] = pluginAt_.try_emplace(uri, out_.plugins.size());
    if (isNew) out_.plugins.push_back({.uri = uri, .answer = answer});
    PluginWish& plugin = out_.plugins[at->second];
    plugin.ofClient = plugin.ofClient || !textOf(entry, "clientId").empty();
    if (strictness(answer.state) > strictness(plugin.answer.state)) plugin.answer = answer;

    const auto load = entry.find("load");
    // A plugin that could not be read has children that nobody knows.
    const std::string_view kind =
        load != entry.end() && load->is_object() ? textOf(*load, "kind") : std::string_view();
    const bool isUnknown = kind == "loading" || kind == "error";
    const auto children = entry.find("children");
    plugin.isParsed = plugin.isParsed && children != entry.end() && !isUnknown;
    if (children == entry.end()) return;
    for (const Json& child : *children) {
      if (kindOf(child) != EntryKind::mcpServer) continue;
      const bool isExplicitOn =
          key && isExplicit(child, targetOfChild(child, std::optional<TargetKey>(*key)));
      plugin.servers.push_back({std::string(textOf(child, "name")), answerAt(child), isExplicitOn});
    }
  }

  Answer answerAt(const Json& entry) const {
    const Effective* answer = inputs_.list.find(textOf(entry, "id"));
    return answer ? answerOf(*answer) : Answer{EffectiveState::disabled, Why::invalid};
  }

  // On by somebody's word. What the runtime's own configuration says is nobody's (E3).
  bool isExplicit(const Json& entry, const Result<Target>& target) const {
    const Answer answer = answerAt(entry);
    if (answer.state != EffectiveState::enabled || answer.why == Why::byDefault) return false;
    if (answer.why != Why::global || !target || !target->discoveryDefault) return true;
    const auto without = inputs_.service.resolve(inputs_.session, Target{target->key});
    const auto* resolved = std::get_if<Resolved>(&without);
    return resolved && !resolved->enablement().empty();
  }

  // Whether the plugin may be handed over, and if not, why.
  void judge(PluginWish& plugin) {
    if (const auto found = files_.find(plugin.uri); found != files_.end()) {
      plugin.files = found->second;
      plugin.directory = plugin.files->directory;
      NameSet unlisted;  // what is not in the list has no answer, and is not started
      plugin.definitions =
          wellFormed(plugin.files->servers, plugin.uri, false, unlisted, out_.dropped);
    }
    plugin.why = plugin.answer.why;
    const auto because = [&](bool isSo, Why why) {
      if (isSo && plugin.isLoaded) plugin.why = why;
      plugin.isLoaded = plugin.isLoaded && !isSo;
    };
    plugin.isLoaded = plugin.answer.state == EffectiveState::enabled;
    because(!plugin.isParsed, Why::notParsed);
    plugin.isOn = plugin.isLoaded;
    because(out_.runtime != Runtime::copilot && !plugin.ofClient, Why::hostPlugin);
    if (out_.runtime == Runtime::codex) return;  // takes servers, not plugins
    because(plugin.directory.empty() || !isUtf8(plugin.directory), Why::noDirectory);
    // The runtime finds every server in the directory: one that is off must be deniable by name.
    for (const PluginServer& server : plugin.servers) {
      const bool isOff = server.answer.state != EffectiveState::enabled;
      because(isOff && !checkServerName(server.name), Why::invalid);
      because(isOff && inputs_.sources.injected.contains(server.name), Why::injectedName);
    }
    because(hasUnlistedServer(plugin), Why::notParsed);
  }

  // Whether its directory has a server that the list does not show: nobody has said that it is on.
  static bool hasUnlistedServer(const PluginWish& plugin) {
    if (!plugin.files || !plugin.files->servers.is_object()) return false;
    for (const auto& [name, definition] : plugin.files->servers.items()) {
      const auto isIt = [&name = name](const PluginServer& server) { return server.name == name; };
      if (!plugin.files->registered.contains(name) &&
          std::none_of(plugin.servers.begin(), plugin.servers.end(), isIt))
        return true;
    }
    return false;
  }

  void keepDirectoriesApart() {
    if (out_.runtime == Runtime::codex) return;
    NameSet heldBack;
    for (const PluginWish& plugin : out_.plugins)
      if (!plugin.isLoaded && !plugin.directory.empty()) heldBack.insert(plugin.directory);
    for (PluginWish& plugin : out_.plugins) {
      if (!plugin.isLoaded || !heldBack.contains(plugin.directory)) continue;
      plugin.isLoaded = false;
      plugin.why = Why::sameDirectory;
    }
  }

  void count(const PluginWish& plugin) {
    const LaunchPlan* applied = state_.applied();
    const bool isApplied = applied ? applied->plugins.contains(plugin.uri) : plugin.isOn;
    for (const PluginServer& server : plugin.servers) {
      if (!checkServerName(server.name)) continue;
      Wish& wish = out_.wishes[server.name];
      const bool applies = out_.applies(plugin, server.name);
      if (plugin.isOn && applies) combine(wish.launch, server.answer);
      if (isApplied && applies) {
        combine(wish.now, server.answer);
        wish.explicitOn = wish.explicitOn || server.explicitOn;
      }
      if ((plugin.isOn || isApplied) && applies) {
        wish.declared = true;
      } else {
        const bool isOn = server.answer.state == EffectiveState::enabled;
        combine(wish.elsewhere,
                isOn ? Answer{EffectiveState::disabled, plugin.why} : server.answer);
      }
    }
  }

  // What left the list while the runtime has it is off: a plugin, or a server of one.
  void countWhatIsGone() {
    if (!state_.applied()) return;
    for (const auto& [uri, servers] : state_.applied()->plugins) {
      std::set<std::string> gone = servers;
      if (const auto found = pluginAt_.find(uri); found != pluginAt_.end())
        for (const PluginServer& server : out_.plugins[found->second].servers)
          gone.erase(server.name);
      for (const std::string& name : gone)
        combine(out_.wishes[name].now, {EffectiveState::disabled, Why::removed});
    }
  }

  void countAlways(const std::string& name, Answer answer, bool isExplicitOn) {
    Wish& wish = out_.wishes[name];
    combine(wish.launch, answer);
    combine(wish.now, answer);
    wish.explicitOn = wish.explicitOn || isExplicitOn;
  }

  // Names that the list does not have become bare targets, all resolved at once by the gate (E2b).
  bool resolveNames() {
    NameSet names;
    for (const NameSet* source : {&out_.rootNames, &out_.builtInNames, &out_.primaryNames,
                                  &out_.otherNames, &out_.userNames})
      names.insert(source->begin(), source->end());
    for (const std::string& name : names) out_.wishes[name];
    for (const std::string& name : out_.rootNames) out_.wishes[name].declared = true;
    NameSet seen = state_.seen();
    for (const std::string& name : seen)
      if (!out_.isBare(name)) out_.seenNames.insert(name);
    names.merge(seen);
    for (const std::string& name : fresh_)
      if (!out_.wishes[name].now && !names.contains(name)) out_.freshNames.insert(name);
    names.insert(out_.freshNames.begin(), out_.freshNames.end());
    Json bare = Json::array();
    for (const std::string& name : names)
      if (!bareInList_.contains(name))
        bare.push_back({{"type", "mcpServer"}, {"id", bareId + name}, {"name", name}});
    const auto gated = gate(inputs_.service, inputs_.session, std::move(bare), inputs_.owners);
    if (!gated || gated->generation() != inputs_.list.generation()) return false;
    for (const auto& [id, effective] : gated->effective()) {
      const std::string name = id.substr(bareId.size());
      const Answer answer = answerOf(effective);
      // Whether it will be there at the next launch, nobody has said yet.
      if (out_.freshNames.contains(name)) {
        Wish& wish = out_.wishes[name];
        combine(wish.now, answer);
        wish.explicitOn = answer.state == EffectiveState::enabled && answer.why != Why::byDefault;
        continue;
      }
      countAlways(name, answer,
                  answer.state == EffectiveState::enabled && answer.why != Why::byDefault);
    }
    return true;
  }

  void applyOverrides() {
    for (const auto& [name, enabled] : state_.overrides())
      if (const auto found = out_.wishes.find(name); found != out_.wishes.end())
        found->second.override = enabled;
    if (!out_.ephemeral) return;
    constexpr Answer off{EffectiveState::disabled, Why::ephemeral};
    for (auto& [name, wish] : out_.wishes) wish = {.launch = off, .now = off};
  }

  void leaveInjectedAlone() {
    for (const std::string& name : inputs_.sources.injected) {
      for (const auto& [definitions, source] : {std::pair{&out_.root, "root configuration"},
                                                {&out_.builtIns, "built-in servers"},
                                                {&out_.primary, "working directory"},
                                                {&out_.otherRoots, "working directory"}})
        if (definitions->erase(name) > 0)
          out_.dropped.push_back(
              {source, name, "bears the name of a server that the host injects"});
      for (PluginWish& plugin : out_.plugins) plugin.definitions.erase(name);
      for (NameSet* names :
           {&out_.rootNames, &out_.builtInNames, &out_.primaryNames, &out_.otherNames,
            &out_.userNames, &out_.listedNames, &out_.seenNames, &out_.freshNames})
        names->erase(name);
      if (const auto found = out_.wishes.find(name); found != out_.wishes.end())
        out_.wishes.erase(found);
    }
  }

  const SessionInputs& inputs_;
  const EnforcementState& state_;
  const NameSet& fresh_;
  std::map<std::string, const PluginFiles*, std::less<>> files_;  // by canonical URI
  std::map<std::string, std::size_t, std::less<>> pluginAt_;
  NameSet bareInList_;
  Survey out_;
};

}  // namespace

bool Survey::isBare(const std::string& name) const {
  const auto sources = {&rootNames, &builtInNames, &primaryNames, &otherNames,
                        &userNames, &listedNames,  &seenNames,    &freshNames};
  return std::any_of(sources.begin(), sources.end(),
                     [&](const NameSet* names) { return names->contains(name); });
}

bool Survey::applies(const PluginWish& plugin, const std::string& server) const {
  switch (runtime) {
    case Runtime::copilot:
      return true;
    case Runtime::claude:
      return plugin.ofClient || plugin.registers(server);
    case Runtime::codex:
      return plugin.ofClient;
  }
  return true;
}

Planned<Survey> survey(Runtime runtime, const SessionInputs& inputs, const EnforcementState& state,
                       const NameSet& fresh) {
  return Surveyor(runtime, inputs, state, fresh).run();
}

}  // namespace enablement
