// Which action is whose, and what becomes of those about the tree, servers and folders (S3, S4).
#include <utility>

#include <spdlog/spdlog.h>

#include <enablement/schema/log.h>
#include <enablement/schema/text.h>
#include <enablement/session/action_shape.h>
#include <enablement/session/host_impl.h>
#include <enablement/session/tree_rules.h>

namespace enablement {
namespace {

Outcome refused(Error reason) {
  return {Outcome::Kind::refused, std::move(reason)};
}

Outcome ignored(std::string message) {
  return {Outcome::Kind::ignored,
          Error{ErrorCode::invalidArgument, std::move(message), std::string()}};
}

// A client speaks for itself: a connection must not take another client's plugins away.
Status checkSpeaker(const std::optional<std::string>& client, const std::string& about) {
  if (!client || *client == about) return {};
  return fail(ErrorCode::invalidArgument,
              "client " + quote(*client) + " may not speak for client " + quote(about),
              "a client sends its own clientId");
}

// What a server does by then, as the host would tell it.
Json serverState(const Json& action, ActionType type) {
  Json told{{"type", name(ActionType::mcpServerStateChanged)}, {"id", action.at("id")}};
  if (type == ActionType::mcpServerStateChanged) {
    told["state"] = action.at("state");
    if (const Json* channel = fieldOf(action, "channel")) told["channel"] = *channel;
  } else {
    const bool starts = type == ActionType::mcpServerStartRequested;
    told["state"] = Json::object({{"kind", starts ? "starting" : "stopped"}});
  }
  return told;
}

// The primary directory of a state, or nothing if it is not known.
std::optional<WorkingDirectory> primaryOf(const PublishedState& state) {
  const Json* list = fieldOf(state.json(), "workingDirectories");
  if (list == nullptr) return std::nullopt;
  if (list->empty()) return WorkingDirectory::none();
  const auto directory = WorkingDirectory::directory(list->front().get_ref<const std::string&>());
  return directory ? std::optional(*directory) : std::nullopt;
}

}  // namespace

Outcome SessionHost::Impl::dispatch(const SessionRef& session,
                                    const std::optional<std::string>& client, Generation generation,
                                    const Json& action) {
  const Json* wireName = fieldOf(action, "type");
  if (wireName == nullptr || !wireName->is_string())
    return refused({ErrorCode::invalidArgument, "the action has no text \"type\"",
                    "an action is an object with a type, such as session/customizationToggled"});
  const auto& text = wireName->get_ref<const std::string&>();
  if (client)
    if (auto ok = mayClientDispatch(text); !ok) return refused(ok.error());
  const auto type = actionType(text);
  if (!type) return ignored("actions of type " + quote(text) + " change nothing here");
  if (auto ok = checkShape(action, *type, generation); !ok) return refused(ok.error());
  const std::string actor = client.value_or("host");

  switch (*type) {
    case ActionType::customizationsChanged:
    case ActionType::customizationUpdated:
    case ActionType::customizationRemoved:
      return tellTree(*session, action, *type);
    case ActionType::customizationToggled:
      return toggle(*session, actor, generation, action);
    case ActionType::mcpServerStateChanged:
    case ActionType::mcpServerStartRequested:
    case ActionType::mcpServerStopRequested:
      return setServerState(*session, client.has_value(), action, *type);
    case ActionType::activeClientSet:
      if (auto ok = checkSpeaker(client, textIn(action.at("activeClient"), "clientId")); !ok)
        return refused(ok.error());
      return setClient(*session, action);
    case ActionType::activeClientRemoved:
      if (auto ok = checkSpeaker(client, textIn(action, "clientId")); !ok)
        return refused(ok.error());
      return removeClient(*session, textIn(action, "clientId"));
    case ActionType::workingDirectorySet:
    case ActionType::workingDirectoryRemoved:
    case ActionType::workingDirectoryReplaced:
      return setDirectories(*session, actor, action);
  }
  return ignored("actions of type " + quote(text) + " change nothing here");
}

Outcome SessionHost::Impl::tellTree(HostedSession& session, const Json& action, ActionType type) {
  if (type == ActionType::customizationRemoved) {
    const Json merged = session.merged();
    if (!placeOf(&merged, textIn(action, "id")))
      return ignored("no customization has the id " + quote(textIn(action, "id")));
  }
  if (auto told = session.sources.tell(action, type, session.clients); !told)
    return refused(told.error());
  ++session.revision;
  publish(session);
  // The host's own entries may have given a client's plugin its place back.
  askToParse(session);
  return {};
}

Outcome SessionHost::Impl::setServerState(HostedSession& session, bool byClient, const Json& action,
                                          ActionType type) {
  const std::string& id = textIn(action, "id");
  const Json told = serverState(action, type);
  // Asked of the tree as it is, because what is not published yet can be told of, too.
  const Json merged = session.merged();
  if (!withServerState(&merged, told, told.at("state"), fieldOf(told, "channel")))
    return ignored("no MCP server has the id " + quote(id));
  if (byClient && type == ActionType::mcpServerStartRequested) {
    const auto list = gated(session);
    const Effective* answer = list ? list->find(id) : nullptr;
    if (answer == nullptr || answer->state != EffectiveState::enabled)
      return refused({ErrorCode::invalidArgument,
                      "the MCP server " + quote(id) + " is " +
                          std::string(answer == nullptr ? "not known" : name(answer->state)) +
                          " and is not started",
                      "switch it on first, and what it is in"});
  }
  session.sources.remember(id, told);
  ++session.revision;
  if (auto message = SessionMessage::other(session.name, action)) send(session, *message);
  publish(session);
  return {};
}

Outcome SessionHost::Impl::setDirectories(HostedSession& session, std::string_view actor,
                                          const Json& action) {
  // One that is no folder must not be in the list: it could become the primary one later.
  for (const char* field : {"directory", "replacement"}) {
    const Json* directory = fieldOf(action, field);
    const bool isNew = textIn(action, "type") == name(ActionType::workingDirectorySet) ||
                       field == std::string_view("replacement");
    if (!isNew || directory == nullptr || !directory->is_string()) continue;
    const auto folder = WorkingDirectory::directory(directory->get_ref<const std::string&>());
    if (!folder) return refused(folder.error());
  }
  const auto next = reduce(session.second, action, Generation::second);
  if (!next) return refused(next.error());
  if (next->isSame(session.second)) return ignored("the working directories stay as they are");
  const auto primary = primaryOf(*next);
  if (primary && primary != primaryOf(session.second))
    if (auto set = service_.setWorkingDirectory(session.name, *primary, actor); !set)
      return refused(set.error());
  if (session.gone) return {};
  // What is published follows from the service's event, which waits while a turn runs (I17).
  if (auto message = SessionMessage::other(session.name, action)) send(session, *message);
  return {};
}

}  // namespace enablement
