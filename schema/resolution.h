// The answer to "is it on?": a value that cannot be read as on or off while it is pending.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <enablement/schema/error.h>
#include <enablement/schema/hashed_text.h>
#include <enablement/schema/scope.h>

namespace enablement {

// What is known of a session's primary working directory. "None" is knowledge, "pending" is not:
// the two are never mixed up. Immutable and cheap to copy.
class WorkingDirectory {
 public:
  enum class Kind : unsigned char { pending, none, directory };

  static WorkingDirectory pending() { return WorkingDirectory(Kind::pending, std::nullopt); }
  static WorkingDirectory none() { return WorkingDirectory(Kind::none, std::nullopt); }
  // `invalidUri`, `invalidArgument`. A marketplace id is no folder.
  static Result<WorkingDirectory> directory(std::string_view uri);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool isKnown() const { return kind_ != Kind::pending; }
  // The canonical URI of a directory, null otherwise. Lives as long as any copy of this value.
  [[nodiscard]] const std::string* uri() const { return uri_ ? &uri_->text() : nullptr; }
  // The same with its hash.
  [[nodiscard]] const HashedText* hashedUri() const { return uri_ ? &*uri_ : nullptr; }

  friend bool operator==(const WorkingDirectory&, const WorkingDirectory&) = default;

 private:
  WorkingDirectory(Kind kind, std::optional<HashedText> uri) : kind_(kind), uri_(std::move(uri)) {}

  Kind kind_;
  std::optional<HashedText> uri_;
};

// One entry of a resolved list. A workspace entry's folder is the answer's folder.
struct Layer {
  Scope kind;
  bool enabled;
  friend bool operator==(const Layer&, const Layer&) = default;
};

// On or off, and why (I6): the list, most specific first, whose first entry decides; on when it is
// empty. Later changes never alter a value that was handed out.
class Resolved {
 public:
  explicit Resolved(WorkingDirectory directory) : directory_(std::move(directory)) {}

  // Appends the next wider layer. For those who compute answers.
  void append(Layer layer) { layers_[count_++] = layer; }

  [[nodiscard]] bool enabled() const { return count_ == 0 || layers_[0].enabled; }
  [[nodiscard]] std::span<const Layer> enablement() const { return {layers_.data(), count_}; }
  // The scope that decided; none when the answer is the default.
  [[nodiscard]] std::optional<Scope> decidedBy() const {
    return count_ == 0 ? std::nullopt : std::optional(layers_[0].kind);
  }
  [[nodiscard]] const WorkingDirectory& workingDirectory() const { return directory_; }

 private:
  std::array<Layer, precedence.size()> layers_{};
  std::size_t count_ = 0;
  WorkingDirectory directory_;
};

// What an answer waits for.
enum class PendingReason : unsigned char { store, session, workingDirectory };

[[nodiscard]] std::string_view name(PendingReason reason);

// Not known yet. Never on, never cached (I7). It has no boolean in it.
struct Pending {
  PendingReason reason;
};

using Resolution = std::variant<Resolved, Pending>;

// The effective answer (I9): a target's own decisions and its container's together.
enum class EffectiveState : unsigned char { enabled, disabled, pending };

// Why: the scope that decided, the default, what is pending, or the container.
enum class EffectiveReason : unsigned char {
  session,  // decided at session scope; of a pending answer: its decisions are not loaded
  workspace,
  global,
  byDefault,
  container,
  store,
  workingDirectory,
  flag,     // the entry's own flag, where it has one instead of decisions
  child,    // held back by a child that is pending
  invalid,  // its URI or name is bad: it has no key
};

struct Effective {
  EffectiveState state;
  EffectiveReason reason;
  friend bool operator==(const Effective&, const Effective&) = default;
};

[[nodiscard]] std::string_view name(EffectiveState state);
[[nodiscard]] std::string_view name(EffectiveReason reason);

// A target's own answer, before its container is asked.
[[nodiscard]] Effective ownAnswer(const Resolution& own);

// The one cascade rule (I9, I20): off beats pending, the container is asked first.
[[nodiscard]] Effective masked(Effective own, EffectiveState container);

}  // namespace enablement
