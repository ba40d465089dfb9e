// What can go wrong, in the words of the contract, and how it is told to a person.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace enablement {

// Every way a call can fail (I14).
enum class ErrorCode {
  invalidArgument,   // unknown scope, two entries of one scope, a bad name, a closed service
  invalidUri,        // a plugin URI or folder that canonicalisation refuses
  noWorkspace,       // workspace scope named in a session that has no folder
  foreignWorkspace,  // an entry names a folder that is not the session's
  busy,              // another process holds the file's write lock
  full,              // no space left on the device
  readOnly,          // the file or its folder cannot be written
  corrupt,           // not a database, not ours, damaged, or a lost main file
  newerSchema,       // written by a newer version that this one must not touch
  io,                // the operating system refused or failed
  limit,             // the configured cap on stored decisions is reached
};

// The contract's word for a code, e.g. "noWorkspace".
[[nodiscard]] std::string_view name(ErrorCode code);

// A failure a person can act on. The call that returned it changed nothing (I14).
struct Error {
  ErrorCode code;
  std::string message;  // what happened, naming the file, session or target
  std::string hint;     // what to do next; may be empty
};

// "message (hint)", one line.
[[nodiscard]] std::string describe(const Error& error);

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string hint = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(hint)});
}

[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace enablement
