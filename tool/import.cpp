// enablectl import and export: decisions from what agent hosts have on disk, and back.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/schema/text.h>
#include <enablement/tool/folder.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/progress.h>
#include <enablement/tool/usage.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

namespace fs = std::filesystem;
using Fate = ImportedItem::Fate;
using State = ImportedSource::State;

struct SourceOptions {
  std::vector<std::string> hostStorage;
  std::vector<std::string> sessionDbs;  // URI=FILE
  std::string sessions;                 // a folder of <session id>/session.db
  std::string scheme;
  std::vector<std::string> disabledServers;
  std::string directory;
  std::string format;
  std::vector<std::string> files;  // of that format
  bool force = false;

  [[nodiscard]] bool empty() const {
    return hostStorage.empty() && sessionDbs.empty() && sessions.empty() &&
           disabledServers.empty() && files.empty();
  }
};

Status usage(const std::string& what, const std::string& hint) {
  return fail(ErrorCode::invalidArgument, what, hint);
}

Status checkOptions(const SourceOptions& options) {
  if (options.empty()) return usage("nothing is named to import", "see: enablectl import --help");
  if (options.sessions.empty() != options.scheme.empty())
    return usage("--sessions and --scheme go together",
                 "e.g. --sessions ~/.agent/sessions --scheme copilot");
  if (!options.directory.empty() && options.disabledServers.empty())
    return usage("--directory is about --disabled-servers", "name such a file, or leave it out");
  if (!options.files.empty() && options.format != "json")
    return usage("FILE needs --format json", "other sources are named by an option of their own");
  return {};
}

// Reads all sources; one that cannot be read stands among the others with its error.
class Sources {
 public:
  explicit Sources(ProgressLine& progress) : progress_(progress) {}

  Result<std::vector<ImportSource>> read(const SourceOptions& options) {
    for (const std::string& file : options.hostStorage)
      add(ImportKind::hostStorage, file, {}, readHostStorage(file));
    for (const std::string& named : options.sessionDbs)
      if (auto ok = addSession(named); !ok) return fail(ok.error());
    if (!options.sessions.empty())
      if (auto ok = addSessions(options.sessions, options.scheme); !ok) return fail(ok.error());
    std::optional<WorkingDirectory> folder;
    if (!options.directory.empty()) {
      const auto named = folderFrom(options.directory);
      if (!named) return fail(named.error());
      folder = *named;
    }
    for (const std::string& file : options.disabledServers)
      add(ImportKind::disabledServers, file, {}, readDisabledServers(file, folder));
    for (const std::string& file : options.files) add(ImportKind::json, file, {}, readExport(file));
    return std::move(sources_);
  }

 private:
  void add(ImportKind kind, const fs::path& file, std::string_view place,
           Result<ImportSource> source) {
    sources_.push_back(source ? *std::move(source)
                              : failedSource(kind, file, place, source.error()));
  }

  void addSession(const std::string& session, const fs::path& file) {
    add(ImportKind::sessionDb, file, session, readSessionDb(session, file));
  }

  // Either side may have a "=" in it: the one before a file that exists is meant.
  Status addSession(const std::string& named) {
    std::size_t equals = named.rfind('=');
    for (std::size_t at = named.find('='); at != std::string::npos; at = named.find('=', at + 1))
      if (fs::exists(named.substr(at + 1))) equals = at;
    if (equals == std::string::npos || equals == 0 || equals + 1 == named.size())
      return usage("--session-db takes URI=FILE, not " + quote(named),
                   "e.g. --session-db copilot:/1=/home/me/.agent/sessions/1/session.db");
    addSession(named.substr(0, equals), named.substr(equals + 1));
    return {};
  }

  Status addSessions(const fs::path& folder, const std::string& scheme) {
    std::error_code failed;
    std::vector<fs::path> found;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed))
      if (fs::exists(entry->path() / "session.db")) found.push_back(entry->path());
    if (failed)
      return fail(ErrorCode::invalidArgument,
                  "cannot read the folder " + folder.string() + ": " + failed.message(),
                  "name the folder that holds <session id>/session.db");
    std::sort(found.begin(), found.end());
    for (const fs::path& one : found) {
      progress_.show("read " + std::to_string(sources_.size()) + " of " +
                     counted(found.size(), "session database"));
      addSession(scheme + ":/" + one.filename().string(), one / "session.db");
    }
    return {};
  }

  ProgressLine& progress_;
  std::vector<ImportSource> sources_;
};

// Where the plan of a dry run finds what is stored; without a store that is nothing.
Result<std::unique_ptr<EnablementService>> openFor(const Common& common) {
  if (!common.dryRun) return openReadable(common, Access::readWrite);
  const auto exists = storeExists(common);
  if (!exists) return fail(exists.error());
  if (*exists) return openReadable(common, Access::look);
  return EnablementService::open({});
}

