// What every verb is given, and the store it works on.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <enablement/resolver/service.h>
#include <enablement/schema/error.h>
#include <enablement/tool/console.h>
#include <enablement/tool/exit_code.h>

namespace enablement::tool {

// The name in the history of decisions that were made here.
inline constexpr const char* actor = "enablectl";

// The options that all verbs share.
struct Common {
  std::string db;
  std::string color = "auto";
  int busyTimeout = 2000;  // milliseconds
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool dryRun = false;
  bool yes = false;

  // Set by the verb that was chosen.
  std::function<Exit(const Common&)> run = {};

  [[nodiscard]] Console console() const;
};

// Adds the shared options, before or after the verb alike.
void addCommon(CLI::App& app, Common& common);
void addDryRun(CLI::App& app, Common& common);
void addYes(CLI::App& app, Common& common);

// A verb with its shared options, and examples below its help.
CLI::App& addVerb(CLI::App& app, Common& common, const std::string& name,
                  const std::string& description, const std::string& examples);

// Asks at a terminal; -y answers. Only a person is asked: without a terminal it is `otherwise`.
[[nodiscard]] bool confirmed(const Common& common, const std::string& question, bool otherwise);

// The store as the library's functions for its upkeep take it.
[[nodiscard]] Result<StoreOptions> storeOptions(const Common& common, Access access);

// The newest row of the history, and those that this program has added since.
[[nodiscard]] Result<std::int64_t> newestChange(const EnablementService& service);
[[nodiscard]] Result<std::vector<HistoryEntry>> ownChangesSince(const EnablementService& service,
                                                                std::int64_t sequence);

// Where the store is: --db, else $ENABLEMENT_DB, else below $XDG_STATE_HOME or ~/.local/state.
[[nodiscard]] Result<std::filesystem::path> storePath(const Common& common);

// Whether there is something at that place.
[[nodiscard]] Result<bool> storeExists(const Common& common);

// Opens the store, also when it cannot be read.
[[nodiscard]] Result<std::unique_ptr<EnablementService>> openStore(const Common& common,
                                                                   Access access);
// The same, but a store that cannot be read is an error.
[[nodiscard]] Result<std::unique_ptr<EnablementService>> openReadable(const Common& common,
                                                                      Access access);

}  // namespace enablement::tool
