// The reducer a second time, naively: every action walks the whole tree and builds it anew. It is
// for the tests to compare with, and shares nothing with the real one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <enablement/session/reducer.h>

namespace enablement::test {

using nlohmann::ordered_json;

// The next state, or nothing if the action changes nothing.
class ReducerModel {
 public:
  using Next = std::optional<ordered_json>;

  static Next apply(const ordered_json& state, const ordered_json& action, Generation generation) {
    const std::string type = action["type"];
    const auto is = [&](const char* name) { return type == "session/" + std::string(name); };
    if (is("customizationsChanged")) return with(state, "customizations", action["customizations"]);
    if (is("customizationUpdated"))
      return put(state, "customizations", "id", action["customization"]);
    if (is("activeClientSet"))
      return put(state, "activeClients", "clientId", action["activeClient"]);
    if (is("customizationToggled")) return toggle(state, action, generation);
    if (is("customizationRemoved"))
      return walk(state, action["id"], Several::yes, [](ordered_json&) { return Fate::goes; });
    if (is("mcpServerStateChanged"))
      return serverState(state, action, action["state"], action.value("channel", ordered_json()));
    if (is("mcpServerStartRequested"))
      return serverState(state, action, {{"kind", "starting"}}, nullptr);
    if (is("mcpServerStopRequested"))
      return serverState(state, action, {{"kind", "stopped"}}, nullptr);
    if (is("activeClientRemoved")) return clientRemoved(state, action["clientId"]);
    if (is("workingDirectorySet")) return directorySet(state, action["directory"]);
    if (is("workingDirectoryRemoved")) return directoryRemoved(state, action["directory"]);
    if (is("workingDirectoryReplaced"))
      return directoryReplaced(state, action["directory"], action["replacement"]);
    return std::nullopt;
  }

 private:
  enum class Fate { untouched, changed, goes };
  enum class Several { no, yes };
  using Edit = std::function<Fate(ordered_json&)>;

  static ordered_json list(const ordered_json& state, const char* name) {
    const auto found = state.find(name);
    return found == state.end() || found->is_null() ? ordered_json::array() : *found;
  }
  static bool bears(const ordered_json& entry, const char* field, const ordered_json& text) {
    return entry.is_object() && entry.contains(field) && entry[field] == text;
  }
  static Next with(ordered_json state, const char* name, ordered_json value) {
    state[name] = std::move(value);
    return state;
  }

  // The list with the first entry of that id edited; whether there was one, and what became of it.
  struct Edited {
    ordered_json list = ordered_json::array();
    bool hit = false;
    bool changed = false;
  };
  static Edited editFirst(const ordered_json& entries, const ordered_json& id, const Edit& edit) {
    Edited out;
    for (ordered_json entry : entries) {
      Fate fate = Fate::untouched;
      if (!out.hit && bears(entry, "id", id)) {
        out.hit = true;
        fate = edit(entry);
      }
      out.changed = out.changed || fate != Fate::untouched;
      if (fate != Fate::goes) out.list.push_back(std::move(entry));
    }
    return out;
  }

  // The one search: the top level, then the children of every container or of the first with a hit.
  static Next walk(const ordered_json& state, const ordered_json& id, Several several,
                   const Edit& edit) {
    const ordered_json entries = list(state, "customizations");
    const Edited top = editFirst(entries, id, edit);
    if (top.hit) return top.changed ? with(state, "customizations", top.list) : std::nullopt;
    ordered_json out = ordered_json::array();
    bool hit = false;
    bool changed = false;
    for (ordered_json entry : entries) {
      const bool container = entry.is_object() && entry.contains("children") &&
                             entry["children"].is_array() && !bears(entry, "type", "mcpServer");
      if (container && !(hit && several == Several::no)) {
        const Edited children = editFirst(entry["children"], id, edit);
        hit = hit || children.hit;
        changed = changed || children.changed;
        entry["children"] = children.list;
      }
      out.push_back(std::move(entry));
    }
    return changed ? with(state, "customizations", out) : std::nullopt;
  }

