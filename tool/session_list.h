// A session's list of customizations, as it comes from a file.
#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include <enablement/resolver/gate.h>
#include <enablement/schema/error.h>
#include <enablement/tool/json_input.h>

namespace enablement::tool {

struct SessionList {
  std::string name;  // what a person calls it: a file
  Json customizations;
  OwnerMap owners;
  Json rest;  // what else the object holds
};

// The list itself, or an object that holds it as "customizations", and its owner map as "owners".
// `invalidArgument`, naming `name`. Whether the list is well-formed is left to the gate.
[[nodiscard]] Result<SessionList> parseSessionList(std::string_view text, std::string_view name);

struct ListOptions {
  std::string file;
  std::string owners;  // a file; takes the place of the owner map in the list's own

  [[nodiscard]] Result<SessionList> read() const;
};

void addOwners(CLI::App& verb, ListOptions& list);

// Gates the list; the error names its file.
[[nodiscard]] Result<GatedList> gated(const EnablementService& service, std::string_view session,
                                      const SessionList& list);

}  // namespace enablement::tool
