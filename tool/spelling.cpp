#include <enablement/tool/spelling.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace enablement::tool {
namespace {

// Nobody mistypes a longer word, and the table stays small.
constexpr std::size_t longest = 64;

// How many letters have to be added, dropped, changed or swapped to get from one word to the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] =
          std::min({last[j + 1] + 1, row[j] + 1, last[j] + static_cast<std::size_t>(a[i] != b[j])});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

// Short words are near to nearly everything.
std::size_t allowance(std::string_view a, std::string_view b) {
  return std::max(a.size(), b.size()) / 4;
}

}  // namespace

bool nearly(std::string_view a, std::string_view b) {
  if (a.size() > longest || b.size() > longest) return a == b;
  return distance(a, b) <= allowance(a, b);
}

std::optional<std::string> nearest(std::string_view typed, std::span<const std::string> words) {
  std::optional<std::string> best;
  for (const std::string& word : words)
    if (nearly(typed, word) && (!best || distance(typed, word) < distance(typed, *best)))
      best = word;
  return best;
}

}  // namespace enablement::tool
