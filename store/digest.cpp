#include <enablement/store/digest.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace enablement {
namespace {

// Every field with its length in front, so that no two rows run together into the same bytes.
std::uint64_t hashFields(std::initializer_list<std::string_view> fields) {
  thread_local std::string bytes;
  bytes.clear();
  for (const std::string_view field : fields) {
    const auto size = static_cast<std::uint32_t>(field.size());
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<char>((size >> shift) & 0xFF));
    bytes += field;
  }
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace

std::uint64_t Digest::hash(const StoredDecision& row) {
  return hashFields({"decision", name(row.scope), row.place, name(row.key.type()), row.key.owner(),
                     row.key.name(), row.enabled ? "on" : "off"});
}

std::uint64_t Digest::hash(const QueuedPart& row) {
  const auto& preset = row.target.discoveryDefault;
  return hashFields({"queue", row.session, name(row.target.key.type()), row.target.key.owner(),
                     row.target.key.name(), name(row.scope), row.folder, name(row.asked),
                     !preset   ? "none"
                     : *preset ? "on"
                               : "off"});
}

std::uint64_t Digest::hash(const UnclaimedDecision& row) {
  return hashFields({"unclaimed", row.session, row.customizationId, row.enabled ? "on" : "off"});
}

}  // namespace enablement
