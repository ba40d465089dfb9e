// EnablementService: the one public face of the library.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/overlay/session_place.h>
#include <enablement/overlay/statement.h>
#include <enablement/resolver/ask.h>
#include <enablement/schema/clock.h>
#include <enablement/schema/error.h>
#include <enablement/schema/resolution.h>
#include <enablement/schema/target.h>
#include <enablement/store/export.h>
#include <enablement/store/import_source.h>
#include <enablement/store/options.h>
#include <enablement/store/records.h>

namespace enablement {

using ServiceOptions = StoreOptions;

struct PruneRequest;
struct Pruning;

// An entry of a list that an unclaimed decision may be about.
struct ClaimedEntry {
  std::string customizationId;
  TargetKey key;
};

// A session that is looked up without reading its name, made by EnablementService::intern(). A
// value; any thread.
class SessionHandle {
 public:
  [[nodiscard]] const std::string& name() const { return place_.name.text(); }

 private:
  friend class EnablementService;
  explicit SessionHandle(SessionPlace place) : place_(std::move(place)) {}

  SessionPlace place_;
};

struct ServiceStatus {
  enum class State : unsigned char { ready, degraded, closed };

  std::filesystem::path path;
  State state = State::degraded;
  bool readOnly = false;            // answers are right, writes are refused
  std::optional<Error> error = {};  // why the service is degraded, or the file read-only
  int schemaVersion = 0;            // 0 while degraded
  std::uint64_t generation = 0;     // of the state that answers come from; grows with every change
};

// The sessions whose answers may differ (I17).
struct Event {
  enum class Origin : unsigned char { thisProcess, anotherProcess };

  Origin origin = Origin::thisProcess;
  std::vector<std::string> sessions;  // sorted, never empty
};

// Keeps a listener subscribed for as long as it lives. Movable; may be destroyed inside a callback.
// After that the listener is not called again, though a call that is already running on another
// thread may still be finishing.
class Subscription {
 public:
  Subscription() = default;
  explicit Subscription(std::shared_ptr<void> listener) : listener_(std::move(listener)) {}
  void reset() { listener_.reset(); }

 private:
  std::shared_ptr<void> listener_;
};

// The store of on/off decisions of an agent host, with the clients' base in memory below it.
//
// Thread rule: every function may be called from any thread, from inside a listener too. Answers
// (resolve, effective, status) never wait for a lock that is held during I/O; everything else is
// serialised. A call that fails changes nothing, in memory or on disk, announces nothing and makes
// no session known (I14). A call that changes something stored has it on disk before it returns.
//
// `actor` says who acts, in words for the history: "enablectl", "window 2" (I13).
class EnablementService {
 public:
  using Listener = std::function<void(const Event&)>;

  // Always yields a service. When the store cannot be read it is degraded: answers are
  // pending(store), writes are refused with the cause, status() tells it, and the next call that
  // needs the file, at the latest a load or refresh, tries again (I16).
  static std::unique_ptr<EnablementService> open(ServiceOptions options);

  // Closes. Not inside a listener: end the program's loop there instead, or call close().
  ~EnablementService();
  EnablementService(const EnablementService&) = delete;
  EnablementService& operator=(const EnablementService&) = delete;

  [[nodiscard]] ServiceStatus status() const;

  // Answers.

  // A target's own decisions in a session (I6). A session that was never named is pending(session)
  // and does not become known.
  [[nodiscard]] Resolution resolve(std::string_view session, const Target& target) const;
  // The same for a target in strings, which are canonicalised first. `invalidUri`,
  // `invalidArgument`.
  [[nodiscard]] Result<Resolution> resolve(std::string_view session,
                                           const TargetText& target) const;
  // The same without list and folder, for those who ask often: nothing is allocated or shared.
  [[nodiscard]] Effective ownState(std::string_view session, const Target& target) const;
  // The answer with the owning plugin's on top (I9): what a person or a runtime is shown.
  [[nodiscard]] Effective effective(std::string_view session, const Target& target) const;

  // For those who ask about the same sessions and targets again and again: a handle, and a target
  // whose key is the very object that stored decisions bear, are found without reading their texts.
  // Both are values that any service understands, at any time; they keep nothing known, and the
  // answers are the same.
  [[nodiscard]] SessionHandle intern(std::string_view session) const;
  [[nodiscard]] Target intern(const Target& target) const;
  [[nodiscard]] Resolution resolve(const SessionHandle& session, const Target& target) const;
  [[nodiscard]] Effective ownState(const SessionHandle& session, const Target& target) const;
  [[nodiscard]] Effective effective(const SessionHandle& session, const Target& target) const;

  // Which state answers come from; grows with every change, whatever it is about.
  [[nodiscard]] std::uint64_t generation() const;

  // Sessions.

