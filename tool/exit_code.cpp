#include <enablement/tool/exit_code.h>

namespace enablement::tool {

Exit exitOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalidArgument:
    case ErrorCode::invalidUri:
      return Exit::usage;
    case ErrorCode::noWorkspace:
    case ErrorCode::foreignWorkspace:
    case ErrorCode::readOnly:
    case ErrorCode::full:
    case ErrorCode::limit:
      return Exit::refused;
    case ErrorCode::busy:
      return Exit::busy;
    case ErrorCode::corrupt:
    case ErrorCode::newerSchema:
    case ErrorCode::io:
      return Exit::database;
  }
  return Exit::database;
}

}  // namespace enablement::tool
