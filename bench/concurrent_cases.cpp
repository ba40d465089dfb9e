#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <enablement/bench/cases.h>
#include <enablement/bench/handles.h>
#include <enablement/bench/must.h>

namespace enablement::bench {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t batch = 1024;

// Decides about a target that nobody looks up, at most once a pause, until it goes.
class BusyWriter {
 public:
  BusyWriter(EnablementService& service, std::string session, std::chrono::microseconds pause)
      : thread_([&service, session = std::move(session), pause, this] {
          const Target target{*TargetKey::mcpServer("written-all-the-time")};
          auto next = steady_clock::now();
          for (bool enabled = false; !stop_; enabled = !enabled) {
            must(service.set(session, target, Scope::global, enabled, "bench"));
            ++writes_;
            next = std::max(next + pause, steady_clock::now());
            if (pause.count() > 0) std::this_thread::sleep_until(next);
          }
        }) {}
  ~BusyWriter() {
    stop_ = true;
    thread_.join();
  }
  [[nodiscard]] double writesPerSecond() const {
    return static_cast<double>(writes_) / since(start_) * 1e9;
  }
  BusyWriter(const BusyWriter&) = delete;
  BusyWriter& operator=(const BusyWriter&) = delete;

 private:
  steady_clock::time_point start_ = steady_clock::now();
  std::atomic<std::size_t> writes_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;  // last: it uses the others
};

// Look-ups a second of so many threads together.
template <typename Ask>
double throughput(std::size_t threads, const Ask& ask) {
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> stop = false;
  std::vector<std::thread> readers;
  const auto start = steady_clock::now();
  for (std::size_t thread = 0; thread < threads; ++thread)
    readers.emplace_back([&, next = thread * 4099]() mutable {
      std::size_t mine = 0;
      for (; !stop.load(std::memory_order_relaxed); mine += batch)
        for (std::size_t i = 0; i < batch; ++i) keep(ask(next++));
      done += mine;
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  stop = true;
  for (std::thread& reader : readers) reader.join();
  return static_cast<double>(done) / since(start) * 1e9;
}

struct Writing {
  const char* name;
  std::optional<std::chrono::microseconds> pause;
};

constexpr Writing writings[] = {{"no writer", {}},
                                {"writer at 1 kHz", std::chrono::microseconds(1000)},
                                {"writer without pause", std::chrono::microseconds(0)}};

struct Bounds {
  double p99At1kHz;
};

template <typename Ask>
void readers(Section& section, const Settings& settings, const DataSet& data,
             EnablementService& service, const std::string& name, Ask ask, Bounds bounds) {
  const std::string size(data.size().name);
  std::vector<Samples> samples(std::size(writings));
  std::vector<std::vector<double>> gains(std::size(writings));
  std::vector<std::vector<double>> rates(std::size(writings));
  const std::size_t rounds = settings.scaled(40, 6);
  std::vector<Contender> contenders;
  for (const Writing& writing : writings)
    contenders.push_back(contender(name + ", " + writing.name, batch, ask));
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < std::size(writings); ++i) {
      std::optional<BusyWriter> writer;
      if (writings[i].pause) writer.emplace(service, data.sessions().front(), *writings[i].pause);
      contenders[i].slice(samples[i]);
      if (writer) rates[i].push_back(writer->writesPerSecond());
      // With a writer that never pauses, two readers are three threads: not asked.
      if (round % 4 == 0 && (!writings[i].pause || writings[i].pause->count() > 0))
        gains[i].push_back(throughput(2, ask) / throughput(1, ask));
    }

  std::vector<Figures> figures;
  for (std::size_t i = 0; i < std::size(writings); ++i) {
    figures.push_back(samples[i].figures());
    section.lines.push_back({contenders[i].name, size, figures.back()});
  }
  for (std::size_t i = 1; i < std::size(writings); ++i)
    section.notes.push_back(name + ", " + writings[i].name + ": " +
                            std::to_string(std::lround(quantile(rates[i], 0.5))) +
                            " writes a second were made.");
  const bool isA = size == sizeA.name;
  section.comparisons.push_back({name + ", p99 with writer at 1 kHz", size, figures[1].p99, "ns",
                                 isA ? std::optional(atMost(bounds.p99At1kHz)) : std::nullopt});
  section.comparisons.push_back({name + ", p50 without pause / no writer", size,
                                 figures[2].p50 / figures[0].p50, "×", atMost(1.5)});
  section.comparisons.push_back({name + ", p99 without pause / no writer", size,
                                 figures[2].p99 / figures[0].p99, "×", atMost(3)});
  for (std::size_t i = 0; i < 2; ++i)
    section.comparisons.push_back({name + ", two readers / one, " + writings[i].name, size,
                                   quantile(gains[i], 0.5), "×", atLeast(1.8)});
}

template <typename Service>
void handleReaders(Section& section, const Settings& settings, const DataSet& data,
                   Service& service, const std::vector<Target>& targets) {
  if constexpr (Interns<Service>) {
    const auto interned = internedLookups(service, data, targets);
    readers(section, settings, data, service, "handles",
            [&, mask = interned.size() - 1](std::size_t i) {
              return service.resolve(interned[i & mask].first, interned[i & mask].second);
            },
            {.p99At1kHz = 100});
  }
}

}  // namespace

void concurrentCases(Report& report, const Settings& settings, const DataSet& data) {
  Section& section = report.section("Readers while others work, " + std::string(data.size().name));
  const auto service = inMemory(data);
  const auto targets = targetsOf(data);
  const auto& lookups = data.lookups();
  readers(section, settings, data, *service, "strings",
          [&, mask = lookups.size() - 1](std::size_t i) {
            const Lookup& lookup = lookups[i & mask];
            return service->resolve(data.sessions()[lookup.session], targets[lookup.target]);
          },
          {.p99At1kHz = 250});
  handleReaders(section, settings, data, *service, targets);
}

}  // namespace enablement::bench
