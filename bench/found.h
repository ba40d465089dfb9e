// What a look-up found, in one number that every peer can give: the answers of all are compared.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include <enablement/schema/resolution.h>
#include <enablement/schema/scope.h>

namespace enablement::bench {

// Two bits for each scope: 0 no decision, 1 off, 2 on.
using Found = std::uint32_t;

[[nodiscard]] constexpr Found found(Scope scope, bool enabled) {
  return (enabled ? 2U : 1U) << (2 * static_cast<unsigned>(scope));
}

constexpr Found pendingAnswer = 1U << 16;

[[nodiscard]] inline Found foundIn(const Resolution& answer) {
  const auto* resolved = std::get_if<Resolved>(&answer);
  if (!resolved) return pendingAnswer;
  Found all = 0;
  for (const Layer& layer : resolved->enablement()) all |= found(layer.kind, layer.enabled);
  return all;
}

}  // namespace enablement::bench
