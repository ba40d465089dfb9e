#include "disk.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

namespace enablement::testing {
namespace {

constexpr std::size_t sector = 512;

void put(std::string& content, std::int64_t offset, std::string_view bytes) {
  const auto begin = static_cast<std::size_t>(offset);
  if (content.size() < begin + bytes.size()) content.resize(begin + bytes.size());
  std::copy(bytes.begin(), bytes.end(), content.begin() + offset);
}

void apply(std::string& content, const UnsyncedChange& change) {
  if (change.truncates)
    content.resize(static_cast<std::size_t>(change.offset));
  else
    put(content, change.offset, change.bytes);
}

// Each sector of a write reaches the disk on its own, or does not.
template <typename Survives>
void applyTorn(std::string& content, const UnsyncedChange& change, Survives survives) {
  std::int64_t offset = change.offset;
  std::string_view rest = change.bytes;
  while (!rest.empty()) {
    const std::size_t room = sector - static_cast<std::size_t>(offset) % sector;
    const std::string_view piece = rest.substr(0, room);
    if (survives()) put(content, offset, piece);
    offset += static_cast<std::int64_t>(piece.size());
    rest.remove_prefix(piece.size());
  }
}

std::string contentAfter(const DiskFile& file, Survivors survivors) {
  std::string content = file.durable;
  if (survivors.kind == Survivors::Kind::none) return content;
  std::mt19937_64 random(survivors.seed);
  const bool some = survivors.kind == Survivors::Kind::some;
  const bool torn = some && survivors.seed % 2 == 0;
  const auto odds = survivors.seed % 3 + 1;  // of four
  const auto survives = [&] { return !some || random() % 4 < odds; };
  for (const UnsyncedChange& change : file.unsynced) {
    if (torn && !change.truncates)
      applyTorn(content, change, survives);
    else if (survives())
      apply(content, change);
  }
  return content;
}

bool isMemory(const std::string& name) {
  return name.ends_with("-shm");
}

}  // namespace

std::string readFile(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void writeFile(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

std::optional<FileId> fileIdOf(const fs::path& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileId{found.st_dev, found.st_ino};
}

void Wreck::rebuild(const fs::path& folder, Survivors survivors) const {
  for (const auto& entry : fs::directory_iterator(folder)) fs::remove_all(entry.path());
  std::map<FileId, fs::path> made;
  for (const auto& [name, id] : names) {
    const fs::path path = folder / name;
    const auto [known, first] = made.emplace(id, path);
    if (first)
      writeFile(path, contentAfter(files.at(id), survivors));
    else
      fs::create_hard_link(known->second, path);
  }
}

void Disk::adopt(const FileId& file, std::string content) {
  const auto size = static_cast<std::int64_t>(content.size());
  files_.insert_or_assign(file, DiskFile{std::move(content), {}, size});
}

// A file whose last name is gone outlives no power cut: nothing is remembered of it.

void Disk::write(const FileId& file, std::int64_t offset, std::string_view bytes) {
  if (!knows(file)) return;
  DiskFile& written = files_.at(file);
  written.unsynced.push_back({false, offset, std::string(bytes)});
  written.size = std::max(written.size, offset + static_cast<std::int64_t>(bytes.size()));
}

void Disk::truncate(const FileId& file, std::int64_t size) {
  if (!knows(file)) return;
  DiskFile& cut = files_.at(file);
  cut.unsynced.push_back({true, size, {}});
  cut.size = size;
}

void Disk::sync(const FileId& file) {
  if (!knows(file)) return;
  DiskFile& synced = files_.at(file);
  for (const UnsyncedChange& change : synced.unsynced) apply(synced.durable, change);
  synced.unsynced.clear();
}

std::int64_t Disk::bytesWith(const FileId& file, std::int64_t size) const {
  std::int64_t sum = size;
  for (const auto& [id, other] : files_)
    if (id != file) sum += other.size;
  return sum;
}

std::int64_t Disk::sizeOf(const FileId& file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? 0 : found->second.size;
}

Wreck Disk::wreckOf(const fs::path& folder) const {
  Wreck wreck;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (isMemory(name)) continue;
    const auto id = fileIdOf(entry.path());
    if (!id) continue;
    wreck.names.emplace(name, *id);
    const auto known = files_.find(*id);
    // A file that SQLite never opened may be read: there are no locks to lose.
    if (known != files_.end())
      wreck.files.emplace(*id, known->second);
    else
      wreck.files.emplace(*id, DiskFile{readFile(entry.path())});
  }
  return wreck;
}

}  // namespace enablement::testing