  // Reads the session's own decisions and applies what its queue holds as soon as it can be (I12).
  // On failure the session stays not loaded, and a later load tries again (I16). Any code but the
  // folder ones.
  Status loadSession(std::string_view session, std::string_view actor = "host");
  // The same on a worker thread of the service's own, which exists from the first such call on: a
  // daemon's loop never waits for the file. If the session is closed or deleted while the load is
  // in flight, the load changes nothing and its future holds `invalidArgument` (I15).
  std::future<Status> loadSessionAsync(std::string session, std::string actor = "host");
  // Tells the session's primary working directory, `none`, or that it is not known (any more).
  Status setWorkingDirectory(std::string_view session, WorkingDirectory directory,
                             std::string_view actor = "host");
  // A turn starts or ends. While it runs, a change of the folder is announced to others at once and
  // to the session itself at the turn's end (I17).
  Status setTurnActive(std::string_view session, bool active);
  // Forgets the session's memory, client bases included; what is stored or queued stays (I15).
  Status closeSession(std::string_view session);
  // Erases the session's decisions and queue as well; wider decisions stay (I15).
  Status deleteSession(std::string_view session, std::string_view actor = "host");

  // Clients.

  // Replaces what a client stated earlier, as a whole; it keeps its place in the order (I8).
  Status stateClientBase(std::string_view session, std::string_view client,
                         std::span<const StatedPlugin> plugins);
  // Takes the client's values away, and only its own.
  Status removeClientBase(std::string_view session, std::string_view client);

  // Decisions. What is returned is the answer afterwards.

  Result<Resolution> set(std::string_view session, const Target& target, Scope scope, bool enabled,
                         std::string_view actor);
  Result<Resolution> clear(std::string_view session, const Target& target, Scope scope,
                           std::string_view actor);
  Result<Resolution> replace(std::string_view session, const Target& target,
                             std::vector<ReplaceEntry> enablement, std::string_view actor);
  // All of it or nothing, in order, in one transaction with one event.
  Result<std::vector<Resolution>> batch(std::string_view session, std::span<const Write> writes,
                                        std::string_view actor);
  // Without a session: what is asked is stored (I11). `directory` is the folder of a workspace
  // write; none means global. `invalidArgument` when it is known to be no folder.
  Status setStored(const Target& target, std::optional<WorkingDirectory> directory, bool enabled,
                   std::string_view actor);
  Status clearStored(const Target& target, std::optional<WorkingDirectory> directory,
                     std::string_view actor);
  // Uninstall: every decision about the target goes, queued ones too, in all scopes, folders and
  // sessions. Client bases stay; a plugin's servers are targets of their own.
  Status purge(const TargetKey& key, std::string_view actor);
  // The same, with every server of the plugin.
  Status purgeWithServers(const TargetKey& plugin, std::string_view actor);

  // Upkeep, by people. Each is one transaction with one event.

  // Takes back every decision about the target, queued ones too: it inherits again everywhere.
  Status clearEverywhere(const TargetKey& key, std::string_view actor);
  // Removes what planPrune() finds in what is stored by then, and returns it (standing.h).
  Result<std::vector<Pruning>> prune(const PruneRequest& request, std::string_view actor);
  // Brings back the decision that a row of history took away or replaced. `invalidArgument` for a
  // row that is not there, or took none away.
  Status restore(std::int64_t sequence, std::string_view actor);

  // Imports. The readers of the sources are in store/import_source.h.

  // Takes what sources hold into the store: each in one transaction with its marker, all with one
  // event. A source that was imported before, as it is now, is left alone; a decision that is in
  // the store wins. A source that fails does not stop the others. Fails as a whole only when the
  // store cannot be read or written at all.
  Result<ImportReport> importFrom(std::span<const ImportSource> sources,
                                  const ImportOptions& options, std::string_view actor);
  // Turns unclaimed decisions of a session into ordinary ones; see claim() in resolver/claim.h. How
  // many there were.
  Result<std::size_t> claim(std::string_view session, std::span<const ClaimedEntry> entries,
                            std::string_view actor);
  // Everything that is stored but the history, as one moment of it: what export.h writes out.
  [[nodiscard]] Result<StoreContent> content() const;

  // What is stored. Read from the file, in stable order.

  [[nodiscard]] Result<std::vector<StoredDecision>> stored() const;
  [[nodiscard]] Result<std::vector<QueuedPart>> queued() const;
  [[nodiscard]] Result<std::vector<UnclaimedDecision>> unclaimed() const;
  [[nodiscard]] Result<std::vector<HistoryEntry>> history(const HistoryQuery& query = {}) const;

  // Changes.

  // Events arrive in commit order, never nested, outside every lock (I17). A listener that throws
  // is logged; the others still hear.
  [[nodiscard]] Subscription subscribe(Listener listener);
  // Reads in what other processes committed and announces it (I18); reopens a store that could not
  // be read. The error is the one that keeps the store unreadable.
  Status refresh();
  // From now on a thread looks for commits of other processes, every so often, and reads them in as
  // refresh() does: they are resolved and announced within about that time (I18). Looking costs one
  // statement that reads no page. A second call changes the interval.
  void watch(std::chrono::milliseconds every = std::chrono::milliseconds(50));
  // Copies the store as it is now, with everything acknowledged before this call, into a new file,
  // while other processes go on writing. A file of that name is never overwritten:
  // `invalidArgument`.
  Status backup(const std::filesystem::path& file);
  // Ends the service: no event after it, answers are pending(store), calls fail.
  void close();

 private:
  friend struct Inside;  // how the gate reads one state for a whole list
  class Impl;
  explicit EnablementService(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace enablement
