#include <enablement/session/host.h>

#include <exception>
#include <utility>

#include <spdlog/spdlog.h>

#include <enablement/schema/log.h>
#include <enablement/schema/text.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/host_impl.h>

namespace enablement {

PublishedState emptyState() {
  return PublishedState::create(Json::object()).value();
}

const Json* HostedSession::tree() const {
  return fieldOf(second.json(), "customizations");
}

Json HostedSession::merged() const {
  return sources.merge(clients).list.value_or(Json::array());
}

SessionHost::Impl::Impl(EnablementService& service, Sink sink, HostOptions options)
    : service_(service), sink_(std::move(sink)), options_(std::move(options)) {
  heard_->wake = options_.wake;
  listen();
}

SessionRef SessionHost::Impl::find(const std::string& session) const {
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? nullptr : found->second;
}

Error SessionHost::Impl::notKept(const std::string& session) {
  return {ErrorCode::invalidArgument, "session " + quote(session) + " is not kept here",
          "it is kept from openSession() on"};
}

Status SessionHost::Impl::open(const std::string& session,
                               std::optional<std::vector<std::string>> directories) {
  if (auto ok = checkSession(session); !ok) return ok;
  if (find(session) != nullptr)
    return fail(ErrorCode::invalidArgument, "session " + quote(session) + " is kept already",
                "close it first");
  auto kept = std::make_shared<HostedSession>(session);
  if (directories) {
    auto primary = WorkingDirectory::none();
    for (std::size_t i = 0; i < directories->size(); ++i) {
      const auto directory = WorkingDirectory::directory((*directories)[i]);
      if (!directory) return fail(directory.error());
      if (i == 0) primary = *directory;
    }
    if (auto ok = service_.setWorkingDirectory(session, primary); !ok) return ok;
    auto state = PublishedState::create({{"workingDirectories", *directories}});
    kept->first = kept->second = state.value();
  }
  sessions_[session] = std::move(kept);
  return {};
}

void SessionHost::Impl::forget(const std::string& session) {
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return;
  found->second->gone = true;
  sessions_.erase(found);
  // A session of that name that comes later has other peers.
  std::erase_if(outbox_,
                [&](const SessionMessage& message) { return message.session() == session; });
  later_.erase(session);
  const std::scoped_lock lock(heard_->mutex);
  heard_->named.erase(session);
}

void SessionHost::Impl::listen() {
  const auto owner = std::this_thread::get_id();
  events_ = service_.subscribe([this, owner, heard = heard_](const Event& event) {
    {
      const std::scoped_lock lock(heard->mutex);
      heard->named.insert(event.sessions.begin(), event.sessions.end());
    }
    if (std::this_thread::get_id() != owner) {
      if (heard->wake) heard->wake();
    } else if (depth_ == 0) {  // inside a call of ours its end sees to it
      run([] { return 0; });
    }
  });
}

bool SessionHost::Impl::waits() const {
  const std::scoped_lock lock(heard_->mutex);
  return !heard_->named.empty() || !later_.empty() || !outbox_.empty();
}

// Whoever answers each message with an action, or each event with a write, keeps this going: so it
// ends after a while, and goes on with the next call.
void SessionHost::Impl::catchUp() {
  {
    const Inside inside(*this);
    std::size_t budget = maxMessagesPerCall;
    for (std::size_t rounds = maxMessagesPerCall; rounds > 0 && budget > 0; --rounds) {
      const bool named = republishNamed();
      if (!named && outbox_.empty()) break;
      deliver(budget);
    }
  }
  if (options_.wake && waits()) options_.wake();
}

bool SessionHost::Impl::republishNamed() {
  std::set<std::string> named;
  {
    const std::scoped_lock lock(heard_->mutex);
    named.swap(heard_->named);
  }
  for (const std::string& name : named)
    if (const SessionRef session = find(name)) republish(*session);
  return !named.empty();
}

void SessionHost::Impl::deliver(std::size_t& budget) {
  for (; budget > 0 && !outbox_.empty(); --budget) {
    const SessionMessage message = std::move(outbox_.front());
    outbox_.pop_front();
    try {
      sink_(message);
    } catch (const std::exception& error) {
      log()->error("the sink of session {} failed: {}", quote(message.session()), error.what());
    } catch (...) {
      log()->error("the sink of session {} failed", quote(message.session()));
    }
  }
}

// The face.

SessionHost::SessionHost(EnablementService& service, Sink sink, HostOptions options)
    : impl_(std::make_unique<Impl>(service, std::move(sink), std::move(options))) {}

SessionHost::~SessionHost() = default;

Status SessionHost::openSession(const std::string& session,
                                std::optional<std::vector<std::string>> workingDirectories) {
  return impl_->run([&] { return impl_->open(session, std::move(workingDirectories)); });
}

Status SessionHost::closeSession(const std::string& session) {
  return impl_->run([&]() -> Status {
    if (!impl_->find(session)) return fail(Impl::notKept(session));
    if (auto closed = impl_->service_.closeSession(session); !closed) return closed;
    impl_->forget(session);
    return {};
  });
}

Status SessionHost::deleteSession(const std::string& session, std::string_view actor) {
  return impl_->run([&]() -> Status {
    if (!impl_->find(session)) return fail(Impl::notKept(session));
    if (auto deleted = impl_->service_.deleteSession(session, actor); !deleted) return deleted;
    impl_->forget(session);
    return {};
  });
}

Outcome SessionHost::dispatch(const std::string& session, const std::optional<std::string>& client,
                              Generation generation, const nlohmann::ordered_json& action) {
  return impl_->run([&]() -> Outcome {
    const SessionRef kept = impl_->find(session);
    if (!kept) return {Outcome::Kind::refused, Impl::notKept(session)};
    return impl_->dispatch(kept, client, generation, action);
  });
}

Status SessionHost::setOwners(const std::string& session, OwnerMap owners) {
  return impl_->run([&]() -> Status {
    const SessionRef kept = impl_->find(session);
    if (!kept) return fail(Impl::notKept(session));
    kept->owners = std::move(owners);
    ++kept->revision;
    impl_->republish(*kept);
    return {};
  });
}

}  // namespace enablement
