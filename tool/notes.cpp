#include <enablement/tool/notes.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <vector>

#include <enablement/tool/folder.h>
#include <enablement/tool/spelling.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

// More would not be read.
constexpr std::size_t mostNamed = 3;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string lastSegment(std::string_view uri) {
  return lower(uri.substr(uri.find_last_of("/:") + 1));
}

// What a person calls it: a server's name, the last part of a plugin.
std::string callName(const TargetKey& key) {
  // `mcpServers#mcp=NAME` is a slip for `mcpServers#NAME` more often than a name.
  constexpr std::string_view slip = "mcp=";
  const std::string_view name = key.name();
  if (key.type() == TargetType::plugin) return lastSegment(key.owner());
  return lower(key.owner().empty() && name.starts_with(slip) ? name.substr(slip.size()) : name);
}

bool related(const TargetKey& a, const TargetKey& b) {
  return a.container() == b || b.container() == a;
}

bool similar(const TargetKey& typed, const TargetKey& known) {
  if (related(typed, known)) return false;
  const std::string word = callName(typed);
  if (word.empty()) return false;
  return nearly(word, callName(known)) ||
         (typed.type() == TargetType::plugin && word == lastSegment(known.owner()));
}

// Every target that something is stored or queued about.
std::set<TargetKey> knownTargets(const EnablementService& service) {
  std::set<TargetKey> keys;
  if (const auto stored = service.stored())
    for (const StoredDecision& row : *stored) keys.insert(row.key);
  if (const auto queued = service.queued())
    for (const QueuedPart& part : *queued) keys.insert(part.target.key);
  return keys;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), mostNamed); ++i)
    text += (i == 0 ? "" : ", ") + shown(names[i]);
  return text + (names.size() > mostNamed ? ", …?" : "?");
}

std::vector<std::string> similarTargets(const std::set<TargetKey>& known, const TargetKey& key) {
  std::vector<std::string> names;
  for (const TargetKey& one : known)
    if (similar(key, one)) names.push_back(one.printed());
  return names;
}

bool isSlip(const TargetKey& key) {
  return key.type() == TargetType::mcpServer && key.owner().empty() &&
         key.name().starts_with("mcp=");
}

// "the plugin azure": what the text was taken for.
std::string takenFor(const TargetKey& key) {
  return (key.type() == TargetType::plugin ? "the plugin " : "the server ") + shown(key.printed());
}

bool isBareWord(const TargetKey& key) {
  return key.type() == TargetType::plugin && key.owner().find_first_of("/:") == std::string::npos;
}

// What else the text may have been meant for, whatever is stored.
std::string otherForm(const TargetKey& key) {
  if (isSlip(key))
    return "a server without a plugin is written mcpServers#" + shown(key.name().substr(4));
  if (isBareWord(key))
    return "a server without a plugin is written mcpServers#" + shown(key.owner());
  return {};
}

bool hasScheme(std::string_view session) {
  const std::size_t colon = session.find(':');
  return colon != std::string_view::npos && colon > 0;
}

}  // namespace

std::string similarNote(const EnablementService& service, const TargetKey& key) {
  const auto known = knownTargets(service);
  if (known.contains(key)) return {};
  const std::string start = "no decision named " + takenFor(key) + " so far; ";
  const auto names = similarTargets(known, key);
  if (!names.empty()) return start + "did you mean " + listed(names);
  const std::string other = otherForm(key);
  return other.empty() ? std::string() : start + other;
}

void noteUndecided(const Console& console, const EnablementService& service, const TargetKey& key) {
  const auto known = knownTargets(service);
  if (known.contains(key)) return;
  const std::string start = "nothing is decided about " + takenFor(key) + "; ";
  if (const auto names = similarTargets(known, key); !names.empty())
    console.note(start + "did you mean " + listed(names));
  else if (const std::string other = otherForm(key); !other.empty())
    console.note(start + other);
}

void noteUnknownSession(const Console& console, const EnablementService& service,
                        const std::string& session) {
  std::set<std::string> known;
  if (const auto stored = service.stored())
    for (const StoredDecision& row : *stored)
      if (row.scope == Scope::session) known.insert(row.place);
  if (const auto queued = service.queued())
    for (const QueuedPart& part : *queued) known.insert(part.session);
  if (known.contains(session)) return;
  std::vector<std::string> names;
  for (const std::string& one : known)
    if (nearly(lower(session), lower(one)) || lastSegment(one) == lastSegment(session))
      names.push_back(one);
  if (!names.empty())
    console.note("nothing is stored for the session " + shown(session) + "; did you mean " +
                 listed(names));
}

void noteParentFolders(const Console& console, const EnablementService& service,
                       const TargetKey& key, const WorkingDirectory& directory) {
  const auto stored = service.stored();
  if (!stored || directory.uri() == nullptr) return;
  for (const StoredDecision& row : *stored) {
    const bool about = row.key == key || key.container() == row.key;
    if (about && row.scope == Scope::workspace && directory.uri()->starts_with(row.place + "/"))
      console.say("folders do not inherit: " + shown(row.key.printed()) + " is " +
                  std::string(onOff(row.enabled)) + " in the folder " + shown(row.place) +
                  " above, which does not count here");
  }
}

void notePlace(const Console& console, const Request& request) {
  if (request.directory && request.directory->uri() != nullptr) {
    std::error_code unknown;
    const auto path = localPath(*request.directory->uri());
    if (path && !std::filesystem::exists(*path, unknown) && !unknown)
      console.note("the folder " + shown(*path) + " is not there; what is decided for it stays");
  }
  if (request.session && !hasScheme(*request.session))
    console.note("the session " + shown(*request.session) +
                 " is no URI; hosts name theirs like ahp://copilot/1");
}

}  // namespace enablement::tool
