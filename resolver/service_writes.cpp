// Writing decisions.
#include <algorithm>
#include <string>
#include <utility>

#include <enablement/resolver/answer.h>
#include <enablement/resolver/plan.h>
#include <enablement/resolver/queue.h>
#include <enablement/resolver/service.h>
#include <enablement/resolver/service_impl.h>
#include <enablement/schema/text.h>

namespace enablement {
namespace {

// One scope of a write, with the folder that a replacement named for it, if it did.
struct FolderAsk {
  ScopeAsk ask;
  std::string folder = {};
};

struct CheckedWrite {
  Target target;
  std::vector<FolderAsk> asks;
  bool isReplacement = false;
};

constexpr Asked askedFor(bool enabled) {
  return enabled ? Asked::on : Asked::off;
}

// What can be refused without knowing the session: arguments come before everything else (I14).
Result<CheckedWrite> checkArguments(const Write& write) {
  CheckedWrite checked{write.target, {}};
  if (const auto* set = std::get_if<Set>(&write.ask)) {
    checked.asks.push_back({{set->scope, askedFor(set->enabled), Cause::set}});
  } else if (const auto* clear = std::get_if<Clear>(&write.ask)) {
    checked.asks.push_back({{clear->scope, Asked::clear, Cause::clear}});
  } else {
    checked.isReplacement = true;
    for (const ReplaceEntry& entry : std::get<Replace>(write.ask).enablement) {
      FolderAsk asked{{entry.kind, askedFor(entry.enabled), Cause::replace}};
      const bool twice =
          std::any_of(checked.asks.begin(), checked.asks.end(),
                      [&](const FolderAsk& known) { return known.ask.scope == entry.kind; });
      if (twice)
        return fail(ErrorCode::invalidArgument,
                    "two entries of scope " + std::string(name(entry.kind)) + " for " +
                        quote(write.target.key.printed()),
                    "a list has at most one entry of each scope");
      if (entry.kind == Scope::workspace && entry.uri) {
        const auto folder = WorkingDirectory::directory(*entry.uri);
        if (!folder) return fail(folder.error());
        asked.folder = *folder->uri();
      }
      checked.asks.push_back(std::move(asked));
    }
  }
  return checked;
}

// The two folder errors, as soon as the folder is known, loaded or not.
Status checkFolder(const CheckedWrite& write, std::string_view session,
                   const WorkingDirectory& directory) {
  if (!directory.isKnown()) return {};
  for (const FolderAsk& asked : write.asks) {
    if (asked.ask.scope != Scope::workspace) continue;
    if (!directory.uri())
      return fail(ErrorCode::noWorkspace,
                  "session " + quote(session) + " has no folder to decide about " +
                      quote(write.target.key.printed()) + " in",
                  "decide for the session or everywhere");
    if (!asked.folder.empty() && asked.folder != *directory.uri())
      return fail(ErrorCode::foreignWorkspace,
                  "session " + quote(session) + " works in " + quote(*directory.uri()) +
                      ", not in " + quote(asked.folder),
                  "decide in the session's own folder, or without a session");
  }
  return {};
}

// A replacement from a settled session is the whole truth: it names every scope the session has.
void nameEveryScope(CheckedWrite& write, const WorkingDirectory& directory) {
  for (const Scope scope : writeOrder) {
    const auto named = std::find_if(write.asks.begin(), write.asks.end(),
                                    [&](const FolderAsk& a) { return a.ask.scope == scope; });
    if (named != write.asks.end())
      named->ask.mayRestate = scope == Scope::global;
    else if (scope != Scope::workspace || directory.uri())
      write.asks.push_back({{scope, Asked::clear, Cause::replace}});
  }
}

// Stores what can be stored now and queues the rest (I12).
void planWriteInto(Draft& draft, std::string_view session, CheckedWrite write) {
  const KnownSession state = draft.session(session);
  if (write.isReplacement && state.isSettled()) nameEveryScope(write, state.directory);

  std::vector<ScopeAsk> now;
  for (const FolderAsk& asked : write.asks) {
    const Scope scope = asked.ask.scope;
    const bool canApply = scope == Scope::global || state.isSettled() ||
                          (scope == Scope::workspace && state.directory.isKnown());
    if (canApply)
      now.push_back(asked.ask);
    else
      draft.change(QueueChange{
          QueueChange::Kind::put,
          QueuedPart{std::string(session), write.target, scope, asked.folder, asked.ask.asked},
          Cause::queued});
  }
  planIntoDraft(draft, session, write.target, now);
}

}  // namespace

Result<std::vector<Resolution>> EnablementService::batch(std::string_view session,
                                                         std::span<const Write> writes,
                                                         std::string_view actor) {
  if (auto ok = checkSession(session); !ok) return fail(ok.error());
  std::vector<CheckedWrite> checked;
  checked.reserve(writes.size());
  for (const Write& write : writes) {
    auto one = checkArguments(write);
    if (!one) return fail(one.error());
    checked.push_back(std::move(*one));
  }

  return impl_->serialised([&]() -> Result<std::vector<Resolution>> {
    // The folder is this process's own knowledge: no transaction can change it.
    if (const KnownSession* known = impl_->current().session(session))
      for (const CheckedWrite& write : checked)
        if (auto ok = checkFolder(write, session, known->directory); !ok) return fail(ok.error());

    const auto done = impl_->transact(Store::Mode::write, actor, [&](Draft& draft, Transaction&) {
      draft.touchSession(session);
      for (const CheckedWrite& write : checked) planWriteInto(draft, session, write);
      return Status();
    });
    if (!done) return fail(done.error());

    std::vector<Resolution> answers;
    answers.reserve(writes.size());
    const State& state = impl_->current();
    const KnownSession* known = state.session(session);
    for (const Write& write : writes)
      answers.push_back(enablement::resolve(state, known, write.target));
    return answers;
  });
}

Result<Resolution> EnablementService::set(std::string_view session, const Target& target,
                                          Scope scope, bool enabled, std::string_view actor) {
  const Write write{target, Set{scope, enabled}};
  return batch(session, {&write, 1}, actor).map([](const auto& answers) {
    return answers.front();
  });
}

Result<Resolution> EnablementService::clear(std::string_view session, const Target& target,
                                            Scope scope, std::string_view actor) {
  const Write write{target, Clear{scope}};
  return batch(session, {&write, 1}, actor).map([](const auto& answers) {
    return answers.front();
  });
}

Result<Resolution> EnablementService::replace(std::string_view session, const Target& target,
                                              std::vector<ReplaceEntry> enablement,
                                              std::string_view actor) {
  const Write write{target, Replace{std::move(enablement)}};
  return batch(session, {&write, 1}, actor).map([](const auto& answers) {
    return answers.front();
  });
}

Status EnablementService::Impl::writeStored(const Target& target,
                                            const std::optional<WorkingDirectory>& directory,
                                            Asked asked, Cause cause, std::string_view actor) {
  if (directory && !directory->uri())
    return fail(ErrorCode::invalidArgument, "a workspace decision needs a folder");
  return serialised([&] {
    return transact(Store::Mode::write, actor, [&](Draft& draft, Transaction&) {
      const Scope scope = directory ? Scope::workspace : Scope::global;
      const std::string place = directory ? *directory->uri() : std::string();
      const auto& decisions = draft.state().decisions;
      const auto before =
          directory ? decisions.workspace(place, target.key) : decisions.global(target.key);
      const auto after = asked == Asked::clear ? std::nullopt : std::optional(asked == Asked::on);
      if (before != after)
        draft.change(DecisionChange{scope, place, target.key, before, after, cause, {}});
      return Status();
    });
  });
}

Status EnablementService::setStored(const Target& target, std::optional<WorkingDirectory> directory,
                                    bool enabled, std::string_view actor) {
  return impl_->writeStored(target, directory, askedFor(enabled), Cause::set, actor);
}

Status EnablementService::clearStored(const Target& target,
                                      std::optional<WorkingDirectory> directory,
                                      std::string_view actor) {
  return impl_->writeStored(target, directory, Asked::clear, Cause::clear, actor);
}

}  // namespace enablement
