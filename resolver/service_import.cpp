// Takes what was read from other stores into this one, and turns what it could not name yet into
// ordinary decisions.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <enablement/resolver/queue.h>
#include <enablement/resolver/service.h>
#include <enablement/resolver/service_impl.h>
#include <enablement/schema/text.h>

namespace enablement {
namespace {

using Fate = ImportedItem::Fate;

// What is in the store already, of what an import is about; read when it is asked for. One for all
// sources of a dry run: what an earlier source would have brought is there for the later ones.
class Present {
 public:
  explicit Present(Transaction& transaction) : transaction_(transaction) {}

  // The value that is there; if there is none, `row` is there from now on.
  Result<std::optional<bool>> add(const ImportedDecision& row) {
    const auto [about, isNew] = decisions_.try_emplace(row.key);
    if (isNew) {
      auto stored = transaction_.decisionsAbout(row.key);
      if (!stored) return fail(stored.error());
      for (StoredDecision& decision : *stored)
        about->second.emplace(std::pair(decision.scope, std::move(decision.place)),
                              decision.enabled);
    }
    return addTo(about->second, std::pair(row.scope, row.place), row.enabled);
  }

  Result<std::optional<bool>> add(const UnclaimedDecision& row) {
    const auto [own, isNew] = unclaimed_.try_emplace(row.session);
    if (isNew) {
      auto waiting = transaction_.unclaimedOf(row.session);
      if (!waiting) return fail(waiting.error());
      for (UnclaimedDecision& decision : *waiting)
        own->second.emplace(std::move(decision.customizationId), decision.enabled);
    }
    return addTo(own->second, row.customizationId, row.enabled);
  }

  // Whether it was not there.
  Result<bool> add(const QueuedPart& part) {
    const auto [own, isNew] = parts_.try_emplace(part.session);
    if (isNew) {
      const auto queued = transaction_.queueOf(part.session);
      if (!queued) return fail(queued.error());
      for (const QueuedPart& waiting : *queued) own->second.insert(nameOf(waiting));
    }
    return own->second.insert(nameOf(part)).second;
  }

 private:
  using PartName = std::tuple<TargetKey, Scope, std::string>;
  static PartName nameOf(const QueuedPart& part) {
    return {part.target.key, part.scope, part.folder};
  }

  template <typename Values, typename Name>
  static std::optional<bool> addTo(Values& values, const Name& name, bool enabled) {
    const auto [known, isNew] = values.try_emplace(name, enabled);
    return isNew ? std::nullopt : std::optional(known->second);
  }

  Transaction& transaction_;
  std::map<TargetKey, std::map<std::pair<Scope, std::string>, bool>> decisions_;
  std::map<std::string, std::map<std::string, bool>> unclaimed_;
  std::map<std::string, std::set<PartName>> parts_;
};

// What somebody took back after an earlier import of the same source: it must not come again.
class TakenBack {
 public:
  static Result<TakenBack> read(Transaction& transaction) {
    TakenBack taken;
    auto history = transaction.history({});
    if (!history) return fail(history.error());
    for (const HistoryEntry& entry : *history)
      if (entry.subject == HistoryEntry::Subject::decision)
        taken.removed_.insert_or_assign(std::tuple(entry.scope, entry.place, *entry.key),
                                        !entry.after);
    return taken;
  }
  [[nodiscard]] bool has(const ImportedDecision& row) const {
    const auto found = removed_.find(std::tuple(row.scope, row.place, row.key));
    return found != removed_.end() && found->second;
  }

 private:
  std::map<std::tuple<Scope, std::string, TargetKey>, bool> removed_;
};

// One source, planned against what is present.
class Planner {
 public:
  Planner(const ImportSource& source, Present& present, const TakenBack* takenBack)
      : source_(source), present_(present), takenBack_(takenBack) {
    out_.marker = source.marker;
    out_.rejected = source.rejected;
    out_.conflicts = source.conflicts;
  }

  Status plan() {
    for (const ImportedDecision& row : source_.decisions)
      if (auto ok = plan(row); !ok) return ok;
    for (const UnclaimedDecision& row : source_.unclaimed)
      if (auto ok = plan(row); !ok) return ok;
    for (const QueuedPart& part : source_.queued)
      if (auto ok = plan(part); !ok) return ok;
    out_.marker.decisions = static_cast<std::int64_t>(out_.count(Fate::taken));
    return {};
  }
  ChangeSet changes() { return std::move(changes_); }
  ImportedSource report() { return std::move(out_); }

