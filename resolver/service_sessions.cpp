// Sessions and their clients.
#include <algorithm>
#include <utility>

#include <enablement/resolver/queue.h>
#include <enablement/resolver/service.h>
#include <enablement/resolver/service_impl.h>
#include <enablement/schema/text.h>

namespace enablement {
namespace {

// Applies what the session's queue holds, by what the draft knows of the session by now.
Status settleQueueOf(Draft& draft, Transaction& transaction, std::string_view session) {
  const auto parts = transaction.queueOf(session);
  if (!parts) return fail(parts.error());
  settleQueue(draft, session, *parts);
  return {};
}

Status checkClient(std::string_view client) {
  if (!client.empty() && client.size() <= maxTextBytes) return {};
  return fail(ErrorCode::invalidArgument,
              client.empty() ? "the client id is empty" : "the client id is too long");
}

// Names the session if it is settled and sees another base value of some target. Where the host has
// stored a global decision the base is covered by it.
void putClients(Draft& draft, std::string_view session, KnownSession state, ClientBase clients) {
  const auto differing = state.clients->differences(clients);
  const bool visible = std::any_of(differing.begin(), differing.end(), [&](const TargetKey& key) {
    return !draft.state().decisions.global(key);
  });
  if (visible && state.isSettled()) draft.audience().session(session);
  state.clients = std::make_shared<const ClientBase>(std::move(clients));
  draft.putSession(session, std::move(state));
}

}  // namespace

Status EnablementService::Impl::load(std::string_view session, std::string_view actor,
                                     const Loading* loading) {
  return serialised([&]() -> Status {
    if (loading && loading->over)
      return fail(ErrorCode::invalidArgument,
                  "session " + quote(session) + " was closed while it was being loaded",
                  "load it again if it is wanted");
    return transact(Store::Mode::read, actor, [&](Draft& draft, Transaction& transaction) {
      if (draft.session(session).isLoaded()) return Status();
      if (auto read = readSession(draft, transaction, session); !read) return read;
      draft.audience().session(session);
      return settleQueueOf(draft, transaction, session);
    });
  });
}

std::shared_ptr<EnablementService::Impl::Loading> EnablementService::Impl::beginLoading(
    std::string session) {
  auto loading = std::make_shared<Loading>(Loading{std::move(session)});
  const std::scoped_lock lock(loadingMutex_);
  std::erase_if(loading_, [](const auto& known) { return known.expired(); });
  loading_.push_back(loading);
  return loading;
}

void EnablementService::Impl::endLoading(std::string_view session) {
  const std::scoped_lock lock(loadingMutex_);
  for (const auto& known : loading_)
    if (const auto loading = known.lock(); loading && loading->session == session)
      loading->over = true;
}

Status EnablementService::loadSession(std::string_view session, std::string_view actor) {
  if (auto ok = checkSession(session); !ok) return ok;
  return impl_->load(session, actor, nullptr);
}

std::future<Status> EnablementService::loadSessionAsync(std::string session, std::string actor) {
  auto promise = std::make_shared<std::promise<Status>>();
  auto future = promise->get_future();
  if (auto ok = checkSession(session); !ok) {
    promise->set_value(ok);
    return future;
  }
  auto loading = impl_->beginLoading(std::move(session));
  impl_->background_.post([impl = impl_.get(), promise, loading, actor = std::move(actor)] {
    promise->set_value(impl->load(loading->session, actor, loading.get()));
  });
  return future;
}

Status EnablementService::setWorkingDirectory(std::string_view session, WorkingDirectory directory,
                                              std::string_view actor) {
  if (auto ok = checkSession(session); !ok) return ok;
  return impl_->serialised([&]() -> Status {
    // Moves the session; says whether its own announcement has to wait for the end of its turn.
    const auto move = [&](Draft& draft) {
      KnownSession moving = draft.session(session);
      const bool moved = !(moving.directory == directory);
      const bool waits = moved && moving.isLoaded() && moving.turnActive;
      moving.directory = directory;
      moving.announcementWaits |= waits;
      const bool announces = moved && moving.isLoaded() && !waits;
      if (moved || !draft.state().session(session)) draft.putSession(session, std::move(moving));
      if (announces) draft.audience().session(session);
      return waits;
    };
    if (!impl_->store_ || !directory.isKnown())
      return impl_->remember([&](Draft& draft) { move(draft); });
    return impl_->transact(Store::Mode::read, actor, [&](Draft& draft, Transaction& transaction) {
      const bool waits = move(draft);
      Status settled = settleQueueOf(draft, transaction, session);
      if (waits) draft.audience().exclude(session);
      return settled;
    });
  });
}

Status EnablementService::setTurnActive(std::string_view session, bool active) {
  if (auto ok = checkSession(session); !ok) return ok;
  return impl_->serialised([&] {
    return impl_->remember([&](Draft& draft) {
      KnownSession turning = draft.session(session);
      if (turning.turnActive == active && draft.state().session(session)) return;
      turning.turnActive = active;
      if (!active && std::exchange(turning.announcementWaits, false))
        draft.audience().session(session);
      draft.putSession(session, std::move(turning));
    });
  });
}

Status EnablementService::closeSession(std::string_view session) {
  if (auto ok = checkSession(session); !ok) return ok;
  return impl_->serialised([&] {
    impl_->endLoading(session);
    return impl_->remember([&](Draft& draft) { draft.forgetSession(session); });
  });
}

Status EnablementService::deleteSession(std::string_view session, std::string_view actor) {
  if (auto ok = checkSession(session); !ok) return ok;
  return impl_->serialised([&] {
    const Status deleted =
        impl_->transact(Store::Mode::write, actor, [&](Draft& draft, Transaction& transaction) {
          const auto decisions = transaction.decisionsOf(session);
          if (!decisions) return Status(fail(decisions.error()));
          const auto parts = transaction.queueOf(session);
          if (!parts) return Status(fail(parts.error()));
          const auto unclaimed = transaction.unclaimedOf(session);
          if (!unclaimed) return Status(fail(unclaimed.error()));
          // First forgotten, so that nobody is told of what follows.
          draft.forgetSession(session);
          const std::string place(session);
          for (const auto& [key, enabled] : *decisions)
            draft.change(DecisionChange{Scope::session, place, key, enabled, std::nullopt,
                                        Cause::sessionDeleted, place});
          for (const QueuedPart& part : *parts)
            draft.change(QueueChange{QueueChange::Kind::remove, part, Cause::sessionDeleted});
          for (const UnclaimedDecision& decision : *unclaimed)
            draft.change(UnclaimedChange{place, decision.customizationId, decision.enabled,
                                         std::nullopt, Cause::sessionDeleted});
          return Status();
        });
    if (deleted) impl_->endLoading(session);
    return deleted;
  });
}

Status EnablementService::stateClientBase(std::string_view session, std::string_view client,
                                          std::span<const StatedPlugin> plugins) {
  if (auto ok = checkSession(session); !ok) return ok;
  if (auto ok = checkClient(client); !ok) return ok;
  auto opinions = opinionsOf(plugins);
  if (!opinions) return fail(opinions.error());
  return impl_->serialised([&] {
    return impl_->remember([&](Draft& draft) {
      KnownSession stated = draft.session(session);
      putClients(draft, session, stated, stated.clients->with(client, std::move(*opinions)));
    });
  });
}

Status EnablementService::removeClientBase(std::string_view session, std::string_view client) {
  if (auto ok = checkSession(session); !ok) return ok;
  if (auto ok = checkClient(client); !ok) return ok;
  return impl_->serialised([&] {
    return impl_->remember([&](Draft& draft) {
      KnownSession left = draft.session(session);
      if (!left.clients->has(client)) return;
      putClients(draft, session, left, left.clients->without(client));
    });
  });
}

}  // namespace enablement
