#include <enablement/bench/peers/string_maps.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace enablement::bench {

std::size_t StringMaps::hashOf(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

StringMaps::StringMaps(const DataSet& data) {
  for (std::uint32_t i = 0; i < data.size().sessions; ++i)
    session(data.sessions()[i], data.folderOf(i));
  for (const Decision& decision : data.decisions())
    decide(decision.scope, data.placeOf(decision), data.names()[decision.target].printed,
           decision.enabled);
}

std::string_view StringMaps::kept(std::string_view place) {
  return *places_.emplace(place).first;
}

void StringMaps::session(std::string_view name, std::string_view folder) {
  const std::string_view text = kept(folder);
  sessions_.emplace(std::string(name), Session{{text, hashOf(text)}});
}

void StringMaps::decide(Scope scope, std::string_view place, std::string_view key, bool enabled) {
  if (scope == Scope::global)
    global_.emplace(std::string(key), enabled);
  else
    (scope == Scope::session ? session_ : workspace_)
        .emplace(Placed{kept(place), std::string(key)}, enabled);
}

Found StringMaps::find(std::string_view session, std::string_view key) const {
  const Hashed who{session, hashOf(session)};
  const Hashed what{key, hashOf(key)};
  const auto known = sessions_.find(who);
  if (known == sessions_.end()) return pendingAnswer;
  Found all = 0;
  if (const auto it = session_.find(PlacedView{who, what}); it != session_.end())
    all |= found(Scope::session, it->second);
  if (const auto it = workspace_.find(PlacedView{known->second.folder, what});
      it != workspace_.end())
    all |= found(Scope::workspace, it->second);
  if (const auto it = global_.find(what); it != global_.end())
    all |= found(Scope::global, it->second);
  return all;
}

}  // namespace enablement::bench