  static Next put(const ordered_json& state, const char* name, const char* field,
                  const ordered_json& entry) {
    ordered_json out = ordered_json::array();
    bool placed = false;
    for (const ordered_json& old : list(state, name)) {
      const bool here = !placed && bears(old, field, entry[field]);
      out.push_back(here ? entry : old);
      placed = placed || here;
    }
    if (!placed) out.push_back(entry);
    return with(state, name, out);
  }

  static Next toggle(const ordered_json& state, const ordered_json& action, Generation generation) {
    if (generation == Generation::first) {
      if (!action.contains("enabled") || !action["enabled"].is_boolean()) return std::nullopt;
      return walk(state, action["id"], Several::no, [&](ordered_json& entry) {
        entry["enabled"] = action["enabled"];
        return Fate::changed;
      });
    }
    if (!action.contains("enablement") || !action["enablement"].is_array()) return std::nullopt;
    const ordered_json& decisions = action["enablement"];
    return walk(state, action["id"], Several::no, [&](ordered_json& entry) {
      if (!bears(entry, "type", "plugin") && !bears(entry, "type", "mcpServer"))
        entry["enabled"] = decisions.empty() ? ordered_json(true) : decisions[0]["enabled"];
      else if (!decisions.empty())
        entry["enablement"] = decisions;
      else
        entry.erase("enablement");
      return Fate::changed;
    });
  }

  static Next serverState(const ordered_json& state, const ordered_json& action,
                          const ordered_json& value, const ordered_json& channel) {
    return walk(state, action["id"], Several::yes, [&](ordered_json& entry) {
      if (!bears(entry, "type", "mcpServer")) return Fate::untouched;
      entry["state"] = value;
      if (channel.is_null())
        entry.erase("channel");
      else
        entry["channel"] = channel;
      return Fate::changed;
    });
  }

  static Next clientRemoved(const ordered_json& state, const ordered_json& id) {
    ordered_json out = ordered_json::array();
    bool gone = false;
    for (const ordered_json& client : list(state, "activeClients")) {
      if (!gone && bears(client, "clientId", id))
        gone = true;
      else
        out.push_back(client);
    }
    return gone ? with(state, "activeClients", out) : std::nullopt;
  }

  static bool holds(const ordered_json& directories, const ordered_json& directory) {
    for (const ordered_json& other : directories)
      if (other == directory) return true;
    return false;
  }
  static Next directorySet(const ordered_json& state, const ordered_json& directory) {
    ordered_json directories = list(state, "workingDirectories");
    if (holds(directories, directory)) return std::nullopt;
    directories.push_back(directory);
    return with(state, "workingDirectories", directories);
  }
  static Next directoryRemoved(const ordered_json& state, const ordered_json& directory) {
    ordered_json out = ordered_json::array();
    bool gone = false;
    for (const ordered_json& other : list(state, "workingDirectories")) {
      if (!gone && other == directory)
        gone = true;
      else
        out.push_back(other);
    }
    return gone ? with(state, "workingDirectories", out) : std::nullopt;
  }
  // The target becomes its replacement; of the two that may then be there, the later one goes.
  static Next directoryReplaced(const ordered_json& state, const ordered_json& directory,
                                const ordered_json& replacement) {
    const ordered_json directories = list(state, "workingDirectories");
    if (directory == replacement || !holds(directories, directory)) return std::nullopt;
    ordered_json out = ordered_json::array();
    bool replaced = false;
    for (const ordered_json& other : directories) {
      const bool target = !replaced && other == directory;
      replaced = replaced || target;
      const ordered_json& now = target ? replacement : other;
      if (now != replacement || !holds(out, replacement)) out.push_back(now);
    }
    return with(state, "workingDirectories", out);
  }
};

}  // namespace enablement::test
