// Random histories of toggles, restarts, outside toggles and late discoveries with a simulated
// runtime of each kind: what is off or pending at a launch is never started by it, and after each
// send what runs is what is on.
#include <algorithm>
#include <random>

#include "enforcement_fixture.h"
#include "simulated_runtime.h"

namespace enablement::test {
namespace {

using Set = std::set<std::string>;

constexpr unsigned histories = 1000;  // of each runtime
constexpr unsigned happenings = 25;   // in each history

const Names pluginUris{"acme/alpha", "acme/beta", "acme/gamma"};
const Names serverNames{"db", "web", "mail", "maps", "root", "mine", "late"};

class History {
 public:
  History(Runtime kind, unsigned seed) : kind_(kind), random_(seed), runtime_(kind, machine_) {
    must(service_->loadSession(session));
    setFolder();
    for (const std::string& uri : pluginUris) {
      const std::string directory = "/plugins/" + uri;
      Set& servers = machine_.directories[directory];
      for (const char* name : {"db", "web", "mail"})
        if (coin()) servers.insert(name);
      sources_.plugins[uri] = {.directory = directory};
      parsed_[uri] = below(4) != 0;
    }
    // One plugin's servers have to be registered, and are in no directory.
    if (kind != Runtime::codex) {
      registered_ = machine_.directories["/plugins/acme/gamma"];
      machine_.directories["/plugins/acme/gamma"].clear();
      sources_.plugins["acme/gamma"].registered = registered_;
      sources_.plugins["acme/gamma"].servers =
          definitions({registered_.begin(), registered_.end()});
    } else {
      for (auto& [uri, files] : sources_.plugins) {
        const Set& servers = machine_.directories[files.directory];
        files.servers = definitions({servers.begin(), servers.end()});
      }
    }
    sources_.rootConfiguration = definitions({"root", "maps"});
    if (coin()) machine_.user = {"mine"};
    if (coin()) machine_.user.insert("db");
    sources_.injected = {"host-tools"};
    readUserConfiguration();
    launch();
  }

  void run() {
    for (unsigned i = 0; i < happenings && !::testing::Test::HasFailure(); ++i) happen();
    setFolder();
    send(false);
  }

  [[nodiscard]] unsigned checkedSends() const { return checkedSends_; }
  [[nodiscard]] unsigned outsideToggles() const { return outsideToggles_; }

 private:
  static constexpr const char* session = "ahp://sim/1";

  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  bool coin() { return below(2) == 0; }
  const std::string& oneOf(const Names& names) {
    return names[below(static_cast<unsigned>(names.size()))];
  }

  // What may happen.

  void happen() {
    switch (below(12)) {
      case 0:
        return launch();
      case 1:
      case 2:
      case 3:
        decide();
        if (coin()) obey(false, true);  // a turn is running: what can be done at once, is
        return;
      case 4:
        return toggleFromOutside();
      case 5:
        runtime_.discover();
        return expectNothingOffWasStarted();
      case 6:
        machine_.user.insert(coin() ? "late" : "mail");
        if (coin()) runtime_.discover();
        return;
      case 7:
        parsed_[oneOf(pluginUris)] = true;
        return;
      case 8:
        if (coin())
          must(service_->setWorkingDirectory(session, WorkingDirectory::pending()));
        else
          setFolder();
        return;
      default:
        return send(below(5) == 0);
    }
  }

  void setFolder() { must(service_->setWorkingDirectory(session, folder("file:///repo"))); }
  void readUserConfiguration() {
    sources_.userServers.reset();
    if (below(4) == 0) return;
    sources_.userServers.emplace(machine_.user.begin(), machine_.user.end());
  }

  Target anyTarget() {
    if (below(4) == 0) return plugin(oneOf(pluginUris));
    return coin() ? server(oneOf(serverNames)) : serverOf(oneOf(pluginUris), oneOf(serverNames));
  }
  void decide() {
    const bool isSettled =
        std::holds_alternative<Resolved>(service_->resolve(session, server("any")));
    const Scope scope =
        isSettled && coin() ? (coin() ? Scope::session : Scope::workspace) : Scope::global;
    if (below(4) == 0)
      must(service_->clear(session, anyTarget(), scope, "test"));
    else
      must(service_->set(session, anyTarget(), scope, coin(), "test"));
  }

