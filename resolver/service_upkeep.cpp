// What is taken away or brought back by people who look after a store.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include <enablement/resolver/service.h>
#include <enablement/resolver/service_impl.h>
#include <enablement/resolver/standing.h>

namespace enablement {
namespace {

DecisionChange changeOf(const StoredDecision& row, std::optional<bool> after, Cause cause) {
  return {row.scope,
          row.place,
          row.key,
          row.enabled,
          after,
          cause,
          row.scope == Scope::session ? row.place : std::string()};
}

Status forget(Draft& draft, const Result<std::vector<StoredDecision>>& decisions,
              const Result<std::vector<QueuedPart>>& parts, Cause cause,
              const std::function<bool(const TargetKey&)>& isMeant) {
  if (!decisions) return fail(decisions.error());
  if (!parts) return fail(parts.error());
  for (const StoredDecision& row : *decisions)
    if (isMeant(row.key)) draft.change(changeOf(row, std::nullopt, cause));
  for (const QueuedPart& part : *parts)
    if (isMeant(part.target.key)) draft.change(QueueChange{QueueChange::Kind::remove, part, cause});
  return {};
}

Status forgetAbout(Draft& draft, Transaction& transaction, const TargetKey& key, Cause cause) {
  return forget(draft, transaction.decisionsAbout(key), transaction.queueAbout(key), cause,
                [](const TargetKey&) { return true; });
}

// The decision that a row of history took away or replaced.
Result<HistoryEntry> takenAwayBy(Transaction& transaction, std::int64_t sequence) {
  const std::string row = "row " + std::to_string(sequence) + " of the history";
  const std::string hint = "see what there is with: enablectl history";
  const auto entries = transaction.history({.afterSequence = sequence - 1});
  if (!entries) return fail(entries.error());
  if (entries->empty() || entries->front().sequence != sequence)
    return fail(ErrorCode::invalidArgument, row + " is not there", hint);
  const HistoryEntry& entry = entries->front();
  if (entry.subject != HistoryEntry::Subject::decision || !entry.before)
    return fail(ErrorCode::invalidArgument, row + " took no decision away", hint);
  return entry;
}

}  // namespace

Status EnablementService::purge(const TargetKey& key, std::string_view actor) {
  return impl_->serialised([&] {
    return impl_->transact(Store::Mode::write, actor, [&](Draft& draft, Transaction& transaction) {
      return forgetAbout(draft, transaction, key, Cause::purge);
    });
  });
}

Status EnablementService::purgeWithServers(const TargetKey& plugin, std::string_view actor) {
  return impl_->serialised([&] {
    return impl_->transact(Store::Mode::write, actor, [&](Draft& draft, Transaction& transaction) {
      return forget(
          draft, transaction.stored(), transaction.queued(), Cause::purge,
          [&](const TargetKey& key) { return key == plugin || key.container() == plugin; });
    });
  });
}

Status EnablementService::clearEverywhere(const TargetKey& key, std::string_view actor) {
  return impl_->serialised([&] {
    return impl_->transact(Store::Mode::write, actor, [&](Draft& draft, Transaction& transaction) {
      return forgetAbout(draft, transaction, key, Cause::clear);
    });
  });
}

Result<std::vector<Pruning>> EnablementService::prune(const PruneRequest& request,
                                                      std::string_view actor) {
  return impl_->serialised([&]() -> Result<std::vector<Pruning>> {
    std::vector<Pruning> found;
    const auto done =
        impl_->transact(Store::Mode::write, actor, [&](Draft& draft, Transaction& transaction) {
          const auto stored = transaction.stored();
          if (!stored) return Status(fail(stored.error()));
          found = planPrune(*stored, request);
          for (const Pruning& one : found)
            if (!one.kept) draft.change(changeOf(one.decision, std::nullopt, Cause::pruned));
          return Status();
        });
    if (!done) return fail(done.error());
    return found;
  });
}

Status EnablementService::restore(std::int64_t sequence, std::string_view actor) {
  return impl_->serialised([&] {
    return impl_->transact(Store::Mode::write, actor, [&](Draft& draft, Transaction& transaction) {
      const auto entry = takenAwayBy(transaction, sequence);
      if (!entry) return Status(fail(entry.error()));
      const auto stored = transaction.decisionsAbout(*entry->key);
      if (!stored) return Status(fail(stored.error()));
      const auto now = std::find_if(stored->begin(), stored->end(), [&](const auto& row) {
        return row.scope == entry->scope && row.place == entry->place;
      });
      DecisionChange change{entry->scope,  entry->place,    *entry->key,   std::nullopt,
                            entry->before, Cause::restored, entry->session};
      if (now != stored->end()) change.before = now->enabled;
      if (change.before != change.after) draft.change(std::move(change));
      return Status();
    });
  });
}

}  // namespace enablement
