// What a session's host has to tell: the actions for its peers, and what the daemon has to do.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <enablement/resolver/gate.h>
#include <enablement/session/action.h>
#include <enablement/session/reducer.h>

namespace enablement {

// One message. What bears customizations is made from a GatedList and nothing else, and only the
// gate makes these: no list leaves past it (I19). A value; any thread.
class SessionMessage {
 public:
  enum class Kind : unsigned char {
    action,       // for the session's peers: actionFor() of what each of them speaks
    clientLeft,   // the client's tools are gone: fail the calls that still wait for it (S6)
    parsePlugin,  // look into a client's plugin, and tell what is in it (S6)
  };

  // What the host answers to a parsePlugin with a session/customizationUpdated of the same id. If
  // that bears the nonce, an answer that comes too late is known by it.
  struct PluginToParse {
    std::string client;
    std::string id;
    std::string uri;  // as the client gave it
    std::optional<nlohmann::ordered_json> nonce;
  };

  // The tree as it is now: one action that leads there from `before`, which peers have; the
  // smallest one that does. Null: they have none.
  [[nodiscard]] static SessionMessage tree(std::string session, GatedList list,
                                           const nlohmann::ordered_json* before);
  // The same tree, of which only the first generation sees something new: a pending entry shows
  // false there, and nothing here (S10).
  [[nodiscard]] static SessionMessage projectedTree(std::string session, GatedList list);
  // A client as it is now; `own` is what it publishes.
  [[nodiscard]] static SessionMessage client(std::string session,
                                             const nlohmann::ordered_json& activeClient,
                                             std::optional<GatedList> own);
  // A toggle, with what the first generation sees of it.
  [[nodiscard]] static SessionMessage toggle(std::string session,
                                             const nlohmann::ordered_json& action,
                                             bool inFirstGeneration);
  // Any other action. Nothing for those that bear customizations. Members of that kind that an
  // action has no use for are left out.
  [[nodiscard]] static std::optional<SessionMessage> other(std::string session,
                                                           const nlohmann::ordered_json& action);
  [[nodiscard]] static SessionMessage clientLeft(std::string session, std::string client);
  [[nodiscard]] static SessionMessage parsePlugin(std::string session, PluginToParse plugin);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::string& session() const { return session_; }
  // The action for a peer of that generation; null where there is nothing to send to it.
  [[nodiscard]] const nlohmann::ordered_json* actionFor(Generation generation) const;
  // The whole tree of a message that bears one, with all answers: what may run, what is pending.
  [[nodiscard]] const GatedList* list() const { return list_.get(); }
  // Of clientLeft.
  [[nodiscard]] const std::string& leftClient() const { return client_; }
  // Of parsePlugin; null otherwise.
  [[nodiscard]] const PluginToParse* plugin() const { return plugin_.get(); }

 private:
  SessionMessage(Kind kind, std::string session) : kind_(kind), session_(std::move(session)) {}

  Kind kind_;
  std::string session_;
  std::shared_ptr<const nlohmann::ordered_json> first_;
  std::shared_ptr<const nlohmann::ordered_json> second_;
  std::shared_ptr<const GatedList> list_;
  std::string client_;
  std::shared_ptr<const PluginToParse> plugin_;
};

// A session's state for a peer that begins to look at it: gated, as messages are.
class SessionSnapshot {
 public:
  [[nodiscard]] const nlohmann::ordered_json& stateFor(Generation generation) const {
    return generation == Generation::first ? first_ : second_;
  }

 private:
  friend class SessionHost;
  SessionSnapshot(nlohmann::ordered_json first, nlohmann::ordered_json second)
      : first_(std::move(first)), second_(std::move(second)) {}

  nlohmann::ordered_json first_;
  nlohmann::ordered_json second_;
};

}  // namespace enablement
