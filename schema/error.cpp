#include <enablement/schema/error.h>

namespace enablement {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalidArgument:
      return "invalidArgument";
    case ErrorCode::invalidUri:
      return "invalidUri";
    case ErrorCode::noWorkspace:
      return "noWorkspace";
    case ErrorCode::foreignWorkspace:
      return "foreignWorkspace";
    case ErrorCode::busy:
      return "busy";
    case ErrorCode::full:
      return "full";
    case ErrorCode::readOnly:
      return "readOnly";
    case ErrorCode::corrupt:
      return "corrupt";
    case ErrorCode::newerSchema:
      return "newerSchema";
    case ErrorCode::io:
      return "io";
    case ErrorCode::limit:
      return "limit";
  }
  return "io";
}

std::string describe(const Error& error) {
  if (error.hint.empty()) return error.message;
  return error.message + " (" + error.hint + ")";
}

}  // namespace enablement
