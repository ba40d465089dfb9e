#include <enablement/tool/common.h>

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <optional>

#include <enablement/tool/usage.h>

namespace enablement::tool {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

// Where programs keep state of a person's, if the environment tells. A relative path is ignored, as
// the base directory specification asks.
std::optional<fs::path> stateHome() {
  if (const auto state = environment("XDG_STATE_HOME"); state && fs::path(*state).is_absolute())
    return *state;
  if (const auto home = environment("HOME")) return fs::path(*home) / ".local" / "state";
  return std::nullopt;
}

}  // namespace

Console Common::console() const {
  const Colour colour = color == "always"  ? Colour::always
                        : color == "never" ? Colour::never
                                           : Colour::automatic;
  return {colour, quiet};
}

void addCommon(CLI::App& app, Common& common) {
  app.add_option("--db", common.db, "the store; else $ENABLEMENT_DB")->option_text("FILE");
  app.add_flag("--json", common.json, "print the result as JSON");
  app.add_flag("-q,--quiet", common.quiet, "say nothing beside the result");
  app.add_flag("-v,--verbose", common.verbose, "say more about what is done");
  app.add_option("--color", common.color, "auto, always or never")
      ->option_text("WHEN")
      ->check(oneOf({"auto", "always", "never"}));
  app.add_option("--busy-timeout", common.busyTimeout, "how long to wait for a write lock (2000)")
      ->option_text("MS")
      ->check(numberFrom(0, 3'600'000));
}

void addDryRun(CLI::App& app, Common& common) {
  app.add_flag("-n,--dry-run", common.dryRun, "say what would be done, do nothing");
}

void addYes(CLI::App& app, Common& common) {
  app.add_flag("-y,--yes", common.yes, "do not ask");
}

CLI::App& addVerb(CLI::App& app, Common& common, const std::string& name,
                  const std::string& description, const std::string& examples) {
  CLI::App& verb = *app.add_subcommand(name, description)->group("Verbs");
  addCommon(verb, common);
  verb.footer(examples);
  return verb;
}

bool confirmed(const Common& common, const std::string& question, bool otherwise) {
  if (common.yes) return true;
  if (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0) return otherwise;
  std::cout.flush();
  std::cerr << wrapped(question + " [y/N] ") << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

Result<StoreOptions> storeOptions(const Common& common, Access access) {
  return storePath(common).map([&](const fs::path& path) {
    return StoreOptions{.path = path,
                        .access = access,
                        .busyTimeout = std::chrono::milliseconds(common.busyTimeout)};
  });
}

Result<std::int64_t> newestChange(const EnablementService& service) {
  return service.history({.last = 1}).map([](const std::vector<HistoryEntry>& newest) {
    return newest.empty() ? 0 : newest.back().sequence;
  });
}

Result<std::vector<HistoryEntry>> ownChangesSince(const EnablementService& service,
                                                  std::int64_t sequence) {
  auto changes = service.history({.afterSequence = sequence});
  if (changes)
    std::erase_if(*changes, [](const HistoryEntry& entry) { return entry.actor != actor; });
  return changes;
}

Result<fs::path> storePath(const Common& common) {
  if (!common.db.empty()) return common.db;
  if (const auto db = environment("ENABLEMENT_DB")) return *db;
  if (const auto home = stateHome()) return *home / "enablement" / "enablement.db";
  return fail(ErrorCode::invalidArgument, "no store is named and $HOME is not set",
              "name the store with --db FILE");
}

Result<bool> storeExists(const Common& common) {
  return storePath(common).map([](const fs::path& path) {
    std::error_code unknown;
    const bool missing = !fs::exists(path, unknown) && !unknown;
    return !missing;
  });
}

Result<std::unique_ptr<EnablementService>> openStore(const Common& common, Access access) {
  auto options = storeOptions(common, access);
  if (!options) return fail(options.error());
  return EnablementService::open(*std::move(options));
}

Result<std::unique_ptr<EnablementService>> openReadable(const Common& common, Access access) {
  auto service = openStore(common, access);
  if (!service) return service;
  if (const ServiceStatus status = (*service)->status();
      status.state != ServiceStatus::State::ready)
    return fail(status.error.value_or(
        Error{ErrorCode::io, "cannot read the store " + status.path.string(), {}}));
  return service;
}

}  // namespace enablement::tool
