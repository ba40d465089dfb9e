// Which sessions an event names (I17). Internal.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/overlay/session_table.h>
#include <enablement/store/records.h>

namespace enablement {

// Gathered while a call is planned, in terms of what changed; turned into names at the end, when it
// is settled which sessions are known, loaded, and in which folder.
class Audience {
 public:
  // A stored value changed: at global scope every known session may see it, at workspace scope
  // those in the folder, at session scope that session if it is loaded.
  void storedValueChanged(Scope scope, std::string_view place);
  void session(std::string_view name) { named_.emplace(name); }
  void everyone() { everyone_ = true; }
  // Not this one, whatever else is said: its announcement waits for the end of its turn.
  void exclude(std::string_view name) { excluded_.emplace(name); }

  // Sorted.
  [[nodiscard]] std::vector<std::string> among(const SessionTable& sessions) const;

 private:
  bool everyone_ = false;
  std::set<std::string, std::less<>> folders_;
  std::set<std::string, std::less<>> named_;
  std::set<std::string, std::less<>> ifLoaded_;
  std::set<std::string, std::less<>> excluded_;
};

}  // namespace enablement
