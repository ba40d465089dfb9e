// enablectl doctor: one page about a store, for a bug report. It only looks.
#include <enablement/store/upkeep.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <enablement/tool/holders.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

// Gives each private word a name that says nothing but which are the same.
class Redaction {
 public:
  explicit Redaction(bool active) : active_(active) {}
  std::string operator()(const std::string& word, const std::string& kind) {
    if (!active_ || word.empty()) return word;
    auto& names = names_[kind];
    return names.emplace(word, kind + "-" + std::to_string(names.size() + 1)).first->second;
  }
  // A message that may hold any of them.
  [[nodiscard]] std::string message(const Error& error) const {
    return active_ ? "error " + std::string(name(error.code)) : error.message;
  }
  [[nodiscard]] bool isActive() const { return active_; }

 private:
  bool active_;
  std::map<std::string, std::map<std::string, std::string>> names_;
};

struct Counts {
  std::array<std::size_t, precedence.size()> decisions{};
  std::size_t off = 0;
  std::size_t folders = 0;
  std::size_t sessions = 0;
  std::size_t queued = 0;
  std::size_t unclaimed = 0;
  std::size_t history = 0;
};

struct Findings {
  std::string path;
  FileFacts file;
  std::vector<Holder> holders;
  std::optional<StoreFacts> store = {};
  std::optional<CheckReport> check = {};
  std::optional<Counts> counts = {};
  std::vector<HistoryEntry> troubles = {};  // rows of history that tell of something lost
  std::vector<std::string> problems = {};   // in words

  [[nodiscard]] bool isReadable() const { return counts && check && check->isSound(); }
};

// How many rows that tell of trouble are shown.
constexpr std::size_t newestTroubles = 5;

template <typename Rows>
std::size_t distinct(const Rows& rows, Scope scope) {
  std::vector<std::string> places;
  for (const StoredDecision& row : rows)
    if (row.scope == scope) places.push_back(row.place);
  std::sort(places.begin(), places.end());
  return static_cast<std::size_t>(
      std::distance(places.begin(), std::unique(places.begin(), places.end())));
}

Result<Counts> countsOf(const EnablementService& service, std::vector<HistoryEntry>& troubles) {
  Counts counts;
  const auto stored = service.stored();
  if (!stored) return fail(stored.error());
  for (const StoredDecision& row : *stored) {
    ++counts.decisions[index(row.scope)];
    counts.off += row.enabled ? 0 : 1;
  }
  counts.folders = distinct(*stored, Scope::workspace);
  counts.sessions = distinct(*stored, Scope::session);
  const auto queued = service.queued();
  if (!queued) return fail(queued.error());
  counts.queued = queued->size();
  const auto unclaimed = service.unclaimed();
  if (!unclaimed) return fail(unclaimed.error());
  counts.unclaimed = unclaimed->size();
  const auto history = service.history();
  if (!history) return fail(history.error());
  counts.history = history->size();
  for (const HistoryEntry& row : *history)
    if (row.cause == Cause::queueDropped || row.cause == Cause::recovered) troubles.push_back(row);
  if (troubles.size() > newestTroubles)
    troubles.erase(troubles.begin(), troubles.end() - newestTroubles);
  return counts;
}

void judgeModes(Findings& findings) {
  const auto& file = findings.file.file;
  if (!file) return;
  if ((file->mode & 0077U) != 0)
    findings.problems.emplace_back(
        "others may read or write the file; only its owner should: chmod 600");
  if (access(findings.path.c_str(), R_OK) != 0)
    findings.problems.emplace_back("this user may not read the file");
  else if (access(findings.path.c_str(), W_OK) != 0)
    findings.problems.emplace_back("this user may not write to the file: writes are refused");
}

void judgeStore(Findings& findings) {
  if (findings.store && findings.store->schemaVersion < currentSchemaVersion())
    findings.problems.emplace_back(
        "the schema is older than this program's: it is migrated by "
        "the next daemon, or with: enablectl migrate up");
  if (findings.check && !findings.check->isSound())
    findings.problems.emplace_back("the file is damaged; see: enablectl check --full");
}

