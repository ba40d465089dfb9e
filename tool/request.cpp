#include <enablement/tool/request.h>

#include <utility>

#include <enablement/resolver/standing.h>
#include <enablement/tool/console.h>
#include <enablement/tool/target_text.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

tl::unexpected<Error> usage(std::string message, std::string hint = {}) {
  return fail(ErrorCode::invalidArgument, std::move(message), std::move(hint));
}

// The narrowest place that is named.
Result<Scope> scopeOf(const RequestOptions& options) {
  if (!options.scope.empty()) return scopeFrom(options.scope);
  if (!options.place.session.empty()) return Scope::session;
  return options.place.directory.empty() ? Scope::global : Scope::workspace;
}

Result<Request> inSession(Request request, const RequestOptions& options) {
  if (request.scope == Scope::workspace && options.place.noDirectory)
    return fail(ErrorCode::noWorkspace, "a session without a folder has none to decide about",
                "decide for the session or everywhere");
  request.session = options.place.session;
  return request;
}

Result<Request> withoutSession(Request request, const RequestOptions& options) {
  if (request.scope == Scope::session)
    return usage("--scope session needs a session", "name it with --session URI");
  if (options.place.noDirectory)
    return usage("--no-directory needs a session", "name it with --session URI");
  if (request.scope == Scope::workspace && !request.directory)
    return usage("--scope workspace needs a folder", "name it with --directory DIR");
  if (request.scope == Scope::global && request.directory)
    return usage("--scope global is about no folder",
                 "leave --directory out, or name --scope workspace");
  return request;
}

std::optional<std::string> folderOf(const Request& request) {
  if (request.scope == Scope::global) return std::nullopt;
  return request.where();
}

Effective effectiveOf(const Standing& standing) {
  const auto state = standing.enabled() ? EffectiveState::enabled : EffectiveState::disabled;
  if (standing.byContainer) return {state, EffectiveReason::container};
  if (!standing.decidedBy) return {state, EffectiveReason::byDefault};
  return {state, standing.decidedBy->scope == Scope::global ? EffectiveReason::global
                                                            : EffectiveReason::workspace};
}

}  // namespace

std::string Request::where() const {
  if (scope == Scope::session) return *session;
  if (scope == Scope::workspace && directory && directory->uri() != nullptr)
    return *directory->uri();
  return {};
}

std::string Request::whereInWords() const {
  if (scope == Scope::workspace && where().empty())
    return "in the folder of the session " + shown(*session);
  return whereIn(scope, where());
}

Result<Scope> scopeFrom(const std::string& word) {
  if (word == "folder") return Scope::workspace;
  return parseScope(word);
}

CLI::Option* addScope(CLI::App& verb, std::string& scope) {
  return verb.add_option("--scope", scope, "session, folder or global")->option_text("SCOPE");
}

Result<Request> requestOf(const RequestOptions& options) {
  const auto key = keyFrom(options.target);
  if (!key) return fail(key.error());
  const auto scope = scopeOf(options);
  if (!scope) return fail(scope.error());
  const auto directory = options.place.folder();
  if (!directory) return fail(directory.error());
  Request request{{*key}, *scope, std::nullopt, std::nullopt, *directory};
  if (!options.value.empty()) {
    const auto value = parseOnOff(options.value);
    if (!value) return fail(value.error());
    request.value = *value;
  }
  return options.place.session.empty() ? withoutSession(std::move(request), options)
                                       : inSession(std::move(request), options);
}

Result<std::optional<StoredDecision>> storedAt(const EnablementService& service,
                                               const Request& request) {
  const auto stored = service.stored();
  if (!stored) return fail(stored.error());
  for (const StoredDecision& decision : *stored)
    if (decision.scope == request.scope && decision.place == request.where() &&
        decision.key == request.target.key)
      return decision;
  return std::nullopt;
}

Result<std::optional<Decides>> whatDecides(const EnablementService& service,
                                           const Request& request) {
  if (request.waits()) return std::nullopt;
  if (request.session && request.directory)
    return Decides{service.effective(*request.session, request.target)};
  const auto stored = service.stored();
  if (!stored) return fail(stored.error());
  const Standing standing = standingOf(*stored, request.target.key, folderOf(request));
  return Decides{effectiveOf(standing), standing.otherwise.size()};
}

std::string Decides::sentence(const Request& request) const {
  const bool settled = request.session && request.directory;
  const bool own = !settled && name(answer.reason) == name(request.scope);
  std::string text = "it is " + std::string(name(answer.state)) + " ";
  if (own)
    text += request.scope == Scope::global ? "wherever no folder or session decides otherwise"
                                           : "there unless a session decides otherwise";
  else
    text += (settled                          ? "in this session "
             : request.scope == Scope::global ? ""
                                              : "there ") +
            because(answer, request.session.value_or(""), request.target.key,
                    request.directory.value_or(WorkingDirectory::pending()));
  if (!settled && answer.reason == EffectiveReason::byDefault)
    text += ", unless a client says otherwise";
  if (otherwise > 0)
    text += "; " + counted(otherwise, "narrower decision") + (otherwise == 1 ? " does" : " do") +
            ": enablectl list --target " + shown(request.target.key.printed());
  return text;
}

}  // namespace enablement::tool
