#include <enablement/tool/plan_sources.h>

#include <string>
#include <utility>
#include <vector>

namespace enablement::tool {
namespace {

// Reads members one by one; the first that is of the wrong kind is the error.
class Reader {
 public:
  Reader(const Json& members, std::string_view name) : members_(members), name_(name) {}

  Result<Sources> read(const Json& customizations) {
    Sources sources;
    definitions(members_, "rootConfiguration", sources.rootConfiguration);
    definitions(members_, "builtIns", sources.builtIns);
    if (members_.contains("userServers")) {
      sources.userServers.emplace();
      texts(members_, "userServers", *sources.userServers);
    }
    std::vector<std::string> injected;
    texts(members_, "injected", injected);
    sources.injected.insert(injected.begin(), injected.end());
    flag(members_, "ephemeral", sources.ephemeral);
    workspace(sources);
    plugins(sources);
    if (problem_) return fail(*problem_);
    standIn(sources, customizations);
    return sources;
  }

 private:
  // The member, if it is there and of its kind.
  template <typename Fits>
  const Json* member(const Json& object, const char* field, const char* kind, Fits fits) {
    const auto found = object.find(field);
    if (found == object.end() || found->is_null()) return nullptr;
    if (fits(*found)) return &*found;
    if (!problem_)
      problem_ = Error{ErrorCode::invalidArgument,
                       std::string(name_) + ": \"" + field + "\" is not " + kind,
                       "see: enablectl plan --help"};
    return nullptr;
  }
  const Json* object(const Json& in, const char* field) {
    return member(in, field, "an object", [](const Json& value) { return value.is_object(); });
  }
  const Json* objects(const Json& in, const char* field) {
    return member(in, field, "a list of objects", [](const Json& value) {
      if (!value.is_array()) return false;
      for (const Json& item : value)
        if (!item.is_object()) return false;
      return true;
    });
  }
  void definitions(const Json& in, const char* field, Definitions& out) {
    if (const Json* found = object(in, field)) out = *found;
  }
  void texts(const Json& in, const char* field, std::vector<std::string>& out) {
    const Json* found = member(in, field, "a list of texts", [](const Json& value) {
      if (!value.is_array()) return false;
      for (const Json& item : value)
        if (!item.is_string()) return false;
      return true;
    });
    if (found) out = found->get<std::vector<std::string>>();
  }
  void flag(const Json& in, const char* field, bool& out) {
    if (const Json* found = member(in, field, "true or false",
                                   [](const Json& value) { return value.is_boolean(); }))
      out = found->get<bool>();
  }
  void text(const Json& in, const char* field, std::string& out) {
    if (const Json* found =
            member(in, field, "a text", [](const Json& value) { return value.is_string(); }))
      out = found->get<std::string>();
  }

  void workspace(Sources& sources) {
    const Json* directories = objects(members_, "workspace");
    if (!directories) return;
    for (const Json& directory : *directories) {
      WorkspaceServers servers;
      flag(directory, "primary", servers.primary);
      definitions(directory, "servers", servers.servers);
      sources.workspace.push_back(std::move(servers));
    }
  }

  void plugins(Sources& sources) {
    const Json* all = object(members_, "plugins");
    if (!all) return;
    for (const auto& [uri, files] : all->items()) {
      PluginFiles plugin;
      if (const Json* known = object(*all, uri.c_str())) {
        text(*known, "directory", plugin.directory);
        definitions(*known, "servers", plugin.servers);
        std::vector<std::string> registered;
        texts(*known, "registered", registered);
        plugin.registered.insert(registered.begin(), registered.end());
      }
      sources.plugins.emplace(uri, std::move(plugin));
    }
  }

  // A list alone says what there is, but not where.
  void standIn(Sources& sources, const Json& customizations) const {
    if (!customizations.is_array()) return;
    const auto textOf = [](const Json& entry, const char* field) {
      if (!entry.is_object()) return std::string();
      const auto found = entry.find(field);
      return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    WorkspaceServers bare{.primary = true};
    for (const Json& entry : customizations) {
      if (textOf(entry, "type") == "mcpServer")
        bare.servers[textOf(entry, "name")] = Json::object();
      if (textOf(entry, "type") != "plugin" || members_.contains("plugins")) continue;
      PluginFiles files{.directory = textOf(entry, "uri")};
      if (const auto children = entry.find("children"); children != entry.end())
        for (const Json& child : *children)
          if (textOf(child, "type") == "mcpServer")
            files.servers[textOf(child, "name")] = Json::object();
      sources.plugins.emplace(files.directory, files);
    }
    const bool saysNothing = !members_.contains("workspace") && !members_.contains("builtIns") &&
                             !members_.contains("rootConfiguration");
    bare.servers.erase("");
    if (saysNothing && !bare.servers.empty()) sources.workspace.push_back(std::move(bare));
  }

  const Json& members_;
  std::string_view name_;
  std::optional<Error> problem_;
};

}  // namespace

Result<Sources> sourcesFrom(const Json& members, const Json& customizations,
                            std::string_view name) {
  return Reader(members, name).read(customizations);
}

}  // namespace enablement::tool
