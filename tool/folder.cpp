#include <enablement/tool/folder.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include <enablement/schema/uri.h>

namespace enablement::tool {
namespace {

namespace fs = std::filesystem;

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool continuesScheme(char c) {
  return isLetter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

bool isUri(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon < 2 || !isLetter(text.front())) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                     continuesScheme);
}

}  // namespace

Result<WorkingDirectory> folderFrom(std::string_view text) {
  if (isUri(text)) return WorkingDirectory::directory(text);
  if (text.empty())
    return fail(ErrorCode::invalidArgument, "the folder is empty",
                "name a folder by its path or URI");
  std::error_code missing;
  fs::path path = fs::canonical(text, missing);
  if (missing) path = fs::absolute(text).lexically_normal();
  std::string plain = path.string();
  plain.erase(0, std::min(plain.find_first_not_of('/'), plain.size()));  // "//x" is "/x"
  return WorkingDirectory::directory(fileUriOfPath("/" + plain));
}

}  // namespace enablement::tool
