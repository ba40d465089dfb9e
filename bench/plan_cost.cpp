// How long a plan for 1,000 servers takes, beside gating their list.
#include <string>

#include <benchmark/benchmark.h>

#include <enablement/enforcement/desired.h>
#include <enablement/resolver/testing.h>

namespace enablement {
namespace {

constexpr int pluginCount = 100;
constexpr int serversOfEach = 10;
constexpr const char* session = "ahp://copilot/1";

// 100 plugins with ten servers each, every seventh server off; the same on every run.
class Session {
 public:
  Session() {
    (void)service_->loadSession(session);
    (void)service_->setWorkingDirectory(session, WorkingDirectory::none());
    list_ = nlohmann::ordered_json::array();
    sources_.userServers.emplace();
    for (int i = 0; i < pluginCount; ++i) addPlugin(i);
  }

  [[nodiscard]] GatedList gated() const { return *gate(*service_, session, list_, {}); }
  [[nodiscard]] LaunchPlan plan(Runtime runtime, const GatedList& list) const {
    return *launchPlan(runtime, Launch::create, {*service_, session, list, owners_, sources_},
                       state_);
  }

 private:
  void addPlugin(int i) {
    const std::string uri = "file:///home/user/plugins/plugin-" + std::to_string(i);
    nlohmann::ordered_json children = nlohmann::ordered_json::array();
    PluginFiles files{.directory = uri.substr(7)};
    for (int j = 0; j < serversOfEach; ++j) {
      const int number = i * serversOfEach + j;
      const std::string server = "server-" + std::to_string(number);
      children.push_back({{"type", "mcpServer"}, {"id", uri + "/" + server}, {"name", server}});
      files.servers[server] = {{"command", server}, {"args", {"--stdio"}}};
      if (number % 7 == 0)
        (void)service_->set(session, Target{*TargetKey::mcpServer(server, uri)}, Scope::global,
                            false, "bench");
    }
    list_.push_back({{"type", "plugin"},
                     {"id", uri},
                     {"uri", uri},
                     {"name", uri},
                     {"clientId", "editor"},
                     {"children", std::move(children)}});
    sources_.plugins.emplace(uri, std::move(files));
  }

  std::unique_ptr<EnablementService> service_ = testing::openInMemory();
  nlohmann::ordered_json list_;
  OwnerMap owners_;
  Sources sources_;
  EnforcementState state_;
};

void gateList(benchmark::State& state) {
  const Session made;
  for (auto _ : state) benchmark::DoNotOptimize(made.gated());
}
void planLaunch(benchmark::State& state, Runtime runtime) {
  const Session made;
  const GatedList list = made.gated();
  for (auto _ : state) benchmark::DoNotOptimize(made.plan(runtime, list));
}

BENCHMARK(gateList)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(planLaunch, copilot, Runtime::copilot)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(planLaunch, claude, Runtime::claude)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(planLaunch, codex, Runtime::codex)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace enablement

BENCHMARK_MAIN();
