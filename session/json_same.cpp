#include <enablement/session/json_same.h>

#include <algorithm>

namespace enablement {

bool sameJson(const Json& a, const Json& b) {
  if (a.is_array() && b.is_array())
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameJson);
  if (!a.is_object() || !b.is_object()) return a == b;
  if (a.size() != b.size()) return false;
  auto other = b.begin();
  for (auto member = a.begin(); member != a.end(); ++member, ++other) {
    // Mostly in the same order; only then is it looked for.
    const auto found = other.key() == member.key() ? other : b.find(member.key());
    if (found == b.end() || !sameJson(*member, *found)) return false;
  }
  return true;
}

}  // namespace enablement
