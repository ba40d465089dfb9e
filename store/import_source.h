// What is imported: the readers of the files that agent hosts have on disk, and of our own export.
// No reader alters its source. All functions: any thread.
//
// What a source says that cannot be understood is rejected entry by entry, with its position;
// `invalidArgument` is a file that is not JSON, or not of the right shape, as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/schema/error.h>
#include <enablement/schema/resolution.h>
#include <enablement/store/records.h>

namespace enablement {

enum class ImportKind : unsigned char {
  hostStorage,      // decisions for everywhere and for folders
  sessionDb,        // those of a session, under customization ids
  disabledServers,  // names of servers that are off
  json,             // an export of ours
};

[[nodiscard]] std::string_view name(ImportKind kind);
[[nodiscard]] std::optional<ImportKind> parseImportKind(std::string_view word);

// That something was imported: a source is told by the first three.
struct ImportMarker {
  ImportKind kind;
  std::string path;
  std::string place;  // sessionDb: the session; disabledServers: the folder, empty for everywhere
  std::string contentHash;
  Timestamp at = {};
  std::string actor = {};
  std::int64_t decisions = 0;  // how many were taken from it
};

struct ImportedDecision {
  Scope scope;
  std::string place;
  TargetKey key;
  bool enabled;
  std::string position;  // in the source, as a JSON pointer
};

// Something in a source that was not taken as it stands.
struct ImportNote {
  std::string position;
  std::string what;
};

// A source that was read.
struct ImportSource {
  ImportMarker marker;
  std::vector<ImportedDecision> decisions = {};
  std::vector<QueuedPart> queued = {};
  std::vector<UnclaimedDecision> unclaimed = {};
  std::vector<ImportMarker> markers = {};  // of an export: what its store had imported
  std::vector<ImportNote> rejected = {};   // not understood, and left out
  std::vector<ImportNote> conflicts = {};  // two spellings of one key that disagreed: off was taken
  std::optional<Error> failure = {};       // why it could not be read; the rest is empty then
};

// {customizationEnablement: {global?: {key: bool}, workingDirectories?: {folder: {key: bool}}}},
// and anything beside it. Folders are URIs or absolute paths.
[[nodiscard]] Result<ImportSource> readHostStorage(const std::filesystem::path& file);

// Row `customizationEnablement` of table session_metadata(key, value): {customization id: bool}. A
// database without that row holds nothing. `busy` when it is locked, `corrupt` when it is no such
// database.
[[nodiscard]] Result<ImportSource> readSessionDb(std::string_view session,
                                                 const std::filesystem::path& file);

// A list of names of servers that have no owner; off in the folder, or everywhere.
[[nodiscard]] Result<ImportSource> readDisabledServers(
    const std::filesystem::path& file, const std::optional<WorkingDirectory>& folder = {});

// What exportJson wrote.
[[nodiscard]] Result<ImportSource> readExport(const std::filesystem::path& file);

// A source that could not be read, for a report beside others.
[[nodiscard]] ImportSource failedSource(ImportKind kind, const std::filesystem::path& file,
                                        std::string_view place, Error failure);

struct ImportOptions {
  bool force = false;   // also what was imported before
  bool dryRun = false;  // only say what would be done
  // Called between sources.
  std::function<void(std::size_t done, std::size_t all)> progress = {};
};

// What became of one thing that a source said.
struct ImportedItem {
  enum class Fate : unsigned char {
    taken,
    kept,     // the store has its own decision there, or somebody has taken one back since
    already,  // the store says the same
  };
  Fate fate;
  Scope scope;
  std::string place;
  std::string what;             // the target as printed, or a customization id
  bool isClaimed;               // false: under a customization id
  std::optional<bool> enabled;  // none: a queued clear
};

struct ImportedSource {
  enum class State : unsigned char {
    imported,
    unchanged,  // imported before, as it is now
    failed,     // nothing of it was taken
  };
  ImportMarker marker;
  State state = State::imported;
  std::optional<Error> error = {};
  std::vector<ImportedItem> items = {};
  std::vector<ImportNote> rejected = {};
  std::vector<ImportNote> conflicts = {};

  [[nodiscard]] std::size_t count(ImportedItem::Fate fate) const;
};

struct ImportReport {
  std::vector<ImportedSource> sources = {};
};

}  // namespace enablement
