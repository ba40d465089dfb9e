// A decision as it is named on the command line: a target and the place where it counts.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include <enablement/resolver/service.h>
#include <enablement/schema/error.h>
#include <enablement/tool/place.h>

namespace enablement::tool {

struct RequestOptions {
  std::string target;
  std::string value;  // of set
  std::string scope;  // empty: what --session and --directory make of it
  PlaceOptions place;
};

// What is asked, checked.
struct Request {
  Target target;
  Scope scope;
  std::optional<bool> value;           // none: clear, or only a look
  std::optional<std::string> session;  // none: a stored write
  std::optional<WorkingDirectory> directory;

  // Whether the write is made in a session whose folder this program does not know.
  [[nodiscard]] bool waits() const { return session && !directory && scope != Scope::global; }
  // The place that the write is about: empty for everywhere, and for a folder that is not known.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::string whereInWords() const;
};

// The scope that a word names; `folder` is what people call a workspace. `invalidArgument`.
[[nodiscard]] Result<Scope> scopeFrom(const std::string& word);

// `--scope` with its words.
CLI::Option* addScope(CLI::App& verb, std::string& scope);

// `invalidArgument`, `invalidUri`, `noWorkspace`.
[[nodiscard]] Result<Request> requestOf(const RequestOptions& options);

// What is stored at the place of the request.
[[nodiscard]] Result<std::optional<StoredDecision>> storedAt(const EnablementService& service,
                                                             const Request& request);

// What decides about the target of a request, now.
struct Decides {
  Effective answer;
  std::size_t otherwise = 0;  // decisions in narrower places that say otherwise

  // As a sentence, shown() already; it follows one that names the target and the place.
  [[nodiscard]] std::string sentence(const Request& request) const;
};

// None while a session's answer is not known.
[[nodiscard]] Result<std::optional<Decides>> whatDecides(const EnablementService& service,
                                                         const Request& request);

}  // namespace enablement::tool
