#include "host_input.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <enablement/resolver/gate.h>
#include <enablement/resolver/testing.h>
#include <enablement/session/host.h>
#include <enablement/session/state.h>

namespace enablement::fuzz {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// A session with some of everything, and a peer of each generation.
class World {
 public:
  World() : service_(testing::openInMemory(clock_)) {
    HostOptions options;
    options.clock = clock_.clock();
    host_ = std::make_unique<SessionHost>(
        *service_, [this](const SessionMessage& message) { hear(message); }, options);
    require(host_->openSession(session_, std::vector<std::string>{"file:///repo"}).has_value(),
            "a session is not opened");
    require(service_->loadSession(session_).has_value(), "a session is not loaded");
    first_["workingDirectories"] = second_["workingDirectories"] =
        ordered_json::array({"file:///repo"});
  }

  void take(const std::optional<std::string>& client, Generation generation,
            const ordered_json& action) {
    const std::size_t heard = heard_;
    const auto rows = service_->stored()->size();
    const Outcome outcome = host_->dispatch(session_, client, generation, action);
    if (outcome.kind != Outcome::Kind::applied) {
      require(outcome.reason && !outcome.reason->message.empty(), "no reason is given");
      require(heard_ == heard, "what is not applied is told");
      require(service_->stored()->size() == rows, "what is not applied is stored");
    }
    require(!host_->nextDeadline(), "a call leaves something to do");
    check();
  }

 private:
  static void apply(ordered_json& state, const SessionMessage& message, Generation generation) {
    const ordered_json* action = message.actionFor(generation);
    if (action == nullptr) return;
    const auto next = reduce(PublishedState::create(state).value(), *action, generation);
    require(next.has_value(), "a peer refuses what is sent");
    state = next->json();
  }
  void hear(const SessionMessage& message) {
    ++heard_;
    apply(first_, message, Generation::first);
    apply(second_, message, Generation::second);
  }
  // What peers have is what a new one would be given; and nothing of it is off and shown as on.
  void check() {
    const std::size_t heard = heard_;
    const auto snapshot = host_->snapshot(session_);
    require(snapshot.has_value(), "there is no snapshot");
    require(heard_ == heard, "something that changed was not published");
    for (const auto generation : {Generation::first, Generation::second}) {
      const ordered_json& peer = generation == Generation::first ? first_ : second_;
      const json given = snapshot->stateFor(generation);
      require(json(peer).value("customizations", json()) == given.value("customizations", json()),
              "a peer has another tree than the host");
      require(json(peer).value("workingDirectories", json()) ==
                  given.value("workingDirectories", json()),
              "a peer has other directories than the host");
    }
    const auto servers = host_->desiredServers(session_);
    require(servers.has_value(), "the tree cannot be gated");
    for (const DesiredServer& server : *servers)
      for (const Scope scope : precedence)
        require(host_->routeFor(session_, server.id, scope).has_value(), "an id has no route");
  }

  const std::string session_ = "ahp://fuzz/1";
  testing::FakeClock clock_;
  std::unique_ptr<EnablementService> service_;
  std::size_t heard_ = 0;
  ordered_json first_ = ordered_json::object();
  ordered_json second_ = ordered_json::object();
  std::unique_ptr<SessionHost> host_;
};

}  // namespace

void hostInput(std::string_view bytes) {
  // nlohmann's own reader, because ours stops at depths that a caller's values may have.
  constexpr bool throwing = false;
  const ordered_json input = ordered_json::parse(bytes, nullptr, throwing);
  if (!input.is_array()) return;
  World world;
  for (const ordered_json& step : input) {
    if (!step.is_array() || step.size() != 3) continue;
    std::optional<std::string> client;
    if (step[0].is_string()) client = step[0].get<std::string>();
    world.take(client, step[1] == 1 ? Generation::first : Generation::second, step[2]);
  }
}

}  // namespace enablement::fuzz