Findings examine(const StoreOptions& options, const Redaction& redaction) {
  Findings findings{options.path.string(), fileFacts(options.path), holdersOf(options.path)};
  judgeModes(findings);
  const auto problem = [&](const Error& error) {
    const std::string message = redaction.message(error);
    if (std::find(findings.problems.begin(), findings.problems.end(), message) ==
        findings.problems.end())
      findings.problems.push_back(message);
  };
  if (auto store = storeFacts(options))
    findings.store = *std::move(store);
  else
    problem(store.error());
  if (auto check = checkStore(options, false))
    findings.check = *std::move(check);
  else
    problem(check.error());
  const auto service = EnablementService::open(options);
  if (const auto status = service->status(); status.state != ServiceStatus::State::ready) {
    if (status.error) problem(*status.error);
  } else if (auto counts = countsOf(*service, findings.troubles)) {
    findings.counts = *counts;
  } else {
    problem(counts.error());
  }
  judgeStore(findings);
  return findings;
}

// As JSON

Json toJson(const std::optional<FileMode>& mode) {
  if (!mode) return nullptr;
  std::array<char, 16> octal{};
  std::snprintf(octal.data(), octal.size(), "%04o", mode->mode);
  return {{"mode", octal.data()}, {"owner", mode->owner}, {"mine", mode->owner == geteuid()}};
}

Json toJson(const Counts& counts) {
  return {{"global", counts.decisions[index(Scope::global)]},
          {"workspace", counts.decisions[index(Scope::workspace)]},
          {"session", counts.decisions[index(Scope::session)]},
          {"off", counts.off},
          {"folders", counts.folders},
          {"sessions", counts.sessions},
          {"queued", counts.queued},
          {"unclaimed", counts.unclaimed},
          {"history", counts.history}};
}

Json troublesJson(const std::vector<HistoryEntry>& troubles, Redaction& redaction) {
  Json list = Json::array();
  for (const HistoryEntry& row : troubles)
    list.push_back({{"at", utc(row.at)},
                    {"cause", name(row.cause)},
                    {"scope", name(row.scope)},
                    {"target", row.key ? Json(redaction(row.key->printed(), "target")) : Json()},
                    {"folder", row.scope == Scope::workspace ? Json(redaction(row.place, "folder"))
                                                             : Json()}});
  return list;
}

Json documentOf(const Findings& findings, Redaction& redaction) {
  Json holders = Json::array();
  for (const Holder& one : findings.holders)
    holders.push_back({{"process", one.process}, {"program", one.program}});
  Json checks = Json::array();
  if (findings.check)
    for (const Check& check : findings.check->checks)
      checks.push_back({{"check", check.name}, {"sound", check.problems.empty()}});
  const auto& store = findings.store;
  return {{"version", ENABLEMENT_VERSION},
          {"sqlite", findings.file.sqlite},
          {"schemaVersion", store ? Json(store->schemaVersion) : Json()},
          {"newestSchema", currentSchemaVersion()},
          {"path", redaction(findings.path, "store")},
          {"bytes", findings.file.bytes},
          {"walBytes", findings.file.walBytes},
          {"file", toJson(findings.file.file)},
          {"folder", toJson(findings.file.folder)},
          {"journalMode", store ? Json(store->journalMode) : Json()},
          {"openIn", std::move(holders)},
          {"checks", std::move(checks)},
          {"counts", findings.counts ? toJson(*findings.counts) : Json()},
          {"troubles", troublesJson(findings.troubles, redaction)},
          {"problems", findings.problems},
          {"redacted", redaction.isActive()}};
}

// In words

std::string inWords(const std::optional<FileMode>& mode) {
  if (!mode) return "not there";
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04o, owned by %s", mode->mode,
                mode->owner == geteuid() ? "this user" : "another user");
  return text.data();
}

std::string inWords(const std::vector<Holder>& holders) {
  std::string text;
  for (const Holder& one : holders)
    text +=
        (text.empty() ? "" : ", ") + shown(one.program) + " (" + std::to_string(one.process) + ")";
  return text.empty() ? "nobody, as far as this user may see" : text;
}

