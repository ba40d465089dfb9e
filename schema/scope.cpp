#include <enablement/schema/scope.h>

#include <enablement/schema/text.h>

namespace enablement {

std::string_view name(Scope scope) {
  switch (scope) {
    case Scope::session:
      return "session";
    case Scope::workspace:
      return "workspace";
    case Scope::global:
      return "global";
  }
  return "global";
}

Result<Scope> parseScope(std::string_view word) {
  for (const Scope scope : precedence)
    if (name(scope) == word) return scope;
  return fail(ErrorCode::invalidArgument, "unknown scope " + quote(word),
              "a scope is session, workspace or global");
}

}  // namespace enablement