  void toggleFromOutside() {
    if (kind_ == Runtime::codex) return;  // it has no such switch
    const auto servers = runtime_.inventory();
    if (servers.empty()) return;
    const ServerReport& one = servers[below(static_cast<unsigned>(servers.size()))];
    runtime_.toggleFromOutside(one.name, !*one.enabled);
    touched_.insert(one.name);
  }

  // The host.

  Json list() const {
    Json all = Json::array();
    for (const std::string& uri : pluginUris) {
      Set servers = machine_.directories.at(sources_.plugins.at(uri).directory);
      if (uri == "acme/gamma") servers.insert(registered_.begin(), registered_.end());
      all.push_back(pluginEntry(uri, {servers.begin(), servers.end()}));
      if (!parsed_.at(uri)) all.back().erase("children");
    }
    return all;
  }
  template <typename Use>
  auto with(Use use) {
    const GatedList gated = gate(*service_, session, list(), owners_).value();
    return use(SessionInputs{*service_, session, gated, owners_, sources_});
  }

  void launch() {
    state_ = EnforcementState();
    observed_ = Observed();
    readUserConfiguration();
    const auto plan = with([&](const SessionInputs& inputs) {
      return launchPlan(kind_, Launch::resume, inputs, state_).value();
    });
    state_.launched(plan);
    startRuntime(plan);
  }

  void startRuntime(const LaunchPlan& plan) {
    touched_.clear();
    offAtLaunch_.clear();
    for (const std::string& name : serverNames)
      if (!mayRun(name)) offAtLaunch_.insert(name);
    known_ = {"root", "maps"};
    if (sources_.userServers)
      known_.insert(sources_.userServers->begin(), sources_.userServers->end());
    known_.insert(state_.seen().begin(), state_.seen().end());
    reported_ = {plan.unenforceable.begin(), plan.unenforceable.end()};
    runtime_.start(plan.configuration, coin());
    expectNothingOffWasStarted();
  }

  // Observes until nothing new is to be known.
  void observeAll() {
    for (int i = 0; i < 4; ++i) {
      const auto request = state_.inventoryRequested();
      const auto seen = with([&](const SessionInputs& inputs) {
        return observe(kind_, Inventory{request, runtime_.inventory()}, inputs, state_, observed_)
            .value();
      });
      for (const OutsideToggle& toggle : seen.toggles) answer(toggle);
      if (!seen.inventoryWanted) return;
    }
  }
  void answer(const OutsideToggle& toggle) {
    ++outsideToggles_;
    const bool isStored = below(3) != 0;
    if (isStored)
      must(service_->set(session, toggle.target, Scope::global, toggle.enabled, "runtime"));
    state_.toggleAnswered(toggle.server, isStored ? ToggleAnswer::stored : ToggleAnswer::refused);
  }

  // Does what the plan says; true when nothing is left to do.
  bool obey(bool calls_fail, bool isInTurn) {
    const auto plan = with([&](const SessionInputs& inputs) {
      const auto desired = desire(kind_, inputs, state_);
      return midSessionPlan(desired.value(), observed_, state_);
    });
    if (!plan) return false;
    leftAlone_ = {plan->leftAlone.begin(), plan->leftAlone.end()};
    unenforceable_ = {plan->unenforceable.begin(), plan->unenforceable.end()};
    EXPECT_TRUE(plan->didNotConverge.empty());
    state_.handOver(*plan);
    for (const Step& step : plan->steps) {
      if (step.atNextSend && isInTurn) continue;
      const bool fails = calls_fail && step.kind == StepKind::call && below(3) == 0;
      state_.begin(*plan, step);
      if (!fails && step.kind == StepKind::call) runtime_.call(step);
      if (state_.ended(*plan, step, !fails) == StepEnd::failTurn) return false;
      if (step.atNextSend) {
        startRuntime(*plan->launch);
        if (kind_ == Runtime::codex) reportConfiguration();
      }
    }
    return plan->steps.empty() && !plan->inventoryWanted;
  }
  void reportConfiguration() {
    with([&](const SessionInputs& inputs) {
      return observe(kind_, ConfigurationReported{runtime_.given()}, inputs, state_, observed_)
          .value();
    });
  }

  void send(bool calls_fail) {
    bool isDone = false;
    for (int i = 0; i < 8 && !isDone; ++i) {
      observeAll();
      isDone = obey(calls_fail && i == 0, false);
    }
    EXPECT_TRUE(isDone) << "the host never comes to rest";
    expectWhatIsOnRuns();
  }

  // What must hold.

