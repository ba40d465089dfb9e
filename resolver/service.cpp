#include <enablement/resolver/service.h>

#include <algorithm>
#include <utility>

#include <spdlog/spdlog.h>

#include <enablement/resolver/answer.h>
#include <enablement/resolver/queue.h>
#include <enablement/resolver/service_impl.h>
#include <enablement/schema/log.h>

namespace enablement {

// The pipe.

namespace {

std::shared_ptr<const State> notOpenedYet() {
  auto state = std::make_shared<State>();
  state->failure = std::make_shared<const Error>(Error{ErrorCode::io, "not opened yet", ""});
  return state;
}

void tell(const ChangeSet& changes) {
  for (const Change& change : changes)
    if (const auto* queue = std::get_if<QueueChange>(&change); queue && !queue->report.empty())
      log()->warn("{}", queue->report);
}

}  // namespace

EnablementService::Impl::Impl(ServiceOptions options)
    : options_(std::move(options)), state_(notOpenedYet()) {
  status_.path = options_.path;
  // Nobody can be listening yet; a failure is in the state and in status().
  (void)serialised([&] { return transact(Store::Mode::read, "host", nothing); });
}

Status EnablementService::Impl::nothing(Draft& /*draft*/, Transaction& /*transaction*/) {
  return {};
}

Error EnablementService::Impl::closedError() {
  return {ErrorCode::invalidArgument, "the service is closed", "open it again"};
}

Status EnablementService::Impl::ensureOpen() {
  // Somebody may have begun to write to a file that was read as it lay there.
  if (store_ && !store_->isOutdated()) return {};
  auto opened = Store::open(options_, wasReady_ ? Opening::again : Opening::first);
  if (!opened) return fail(opened.error());
  store_ = std::move(*opened);
  return {};
}

void EnablementService::Impl::look() {
  (void)serialised([&]() -> Status {
    if (!store_) return {};
    const auto changed = store_->othersCommitted();
    if (changed && !*changed && store_->checkInPlace()) return {};
    // A failure is in the log and in status(); busy is tried again at the next look.
    return transact(Store::Mode::read, "host", nothing);
  });
}

Status EnablementService::Impl::transact(Store::Mode mode, std::string_view actor,
                                         const Plan& plan) {
  bool unreadable = false;
  Status done;
  for (int again = 0; again < stillReads; ++again) {
    unreadable = false;
    done = ensureOpen();
    if (done)
      done = transactOnce(mode, actor, plan, unreadable);
    else
      unreadable = true;
    // What was read of a file that is only looked at, while somebody wrote to it, may be torn.
    if (done || !store_ || !store_->isOutdated()) break;
  }
  // A store that was never read whole is of no use yet, whatever the reason.
  if (unreadable || (!done && current().failure)) degrade(done.error());
  return done;
}

Status EnablementService::Impl::transactOnce(Store::Mode mode, std::string_view actor,
                                             const Plan& plan, bool& unreadable) {
  if (auto inPlace = store_->checkInPlace(); !inPlace) {
    unreadable = true;
    return inPlace;
  }
  auto transaction = store_->begin(mode);
  if (!transaction) {
    unreadable = transaction.error().code == ErrorCode::corrupt;
    return fail(transaction.error());
  }
  Draft draft(current());
  // A store that has come back is announced once, together with what brought it back.
  const bool cameBack = draft.state().failure != nullptr;
  if (auto adopted = adoptForeign(draft, *transaction); !adopted) {
    unreadable = adopted.error().code != ErrorCode::busy;
    return adopted;
  }
  auto foreign = cameBack ? std::vector<std::string>() : audienceOf(draft);
  if (auto planned = plan(draft, *transaction); !planned) return planned;

  if (!draft.changes().empty() && !onlyLooks()) {
    if (mode == Store::Mode::read) {
      // Planned without the write lock: by the time we have it the plan may be wrong.
      { const Transaction over = std::move(*transaction); }
      return transactOnce(Store::Mode::write, actor, plan, unreadable);
    }
    if (auto written = transaction->write(draft.changes(), actor); !written) return written;
  }
  if (auto committed = transaction->commit(); !committed) return committed;
  wasReady_ = true;
  // Only now: a plan may be made twice, and a look changes nothing that could be told.
  if (!onlyLooks()) tell(draft.changes());

  auto own = audienceOf(draft);
  publish(draft);
  announce(Event::Origin::anotherProcess, std::move(foreign));
  announce(Event::Origin::thisProcess, std::move(own));
  return {};
}

Status EnablementService::Impl::adoptForeign(Draft& draft, Transaction& transaction) {
  const auto foreign = transaction.foreign();
  if (!foreign) return fail(foreign.error());
  if (!*foreign) return {};
  if ((*foreign)->everything) {
    if (auto adopted = adoptEverything(draft, transaction); !adopted) return adopted;
    return settleQueues(draft, transaction);
  }
  bool queued = false;
  for (const HistoryEntry& entry : (*foreign)->entries) {
    draft.adopt(entry);
    queued |= entry.cause == Cause::queued;
  }
  return queued ? settleQueues(draft, transaction) : Status();
}

Status EnablementService::Impl::adoptEverything(Draft& draft, Transaction& transaction) {
  auto decisions = transaction.everything();
  if (!decisions) return fail(decisions.error());
  draft.adopt(std::move(*decisions));

  std::vector<std::string> loaded;
  draft.state().sessions.forEach([&](const std::string& name, const KnownSession& session) {
    if (session.isLoaded()) loaded.push_back(name);
  });
  for (const std::string& name : loaded)
    if (auto read = readSession(draft, transaction, name); !read) return read;
  return {};
}

Status EnablementService::Impl::readSession(Draft& draft, Transaction& transaction,
                                            std::string_view session) {
  auto decisions = transaction.decisionsOf(session);
  if (!decisions) return fail(decisions.error());
  const auto waiting = transaction.unclaimedOf(session);
  if (!waiting) return fail(waiting.error());
  SessionUnclaimed unclaimed;
  for (const UnclaimedDecision& decision : *waiting)
    unclaimed.emplace(decision.customizationId, decision.enabled);
  draft.adopt(session, std::move(*decisions), std::move(unclaimed));
  return {};
}

Status EnablementService::Impl::settleQueues(Draft& draft, Transaction& transaction) {
  // Where nothing can be written, only the session that a call names waits for its queue.
  if (!canWrite()) return {};
  const auto parts = transaction.queued();
  if (!parts) return fail(parts.error());
  for (auto first = parts->begin(); first != parts->end();) {
    const auto last = std::find_if(first, parts->end(), [&](const QueuedPart& part) {
      return part.session != first->session;
    });
    if (draft.state().session(first->session))
      settleQueue(draft, first->session, std::span(first, last));
    first = last;
  }
  return {};
}

Status EnablementService::Impl::remember(const MemoryPlan& plan) {
  Draft draft(current());
  plan(draft);
  auto named = audienceOf(draft);
  publish(draft);
  announce(Event::Origin::thisProcess, std::move(named));
  return {};
}

void EnablementService::Impl::publish(Draft& draft) {
  if (!draft.isChanged()) return;
  auto next = draft.finish();
  {
    const std::scoped_lock lock(statusMutex_);
    status_.generation = next->generation;
    status_.state = next->failure ? ServiceStatus::State::degraded : ServiceStatus::State::ready;
    status_.readOnly = store_ && store_->readOnly().has_value();
    status_.schemaVersion = store_ ? store_->schemaVersion() : 0;
    if (next->failure)
      status_.error = *next->failure;
    else
      status_.error = store_ ? store_->readOnly() : std::nullopt;
  }
  state_.publish(std::move(next));
}

// Where nobody listens nobody is named: with many sessions that costs more than the write.
std::vector<std::string> EnablementService::Impl::audienceOf(Draft& draft) {
  auto audience = draft.takeAudience();
  if (!dispatcher_.isHeard()) return {};
  return audience.among(draft.state().sessions);
}

void EnablementService::Impl::announce(Event::Origin origin, std::vector<std::string> sessions) {
  if (gathering_ && origin == Event::Origin::thisProcess)
    gathering_->insert(sessions.begin(), sessions.end());
  else if (!sessions.empty())
    dispatcher_.enqueue(Event{origin, std::move(sessions)});
}

EnablementService::Impl::Gathering::~Gathering() {
  const auto named = *std::exchange(impl_.gathering_, std::nullopt);
  impl_.announce(Event::Origin::thisProcess, {named.begin(), named.end()});
}

void EnablementService::Impl::degrade(const Error& error) {
  store_.reset();
  const bool wasReadable = !current().failure;
  // Told once, not on every try.
  if (!wasReadable && current().failure->message == error.message) return;
  log()->error("the store cannot be read: {}", describe(error));
  Draft draft(current());
  draft.failed(std::make_shared<const Error>(error));
  auto named = audienceOf(draft);
  publish(draft);
  // Before, too, the answers were pending(store): then nobody's answer differs.
  if (wasReadable) announce(Event::Origin::anotherProcess, std::move(named));
}

// The face.

EnablementService::EnablementService(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

EnablementService::~EnablementService() {
  close();
}

std::unique_ptr<EnablementService> EnablementService::open(ServiceOptions options) {
  return std::unique_ptr<EnablementService>(
      new EnablementService(std::make_unique<Impl>(std::move(options))));
}

ServiceStatus EnablementService::status() const {
  const std::scoped_lock lock(impl_->statusMutex_);
  return impl_->status_;
}

Resolution EnablementService::resolve(std::string_view session, const Target& target) const {
  const State& state = impl_->state_.read();
  return enablement::resolve(state, state.session(session), target);
}

Resolution EnablementService::resolve(const SessionHandle& session, const Target& target) const {
  const State& state = impl_->state_.read();
  return enablement::resolve(state, state.session(session.place_), target);
}

Result<Resolution> EnablementService::resolve(std::string_view session,
                                              const TargetText& text) const {
  return makeTarget(text).map([&](const Target& target) { return resolve(session, target); });
}

Effective EnablementService::effective(std::string_view session, const Target& target) const {
  const State& state = impl_->state_.read();
  return enablement::effective(state, state.session(session), target);
}

Effective EnablementService::effective(const SessionHandle& session, const Target& target) const {
  const State& state = impl_->state_.read();
  return enablement::effective(state, state.session(session.place_), target);
}

Effective EnablementService::ownState(std::string_view session, const Target& target) const {
  const State& state = impl_->state_.read();
  return enablement::ownState(state, state.session(session), target);
}

Effective EnablementService::ownState(const SessionHandle& session, const Target& target) const {
  const State& state = impl_->state_.read();
  return enablement::ownState(state, state.session(session.place_), target);
}

SessionHandle EnablementService::intern(std::string_view session) const {
  return SessionHandle(impl_->state_.read().sessions.place(session));
}

Target EnablementService::intern(const Target& target) const {
  return {impl_->state_.read().decisions.shared(target.key), target.discoveryDefault};
}

std::uint64_t EnablementService::generation() const {
  return impl_->state_.read().generation;
}

Result<std::vector<StoredDecision>> EnablementService::stored() const {
  return impl_->inspect([](Transaction& transaction) { return transaction.stored(); });
}

Result<std::vector<QueuedPart>> EnablementService::queued() const {
  return impl_->inspect([](Transaction& transaction) { return transaction.queued(); });
}

Result<std::vector<UnclaimedDecision>> EnablementService::unclaimed() const {
  return impl_->inspect([](Transaction& transaction) { return transaction.unclaimed(); });
}

Result<std::vector<HistoryEntry>> EnablementService::history(const HistoryQuery& query) const {
  return impl_->inspect([&](Transaction& transaction) { return transaction.history(query); });
}

Subscription EnablementService::subscribe(Listener listener) {
  return impl_->dispatcher_.subscribe(std::move(listener));
}

Status EnablementService::refresh() {
  return impl_->serialised(
      [&] { return impl_->transact(Store::Mode::read, "host", Impl::nothing); });
}

void EnablementService::watch(std::chrono::milliseconds every) {
  impl_->background_.every(every, [impl = impl_.get()] { impl->look(); });
}

Status EnablementService::backup(const std::filesystem::path& file) {
  return impl_->serialised([&]() -> Status {
    if (!impl_->store_) return fail(*impl_->current().failure);
    return impl_->store_->backUp(file);
  });
}

void EnablementService::close() {
  impl_->dispatcher_.close();
  impl_->shut();
  impl_->background_.stop();
}

void EnablementService::Impl::shut() {
  const std::scoped_lock lock(writer_);
  if (closed_) return;
  closed_ = true;
  store_.reset();
  Draft draft(current());
  draft.failed(std::make_shared<const Error>(closedError()));
  publish(draft);
  const std::scoped_lock status(statusMutex_);
  status_.state = ServiceStatus::State::closed;
}

}  // namespace enablement
