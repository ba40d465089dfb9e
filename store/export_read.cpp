// Reads an export of ours.
#include <optional>
#include <string>
#include <utility>

#include <enablement/schema/json_text.h>
#include <enablement/schema/text.h>
#include <enablement/store/import_source.h>
#include <enablement/store/import_text.h>

namespace enablement {
namespace {

using Pointer = Json::json_pointer;

// A row that is not as it should be.
tl::unexpected<Error> bad(const std::string& what) {
  return fail(ErrorCode::invalidArgument, what);
}

Result<std::string> text(const Json& row, const char* member) {
  const auto it = row.find(member);
  if (it == row.end() || !it->is_string())
    return bad("has no text \"" + std::string(member) + "\"");
  return it->get<std::string>();
}

std::optional<bool> flag(const Json& row, const char* member) {
  const auto it = row.find(member);
  return it != row.end() && it->is_boolean() ? std::optional(it->get<bool>()) : std::nullopt;
}

Result<TargetKey> target(const Json& row) {
  const auto printed = text(row, "target");
  return printed ? TargetKey::parse(*printed) : fail(printed.error());
}

// A session's name, or a folder in canonical form.
Result<std::string> place(const Json& row, const char* member, Scope scope) {
  if (scope == Scope::global) return std::string();
  auto where = text(row, member);
  if (!where) return where;
  if (scope == Scope::session) {
    if (auto ok = checkSession(*where); !ok) return fail(ok.error());
    return where;
  }
  return WorkingDirectory::directory(*where).map(
      [](const WorkingDirectory& folder) { return *folder.uri(); });
}

Status takeDecision(ImportSource& source, const Json& row, const Pointer& at) {
  const auto scopeName = text(row, "scope");
  const auto scope = scopeName ? parseScope(*scopeName) : fail(scopeName.error());
  if (!scope) return bad("has no scope session, workspace or global");
  const auto where = place(row, "where", *scope);
  if (!where) return fail(where.error());
  const auto key = target(row);
  if (!key) return fail(key.error());
  const auto enabled = flag(row, "enabled");
  if (!enabled) return bad("has an \"enabled\" that is neither true nor false");
  source.decisions.push_back({*scope, *where, *key, *enabled, at.to_string()});
  return {};
}

Status takePart(ImportSource& source, const Json& row, const Pointer& /*at*/) {
  const auto session = place(row, "session", Scope::session);
  if (!session) return fail(session.error());
  const auto key = target(row);
  if (!key) return fail(key.error());
  const auto scopeName = text(row, "scope");
  const auto scope = scopeName ? parseScope(*scopeName) : fail(scopeName.error());
  if (!scope || *scope == Scope::global) return bad("has no scope session or workspace");
  std::string folder;
  if (*scope == Scope::workspace && row.contains("folder")) {
    const auto named = place(row, "folder", Scope::workspace);
    if (!named) return fail(named.error());
    folder = *named;
  }
  const auto askedName = text(row, "asked");
  const auto asked = askedName ? parseAsked(*askedName) : std::nullopt;
  if (!asked) return bad("has an \"asked\" that is not on, off or clear");
  source.queued.push_back({*session,
                           Target{*key, flag(row, "discoveryDefault")},
                           *scope,
                           std::move(folder),
                           *asked,
                           {},
                           {}});
  return {};
}

Status takeUnclaimed(ImportSource& source, const Json& row, const Pointer& /*at*/) {
  const auto session = place(row, "session", Scope::session);
  if (!session) return fail(session.error());
  const auto id = text(row, "id");
  if (!id || id->empty() || id->size() > maxTextBytes) return bad("has no customization \"id\"");
  const auto enabled = flag(row, "enabled");
  if (!enabled) return bad("has an \"enabled\" that is neither true nor false");
  source.unclaimed.push_back({*session, *id, *enabled, {}, {}});
  return {};
}

Status takeMarker(ImportSource& source, const Json& row, const Pointer& /*at*/) {
  const auto kindName = text(row, "kind");
  const auto kind = kindName ? parseImportKind(*kindName) : std::nullopt;
  if (!kind) return bad("has no known \"kind\"");
  const auto path = text(row, "path");
  const auto where = text(row, "place");
  const auto hash = text(row, "contentHash");
  const auto actor = text(row, "actor");
  if (!path || !where || !hash || !actor) return bad("lacks path, place, contentHash or actor");
  if (!row.contains("at") || !row["at"].is_number_integer() || !row.contains("decisions") ||
      !row["decisions"].is_number_integer())
    return bad("has an \"at\" or \"decisions\" that is not a number");
  source.markers.push_back({*kind, *path, *where, *hash,
                            Timestamp(std::chrono::milliseconds(row["at"].get<std::int64_t>())),
                            *actor, row["decisions"].get<std::int64_t>()});
  return {};
}

using Take = Status (*)(ImportSource&, const Json&, const Pointer&);

}  // namespace

Result<ImportSource> readExport(const std::filesystem::path& file) {
  static constexpr std::pair<const char*, Take> members[] = {{"decisions", takeDecision},
                                                             {"queued", takePart},
                                                             {"unclaimed", takeUnclaimed},
                                                             {"imports", takeMarker}};
  const auto content = readWholeFile(file);
  if (!content) return fail(content.error());
  const auto json = parseJson(*content, file.string());
  if (!json) return fail(json.error());
  const auto wrong = [&](const std::string& what) {
    return fail(ErrorCode::invalidArgument, file.string() + ": " + what,
                "it must be what `enablectl export` wrote");
  };
  if (!json->is_object() || json->value("format", Json()) != "enablement-export")
    return wrong("it is no export of decisions");
  if (json->value("version", Json()) != 1) return wrong("its version is not 1");
  ImportSource source{markerFor(ImportKind::json, file, {}, *content)};
  for (const auto& [member, take] : members) {
    const auto rows = json->find(member);
    if (rows == json->end()) continue;
    if (!rows->is_array()) return wrong("its \"" + std::string(member) + "\" is not a list");
    for (std::size_t i = 0; i < rows->size(); ++i) {
      const Pointer at = Pointer() / member / i;
      const Status taken =
          (*rows)[i].is_object() ? take(source, (*rows)[i], at) : Status(bad("is not an object"));
      if (!taken) source.rejected.push_back({at.to_string(), taken.error().message});
    }
  }
  return source;
}

}  // namespace enablement
