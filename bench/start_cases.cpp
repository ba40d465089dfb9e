#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <enablement/bench/allocations.h>
#include <enablement/bench/cases.h>
#include <enablement/bench/must.h>
#include <enablement/bench/peers/files.h>
#include <enablement/bench/peers/string_maps.h>

namespace enablement::bench {
namespace {

// The files of one data set, closed.
struct Files {
  std::string store;
  std::string json;
};

// Asks the kernel to forget what it holds of a file. The file must not be open with SQLite.
void chill(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  must(file >= 0 && ::fsync(file) == 0 && ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0,
       "cannot make " + path + " cold");
  ::close(file);
}

std::unique_ptr<EnablementService> opened(const Files& files) {
  auto service = EnablementService::open({.path = files.store});
  must(service->status().state == ServiceStatus::State::ready, "the store does not open");
  return service;
}

void addSessions(StringMaps& maps, const DataSet& data) {
  for (std::uint32_t i = 0; i < data.size().sessions; ++i)
    maps.session(data.sessions()[i], data.folderOf(i));
}

void readRows(const Files& files, const DataSet& data) {
  StringMaps maps;
  addSessions(maps, data);
  sqlite3* database = nullptr;
  sqlite3_stmt* rows = nullptr;
  must(
      sqlite3_open_v2(files.store.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK &&
          sqlite3_prepare_v2(database,
                             "SELECT scope, place, owner_uri, name, enabled FROM decision", -1,
                             &rows, nullptr) == SQLITE_OK,
      "cannot read " + files.store);
  const auto text = [&](int column) {
    return std::string_view(reinterpret_cast<const char*>(sqlite3_column_text(rows, column)),
                            static_cast<std::size_t>(sqlite3_column_bytes(rows, column)));
  };
  std::size_t count = 0;
  for (; sqlite3_step(rows) == SQLITE_ROW; ++count) {
    std::string key(text(2));
    if (!text(3).empty()) key.append("#mcp=").append(text(3));
    maps.decide(*parseScope(text(0)), text(1), key, sqlite3_column_int(rows, 4) != 0);
  }
  sqlite3_finalize(rows);
  sqlite3_close(database);
  must(count == data.decisions().size(), "rows are missing");
  keep(maps);
}

void readJson(const Files& files, const DataSet& data) {
  StringMaps maps;
  addSessions(maps, data);
  const auto all = nlohmann::json::parse(std::ifstream(files.json));
  for (const auto& [scope, places] : all.items())
    for (const auto& [place, keys] : places.items())
      for (const auto& [key, enabled] : keys.items())
        maps.decide(*parseScope(scope), place, key, enabled.get<bool>());
  keep(maps);
}

struct Start {
  std::string name;
  std::string file;  // what is made cold
  std::function<void()> run;
};

void startsOf(Section& section, const Settings& settings, const DataSet& data, const Files& files) {
  const std::string size(data.size().name);
  const std::vector<Start> starts{
      {"open", files.store, [&] { keep(opened(files)); }},
      {"open, load every session", files.store,
       [&] {
         const auto service = opened(files);
         settle(*service, data);
       }},
      {"peer: rows of sqlite3 into maps", files.store, [&] { readRows(files, data); }},
      {"peer: JSON into maps", files.json, [&] { readJson(files, data); }},
  };
  for (const bool isCold : {false, true}) {
    const std::string stored = size + (isCold ? ", cold" : ", warm");
    std::vector<std::vector<Nanoseconds>> times(starts.size());
    const std::size_t rounds = settings.scaled(15, 2);
    for (std::size_t round = 0; round < rounds; ++round)
      for (std::size_t i = 0; i < starts.size(); ++i) {
        if (isCold) chill(starts[i].file);
        const auto start = std::chrono::steady_clock::now();
        starts[i].run();
        times[i].push_back(since(start));
      }
    std::vector<Nanoseconds> medians;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      medians.push_back(quantile(times[i], 0.5));
      section.lines.push_back({starts[i].name, stored, {.median = medians.back()}});
    }
    section.comparisons.push_back({"open / rows of sqlite3", stored, medians[0] / medians[2], "×"});
    section.comparisons.push_back({"open, load every session / rows of sqlite3", stored,
                                   medians[1] / medians[2], "×", atMost(1.3)});
    section.comparisons.push_back({"JSON / open, load every session", stored,
                                   medians[3] / medians[1], "×",
                                   size == sizeB.name ? std::optional(atLeast(2)) : std::nullopt});
  }
}

void weigh(Section& section, const DataSet& data, const Files& files) {
  const LiveBytes live;
  const auto service = opened(files);
  const auto perShared = live.sinceStart();
  settle(*service, data);
  const auto count = static_cast<double>(data.decisions().size());
  section.comparisons.push_back({"heap after open, per decision stored",
                                 std::string(data.size().name),
                                 static_cast<double>(perShared) / count, "bytes"});
  section.comparisons.push_back(
      {"heap with every session loaded, per decision stored", std::string(data.size().name),
       static_cast<double>(live.sinceStart()) / count, "bytes",
       data.size().name == sizeB.name ? std::optional(atMost(150)) : std::nullopt});
}

}  // namespace

void startCases(Report& report, const Settings& settings) {
  Section& section = report.section("Start and memory");
  for (const Size& size : {sizeA, sizeB}) {
    const DataSet data(size);
    const std::string path = settings.folder + "/start-" + std::string(size.name);
    const Files files{path + ".db", path + ".json"};
    decide(*EnablementService::open({.path = files.store}), data);
    std::ofstream(files.json) << jsonOf(data);
    startsOf(section, settings, data, files);
    weigh(section, data, files);
  }
  section.notes.emplace_back(
      "Cold: the kernel was asked to forget the file; a virtual disk may not.");
  section.notes.emplace_back("Heap is what `operator new` gave; SQLite's page cache is not in it.");
}

}  // namespace enablement::bench
