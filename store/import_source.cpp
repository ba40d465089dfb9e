#include <enablement/store/import_source.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <enablement/schema/json_text.h>
#include <enablement/schema/text.h>
#include <enablement/schema/uri.h>
#include <enablement/store/import_text.h>

namespace enablement {
namespace {

using Pointer = Json::json_pointer;

constexpr std::array kinds{ImportKind::hostStorage, ImportKind::sessionDb,
                           ImportKind::disabledServers, ImportKind::json};

tl::unexpected<Error> wrongShape(const std::filesystem::path& file, const std::string& what,
                                 const char* hint) {
  return fail(ErrorCode::invalidArgument, file.string() + ": " + what, hint);
}

// A JSON file with the marker for it.
Result<std::pair<ImportSource, Json>> readJson(ImportKind kind, const std::filesystem::path& file,
                                               std::string_view place) {
  const auto text = readWholeFile(file);
  if (!text) return fail(text.error());
  auto json = parseJson(*text, file.string());
  if (!json) return fail(json.error());
  return std::pair(ImportSource{markerFor(kind, file, place, *text)}, *std::move(json));
}

// Takes decisions into a source, one for each key, however it is spelled.
class Collector {
 public:
  explicit Collector(ImportSource& source) : source_(source) {}

  void reject(const Pointer& at, std::string why) {
    source_.rejected.push_back({at.to_string(), std::move(why)});
  }

  void add(Scope scope, const std::string& place, TargetKey key, bool enabled, const Pointer& at) {
    const auto [known, isNew] =
        places_.try_emplace(std::tuple(scope, place, key), source_.decisions.size());
    if (isNew) {
      source_.decisions.push_back({scope, place, std::move(key), enabled, at.to_string()});
      return;
    }
    ImportedDecision& first = source_.decisions[known->second];
    if (first.enabled == enabled) return;
    first.enabled = false;
    source_.conflicts.push_back(
        {at.to_string(), "says otherwise than " + first.position + " about " + key.printed() +
                             (place.empty() ? std::string() : " in " + place) + "; off was taken"});
  }

  // {key: bool}
  void addAll(Scope scope, const std::string& place, const Json& decisions, const Pointer& at) {
    if (!decisions.is_object()) return reject(at, "is not an object of keys");
    for (const auto& [key, value] : decisions.items()) {
      const auto target = TargetKey::parse(key);
      if (!target)
        reject(at / key, target.error().message);
      else if (!value.is_boolean())
        reject(at / key, "is neither true nor false");
      else
        add(scope, place, *target, value.get<bool>(), at / key);
    }
  }

 private:
  ImportSource& source_;
  std::map<std::tuple<Scope, std::string, TargetKey>, std::size_t> places_;
};

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A folder as hosts wrote it down: a URI, or an absolute path.
Result<std::string> folderOf(std::string text) {
  const bool isDrivePath =
      text.size() > 2 && isLetter(text[0]) && text[1] == ':' && (text[2] == '/' || text[2] == '\\');
  if (isDrivePath) {
    std::replace(text.begin(), text.end(), '\\', '/');
    text = "file:///" + text.substr(0, 2) + fileUriOfPath(text.substr(2)).substr(7);
  } else if (text.starts_with('/')) {
    text.erase(1, text.find_first_not_of('/') == std::string::npos
                      ? std::string::npos
                      : text.find_first_not_of('/') - 1);  // "//x" is "/x"
    text = fileUriOfPath(text);
  }
  return WorkingDirectory::directory(text).map(
      [](const WorkingDirectory& folder) { return *folder.uri(); });
}

}  // namespace

std::string_view name(ImportKind kind) {
  switch (kind) {
    case ImportKind::hostStorage:
      return "hostStorage";
    case ImportKind::sessionDb:
      return "sessionDb";
    case ImportKind::disabledServers:
      return "disabledServers";
    case ImportKind::json:
      return "json";
  }
  return "json";
}

std::optional<ImportKind> parseImportKind(std::string_view word) {
  for (const ImportKind kind : kinds)
    if (name(kind) == word) return kind;
  return std::nullopt;
}

Result<std::string> readWholeFile(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  try {
    if (stream) {
      stream.exceptions(std::ios::badbit);
      text.assign(std::istreambuf_iterator<char>(stream), {});
      return text;
    }
  } catch (const std::ios::failure&) {  // a folder opens, but does not read
  }
  return fail(ErrorCode::invalidArgument,
              "cannot read " + file.string() + ": " + std::strerror(errno),
              "nothing was imported from it");
}

std::string contentHash(std::string_view content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text.data();
}

ImportMarker markerFor(ImportKind kind, const std::filesystem::path& file, std::string_view place,
                       std::string_view content) {
  return {kind, std::filesystem::absolute(file).lexically_normal().string(), std::string(place),
          contentHash(content)};
}

ImportSource failedSource(ImportKind kind, const std::filesystem::path& file,
                          std::string_view place, Error failure) {
  ImportSource source{markerFor(kind, file, place, {})};
  source.failure = std::move(failure);
  return source;
}

Result<ImportSource> readHostStorage(const std::filesystem::path& file) {
  static constexpr const char* key = "customizationEnablement";
  static constexpr const char* shape =
      "its shape: {\"customizationEnablement\": {\"global\": {KEY: true|false}, "
      "\"workingDirectories\": {FOLDER: {KEY: true|false}}}}";
  auto read = readJson(ImportKind::hostStorage, file, {});
  if (!read) return fail(read.error());
  auto& [source, json] = *read;
  if (!json.is_object() || !json.contains(key) || !json[key].is_object())
    return wrongShape(file, "it has no object \"customizationEnablement\"", shape);
  const Json& root = json[key];
  for (const char* part : {"global", "workingDirectories"})
    if (const auto it = root.find(part); it != root.end() && !it->is_object() && !it->is_null())
      return wrongShape(file, "its \"" + std::string(part) + "\" is not an object", shape);

  Collector collector(source);
  const Pointer at = Pointer() / key;
  if (const auto global = root.find("global"); global != root.end() && global->is_object())
    collector.addAll(Scope::global, {}, *global, at / "global");
  const auto folders = root.find("workingDirectories");
  if (folders == root.end() || !folders->is_object()) return std::move(source);
  for (const auto& [name, decisions] : folders->items()) {
    const Pointer place = at / "workingDirectories" / name;
    if (const auto folder = folderOf(name); folder)
      collector.addAll(Scope::workspace, *folder, decisions, place);
    else
      collector.reject(place, folder.error().message);
  }
  return std::move(source);
}

Result<ImportSource> readDisabledServers(const std::filesystem::path& file,
                                         const std::optional<WorkingDirectory>& folder) {
  const std::string place = folder && folder->uri() ? *folder->uri() : std::string();
  auto read = readJson(ImportKind::disabledServers, file, place);
  if (!read) return fail(read.error());
  auto& [source, json] = *read;
  if (!json.is_array())
    return wrongShape(file, "it is not a list", "its shape: [\"server name\", …]");
  Collector collector(source);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Pointer at = Pointer() / i;
    if (!json[i].is_string()) {
      collector.reject(at, "is not a server's name");
      continue;
    }
    const auto key = TargetKey::mcpServer(json[i].get<std::string>());
    if (key)
      collector.add(place.empty() ? Scope::global : Scope::workspace, place, *key, false, at);
    else
      collector.reject(at, key.error().message);
  }
  return std::move(source);
}

}  // namespace enablement
