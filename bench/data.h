// The data set of a run, the same on every run and for every peer: who decided what, and what is
// looked up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/resolver/service.h>
#include <enablement/schema/scope.h>
#include <enablement/schema/target.h>

namespace enablement::bench {

struct Size {
  std::string_view name;
  std::uint32_t decisions;
  std::uint32_t sessions;
  std::uint32_t folders;
  std::uint32_t plugins;  // each a target, with nine servers that are targets, too
  std::uint32_t lookups;
};

inline constexpr Size sizeA{"A", 512, 200, 20, 24, 16'384};
inline constexpr Size sizeB{"B", 100'000, 10'000, 500, 4'000, 131'072};
// What a person's store grows to; for the command line.
inline constexpr Size sizeOfTool{"1,000", 1'000, 300, 30, 48, 1};

// A target as text, canonical.
struct Name {
  std::string plugin;
  std::string server;   // empty: the plugin itself
  std::string printed;  // the whole key, 60 to 140 bytes
};

struct Decision {
  Scope scope;
  std::uint32_t place;  // a session, a folder, or 0
  std::uint32_t target;
  bool enabled;
};

struct Lookup {
  std::uint32_t session;
  std::uint32_t target;
};

// A quarter of the decisions is global, a half of folders, a quarter of sessions. About half of the
// look-ups are of targets that nobody decided about, the others find one decision at least.
class DataSet {
 public:
  explicit DataSet(const Size& size);

  [[nodiscard]] const Size& size() const { return size_; }
  [[nodiscard]] const std::vector<std::string>& sessions() const { return sessions_; }
  [[nodiscard]] const std::vector<std::string>& folders() const { return folders_; }
  [[nodiscard]] const std::string& folderOf(std::uint32_t session) const {
    return folders_[session % size_.folders];
  }
  [[nodiscard]] std::uint32_t folderIndexOf(std::uint32_t session) const {
    return session % size_.folders;
  }
  // Those that decisions are about, then as many strangers.
  [[nodiscard]] const std::vector<Name>& names() const { return names_; }
  [[nodiscard]] const std::vector<Decision>& decisions() const { return decisions_; }
  [[nodiscard]] const std::vector<Lookup>& lookups() const { return lookups_; }
  // Session, folder, or nothing for everywhere.
  [[nodiscard]] std::string_view placeOf(const Decision& decision) const;

 private:
  Size size_;
  std::vector<std::string> sessions_;
  std::vector<std::string> folders_;
  std::vector<Name> names_;
  std::vector<Decision> decisions_;
  std::vector<Lookup> lookups_;
};

// The key of a name, made anew: it shares nothing with what a store holds.
[[nodiscard]] Target targetOf(const Name& name);
[[nodiscard]] TargetText textOf(const Name& name);
[[nodiscard]] std::vector<Target> targetsOf(const DataSet& data);

// Puts all decisions into a service, in one transaction. Throws when that fails.
void decide(EnablementService& service, const DataSet& data);
// Tells each session's folder and loads it.
void settle(EnablementService& service, const DataSet& data);

// A service in memory with all of it, settled.
[[nodiscard]] std::unique_ptr<EnablementService> inMemory(const DataSet& data);

}  // namespace enablement::bench