 private:
  static Fate fateOf(const std::optional<bool>& there, bool enabled) {
    if (!there) return Fate::taken;
    return *there == enabled ? Fate::already : Fate::kept;
  }

  Status plan(const ImportedDecision& row) {
    Fate fate = Fate::kept;
    if (!takenBack_ || !takenBack_->has(row)) {
      const auto there = present_.add(row);
      if (!there) return fail(there.error());
      fate = fateOf(*there, row.enabled);
    }
    out_.items.push_back({fate, row.scope, row.place, row.key.printed(), true, row.enabled});
    if (fate == Fate::taken)
      changes_.emplace_back(
          DecisionChange{row.scope, row.place, row.key, std::nullopt, row.enabled, Cause::import,
                         row.scope == Scope::session ? row.place : std::string()});
    return {};
  }

  Status plan(const UnclaimedDecision& row) {
    const auto there = present_.add(row);
    if (!there) return fail(there.error());
    const Fate fate = fateOf(*there, row.enabled);
    out_.items.push_back(
        {fate, Scope::session, row.session, row.customizationId, false, row.enabled});
    if (fate == Fate::taken)
      changes_.emplace_back(UnclaimedChange{row.session, row.customizationId, std::nullopt,
                                            row.enabled, Cause::import});
    return {};
  }

  Status plan(const QueuedPart& part) {
    const auto isNew = present_.add(part);
    if (!isNew) return fail(isNew.error());
    out_.items.push_back(
        {*isNew ? Fate::taken : Fate::kept, part.scope, part.session, part.target.key.printed(),
         true, part.asked == Asked::clear ? std::nullopt : std::optional(part.asked == Asked::on)});
    if (*isNew) changes_.emplace_back(QueueChange{QueueChange::Kind::put, part, Cause::queued});
    return {};
  }