std::string inWords(const CheckReport& report) {
  std::string text;
  for (const Check& check : report.checks)
    text += (text.empty() ? "" : ", ") + check.name + " " +
            (check.problems.empty() ? "sound" : "DAMAGED");
  return text;
}

std::string inWords(const Counts& counts) {
  const auto at = [&](Scope scope) { return counts.decisions[index(scope)]; };
  return std::to_string(at(Scope::global)) + " everywhere, " +
         std::to_string(at(Scope::workspace)) + " in " + counted(counts.folders, "folder") + ", " +
         std::to_string(at(Scope::session)) + " in " + counted(counts.sessions, "session") + "; " +
         std::to_string(counts.off) + " are off";
}

std::string inWords(const HistoryEntry& row, Redaction& redaction) {
  std::string text = utc(row.at) + " " + std::string(name(row.cause)) + ", " +
                     std::string(name(row.scope)) + " scope";
  if (row.key) text += ", " + shown(redaction(row.key->printed(), "target"));
  if (row.scope == Scope::workspace && !row.place.empty())
    text += ", " + shown(redaction(row.place, "folder"));
  return text;
}

void print(const Console& console, const Findings& findings, Redaction& redaction) {
  const auto line = [&](std::string heading, const std::string& text) {
    heading.resize(13, ' ');
    console.print(wrapped(heading + text, 13));
  };
  line("enablectl", std::string(ENABLEMENT_VERSION) + ", SQLite " + findings.file.sqlite);
  line("store", shown(redaction(findings.path, "store")));
  line("file", inWords(findings.file.file) + ", " + std::to_string(findings.file.bytes) +
                   " bytes, log " + std::to_string(findings.file.walBytes) + " bytes");
  line("folder", inWords(findings.file.folder));
  if (const auto& store = findings.store) {
    line("schema", "version " + std::to_string(store->schemaVersion) + ", this program writes " +
                       std::to_string(currentSchemaVersion()));
    line("journal", store->journalMode + ", " + std::to_string(store->pages) + " pages of " +
                        std::to_string(store->pageSize) + " bytes, " +
                        std::to_string(store->freePages) + " free");
  }
  line("open in", inWords(findings.holders));
  if (findings.check) line("integrity", inWords(*findings.check));
  if (const auto& counts = findings.counts) {
    line("decisions", inWords(*counts));
    line("waiting", counted(counts->queued, "queued part") + ", " +
                        counted(counts->unclaimed, "unclaimed decision"));
    line("history", counted(counts->history, "row"));
  }
  for (const HistoryEntry& row : findings.troubles) line("last error", inWords(row, redaction));
  for (const std::string& problem : findings.problems)
    line("problem", console.painted(shown(problem), Paint::red));
  if (findings.problems.empty()) line("problem", "none");
}

Exit doctor(const Common& common, bool redact) {
  const auto options = storeOptions(common, Access::look);
  if (!options) return complain(options.error());
  Redaction redaction(redact);
  const Findings findings = examine(*options, redaction);
  const Console console = common.console();
  if (common.json)
    console.print(document(documentOf(findings, redaction)));
  else
    print(console, findings, redaction);
  return findings.isReadable() ? Exit::done : Exit::database;
}

}  // namespace

void addDoctor(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "doctor", "Say on one page how the store is, for a bug report",
              "Versions, the file and who has it open, its schema and integrity, how much is\n"
              "stored, what went wrong. The path, and keys and folders in errors, are shown\n"
              "unless --redact is given; nothing else is private. Exits with 4 when the store\n"
              "cannot be used.\n"
              "\n"
              "Examples:\n"
              "  enablectl doctor --redact");
  auto redact = std::make_shared<bool>(false);
  verb.add_flag("--redact", *redact, "hide the path, keys and folders");
  verb.callback(
      [&common, redact] { common.run = [redact](const Common& c) { return doctor(c, *redact); }; });
}

}  // namespace enablement::tool
