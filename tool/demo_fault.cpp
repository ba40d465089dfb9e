#include <enablement/tool/demo_fault.h>

#include <string>

#include <enablement/tool/examples.h>
#include <enablement/tool/session_list.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

constexpr std::string_view azure = "azure";  // the plugin, and the server that it brings

bool is(const Json& entry, std::string_view type) {
  return entry.at("type") == type;
}

void countSkills(AzureSeen& seen, const Json& plugin, const GatedList& list) {
  for (const Json& child : plugin.at("children")) {
    if (!is(child, "skill")) continue;
    ++seen.skills;
    const Effective* answer = list.find(child.at("id").get_ref<const std::string&>());
    if (answer != nullptr && answer->state == EffectiveState::enabled) ++seen.skillsOn;
  }
}

// The id of the server among the entries, if it is there.
std::string serverIn(const Json& entries) {
  for (const Json& entry : entries)
    if (is(entry, "mcpServer") && entry.at("name") == azure) return entry.at("id");
  return {};
}

Result<AzureSeen> seenIn(const EnablementService& service, std::string_view session,
                         std::string_view text) {
  const auto list = parseSessionList(text, "the example");
  if (!list) return fail(list.error());
  const auto published = gated(service, session, *list);
  if (!published) return fail(published.error());
  AzureSeen seen;
  seen.place = "at the top level";
  std::string server = serverIn(list->customizations);
  for (const Json& entry : list->customizations) {
    if (!is(entry, "plugin") || entry.at("name") != azure) continue;
    countSkills(seen, entry, *published);
    if (!server.empty()) continue;
    seen.place = "in its plugin";
    server = serverIn(entry.at("children"));
  }
  auto explanation = explain(service, session, list->customizations, list->owners, server);
  if (!explanation) return fail(explanation.error());
  seen.server = *std::move(explanation);
  return seen;
}

}  // namespace

Result<AzureSeen> seenBefore(const EnablementService& service, std::string_view session) {
  return seenIn(service, session, azureSession());
}

Result<AzureSeen> seenLater(const EnablementService& service, std::string_view session) {
  return seenIn(service, session, azureSessionLater());
}

void printFault(const Console& console, const AzureSeen& before, const AzureSeen& later,
                bool quiet) {
  if (!quiet) {
    console.print("");
    console.say(
        "The classic fault: a plugin, azure, brings " + counted(before.skills, "skill") +
        " and an MCP server. The server was switched off everywhere as well. After the restart " +
        later.server.session +
        ", in another folder, lists it at the top level instead of under its plugin, with another "
        "id and file. A host that keeps decisions by such things starts it again:");
    console.print("");
  }
  Table table({{"session"}, {"the server azure"}, {"answer"}, {"what decided"}}, 2);
  for (const AzureSeen* seen : {&before, &later})
    table.add({{seen->server.session},
               {std::string(seen->place)},
               {std::string(name(seen->server.answer.state)), paintOf(seen->server.answer.state)},
               {std::string(inBrief(seen->server.answer))}});
  table.print(console);
  if (quiet) return;
  console.print("");
  console.say("Where it stands is no part of what a decision is about, so it is still off, and " +
              std::to_string(later.skillsOn) + " of the plugin's " +
              counted(later.skills, "skill") + " are on. Why, in the words of enablectl explain:");
  console.print("");
  printExplanation(console, later.server, 2);
}

}  // namespace enablement::tool