  const ImportSource& source_;
  Present& present_;
  const TakenBack* takenBack_;
  ImportedSource out_;
  ChangeSet changes_;
};

ImportedSource withState(const ImportSource& source, ImportedSource::State state,
                         std::optional<Error> error = {}) {
  ImportedSource out;
  out.marker = source.marker;
  out.state = state;
  out.error = std::move(error);
  return out;
}

struct SourcePlan {
  ImportedSource report;
  ChangeSet changes = {};
};

// What a source would bring, or brings. Nothing where it was imported already.
Result<SourcePlan> planSource(Transaction& transaction, const ImportSource& source, bool force,
                              Present& present) {
  const auto before = transaction.importMarker(source.marker);
  if (!before) return fail(before.error());
  const bool known = before->has_value();
  if (known && !force && (*before)->contentHash == source.marker.contentHash)
    return SourcePlan{withState(source, ImportedSource::State::unchanged)};
  std::optional<TakenBack> takenBack;
  if (known) {
    auto read = TakenBack::read(transaction);
    if (!read) return fail(read.error());
    takenBack = std::move(*read);
  }
  Planner planner(source, present, takenBack ? &*takenBack : nullptr);
  if (auto planned = planner.plan(); !planned) return fail(planned.error());
  auto changes = planner.changes();
  return SourcePlan{planner.report(), std::move(changes)};
}

// Queued parts of sessions that are known here need not wait.
void settleImported(Draft& draft, std::span<const QueuedPart> parts) {
  std::map<std::string, std::vector<QueuedPart>> bySession;
  for (const QueuedPart& part : parts) bySession[part.session].push_back(part);
  for (const auto& [session, own] : bySession)
    if (draft.state().session(session)) settleQueue(draft, session, own);
}

}  // namespace

std::size_t ImportedSource::count(ImportedItem::Fate fate) const {
  return static_cast<std::size_t>(std::count_if(
      items.begin(), items.end(), [&](const ImportedItem& item) { return item.fate == fate; }));
}

Result<ImportedSource> EnablementService::Impl::importOne(const ImportSource& source, bool force,
                                                          std::string_view actor) {
  ImportedSource out;
  const auto takeIn = [&](Draft& draft, Transaction& transaction) -> Status {
    Present present(transaction);
    auto planned = planSource(transaction, source, force, present);
    if (!planned) return fail(planned.error());
    out = std::move(planned->report);
    if (out.state != ImportedSource::State::imported) return {};
    std::vector<QueuedPart> parts;
    for (Change& change : planned->changes) {
      if (const auto* put = std::get_if<QueueChange>(&change)) parts.push_back(put->part);
      std::visit([&](auto& row) { draft.change(std::move(row)); }, change);
    }
    settleImported(draft, parts);
    for (const ImportMarker& marker : source.markers)
      if (auto put = transaction.putImportMarker(marker); !put) return put;
    out.marker.at = options_.clock();
    out.marker.actor = actor;
    return transaction.putImportMarker(out.marker);
  };
  const Status done = transact(Store::Mode::write, actor, takeIn);
  if (!done) return fail(done.error());
  return out;
}

Result<ImportReport> EnablementService::importFrom(std::span<const ImportSource> sources,
                                                   const ImportOptions& options,
                                                   std::string_view actor) {
  return impl_->serialised([&]() -> Result<ImportReport> {
    if (options.dryRun) return impl_->rehearseImport(sources, options.force);
    ImportReport report;
    const Impl::Gathering oneEvent(*impl_);
    for (const ImportSource& source : sources) {
      if (options.progress) options.progress(report.sources.size(), sources.size());
      if (source.failure) {
        report.sources.push_back(withState(source, ImportedSource::State::failed, source.failure));
        continue;
      }
      auto imported = impl_->importOne(source, options.force, actor);
      const bool storeFailed = !imported && impl_->current().failure;
      if (storeFailed && report.sources.empty()) return fail(imported.error());
      report.sources.push_back(
          imported ? *std::move(imported)
                   : withState(source, ImportedSource::State::failed, imported.error()));
    }
    return report;
  });
}

Result<ImportReport> EnablementService::Impl::rehearseImport(std::span<const ImportSource> sources,
                                                             bool force) {
  if (auto opened = ensureOpen(); !opened) return fail(opened.error());
  auto transaction = store_->begin(Store::Mode::read);
  if (!transaction) return fail(transaction.error());
  Present present(*transaction);
  ImportReport report;
  for (const ImportSource& source : sources) {
    if (source.failure) {
      report.sources.push_back(withState(source, ImportedSource::State::failed, source.failure));
      continue;
    }
    auto planned = planSource(*transaction, source, force, present);
    if (!planned) return fail(planned.error());
    report.sources.push_back(std::move(planned->report));
  }
  if (store_->isOutdated())
    return fail(ErrorCode::busy, options_.path.string() + " changed while it was read",
                "try again");
  return report;
}

Result<std::size_t> EnablementService::claim(std::string_view session,
                                             std::span<const ClaimedEntry> entries,
                                             std::string_view actor) {
  if (auto ok = checkSession(session); !ok) return fail(ok.error());
  return impl_->serialised([&]() -> Result<std::size_t> {
    std::size_t claimed = 0;
    const Status done = impl_->transact(
        Store::Mode::read, actor, [&](Draft& draft, Transaction& transaction) -> Status {
          claimed = 0;
          auto waiting = transaction.unclaimedOf(session);
          if (!waiting) return fail(waiting.error());
          // Of two ids that stand for one target, off wins.
          std::stable_partition(waiting->begin(), waiting->end(),
                                [](const UnclaimedDecision& row) { return !row.enabled; });
          const auto stored = transaction.decisionsOf(session);
          if (!stored) return fail(stored.error());
          const std::string place(session);
          std::set<TargetKey> decided;
          for (const UnclaimedDecision& row : *waiting) {
            const auto entry =
                std::find_if(entries.begin(), entries.end(), [&](const ClaimedEntry& candidate) {
                  return candidate.customizationId == row.customizationId;
                });
            if (entry == entries.end()) continue;
            ++claimed;
            // A decision that is stored under the key wins.
            if (!stored->find(entry->key) && decided.insert(entry->key).second)
              draft.change(DecisionChange{Scope::session, place, entry->key, std::nullopt,
                                          row.enabled, Cause::claimed, place});
            draft.change(UnclaimedChange{place, row.customizationId, row.enabled, std::nullopt,
                                         Cause::claimed});
          }
          return {};
        });
    if (!done) return fail(done.error());
    return claimed;
  });
}

Result<StoreContent> EnablementService::content() const {
  return impl_->inspect([](Transaction& transaction) -> Result<StoreContent> {
    auto decisions = transaction.stored();
    auto queued = transaction.queued();
    auto unclaimed = transaction.unclaimed();
    auto imports = transaction.importMarkers();
    if (!decisions) return fail(decisions.error());
    if (!queued) return fail(queued.error());
    if (!unclaimed) return fail(unclaimed.error());
    if (!imports) return fail(imports.error());
    return StoreContent{*std::move(decisions), *std::move(queued), *std::move(unclaimed),
                        *std::move(imports)};
  });
}

}  // namespace enablement
