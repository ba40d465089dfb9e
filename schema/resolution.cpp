#include <enablement/schema/resolution.h>

#include <enablement/schema/uri.h>

namespace enablement {
namespace {

EffectiveReason reasonOf(PendingReason reason) {
  switch (reason) {
    case PendingReason::store:
      return EffectiveReason::store;
    case PendingReason::session:
      return EffectiveReason::session;
    case PendingReason::workingDirectory:
      return EffectiveReason::workingDirectory;
  }
  return EffectiveReason::store;
}

EffectiveReason reasonOf(std::optional<Scope> decidedBy) {
  if (!decidedBy) return EffectiveReason::byDefault;
  switch (*decidedBy) {
    case Scope::session:
      return EffectiveReason::session;
    case Scope::workspace:
      return EffectiveReason::workspace;
    case Scope::global:
      return EffectiveReason::global;
  }
  return EffectiveReason::byDefault;
}

}  // namespace

Result<WorkingDirectory> WorkingDirectory::directory(std::string_view uri) {
  return canonicalUri(uri).map([](const std::string& canonical) {
    return WorkingDirectory(Kind::directory, HashedText(canonical));
  });
}

std::string_view name(PendingReason reason) {
  return name(reasonOf(reason));
}

std::string_view name(EffectiveState state) {
  switch (state) {
    case EffectiveState::enabled:
      return "enabled";
    case EffectiveState::disabled:
      return "disabled";
    case EffectiveState::pending:
      return "pending";
  }
  return "pending";
}

std::string_view name(EffectiveReason reason) {
  switch (reason) {
    case EffectiveReason::session:
      return "session";
    case EffectiveReason::workspace:
      return "workspace";
    case EffectiveReason::global:
      return "global";
    case EffectiveReason::byDefault:
      return "default";
    case EffectiveReason::container:
      return "container";
    case EffectiveReason::store:
      return "store";
    case EffectiveReason::workingDirectory:
      return "workingDirectory";
    case EffectiveReason::flag:
      return "flag";
    case EffectiveReason::child:
      return "child";
    case EffectiveReason::invalid:
      return "invalid";
  }
  return "store";
}

Effective ownAnswer(const Resolution& own) {
  if (const auto* pending = std::get_if<Pending>(&own))
    return {EffectiveState::pending, reasonOf(pending->reason)};
  const auto& resolved = std::get<Resolved>(own);
  return {resolved.enabled() ? EffectiveState::enabled : EffectiveState::disabled,
          reasonOf(resolved.decidedBy())};
}

Effective masked(Effective own, EffectiveState container) {
  if (container == EffectiveState::disabled)
    return {EffectiveState::disabled, EffectiveReason::container};
  if (own.state != EffectiveState::enabled || container == EffectiveState::enabled) return own;
  return {EffectiveState::pending, EffectiveReason::container};
}

}  // namespace enablement
