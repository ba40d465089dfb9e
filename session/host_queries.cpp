// What a host is asked about a session.
#include <utility>

#include <enablement/schema/text.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/host_impl.h>
#include <enablement/session/mcp_names.h>
#include <enablement/session/routing.h>

namespace enablement {

Result<SessionSnapshot> SessionHost::snapshot(const std::string& session) {
  return impl_->run([&]() -> Result<SessionSnapshot> {
    const SessionRef kept = impl_->find(session);
    if (!kept) return fail(Impl::notKept(session));
    impl_->republish(*kept);
    auto [first, second] = impl_->snapshotOf(*kept);
    return SessionSnapshot(std::move(first), std::move(second));
  });
}

Result<Route> SessionHost::routeFor(const std::string& session, const std::string& id,
                                    Scope scope) const {
  const SessionRef kept = impl_->find(session);
  if (!kept) return fail(Impl::notKept(session));
  const Json list = kept->merged();
  const auto place = placeOf(&list, id);
  if (!place)
    return fail(ErrorCode::invalidArgument,
                "no customization of session " + quote(session) + " has the id " + quote(id),
                "ids are those of the session's tree");
  return routeAt({impl_->service_, session, list, kept->owners, kept->clients}, *place, scope);
}

Invocable SessionHost::invocable(const std::string& session, const std::string& id) const {
  const SessionRef kept = impl_->find(session);
  if (!kept) return {};
  const auto list = impl_->gated(*kept);
  if (!list) return {};
  const auto place = placeOf(&list->customizations(), id);
  const Effective* answer = list->find(id);
  return place && answer != nullptr ? invocableAs(*place->entry, *answer) : Invocable{};
}

Result<std::vector<PickerEntry>> SessionHost::entriesOfType(const std::string& session,
                                                            std::string_view type) const {
  const SessionRef kept = impl_->find(session);
  if (!kept) return fail(Impl::notKept(session));
  const auto list = impl_->gated(*kept);
  if (!list) return fail(list.error());
  std::vector<PickerEntry> entries;
  forEachEntry(list->customizations(), [&](const EntryPlace& place) {
    if (textOr(*place.entry, "type") != type) return;
    const std::string& id = textIn(*place.entry, "id");
    const Effective answer = *list->find(id);
    PickerEntry entry{id, std::string(textOr(*place.entry, "name")), std::nullopt, answer,
                      invocableAs(*place.entry, answer)};
    if (place.container != nullptr) entry.container = textIn(*place.container, "id");
    entries.push_back(std::move(entry));
  });
  return entries;
}

Result<std::vector<DesiredServer>> SessionHost::desiredServers(const std::string& session) const {
  const SessionRef kept = impl_->find(session);
  if (!kept) return fail(Impl::notKept(session));
  const auto list = impl_->gated(*kept);
  if (!list) return fail(list.error());
  std::vector<DesiredServer> servers;
  forEachEntry(list->customizations(), [&](const EntryPlace& place) {
    if (kindOf(*place.entry) != EntryKind::mcpServer) return;
    const std::string& id = textIn(*place.entry, "id");
    DesiredServer server{id, std::string(textOr(*place.entry, "name")), std::nullopt,
                         list->find(id)->state == EffectiveState::enabled};
    const auto target = targetAt(place, kept->owners);
    if (target && !target->key.owner().empty()) server.owner = target->key.owner();
    servers.push_back(std::move(server));
  });
  return servers;
}

Result<std::set<std::string>> SessionHost::declaredServers(
    const std::string& session, std::vector<std::string> rootConfiguration) const {
  const SessionRef kept = impl_->find(session);
  if (!kept) return fail(Impl::notKept(session));
  return enablement::declaredServers(std::move(rootConfiguration), kept->merged());
}

}  // namespace enablement
