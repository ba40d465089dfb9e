#include <enablement/enforcement/observation.h>

#include <algorithm>

#include <enablement/enforcement/survey.h>
#include <enablement/schema/json_text.h>
#include <enablement/schema/text.h>

namespace enablement {
namespace {

constexpr RuntimeState allStates[] = {RuntimeState::pending,      RuntimeState::connected,
                                      RuntimeState::failed,       RuntimeState::needsAuth,
                                      RuntimeState::stopped,      RuntimeState::disabled,
                                      RuntimeState::notConfigured};

std::string_view textOf(const Json& entry, const char* field) {
  const auto it = entry.find(field);
  if (it == entry.end() || !it->is_string()) return {};
  return it->get_ref<const std::string&>();
}

// The entry's list with the new value for global and everything else as it is.
Json withGlobal(const Json& entry, bool enabled) {
  Json list = Json::array();
  if (const auto found = entry.find("enablement"); found != entry.end() && found->is_array())
    for (const Json& layer : *found)
      if (!layer.is_object() || textOf(layer, "kind") != "global") list.push_back(layer);
  list.push_back({{"kind", "global"}, {"enabled", enabled}});
  return list;
}

// The entries that a server of the runtime may stand for: those that bear its name in containers
// that are applied. None: it is a bare target.
class Entries {
 public:
  Entries(const SessionInputs& inputs, const EnforcementState& state)
      : inputs_(inputs), applied_(state.applied()) {}

  std::vector<OutsideToggle> togglesOf(const std::string& server, bool enabled) const {
    std::vector<OutsideToggle> toggles;
    const auto add = [&](const Json& entry, const Result<Target>& target) {
      if (kindOf(entry) != EntryKind::mcpServer || textOf(entry, "name") != server || !target)
        return;
      toggles.push_back(
          {server, enabled, *target, std::string(textOf(entry, "id")), withGlobal(entry, enabled)});
    };
    for (const Json& entry : inputs_.list.customizations()) {
      const EntryKind kind = kindOf(entry);
      if (kind == EntryKind::mcpServer) add(entry, targetOfTopLevel(entry, inputs_.owners));
      const auto children = entry.find("children");
      if (kind == EntryKind::mcpServer || children == entry.end()) continue;
      std::optional<TargetKey> plugin;
      if (kind == EntryKind::plugin) {
        const auto key = TargetKey::plugin(textOf(entry, "uri"));
        if (!key || (applied_ && !applied_->plugins.contains(key->owner()))) continue;
        plugin = *key;
      }
      for (const Json& child : *children) add(child, targetOfChild(child, plugin));
    }
    if (!toggles.empty()) return toggles;
    const Json bare{{"type", "mcpServer"}, {"name", server}};
    if (const auto target = targetOfTopLevel(bare, inputs_.owners))
      toggles.push_back({server, enabled, *target, {}, withGlobal(bare, enabled)});
    return toggles;
  }

 private:
  const SessionInputs& inputs_;
  const LaunchPlan* applied_;
};

}  // namespace

// Takes one event in.
class Digest {
 public:
  Digest(Runtime runtime, const SessionInputs& inputs, EnforcementState& state, Observed& observed)
      : runtime_(runtime), inputs_(inputs), state_(state), observed_(observed) {}

  Planned<Observation> run(const RuntimeEvent& event) {
    forgetEarlierLaunch();
    std::visit([&](const auto& it) { see(it); }, event);
    auto names = survey(runtime_, inputs_, state_, fresh_);
    if (!names) return tl::unexpected(names.error());
    for (const std::string& server : fresh_)
      if (names->isBare(server)) state_.seen_.insert(server);
    state_.met_.insert(fresh_.begin(), fresh_.end());
    wishes_ = std::move(names->wishes);
    std::visit([&](const auto& it) { take(it); }, event);
    out_.inventoryWanted = !observed_.isCurrent_;
    return std::move(out_);
  }

 private:
  void forgetEarlierLaunch() {
    if (observed_.launch_ == state_.launches()) return;
    observed_ = Observed();
    observed_.launch_ = state_.launches();
  }

  // Names count as soon as they are seen, also in what is overtaken (E2b).
  void see(const std::string& server) {
    if (checkServerName(server)) fresh_.insert(server);
  }
  void see(const Inventory& inventory) {
    for (const ServerReport& server : inventory.servers) see(server.name);
  }
  void see(const LifeCycle& event) { see(event.server.name); }
  void see(const ServersLoaded& event) {
    for (const ServerReport& server : event.servers) see(server.name);
  }
  void see(const ConfigurationReported& event) {
    for (const std::string& server : event.servers) see(server);
  }

  void take(const Inventory& inventory) {
    const bool isNewest = inventory.request == state_.requests_;
    if (!isNewest || inventory.request < state_.newestUsable_) {
      out_.wasUsed = false;
      // An older one changes nothing: the answer to the newer request is still to come.
      if (isNewest) observed_.isCurrent_ = false;
      return;
    }
    state_.overtake();  // the same result is not used twice
    observed_.isCurrent_ = true;
    std::erase_if(observed_.servers_, [&](const auto& known) {
      return std::none_of(inventory.servers.begin(), inventory.servers.end(),
                          [&](const ServerReport& server) { return server.name == known.first; });
    });
    for (const ServerReport& server : inventory.servers) take(server);
  }

  void take(const LifeCycle& event) {
    state_.overtake();
    take(event.server);
  }

