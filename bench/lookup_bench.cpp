// How long a decision look-up takes, through the public API alone.
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <enablement/resolver/testing.h>

namespace enablement {
namespace {

constexpr int decisionCount = 512;
constexpr int sessionCount = 200;
constexpr std::size_t lookupCount = 4096;

struct Lookup {
  std::string session;
  Target target;
};

// 512 decisions over three scopes, 200 sessions in 20 folders; about half of the look-ups are of
// targets nobody decided about. The same on every run.
class DataSet {
 public:
  DataSet() {
    std::mt19937 random(1);
    for (int i = 0; i < sessionCount; ++i) {
      const std::string session = sessionName(i);
      (void)service_->setWorkingDirectory(session, folder(i % 20));
      (void)service_->loadSession(session);
    }
    for (int i = 0; i < decisionCount; ++i) {
      const std::string session = sessionName(static_cast<int>(random() % sessionCount));
      const Scope scope = precedence[random() % precedence.size()];
      (void)service_->set(session, target(i), scope, false, "bench");
    }
    for (std::size_t i = 0; i < lookupCount; ++i)
      lookups_.push_back({sessionName(static_cast<int>(random() % sessionCount)),
                          target(static_cast<int>(random() % (2 * decisionCount)))});
  }

  [[nodiscard]] const EnablementService& service() const { return *service_; }
  [[nodiscard]] const std::vector<Lookup>& lookups() const { return lookups_; }

 private:
  static std::string sessionName(int i) { return "ahp://copilot/session-" + std::to_string(i); }
  static WorkingDirectory folder(int i) {
    return WorkingDirectory::directory("file:///home/user/src/project-" + std::to_string(i))
        .value();
  }
  static Target target(int i) {
    return Target{TargetKey::mcpServer("server-" + std::to_string(i),
                                       "file:///home/user/.agent-plugins/github.com/org/repo/"
                                       "plugins/plugin-" +
                                           std::to_string(i / 4))
                      .value()};
  }

  std::unique_ptr<EnablementService> service_ = testing::openInMemory();
  std::vector<Lookup> lookups_;
};

const DataSet& dataSet() {
  static const DataSet data;
  return data;
}

template <typename Ask>
void lookUp(benchmark::State& state, Ask ask) {
  const DataSet& data = dataSet();
  std::size_t i = 0;
  for (auto _ : state) {
    const Lookup& lookup = data.lookups()[i++ % lookupCount];
    benchmark::DoNotOptimize(ask(data.service(), lookup));
  }
}

void resolveOwn(benchmark::State& state) {
  lookUp(state, [](const EnablementService& service, const Lookup& lookup) {
    return service.resolve(lookup.session, lookup.target);
  });
}
BENCHMARK(resolveOwn);

void resolveEffective(benchmark::State& state) {
  lookUp(state, [](const EnablementService& service, const Lookup& lookup) {
    return service.effective(lookup.session, lookup.target);
  });
}
BENCHMARK(resolveEffective);

}  // namespace
}  // namespace enablement

BENCHMARK_MAIN();