std::string_view name(State state, bool dryRun) {
  switch (state) {
    case State::imported:
      return dryRun ? "wouldImport" : "imported";
    case State::unchanged:
      return "unchanged";
    case State::failed:
      return "failed";
  }
  return "failed";
}

std::string_view name(Fate fate) {
  switch (fate) {
    case Fate::taken:
      return "taken";
    case Fate::kept:
      return "kept";
    case Fate::already:
      return "already";
  }
  return "kept";
}

Json toJson(const std::vector<ImportNote>& notes) {
  Json list = Json::array();
  for (const ImportNote& note : notes)
    list.push_back({{"position", note.position}, {"what", note.what}});
  return list;
}

Json toJson(const ImportedSource& source, bool dryRun) {
  Json items = Json::array();
  for (const ImportedItem& item : source.items)
    items.push_back({{"fate", name(item.fate)},
                     {"scope", name(item.scope)},
                     {"where", item.place},
                     {item.isClaimed ? "target" : "customizationId", item.what},
                     {"enabled", item.enabled ? Json(*item.enabled) : Json()}});
  Json json{{"kind", name(source.marker.kind)},
            {"path", source.marker.path},
            {"place", source.marker.place},
            {"state", name(source.state, dryRun)}};
  if (source.error)
    json["error"] = {{"code", name(source.error->code)}, {"message", source.error->message}};
  json["items"] = std::move(items);
  json["rejected"] = toJson(source.rejected);
  json["conflicts"] = toJson(source.conflicts);
  return json;
}

std::string sentence(const ImportedItem& item, bool dryRun) {
  const std::string what = item.isClaimed ? shown(item.what) : "the entry " + shown(item.what);
  const std::string value = item.enabled ? std::string(onOff(*item.enabled)) : "clear";
  const std::string where = whereIn(item.scope, item.place);
  switch (item.fate) {
    case Fate::taken:
      return (dryRun ? "would take " : "took ") + what + " " + value + " " + where;
    case Fate::kept:
      return "kept the store's own decision about " + what + " " + where + " (the source says " +
             value + ")";
    case Fate::already:
      break;
  }
  return what + " is " + value + " " + where + " already";
}

void print(const Common& common, const Console& console, const ImportedSource& source) {
  const bool dryRun = common.dryRun;
  const std::string file = shown(source.marker.path);
  if (source.state == State::failed) {
    complain(*source.error);
    return;
  }
  if (source.state == State::unchanged) {
    if (!common.quiet)
      console.say(file + ": imported before and unchanged since; --force imports it again");
    return;
  }
  // Each line where there is something to decide about; a real run says what it did in sum.
  for (const ImportedItem& item : source.items)
    if (dryRun || common.verbose || item.fate == Fate::kept)
      console.print(wrapped("  " + sentence(item, dryRun), 4));
  for (const ImportNote& note : source.conflicts)
    console.print(wrapped("  " + shown(note.position) + " " + shown(note.what), 4));
  for (const ImportNote& note : source.rejected)
    console.print(wrapped("  rejected " + shown(note.position) + ": " + shown(note.what), 4));
  if (common.quiet) return;
  std::string sum = file + ": " + (dryRun ? "would take " : "took ") +
                    counted(source.count(Fate::taken), "decision");
  if (const auto kept = source.count(Fate::kept); kept > 0)
    sum += ", kept " + std::to_string(kept) + " of the store's own";
  if (const auto same = source.count(Fate::already); same > 0)
    sum += ", " + std::to_string(same) + " were there already";
  if (!source.rejected.empty()) sum += ", rejected " + std::to_string(source.rejected.size());
  console.say(sum);
}

// Done in part when something was rejected, or some sources failed and others did not.
Exit exitOf(const ImportReport& report) {
  std::size_t failed = 0;
  bool rejected = false;
  for (const ImportedSource& source : report.sources) {
    failed += source.state == State::failed ? 1 : 0;
    rejected |= !source.rejected.empty();
  }
  if (failed > 0 && failed == report.sources.size())
    return tool::exitOf(report.sources.front().error->code);
  return failed > 0 || rejected ? Exit::partly : Exit::done;
}

