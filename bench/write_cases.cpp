#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <enablement/bench/cases.h>
#include <enablement/bench/must.h>
#include <enablement/bench/peers/files.h>

namespace enablement::bench {
namespace {

constexpr std::size_t batchSize = 1000;

Nanoseconds timed(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return since(start);
}

// Single operations that are too slow to be timed in batches.
Figures figuresOf(const std::vector<Nanoseconds>& times, double each = 1) {
  return {.median = quantile(times, 0.5) / each,
          .p50 = quantile(times, 0.5) / each,
          .p99 = quantile(times, 0.99) / each,
          .operations = times.size()};
}

// One store on the disk, and a target nobody decided about for every write.
class Writer {
 public:
  Writer(const Settings& settings, const DataSet& data)
      : data_(data),
        service_(EnablementService::open(
            {.path = settings.folder + "/write-" + std::string(data.size().name) + ".db"})) {
    decide(*service_, data);
    settle(*service_, data);
    for (std::size_t i = data.names().size() / 2; i < data.names().size(); ++i)
      strangers_.push_back(targetOf(data.names()[i]));
  }

  // By turns a decision that comes and, because it says again what is inherited, the same going:
  // as much stays stored as at the start.
  void setOne() {
    const bool enabled = writes_ % 2 == 1;
    const Target& target = strangers_[writes_++ / 2 % strangers_.size()];
    must(service_->set(session(), target, Scope::global, enabled, "bench"));
  }
  // A thousand that come, the next time the same going.
  void setMany() {
    const bool enabled = batches_++ % 2 == 1;
    constexpr std::array scopes{Scope::global, Scope::workspace, Scope::session};
    std::vector<Write> writes;
    for (std::size_t i = 0; i < batchSize; ++i)
      writes.push_back({strangers_[i / scopes.size() % strangers_.size()],
                        Set{scopes[i % scopes.size()], enabled}});
    must(service_->batch(session(), writes, "bench"));
  }

 private:
  [[nodiscard]] const std::string& session() const { return data_.sessions().front(); }

  const DataSet& data_;
  std::unique_ptr<EnablementService> service_;
  std::vector<Target> strangers_;
  std::size_t writes_ = 0;
  std::size_t batches_ = 0;
};

void writesOn(Section& section, const Settings& settings, const DataSet& data) {
  const std::string stored(data.size().name);
  const bool isA = stored == sizeA.name;
  Writer writer(settings, data);
  const RawAppend raw(settings.folder + "/raw-" + stored);
  std::optional<JsonRewrite> rewrite;
  if (isA) rewrite.emplace(settings.folder + "/rewrite.json", data);

  std::vector<Nanoseconds> sets;
  std::vector<Nanoseconds> appends;
  std::vector<Nanoseconds> rewrites;
  const std::size_t pairs = settings.scaled(2000, 100);
  for (std::size_t i = 0; i < pairs; ++i) {
    sets.push_back(timed([&] { writer.setOne(); }));
    appends.push_back(timed([&] { raw.append(); }));
    if (rewrite)
      rewrites.push_back(timed([&] { rewrite->change(data.names().front().printed, i % 2 == 0); }));
  }
  std::vector<Nanoseconds> batches;
  const std::size_t rounds = settings.scaled(30, 4);
  for (std::size_t i = 0; i < rounds; ++i) batches.push_back(timed([&] { writer.setMany(); }));

  const Figures set = figuresOf(sets);
  const Figures append = figuresOf(appends);
  const Figures batch = figuresOf(batches, batchSize);
  section.lines.push_back({"set, durable", stored, set});
  section.lines.push_back({"batch of 1,000, per decision", stored, batch});
  section.lines.push_back({"peer: append of 200 bytes, fdatasync", stored, append});
  section.comparisons.push_back(
      {"set p50 / append p50", stored, set.p50 / append.p50, "×", atMost(1.3)});
  section.comparisons.push_back(
      {"set p99 / append p50", stored, set.p99 / append.p50, "×", atMost(3)});
  section.comparisons.push_back({"batch, per decision", stored, batch.median / 1000, "µs",
                                 isA ? std::optional(atMost(5)) : std::nullopt});
  section.comparisons.push_back(
      {"1,000 single sets / batch of 1,000", stored, set.median / batch.median, "×"});
  if (!rewrite) return;
  const Figures whole = figuresOf(rewrites);
  section.lines.push_back({"peer: JSON file rewritten, fsync", stored, whole});
  section.comparisons.push_back(
      {"JSON file rewritten / set", stored, whole.p50 / set.p50, "×", atLeast(4)});
}

}  // namespace

void writeCases(Report& report, const Settings& settings) {
  Section& section = report.section("Writes");
  for (const Size& size : {sizeA, sizeB}) {
    if (settings.isShort && size.name != sizeA.name) continue;  // slow to set up
    const DataSet data(size);
    writesOn(section, settings, data);
  }
  section.notes.emplace_back(
      "Single operations throughout: allocations are not counted here, and median is p50.");
}

}  // namespace enablement::bench
