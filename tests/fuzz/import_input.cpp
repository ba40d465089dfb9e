#include "import_input.h"

#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include <enablement/resolver/service.h>

namespace enablement::fuzz {
namespace {

namespace fs = std::filesystem;

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// One file, written anew for each input, in memory where there is such a folder.
fs::path inputFile() {
  const fs::path folder = fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path();
  return folder / ("enablement-fuzz-" + std::to_string(::getpid()));
}

void write(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

void writeSessionDb(const fs::path& file, std::string_view value) {
  fs::remove(file);
  sqlite3* database = nullptr;
  require(sqlite3_open(file.c_str(), &database) == SQLITE_OK, "no database");
  sqlite3_exec(database, "CREATE TABLE session_metadata (key, value)", nullptr, nullptr, nullptr);
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(database, "INSERT INTO session_metadata VALUES ('customizationEnablement', ?)",
                     -1, &insert, nullptr);
  sqlite3_bind_text(insert, 1, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
  sqlite3_step(insert);
  sqlite3_finalize(insert);
  sqlite3_close(database);
}

Result<ImportSource> readAs(char reader, const fs::path& file, std::string_view bytes) {
  switch (reader) {
    case 'h':
      write(file, bytes);
      return readHostStorage(file);
    case 'd':
      write(file, bytes);
      return readDisabledServers(file);
    case 'e':
      write(file, bytes);
      return readExport(file);
    case 'v':
      writeSessionDb(file, bytes);
      return readSessionDb("ahp://fuzz", file);
    default:
      write(file, bytes);
      return readSessionDb("ahp://fuzz", file);
  }
}

std::string exported(const EnablementService& service) {
  const auto content = service.content();
  require(content.has_value(), "the store cannot be read");
  return exportJson(*content);
}

void importInto(EnablementService& service, const ImportSource& source) {
  const auto report = service.importFrom(std::span(&source, 1), {}, "fuzz");
  require(report.has_value(), "the import failed");
  require(report->sources.front().state == ImportedSource::State::imported, "it was not taken");
}

}  // namespace

void importInput(std::string_view bytes) {
  if (bytes.empty()) return;
  const fs::path file = inputFile();
  const auto source = readAs(bytes.front(), file, bytes.substr(1));
  if (!source) {
    require(!source.error().message.empty(), "refused without a message");
    fs::remove(file);
    return;
  }
  const auto service = EnablementService::open({});
  importInto(*service, *source);
  const std::string text = exported(*service);
  write(file, text);
  const auto again = readExport(file);
  fs::remove(file);
  require(again.has_value(), "an export cannot be read");
  const auto copy = EnablementService::open({});
  importInto(*copy, *again);
  if (again->rejected.empty()) require(exported(*copy) == text, "an export is read as another");
}

}  // namespace enablement::fuzz