Exit importAll(const Common& common, const SourceOptions& options) {
  if (auto ok = checkOptions(options); !ok) return complain(ok.error());
  ProgressLine progress(common);
  const auto sources = Sources(progress).read(options);
  progress.clear();
  if (!sources) return complain(sources.error());
  const auto service = openFor(common);
  if (!service) return complain(service.error());
  const ImportOptions how{
      options.force, common.dryRun, [&](std::size_t done, std::size_t all) {
        progress.show("imported " + std::to_string(done) + " of " + counted(all, "source"));
      }};
  const auto report = (*service)->importFrom(*sources, how, actor);
  progress.clear();
  if (!report) return complain(report.error());
  const Console console = common.console();
  if (common.json) {
    Json list = Json::array();
    for (const ImportedSource& source : report->sources)
      list.push_back(toJson(source, common.dryRun));
    console.print(document({{"dryRun", common.dryRun}, {"sources", std::move(list)}}));
  } else {
    for (const ImportedSource& source : report->sources) print(common, console, source);
    if (report->sources.empty()) console.say("no session databases were found");
  }
  return exitOf(*report);
}

// export

struct ExportOptions {
  std::string format = "json";
  std::string file = "-";
};

Status writeNew(const std::string& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text << std::flush;
  if (stream) return {};
  return fail(ErrorCode::io, "cannot write " + file, "name a file in a folder you may write to");
}

Exit exportAll(const Common& common, const ExportOptions& options) {
  const auto service = openReadable(common, Access::look);
  if (!service) return complain(service.error());
  const auto content = (*service)->content();
  if (!content) return complain(content.error());
  LegacyExport legacy;
  if (options.format == "legacy")
    legacy = exportLegacy(*content);
  else
    legacy.text = exportJson(*content);
  const Console console = common.console();
  if (options.file == "-") {
    legacy.text.pop_back();  // print() ends the line
    console.print(legacy.text);
  } else if (auto written = writeNew(options.file, legacy.text); !written) {
    return complain(written.error());
  }
  for (const std::string& what : legacy.left)
    console.note("enablectl: the legacy form has no place for " + shown(what));
  return legacy.left.empty() ? Exit::done : Exit::partly;
}

void addImport(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "import", "Take over decisions that agent hosts have on disk",
              "The sources stay as they are. What the store has decided wins; a source that was\n"
              "imported and has not changed since is left alone. Exits with 8 when something\n"
              "was rejected: it is listed, and the rest is imported.\n"
              "\n"
              "Examples:\n"
              "  enablectl import --host-storage ~/.agent-host/storage.json --dry-run\n"
              "  enablectl import --sessions ~/.agent-host/sessions --scheme copilot\n"
              "  enablectl import --disabled-servers off.json --directory ~/src/api\n"
              "  enablectl import --format json export.json");
  addDryRun(verb, common);
  auto sources = std::make_shared<SourceOptions>();
  verb.add_option("--host-storage", sources->hostStorage, "JSON with customizationEnablement")
      ->option_text("FILE");
  verb.add_option("--session-db", sources->sessionDbs, "a session's own database")
      ->option_text("URI=FILE");
  verb.add_option("--sessions", sources->sessions, "a folder of <session id>/session.db")
      ->option_text("DIR");
  verb.add_option("--scheme", sources->scheme, "sessions are called NAME:/<session id>")
      ->option_text("NAME");
  verb.add_option("--disabled-servers", sources->disabledServers, "a JSON list of server names")
      ->option_text("FILE");
  verb.add_option("--directory", sources->directory, "where those are off; else everywhere")
      ->option_text("DIR");
  verb.add_option("--format", sources->format, "json: FILE is what export wrote")
      ->option_text("FORMAT")
      ->check(oneOf({"json"}));
  verb.add_option("FILE", sources->files, "with --format json")->option_text(" ");
  verb.add_flag("--force", sources->force, "also what was imported before");
  verb.callback([&common, sources] {
    common.run = [sources](const Common& c) { return importAll(c, *sources); };
  });
}

void addExport(CLI::App& app, Common& common) {
  CLI::App& verb =
      addVerb(app, common, "export", "Write out what is stored, but for the history",
              "In stable order, so that two exports compare line by line. Imported into an\n"
              "empty store with --format json it gives the same store. The format `legacy` is\n"
              "that of agent hosts' own storage; what it cannot express is named, and the exit\n"
              "code is 8.\n"
              "\n"
              "Examples:\n"
              "  enablectl export > decisions.json\n"
              "  enablectl export --format legacy storage.json");
  auto options = std::make_shared<ExportOptions>();
  verb.add_option("--format", options->format, "json or legacy (json)")
      ->option_text("FORMAT")
      ->check(oneOf({"json", "legacy"}));
  verb.add_option("FILE", options->file, "where to; else standard output")->option_text(" ");
  verb.callback([&common, options] {
    common.run = [options](const Common& c) { return exportAll(c, *options); };
  });
}

}  // namespace

void addImportAndExport(CLI::App& app, Common& common) {
  addImport(app, common);
  addExport(app, common);
}

}  // namespace enablement::tool
