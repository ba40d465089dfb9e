#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

std::string decisionSentence(const HistoryEntry& entry) {
  const std::string target = shown(entry.key->printed());
  const std::string where = whereIn(entry.scope, entry.place);
  if (entry.after) {
    std::string text = target + " is now " + std::string(onOff(*entry.after)) + " " + where;
    if (entry.before) text += " (was " + std::string(onOff(*entry.before)) + ")";
    return text;
  }
  const bool before = entry.before.value_or(true);
  std::string text = target + " is no longer " + std::string(onOff(before)) + " " + where;
  // A set removed what it found because the other value is inherited.
  if (entry.cause == Cause::redundant) return text + ": it inherits " + std::string(onOff(!before));
  return text + ": nothing is stored about it there now";
}

std::string queueSentence(const HistoryEntry& entry) {
  const std::string what =
      entry.after ? std::string(onOff(*entry.after)) : std::string("the clearing");
  const std::string where = entry.scope == Scope::session ? whereIn(Scope::session, entry.session)
                            : entry.place.empty()
                                ? "in the folder of the session " + shown(entry.session)
                                : whereIn(Scope::workspace, entry.place);
  const std::string part = shown(entry.key->printed()) + ": " + what + " " + where;
  switch (entry.cause) {
    case Cause::queued:
      return part + " is queued until the host settles the session";
    case Cause::queueApplied:
      return part + " waited and is applied now";
    case Cause::queueDropped:
      return part + " waited and is dropped: it cannot apply";
    default:
      return part + " waited and is removed";
  }
}

std::string unclaimedSentence(const HistoryEntry& entry) {
  const std::string what = "the entry " + shown(entry.customizationId) + " is ";
  const std::string where = whereIn(Scope::session, entry.place);
  if (entry.after)
    return what + std::string(onOff(*entry.after)) + " " + where + " until the decision is claimed";
  const std::string text =
      what + "no longer " + std::string(onOff(entry.before.value_or(true))) + " by its id " + where;
  return entry.cause == Cause::claimed ? text + ": its decision is claimed" : text;
}

}  // namespace

std::string whereIn(Scope scope, std::string_view place) {
  switch (scope) {
    case Scope::global:
      return "everywhere";
    case Scope::workspace:
      return "in the folder " + shown(place);
    case Scope::session:
      return "in the session " + shown(place);
  }
  return {};
}

std::string because(Effective effective, std::string_view session, const TargetKey& key,
                    const WorkingDirectory& directory, std::string_view global) {
  const bool pending = effective.state == EffectiveState::pending;
  switch (effective.reason) {
    case EffectiveReason::session:
      return pending ? "until the session's decisions are loaded"
                     : "by the session " + shown(session);
    case EffectiveReason::workspace:
      return "by the folder " + shown(directory.uri() == nullptr ? "" : *directory.uri());
    case EffectiveReason::global:
      return std::string(global);
    case EffectiveReason::byDefault:
      return "by default";
    case EffectiveReason::container:
      return (pending ? "until it is known for its plugin " : "by its plugin ") +
             shown(key.owner());
    case EffectiveReason::store:
      return "until the store can be read";
    case EffectiveReason::workingDirectory:
      return "until the session's folder is known";
    case EffectiveReason::flag:
      return "by its own flag";
    case EffectiveReason::child:
      return "until it is known for what is in it";
    case EffectiveReason::invalid:
      return "because its URI or name is invalid";
  }
  return {};
}

std::string_view inBrief(Effective effective) {
  const bool pending = effective.state == EffectiveState::pending;
  switch (effective.reason) {
    case EffectiveReason::session:
      return pending ? "until the session is loaded" : "by this session";
    case EffectiveReason::workspace:
      return "by this folder";
    case EffectiveReason::global:
      return "everywhere";
    case EffectiveReason::byDefault:
      return "by default";
    case EffectiveReason::container:
      return pending ? "until its container is known" : "by its container";
    case EffectiveReason::store:
      return "until the store can be read";
    case EffectiveReason::workingDirectory:
      return "until the folder is known";
    case EffectiveReason::flag:
      return "by its own flag";
    case EffectiveReason::child:
      return "until what is in it is known";
    case EffectiveReason::invalid:
      return "its URI or name is invalid";
  }
  return {};
}

Paint paintOf(EffectiveState state) {
  switch (state) {
    case EffectiveState::enabled:
      return Paint::green;
    case EffectiveState::disabled:
      return Paint::red;
    case EffectiveState::pending:
      return Paint::yellow;
  }
  return Paint::yellow;
}

std::string sentence(const HistoryEntry& entry) {
  switch (entry.subject) {
    case HistoryEntry::Subject::queue:
      return queueSentence(entry);
    case HistoryEntry::Subject::unclaimed:
      return unclaimedSentence(entry);
    case HistoryEntry::Subject::decision:
      break;
  }
  return decisionSentence(entry);
}

std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

}  // namespace enablement::tool
