// The session and folder that a verb is told on the command line.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include <enablement/resolver/service.h>
#include <enablement/schema/error.h>
#include <enablement/schema/resolution.h>

namespace enablement::tool {

struct PlaceOptions {
  std::string session;
  std::string directory;
  bool noDirectory = false;

  // The folder, `none` for --no-directory, nothing when neither is given. Both are refused.
  [[nodiscard]] Result<std::optional<WorkingDirectory>> folder() const;
};

void addPlace(CLI::App& verb, PlaceOptions& place);

// Makes a session settled: its decisions loaded, its folder known.
[[nodiscard]] Status settle(EnablementService& service, const std::string& session,
                            const WorkingDirectory& directory);

// "on" or "off". `invalidArgument`.
[[nodiscard]] Result<bool> parseOnOff(const std::string& word);

}  // namespace enablement::tool
