#include <enablement/tool/place.h>

#include <enablement/schema/text.h>
#include <enablement/tool/common.h>
#include <enablement/tool/folder.h>

namespace enablement::tool {

Result<std::optional<WorkingDirectory>> PlaceOptions::folder() const {
  if (noDirectory && !directory.empty())
    return fail(ErrorCode::invalidArgument, "--directory and --no-directory exclude each other");
  if (noDirectory) return WorkingDirectory::none();
  if (directory.empty()) return std::nullopt;
  return folderFrom(directory);
}

void addPlace(CLI::App& verb, PlaceOptions& place) {
  verb.add_option("--session", place.session, "the session, as the host names it")
      ->option_text("URI");
  verb.add_option("--directory", place.directory, "its folder: a path or a URI")
      ->option_text("DIR");
  verb.add_flag("--no-directory", place.noDirectory, "the session has no folder");
}

Status settle(EnablementService& service, const std::string& session,
              const WorkingDirectory& directory) {
  if (auto ok = service.loadSession(session, actor); !ok) return ok;
  return service.setWorkingDirectory(session, directory, actor);
}

Result<bool> parseOnOff(const std::string& word) {
  if (word == "on") return true;
  if (word == "off") return false;
  return fail(ErrorCode::invalidArgument,
              "a decision is on or off, not " + enablement::quote(word));
}

}  // namespace enablement::tool
