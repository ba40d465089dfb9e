// One immutable moment of everything an answer depends on. Internal.
#pragma once

#include <cstdint>
#include <memory>

#include <enablement/overlay/session_table.h>
#include <enablement/schema/error.h>
#include <enablement/store/decision_index.h>

namespace enablement {

// A write copies the state, edits the copy, and publishes it after the commit returned: a call that
// fails leaves no trace, because its copy is dropped (I14).
struct State {
  std::uint64_t generation = 0;
  // Why the store cannot be read; null when it can. What the rest says counts only then.
  std::shared_ptr<const Error> failure = nullptr;
  DecisionIndex decisions = {};
  SessionTable sessions = {};

  // Null for a session that is not known. `name`: a text, or a place in the table.
  template <typename Name>
  [[nodiscard]] const KnownSession* session(const Name& name) const {
    return sessions.find(name);
  }
};

}  // namespace enablement
