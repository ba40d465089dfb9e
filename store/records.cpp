#include <enablement/store/records.h>

namespace enablement {

std::string_view name(Cause cause) {
  switch (cause) {
    case Cause::set:
      return "set";
    case Cause::clear:
      return "clear";
    case Cause::replace:
      return "replace";
    case Cause::redundant:
      return "redundant";
    case Cause::purge:
      return "purge";
    case Cause::sessionDeleted:
      return "sessionDeleted";
    case Cause::queued:
      return "queued";
    case Cause::queueApplied:
      return "queueApplied";
    case Cause::queueDropped:
      return "queueDropped";
    case Cause::import:
      return "import";
    case Cause::claimed:
      return "claimed";
    case Cause::recovered:
      return "recovered";
    case Cause::restored:
      return "restored";
    case Cause::pruned:
      return "pruned";
  }
  return "set";
}

std::optional<Cause> parseCause(std::string_view word) {
  for (int i = 0; i <= static_cast<int>(Cause::pruned); ++i)
    if (const auto cause = static_cast<Cause>(i); name(cause) == word) return cause;
  return std::nullopt;
}

std::string_view name(Asked asked) {
  switch (asked) {
    case Asked::off:
      return "off";
    case Asked::on:
      return "on";
    case Asked::clear:
      return "clear";
  }
  return "off";
}

std::optional<Asked> parseAsked(std::string_view word) {
  for (const Asked asked : {Asked::off, Asked::on, Asked::clear})
    if (name(asked) == word) return asked;
  return std::nullopt;
}

std::string_view name(HistoryEntry::Subject subject) {
  switch (subject) {
    case HistoryEntry::Subject::decision:
      return "decision";
    case HistoryEntry::Subject::queue:
      return "queue";
    case HistoryEntry::Subject::unclaimed:
      return "unclaimed";
  }
  return "decision";
}

std::optional<HistoryEntry::Subject> parseSubject(std::string_view word) {
  using Subject = HistoryEntry::Subject;
  for (const Subject subject : {Subject::decision, Subject::queue, Subject::unclaimed})
    if (name(subject) == word) return subject;
  return std::nullopt;
}

}  // namespace enablement