  void take(const ServersLoaded&) {
    state_.overtake();
    observed_.isCurrent_ = false;
  }

  // What is applied is what the runtime says, of that which it was given now or before.
  void take(const ConfigurationReported& event) {
    if (!state_.applied_ || state_.applied_->runtime != Runtime::codex) return;
    const NameSet names(event.servers.begin(), event.servers.end());
    Json servers = Json::object();
    Json& applied = state_.applied_->configuration;
    for (const Json* given : {&applied, &state_.before_}) {
      const auto found = given->find("mcp_servers");
      if (found == given->end()) continue;
      for (const auto& [name, definition] : found->items())
        if (names.contains(name) && !servers.contains(name)) servers[name] = definition;
    }
    applied.erase("mcp_servers");
    if (!servers.empty()) applied["mcp_servers"] = std::move(servers);
  }

  void take(const ServerReport& server) {
    if (!wishes_.contains(server.name)) return;  // injected, or no name
    Observed::Server& known = observed_.servers_[server.name];
    known.state = server.state;
    publish(server);
    if (server.enabled)
      compare(server.name, *server.enabled, known);
    else if (server.state == RuntimeState::disabled)
      compare(server.name, false, known);
  }

  void publish(const ServerReport& server) {
    using Kind = Published::Kind;
    Published published{server.name, Kind::stopped};
    switch (server.state) {
      case RuntimeState::pending:
        published.kind = Kind::starting;
        break;
      case RuntimeState::connected:
        published.kind = Kind::ready;
        state_.challenges_.erase(server.name);  // it was met
        break;
      case RuntimeState::failed:
        published.kind = Kind::error;
        break;
      case RuntimeState::needsAuth:
        published.kind =
            state_.challenges_.contains(server.name) ? Kind::authRequired : Kind::starting;
        break;
      case RuntimeState::stopped:
        break;
      case RuntimeState::disabled:
      case RuntimeState::notConfigured:
        published.challengeCleared = true;
        state_.challenges_.erase(server.name);
        break;
    }
    out_.published.push_back(std::move(published));
  }

  // Whether an observed value is our doing, nothing new, or somebody else's (E5).
  void compare(const std::string& server, bool enabled, Observed::Server& known) {
    if (const auto mark = state_.marks_.find(server); mark != state_.marks_.end()) {
      const bool isOurs = mark->second.enabled == enabled;
      // While the call is under way the runtime may still say what was before.
      if (!isOurs && !mark->second.called) return;
      state_.marks_.erase(mark);
      if (isOurs) return keep(server, enabled, known);
    }
    const bool isFirst = !known.enabled;
    const bool isSame = known.enabled == enabled;
    keep(server, enabled, known);
    const auto wish = wishes_.find(server);
    if (isFirst || isSame || wish == wishes_.end() || wish->second.runsNow() == enabled) return;
    auto toggles = Entries(inputs_, state_).togglesOf(server, enabled);
    if (toggles.empty()) return;
    state_.overrides_[server] = enabled;
    // Somebody else's word now, not what it was told.
    state_.switchedOff_.erase(server);
    std::move(toggles.begin(), toggles.end(), std::back_inserter(out_.toggles));
  }

  void keep(const std::string& server, bool enabled, Observed::Server& known) {
    known.enabled = enabled;
    if (enabled) state_.switchedOff_.erase(server);
  }

  Runtime runtime_;
  const SessionInputs& inputs_;
  EnforcementState& state_;
  Observed& observed_;
  NameSet fresh_;  // the names in the event
  std::map<std::string, Wish, std::less<>> wishes_;
  Observation out_;
};

std::string_view name(RuntimeState state) {
  switch (state) {
    case RuntimeState::pending:
      return "pending";
    case RuntimeState::connected:
      return "connected";
    case RuntimeState::failed:
      return "failed";
    case RuntimeState::needsAuth:
      return "needs-auth";
    case RuntimeState::stopped:
      return "stopped";
    case RuntimeState::disabled:
      return "disabled";
    case RuntimeState::notConfigured:
      return "not_configured";
  }
  return "stopped";
}

RuntimeState runtimeStateOf(std::string_view text) {
  for (const RuntimeState state : allStates)
    if (name(state) == text) return state;
  return RuntimeState::stopped;
}

std::string_view name(Published::Kind kind) {
  switch (kind) {
    case Published::Kind::starting:
      return "starting";
    case Published::Kind::ready:
      return "ready";
    case Published::Kind::error:
      return "error";
    case Published::Kind::authRequired:
      return "authRequired";
    case Published::Kind::stopped:
      return "stopped";
  }
  return "stopped";
}

Json toggleAction(const OutsideToggle& toggle) {
  if (toggle.id.empty()) return nullptr;
  return {{"type", "session/customizationToggled"},
          {"id", toggle.id},
          {"enablement", toggle.enablement}};
}

const Observed::Servers& Observed::servers(const EnforcementState& state) const {
  static const Servers none;
  return launch_ == state.launches() ? servers_ : none;
}

bool Observed::isCurrent(const EnforcementState& state) const {
  return isCurrent_ && launch_ == state.launches();
}

Planned<Observation> observe(Runtime runtime, const RuntimeEvent& event,
                             const SessionInputs& inputs, EnforcementState& state,
                             Observed& observed) {
  return Digest(runtime, inputs, state, observed).run(event);
}

}  // namespace enablement
