// A session with two plugins, and what its plans are computed from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <enablement/enforcement/desired.h>
#include <enablement/enforcement/mid_session.h>
#include <enablement/enforcement/observation.h>
#include <enablement/enforcement/request.h>
#include <enablement/resolver/testing.h>
#include <enablement/schema/json_text.h>

#include "service_fixture.h"

namespace enablement::test {

inline Json parsed(std::string_view text) {
  auto json = parseJson(text, "test");
  if (!json) throw std::runtime_error(describe(json.error()));
  return *std::move(json);
}

inline Json definition(std::string_view command) {
  return {{"command", command}};
}
// {name: {"command": name}} for every name.
inline Json definitions(const Names& names) {
  Json json = Json::object();
  for (const std::string& name : names) json[name] = definition(name);
  return json;
}
inline Json serverEntry(const std::string& name) {
  return {{"type", "mcpServer"}, {"id", "id:" + name}, {"name", name}};
}
inline Json pluginEntry(const std::string& uri, const Names& servers, bool ofClient = true) {
  Json entry{{"type", "plugin"}, {"id", "id:" + uri}, {"uri", uri}, {"name", uri}};
  if (ofClient) entry["clientId"] = "editor";
  entry["children"] = Json::array();
  for (const std::string& name : servers) {
    Json child = serverEntry(name);
    child["id"] = uri + "/" + name;
    entry["children"].push_back(std::move(child));
  }
  return entry;
}

inline Names namesIn(const Json& object) {
  Names names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}
// "server db (global)", "plugin acme/alpha (default)".
inline Names show(const std::vector<Item>& items) {
  Names shown;
  for (const Item& item : items)
    shown.push_back((item.kind == Item::Kind::server ? "server " : "plugin ") + item.name + " (" +
                    text(name(item.why)) + ")");
  return shown;
}
// "expect db off", "mcp.disable db off", "reload thread/resume @send".
inline Names show(const std::vector<Step>& steps) {
  Names shown;
  for (const Step& step : steps) {
    std::string words = step.kind == StepKind::call ? step.call : text(name(step.kind));
    if (step.kind != StepKind::call && !step.call.empty()) words += " " + step.call;
    if (!step.server.empty()) words += " " + step.server;
    if (step.enabled) words += *step.enabled ? " on" : " off";
    if (step.atNextSend) words += " @send";
    shown.push_back(words);
  }
  return shown;
}

class Enforcement : public ::testing::Test {
 protected:
  static constexpr const char* session = "ahp://copilot/1";

  void SetUp() override {
    must(service->loadSession(session));
    must(service->setWorkingDirectory(session, folder("file:///repo")));
    list = Json::array({pluginEntry("acme/alpha", {"db", "web"}), serverEntry("bare")});
    sources.plugins["acme/alpha"] = {.directory = "/plugins/alpha"};
    sources.userServers.emplace();
  }

  void off(const Target& target, Scope scope = Scope::global) { set(target, scope, false); }
  void on(const Target& target, Scope scope = Scope::global) { set(target, scope, true); }
  void set(const Target& target, Scope scope, bool enabled) {
    must(service->set(session, target, scope, enabled, "test"));
  }

  GatedList gated() const { return gate(*service, session, list, owners).value(); }

  Planned<LaunchPlan> tryLaunch(Runtime kind, Launch launch = Launch::create) const {
    const GatedList now = gated();
    return launchPlan(kind, launch, {*service, session, now, owners, sources}, state);
  }
  LaunchPlan plan(Runtime kind, Launch launch = Launch::create) const {
    auto result = tryLaunch(kind, launch);
    if (!result) throw std::runtime_error(enablement::describe(result.error()));
    return *std::move(result);
  }
  Json configured(Runtime kind, Launch launch = Launch::create) const {
    return plan(kind, launch).configuration;
  }

  // Launches, and lets the runtime say that it has these servers, on or off.
  void start(Runtime kind, const std::vector<std::pair<std::string, bool>>& servers) {
    runtime = kind;
    state.launched(plan(kind));
    inventory(servers);
  }
  Observation see(const RuntimeEvent& event) {
    const GatedList now = gated();
    auto seen = observe(runtime, event, {*service, session, now, owners, sources}, state, observed);
    if (!seen) throw std::runtime_error(enablement::describe(seen.error()));
    return *std::move(seen);
  }
  static std::vector<ServerReport> reports(
      const std::vector<std::pair<std::string, bool>>& servers) {
    std::vector<ServerReport> all;
    for (const auto& [name, enabled] : servers)
      all.push_back({name, enabled ? RuntimeState::connected : RuntimeState::stopped, enabled});
    return all;
  }
  Observation inventory(const std::vector<std::pair<std::string, bool>>& servers) {
    return see(Inventory{state.inventoryRequested(), reports(servers)});
  }
  Observation lifeCycle(const std::string& server, RuntimeState became) {
    return see(LifeCycle{{server, became}});
  }

  Planned<MidSessionPlan> tryMid() const {
    const GatedList now = gated();
    const auto desired = desire(runtime, {*service, session, now, owners, sources}, state);
    if (!desired) return tl::unexpected(desired.error());
    return midSessionPlan(*desired, observed, state);
  }
  MidSessionPlan mid() const {
    auto result = tryMid();
    if (!result) throw std::runtime_error(enablement::describe(result.error()));
    return *std::move(result);
  }
  // Carries a plan out; the calls about `failing` fail.
  StepEnd carryOut(const MidSessionPlan& steps, const std::string& failing = "-") {
    state.handOver(steps);
    for (const Step& step : steps.steps) {
      state.begin(steps, step);
      const bool failed = step.kind != StepKind::expect && step.server == failing;
      if (state.ended(steps, step, !failed) == StepEnd::failTurn) return StepEnd::failTurn;
    }
    return StepEnd::goOn;
  }

  RequestAnswer auth(const std::string& server) {
    const GatedList now = gated();
    return authRequest(runtime, server, {*service, session, now, owners, sources}, state);
  }
  RequestAnswer ask(const std::string& server, StartStop what) {
    const GatedList now = gated();
    return startStop(runtime, server, what, {*service, session, now, owners, sources}, state);
  }

  std::unique_ptr<EnablementService> service = enablement::testing::openInMemory();
  Json list;
  OwnerMap owners;
  Sources sources;
  EnforcementState state;
  Observed observed;
  Runtime runtime = Runtime::copilot;
  const Target alpha = plugin("acme/alpha");
  const Target db = serverOf("acme/alpha", "db");
  const Target web = serverOf("acme/alpha", "web");
  const Target bare = server("bare");
};

// A runtime that is running.
class MidSession : public Enforcement {
 protected:
  Names steps() const { return show(mid().steps); }
  void startAll(Runtime kind) { start(kind, {{"bare", true}, {"db", true}, {"web", true}}); }
};

}  // namespace enablement::test
