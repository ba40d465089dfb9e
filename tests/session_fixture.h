// What the tests of the session host share: a host on a store of its own, and what it sent.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <enablement/resolver/service.h>
#include <enablement/resolver/testing.h>
#include <enablement/session/host.h>

namespace enablement::test {

using nlohmann::ordered_json;

inline ordered_json json(const char* text) {
  return ordered_json::parse(text);
}

inline Target pluginAt(std::string_view uri) {
  return Target{TargetKey::plugin(uri).value()};
}

// A peer: it applies what it is sent, as a real one would.
struct Peer {
  Generation generation;
  ordered_json state = ordered_json::object();

  void apply(const SessionMessage& message) {
    const ordered_json* action = message.actionFor(generation);
    if (action == nullptr) return;
    const auto before = PublishedState::create(state);
    state = reduce(*before, *action, generation).value().json();
  }
};

class HostWorld {
 public:
  HostWorld() : service(testing::openInMemory(clock)) { start(); }

  void start() {
    host.reset();
    HostOptions options;
    options.clock = clock.clock();
    options.wake = wake;
    host = std::make_unique<SessionHost>(
        *service,
        [this](const SessionMessage& message) {
          sent.push_back(message);
          if (message.session() == s) {
            second.apply(message);
            first.apply(message);
          }
          if (onMessage) onMessage(message);
        },
        options);
  }
  // Loaded, in a folder, with the host's own entries; what was sent for that is forgotten.
  void settle(const ordered_json& own = ordered_json::array(),
              std::vector<std::string> directories = {"file:///repo"}) {
    ASSERT_TRUE(host->openSession(s, std::move(directories)));
    ASSERT_TRUE(service->loadSession(s));
    tell({{"type", "session/customizationsChanged"}, {"customizations", own}});
    sent.clear();
  }
  Outcome dispatch(const std::optional<std::string>& client, const ordered_json& action,
                   Generation generation = Generation::second) {
    return host->dispatch(s, client, generation, action);
  }
  // The host's own action.
  Outcome tell(const ordered_json& action) { return dispatch(std::nullopt, action); }
  Outcome toggle(const std::string& id, const ordered_json& enablement,
                 const std::string& client = "c1") {
    return dispatch(
        client, {{"type", "session/customizationToggled"}, {"id", id}, {"enablement", enablement}});
  }
  Outcome toggleFirst(const std::string& id, bool enabled) {
    return dispatch("old",
                    {{"type", "session/customizationToggled"}, {"id", id}, {"enabled", enabled}},
                    Generation::first);
  }
  Outcome join(const std::string& client, const ordered_json& plugins) {
    return dispatch(
        client,
        {{"type", "session/activeClientSet"},
         {"activeClient",
          {{"clientId", client}, {"tools", ordered_json::array()}, {"customizations", plugins}}}});
  }
  Outcome leave(const std::string& client) {
    return dispatch(client, {{"type", "session/activeClientRemoved"}, {"clientId", client}});
  }

  // What the peers of the second generation have.
  [[nodiscard]] ordered_json tree() const {
    return second.state.value("customizations", ordered_json());
  }
  [[nodiscard]] ordered_json entry(const std::string& id) const { return find(second.state, id); }
  static ordered_json find(const ordered_json& state, const std::string& id) {
    for (const auto& top : state.value("customizations", ordered_json::array())) {
      if (top["id"] == id) return top;
      for (const auto& child : top.value("children", ordered_json::array()))
        if (child["id"] == id) return child;
    }
    return {};
  }
  // "session=off global=on"; "" where there is no list.
  [[nodiscard]] std::string shown(const std::string& id) const {
    std::string text;
    for (const auto& one : entry(id).value("enablement", ordered_json::array()))
      text += (text.empty() ? "" : " ") + one["kind"].get<std::string>() + "=" +
              (one["enabled"].get<bool>() ? "on" : "off");
    return text;
  }
  // The types of the actions that were sent, without "session/"; other messages by their kind.
  std::vector<std::string> took() {
    std::vector<std::string> types;
    for (const SessionMessage& message : std::exchange(sent, {})) {
      const ordered_json* action = message.actionFor(Generation::second);
      if (message.kind() == SessionMessage::Kind::clientLeft)
        types.push_back("left " + message.leftClient());
      else if (message.kind() == SessionMessage::Kind::parsePlugin)
        types.push_back("parse " + message.plugin()->id);
      else
        types.push_back(action == nullptr ? "first generation only"
                                          : action->at("type").get<std::string>().substr(8));
    }
    return types;
  }
  // "global acme/alpha off", in the order of the store.
  [[nodiscard]] std::vector<std::string> stored() const {
    std::vector<std::string> rows;
    const auto all = service->stored().value();
    for (const StoredDecision& row : all)
      rows.push_back(std::string(name(row.scope)) + " " + row.key.printed() +
                     (row.enabled ? " on" : " off"));
    return rows;
  }

  const std::string s = "ahp://copilot/1";
  testing::FakeClock clock;
  std::unique_ptr<EnablementService> service;
  std::vector<SessionMessage> sent;
  Peer second{Generation::second};
  Peer first{Generation::first};
  std::function<void(const SessionMessage&)> onMessage;
  std::function<void()> wake;
  std::unique_ptr<SessionHost> host;
};

class HostTest : public ::testing::Test, protected HostWorld {
 protected:
  // The host's own: a plugin with a server and a skill, a bare server, a directory.
  const ordered_json own = json(R"([
    {"type": "plugin", "id": "alpha", "uri": "acme/alpha", "name": "Alpha", "children": [
      {"type": "mcpServer", "id": "alpha/db", "name": "db", "state": {"kind": "stopped"}},
      {"type": "skill", "id": "alpha/skill", "name": "skill"}]},
    {"type": "mcpServer", "id": "bare", "name": "bare", "state": {"kind": "stopped"}},
    {"type": "directory", "id": "dir", "name": "dir", "enabled": true, "contents": "agent",
     "writable": false, "children": [
      {"type": "agent", "id": "dir/agent", "name": "agent", "disableUserInvocation": true},
      {"type": "mcpServer", "id": "dir/mcp", "name": "mcp", "state": {"kind": "ready"}}]}])");
  // A client's, which speaks of one of its servers, and of another without an opinion.
  const ordered_json beta = json(R"([
    {"type": "plugin", "id": "beta", "uri": "file:///clients/beta", "name": "Beta", "nonce": "1",
     "enablement": [{"kind": "global", "enabled": true}],
     "childEnablement": {"web": [{"kind": "global", "enabled": true}], "mail": []}}])");
  const ordered_json betaFound = json(R"(
    {"type": "plugin", "id": "beta", "uri": "file:///tmp/materialised/beta-1f2e", "name": "Beta",
     "nonce": "1", "load": {"kind": "loaded"}, "children": [
      {"type": "mcpServer", "id": "beta/web", "name": "web", "state": {"kind": "stopped"}},
      {"type": "mcpServer", "id": "beta/mail", "name": "mail", "state": {"kind": "stopped"}},
      {"type": "mcpServer", "id": "beta/found", "name": "found", "state": {"kind": "stopped"}}]})");

  // The client is there and what it publishes is parsed.
  void joinParsed() {
    ASSERT_EQ(join("c1", beta).kind, Outcome::Kind::applied);
    tell({{"type", "session/customizationUpdated"}, {"customization", betaFound}});
    sent.clear();
  }
  static ordered_json decisions(const char* text) { return json(text); }
};

}  // namespace enablement::test
