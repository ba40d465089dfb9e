// The inside of EnablementService: one pipe that every change goes through. Internal.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/resolver/background.h>
#include <enablement/resolver/dispatcher.h>
#include <enablement/resolver/draft.h>
#include <enablement/resolver/service.h>
#include <enablement/resolver/snapshot_cell.h>
#include <enablement/store/store.h>

namespace enablement {

class EnablementService::Impl {
 public:
  explicit Impl(ServiceOptions options);

  // What a call does to the draft. It may run twice: first on a read transaction, again on a write
  // transaction when it turned out to change rows.
  using Plan = std::function<Status(Draft&, Transaction&)>;
  using MemoryPlan = std::function<void(Draft&)>;

  // The pipe: transaction, what others committed, plan, rows and history, commit, memory, event.
  // A plan that begins in `read` mode is planned again in `write` mode if it changes rows.
  Status transact(Store::Mode mode, std::string_view actor, const Plan& plan);
  // The plan of a call that only reads in what others committed.
  static Status nothing(Draft& draft, Transaction& transaction);
  // The same for what is only in memory.
  Status remember(const MemoryPlan& plan);
  // Runs `call` under the writer's lock, unless the service is closed, and delivers events after.
  template <typename Call>
  auto serialised(Call call) -> decltype(call());
  // Reads without changing memory: what is listed comes from the file.
  template <typename Read>
  auto inspect(Read read) -> decltype(read(std::declval<Transaction&>()));

  // A write without a session: inheritance is not known, what is asked is stored (I11).
  Status writeStored(const Target& target, const std::optional<WorkingDirectory>& directory,
                     Asked asked, Cause cause, std::string_view actor);
  // Opens the store if it is not open. What it holds is read in by the next transaction.
  Status ensureOpen();
  // Reads in what others committed, if they did. Called by the watcher.
  void look();
  // The end: the store closed, every answer pending(store).
  void shut();

  // A load that was asked for and has not happened yet.
  struct Loading {
    std::string session;
    bool over = false;  // the session was closed or deleted meanwhile
  };
  std::shared_ptr<Loading> beginLoading(std::string session);
  void endLoading(std::string_view session);
  Status load(std::string_view session, std::string_view actor, const Loading* loading);

  // While it lives, the sessions that calls name are gathered into one event.
  class Gathering {
   public:
    explicit Gathering(Impl& impl) : impl_(impl) { impl_.gathering_.emplace(); }
    ~Gathering();
    Gathering(const Gathering&) = delete;
    Gathering& operator=(const Gathering&) = delete;

   private:
    Impl& impl_;
  };
  Result<ImportedSource> importOne(const ImportSource& source, bool force, std::string_view actor);
  // What an import would do; nothing changes.
  Result<ImportReport> rehearseImport(std::span<const ImportSource> sources, bool force);

  // Under the writer's lock.
  [[nodiscard]] const State& current() const { return state_.read(); }
  [[nodiscard]] bool onlyLooks() const { return options_.access == Access::look; }
  [[nodiscard]] bool canWrite() const { return store_ && !store_->readOnly(); }

  const ServiceOptions options_;
  SnapshotCell<State> state_;
  Dispatcher dispatcher_;

 private:
  friend class EnablementService;

  // `unreadable` is set when the store cannot be trusted any more; the transaction is over then.
  Status transactOnce(Store::Mode mode, std::string_view actor, const Plan& plan, bool& unreadable);
  Status adoptForeign(Draft& draft, Transaction& transaction);
  Status adoptEverything(Draft& draft, Transaction& transaction);
  // A session's own decisions, claimed or not, as they are stored.
  static Status readSession(Draft& draft, Transaction& transaction, std::string_view session);
  // Applies queued parts of known sessions that others have queued and that need not wait.
  Status settleQueues(Draft& draft, Transaction& transaction);
  void publish(Draft& draft);
  // The sessions to name in the event of what the draft did since it was asked last.
  std::vector<std::string> audienceOf(Draft& draft);
  void announce(Event::Origin origin, std::vector<std::string> sessions);
  // A store that cannot be read any more: answers become pending(store).
  void degrade(const Error& error);
  [[nodiscard]] static Error closedError();

  std::mutex writer_;  // everything below
  std::unique_ptr<Store> store_;
  std::optional<std::set<std::string>> gathering_;
  bool wasReady_ = false;
  bool closed_ = false;
  mutable std::mutex statusMutex_;
  ServiceStatus status_;
  std::mutex loadingMutex_;
  std::vector<std::weak_ptr<Loading>> loading_;
  Background background_;  // last: its jobs use everything above
};

// How other files of this floor get at the newest state. Valid until this thread reads again.
struct Inside {
  static const State& state(const EnablementService& service) {
    return service.impl_->state_.read();
  }
};

template <typename Call>
auto EnablementService::Impl::serialised(Call call) -> decltype(call()) {
  auto result = [&]() -> decltype(call()) {
    const std::scoped_lock lock(writer_);
    if (closed_) return fail(closedError());
    return call();
  }();
  dispatcher_.deliver();
  return result;
}

template <typename Read>
auto EnablementService::Impl::inspect(Read read) -> decltype(read(std::declval<Transaction&>())) {
  return serialised([&]() -> decltype(read(std::declval<Transaction&>())) {
    for (int again = 0; again < stillReads; ++again) {
      // What lay still has been written to: it is read anew, and memory with it.
      if (store_ && store_->isOutdated()) (void)transact(Store::Mode::read, "host", nothing);
      if (!store_) break;
      auto transaction = store_->begin(Store::Mode::read);
      if (!transaction) return fail(transaction.error());
      auto found = read(*transaction);
      if (!store_->isOutdated()) return found;
    }
    if (!store_) return fail(*current().failure);
    return fail(ErrorCode::busy, options_.path.string() + " is written to all the time",
                "try again");
  });
}

}  // namespace enablement
