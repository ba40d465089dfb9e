// The markers of what was imported.
#include <string>
#include <utility>

#include <enablement/store/query.h>
#include <enablement/store/sqlite_error.h>
#include <enablement/store/store.h>

namespace enablement {
namespace {

#define ENABLEMENT_IMPORT_COLUMNS \
  "SELECT kind, path, place, content_hash, at, actor, decisions FROM import_source"
constexpr auto readMarker = ENABLEMENT_IMPORT_COLUMNS " WHERE kind = ? AND path = ? AND place = ?";
constexpr auto readMarkers = ENABLEMENT_IMPORT_COLUMNS " ORDER BY kind, path, place";
#undef ENABLEMENT_IMPORT_COLUMNS
constexpr auto putMarker =
    "INSERT INTO import_source (kind, path, place, content_hash, at, actor, decisions)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET content_hash = excluded.content_hash, at = excluded.at,"
    " actor = excluded.actor, decisions = excluded.decisions";

Result<ImportMarker> markerFrom(Query& row, const std::filesystem::path& file) {
  const auto kind = parseImportKind(row.text(0));
  if (!kind)
    return fail(ErrorCode::corrupt,
                "a row of table import_source in " + file.string() + " cannot be understood",
                "restore a backup or recover what can be read");
  return ImportMarker{*kind,
                      row.text(1),
                      row.text(2),
                      row.text(3),
                      Timestamp(std::chrono::milliseconds(row.integer(4))),
                      row.text(5),
                      row.integer(6)};
}

}  // namespace

Result<std::optional<ImportMarker>> Transaction::importMarker(const ImportMarker& source) {
  const auto& path = store_->options_.path;
  return attempt("read what was imported", path, [&]() -> Result<std::optional<ImportMarker>> {
    Query row(*store_->statements_, readMarker, name(source.kind), source.path, source.place);
    if (!row.next()) return std::nullopt;
    return markerFrom(row, path).map(
        [](ImportMarker marker) { return std::optional(std::move(marker)); });
  });
}

Result<std::vector<ImportMarker>> Transaction::importMarkers() {
  const auto& path = store_->options_.path;
  return attempt("read what was imported", path, [&]() -> Result<std::vector<ImportMarker>> {
    std::vector<ImportMarker> markers;
    Query row(*store_->statements_, readMarkers);
    while (row.next()) {
      auto marker = markerFrom(row, path);
      if (!marker) return fail(marker.error());
      markers.push_back(std::move(*marker));
    }
    return markers;
  });
}

Status Transaction::putImportMarker(const ImportMarker& marker) {
  return attempt("mark what was imported", store_->options_.path, [&] {
    const auto at = static_cast<std::int64_t>(marker.at.time_since_epoch().count());
    Query(*store_->statements_, putMarker, name(marker.kind), marker.path, marker.place,
          marker.contentHash, at, marker.actor, marker.decisions)
        .run();
  });
}

}  // namespace enablement
