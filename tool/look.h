// How the verbs that only look see a target, a session and the store.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include <enablement/resolver/service.h>
#include <enablement/schema/error.h>
#include <enablement/tool/common.h>
#include <enablement/tool/place.h>

namespace enablement::tool {

// A target, and what a server's own configuration says about it.
struct TargetOptions {
  std::string target;
  std::string discoveryDefault;

  // `invalidArgument`, `invalidUri`.
  [[nodiscard]] Result<Target> get() const;
};

CLI::Option* addTarget(CLI::App& verb, TargetOptions& target);
CLI::Option* addDiscoveryDefault(CLI::App& verb, TargetOptions& target);

// A session on a store that is only looked at.
struct View {
  std::unique_ptr<EnablementService> service;
  std::string session;
  WorkingDirectory directory;
  Status settled;  // the error that keeps its answers pending
};

// The session loaded, in its folder. What cannot be read is not taken for "no decisions": the
// answers are pending then. Fails only for what was asked.
[[nodiscard]] Result<View> look(const Common& common, const PlaceOptions& place);

// The exit code of an answer.
[[nodiscard]] Exit exitOf(EffectiveState state);

}  // namespace enablement::tool
