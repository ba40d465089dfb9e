// The rules behind routeFor (S5). Internal.
#pragma once

#include <string>
#include <string_view>

#include <enablement/resolver/service.h>
#include <enablement/schema/json_text.h>
#include <enablement/session/clients.h>
#include <enablement/session/entry_place.h>
#include <enablement/session/route.h>

namespace enablement {

// What a decision about an entry is decided by: the service, the tree, who owns what.
struct RoutingView {
  const EnablementService& service;
  std::string_view session;
  const Json& list;
  const OwnerMap& owners;
  const Clients& clients;
};

[[nodiscard]] Route routeAt(const RoutingView& view, const EntryPlace& place, Scope scope);

}  // namespace enablement
