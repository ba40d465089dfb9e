// enablectl list: what is stored, and what waits. It only looks.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <enablement/tool/folder.h>
#include <enablement/tool/json_output.h>
#include <enablement/tool/request.h>
#include <enablement/tool/target_text.h>
#include <enablement/tool/verbs.h>
#include <enablement/tool/words.h>

namespace enablement::tool {
namespace {

struct ListFilter {
  std::string scope;
  std::string session;
  std::string directory;
  std::string target;
  bool queued = false;
  bool unclaimed = false;
};

// What is asked for, checked. What is not named does not count.
struct Wanted {
  std::optional<Scope> scope = {};
  std::optional<std::string> session = {};
  std::optional<std::string> folder = {};
  std::optional<TargetKey> key = {};

  [[nodiscard]] bool everything() const { return !scope && !session && !folder && !key; }
  // A session and a folder that are named both are two places to look at.
  [[nodiscard]] bool operator()(const StoredDecision& row) const {
    const bool here = (session && row.scope == Scope::session && row.place == *session) ||
                      (folder && row.scope == Scope::workspace && row.place == *folder);
    return matches(row.scope, row.key) && (here || (!session && !folder));
  }
  // A part without a folder is about whatever folder its session turns out to have.
  [[nodiscard]] bool operator()(const QueuedPart& part) const {
    const bool here = (session && part.session == *session) || (folder && part.folder == *folder);
    return matches(part.scope, part.target.key) && (here || (!session && !folder));
  }
  [[nodiscard]] bool operator()(const UnclaimedDecision& row) const {
    return !session || row.session == *session;
  }

 private:
  [[nodiscard]] bool matches(Scope where, const TargetKey& about) const {
    return (!scope || *scope == where) && (!key || *key == about);
  }
};

Result<Wanted> wantedBy(const ListFilter& filter) {
  Wanted wanted;
  if (!filter.scope.empty()) {
    const auto scope = scopeFrom(filter.scope);
    if (!scope) return fail(scope.error());
    wanted.scope = *scope;
  }
  if (!filter.session.empty()) wanted.session = filter.session;
  if (!filter.directory.empty()) {
    const auto folder = folderFrom(filter.directory);
    if (!folder) return fail(folder.error());
    wanted.folder = *folder->uri();
  }
  if (!filter.target.empty()) {
    const auto key = keyFrom(filter.target);
    if (!key) return fail(key.error());
    wanted.key = *key;
  }
  return wanted;
}

Table::Cell valueCell(bool enabled) {
  return {std::string(onOff(enabled)), enabled ? Paint::green : Paint::red};
}

void print(const Console& console, const std::vector<StoredDecision>& rows) {
  Table table({{"scope"}, {"where", true}, {"target", true}, {"value"}, {"since (UTC)"}, {"by"}});
  for (const StoredDecision& row : rows)
    table.add({{std::string(name(row.scope))},
               {shown(row.place)},
               {shown(row.key.printed())},
               valueCell(row.enabled),
               {minutes(row.since)},
               {shown(row.by)}});
  table.print(console);
}

void print(const Console& console, const std::vector<QueuedPart>& rows) {
  Table table({{"scope"},
               {"session", true},
               {"folder", true},
               {"target", true},
               {"asked"},
               {"since (UTC)"},
               {"by"}});
  for (const QueuedPart& row : rows)
    table.add({{std::string(name(row.scope))},
               {shown(row.session)},
               {shown(row.folder)},
               {shown(row.target.key.printed())},
               {std::string(name(row.asked))},
               {minutes(row.since)},
               {shown(row.by)}});
  table.print(console);
}

void print(const Console& console, const std::vector<UnclaimedDecision>& rows) {
  Table table({{"session", true}, {"customization id", true}, {"value"}, {"since (UTC)"}, {"by"}});
  for (const UnclaimedDecision& row : rows)
    table.add({{shown(row.session)},
               {shown(row.customizationId)},
               valueCell(row.enabled),
               {minutes(row.since)},
               {shown(row.by)}});
  table.print(console);
}

// Prints those rows that are wanted, or a note that there are none.
template <typename Row>
Exit show(const Common& common, Result<std::vector<Row>> rows, const Wanted& wanted,
          const std::string& nothing) {
  if (!rows) return complain(rows.error());
  std::erase_if(*rows, [&](const Row& row) { return !wanted(row); });
  const Console console = common.console();
  if (common.json) {
    Json list = Json::array();
    for (const Row& row : *rows) list.push_back(toJson(row));
    console.print(document(list));
  } else if (rows->empty()) {
    console.note(nothing);
  } else {
    print(console, *rows);
  }
  return Exit::done;
}

// What a list of decisions does not show.
Exit noteTheRest(const Console& console, const EnablementService& service) {
  const auto queued = service.queued();
  if (!queued) return complain(queued.error());
  if (!queued->empty())
    console.note("not listed: " + counted(queued->size(), "part") +
                 " of writes that wait until their session is settled (--queued)");
  const auto unclaimed = service.unclaimed();
  if (!unclaimed) return complain(unclaimed.error());
  if (!unclaimed->empty())
    console.note("not listed: " + counted(unclaimed->size(), "imported decision") +
                 " that no list has claimed yet (--unclaimed)");
  return Exit::done;
}

Exit list(const Common& common, const ListFilter& filter) {
  const auto wanted = wantedBy(filter);
  if (!wanted) return complain(wanted.error());
  const auto service = openReadable(common, Access::look);
  if (!service) return complain(service.error());
  if (filter.queued)
    return show(common, (*service)->queued(), *wanted, "no such part waits for a session");
  if (filter.unclaimed)
    return show(common, (*service)->unclaimed(), *wanted, "no such decision waits for its key");
  const Exit shown =
      show(common, (*service)->stored(), *wanted,
           wanted->everything()
               ? "no decisions are stored: everything is on, unless a client says otherwise"
               : "no such decision is stored");
  if (shown != Exit::done || common.json || !wanted->everything()) return shown;
  return noteTheRest(common.console(), **service);
}

}  // namespace

void addList(CLI::App& app, Common& common) {
  CLI::App& verb = addVerb(app, common, "list", "List the stored decisions, all or some of them",
                           "A session and a folder that are named both are two places to look at.\n"
                           "\n"
                           "Examples:\n"
                           "  enablectl list\n"
                           "  enablectl list --directory . --json\n"
                           "  enablectl list --target file:///plugins/alpha");
  auto filter = std::make_shared<ListFilter>();
  CLI::Option* scope = addScope(verb, filter->scope);
  verb.add_option("--session", filter->session, "only of this session")->option_text("URI");
  CLI::Option* directory =
      verb.add_option("--directory", filter->directory, "only of this folder: a path or URI")
          ->option_text("DIR");
  CLI::Option* target =
      verb.add_option("--target", filter->target, "only about this target")->option_text("TARGET");
  CLI::Option* queued =
      verb.add_flag("--queued", filter->queued, "parts of writes that wait for\ntheir session");
  verb.add_flag("--unclaimed", filter->unclaimed, "imported decisions that wait\nfor their key")
      ->excludes(queued)
      ->excludes(scope)
      ->excludes(directory)
      ->excludes(target);
  verb.callback(
      [&common, filter] { common.run = [filter](const Common& c) { return list(c, *filter); }; });
}

}  // namespace enablement::tool
