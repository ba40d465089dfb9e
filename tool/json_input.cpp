#include <enablement/tool/json_input.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

namespace enablement::tool {
namespace {

tl::unexpected<Error> unreadable(const std::string& file, int error) {
  return fail(ErrorCode::invalidArgument,
              "cannot read " + inputName(file) + ": " + std::strerror(error));
}

}  // namespace

std::string inputName(const std::string& file) {
  return file == "-" ? "standard input" : file;
}

Result<std::string> readText(const std::string& file) {
  errno = 0;
  if (file == "-") {
    std::string text(std::istreambuf_iterator<char>(std::cin), {});
    if (std::cin.bad()) return unreadable(file, errno);
    return text;
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return unreadable(file, errno);
  try {
    stream.exceptions(std::ios::badbit);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  } catch (const std::ios::failure&) {  // a folder opens, but does not read
    return unreadable(file, errno);
  }
}

}  // namespace enablement::tool
