#include <enablement/resolver/audience.h>

#include <algorithm>

namespace enablement {

void Audience::storedValueChanged(Scope scope, std::string_view place) {
  switch (scope) {
    case Scope::global:
      return everyone();
    case Scope::workspace:
      folders_.emplace(place);
      return;
    case Scope::session:
      ifLoaded_.emplace(place);
      return;
  }
}

std::vector<std::string> Audience::among(const SessionTable& sessions) const {
  std::vector<std::string> names(named_.begin(), named_.end());
  if (everyone_ || !folders_.empty()) {
    sessions.forEach([&](const std::string& name, const KnownSession& session) {
      const std::string* folder = session.directory.uri();
      if (everyone_ || (folder && folders_.contains(*folder))) names.push_back(name);
    });
  }
  for (const std::string& name : ifLoaded_) {
    const KnownSession* session = sessions.find(name);
    if (session && session->isLoaded()) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase_if(names, [&](const std::string& name) { return excluded_.contains(name); });
  return names;
}

}  // namespace enablement