  [[nodiscard]] bool isOn(const Target& target) const {
    return service_->effective(session, target).state == EffectiveState::enabled;
  }
  // The targets that a name stands for: of plugins that are handed over, and of whatever else the
  // host knows to have one of that name.
  [[nodiscard]] std::vector<Target> targetsOf(const std::string& name) const {
    std::vector<Target> targets;
    const auto& user = sources_.userServers;
    if (sources_.rootConfiguration.contains(name) || state_.seen().contains(name) ||
        (user && std::find(user->begin(), user->end(), name) != user->end()))
      targets.push_back(server(name));
    for (const std::string& uri : pluginUris) {
      const bool has = machine_.directories.at(sources_.plugins.at(uri).directory).contains(name) ||
                       (uri == "acme/gamma" && registered_.contains(name));
      if (has && parsed_.at(uri) && isOn(plugin(uri))) targets.push_back(serverOf(uri, name));
    }
    return targets;
  }
  [[nodiscard]] bool mayRun(const std::string& name) const {
    const auto targets = targetsOf(name);
    return !targets.empty() && std::all_of(targets.begin(), targets.end(),
                                           [&](const Target& target) { return isOn(target); });
  }

  void expectNothingOffWasStarted() {
    for (const std::string& name : runtime_.startedByLaunch()) {
      if (!offAtLaunch_.contains(name) || touched_.contains(name)) continue;
      // The host had never heard that the user has one of that name.
      if (machine_.user.contains(name) && !known_.contains(name)) continue;
      EXPECT_TRUE(reported_.contains(name)) << name << " was off and is started";
    }
  }

  void expectWhatIsOnRuns() {
    ++checkedSends_;
    const Set running = runtime_.running();
    for (const std::string& name : serverNames) {
      const bool shouldRun = mayRun(name) && runs(name);
      const bool does = running.contains(name);
      if (does == shouldRun) continue;
      const Set& excused = does ? unenforceable_ : leftAlone_;
      EXPECT_TRUE(excused.contains(name)) << name << (does ? " runs" : " does not run");
    }
    for (const std::string& name : leftAlone_) EXPECT_TRUE(isMerelyByDefault(name)) << name;
  }
  // What the host does not hand over runs once the runtime has discovered it.
  [[nodiscard]] bool runs(const std::string& name) const {
    const auto targets = targetsOf(name);
    if (kind_ == Runtime::claude && targets.size() > 1 && !runtime_.knows(name)) return false;
    const bool isRegistered =
        registered_.contains(name) && parsed_.at("acme/gamma") && isOn(plugin("acme/gamma"));
    return sources_.rootConfiguration.contains(name) || isRegistered || runtime_.knows(name);
  }
  [[nodiscard]] bool isMerelyByDefault(const std::string& name) const {
    const auto answer = service_->effective(session, server(name));
    return answer.reason == EffectiveReason::byDefault;
  }

  Runtime kind_;
  std::mt19937 random_;
  Machine machine_;
  SimulatedRuntime runtime_;
  std::unique_ptr<EnablementService> service_ = enablement::testing::openInMemory();
  OwnerMap owners_;
  Sources sources_;
  EnforcementState state_;
  Observed observed_;
  std::map<std::string, bool> parsed_;
  Set registered_;

  Set offAtLaunch_;
  Set known_;     // names that had been seen at the launch, but those of plugins
  Set touched_;   // by somebody in the runtime since the launch
  Set reported_;  // at the launch, as not to be enforced
  Set leftAlone_;
  Set unenforceable_;
  unsigned checkedSends_ = 0;
  unsigned outsideToggles_ = 0;
};

class Simulation : public ::testing::TestWithParam<Runtime> {};

TEST_P(Simulation, NothingOffIsStartedByALaunchAndAfterEachSendWhatIsOnRuns) {
  unsigned sends = 0;
  unsigned toggles = 0;
  for (unsigned seed = 1; seed <= histories; ++seed) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, "history " + std::to_string(seed));
    History history(GetParam(), seed);
    history.run();
    sends += history.checkedSends();
    toggles += history.outsideToggles();
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(sends, histories);
  EXPECT_GE(toggles, GetParam() == Runtime::codex ? 0 : histories / 10);
}

INSTANTIATE_TEST_SUITE_P(Runtimes, Simulation,
                         ::testing::Values(Runtime::copilot, Runtime::claude, Runtime::codex),
                         [](const auto& tested) { return std::string(name(tested.param)); });

}  // namespace
}  // namespace enablement::test
