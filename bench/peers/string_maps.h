// The three look-ups and nothing else, on flat hash maps with strings as keys. Every text is hashed
// once for each look-up; the maps for folders and sessions combine the hashes at hand.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

#include <absl/container/flat_hash_map.h>

#include <enablement/bench/data.h>
#include <enablement/bench/found.h>

namespace enablement::bench {

class StringMaps {
 public:
  StringMaps() = default;
  explicit StringMaps(const DataSet& data);

  void session(std::string_view name, std::string_view folder);
  void decide(Scope scope, std::string_view place, std::string_view key, bool enabled);

  [[nodiscard]] Found find(std::string_view session, std::string_view key) const;

 private:
  // A text with its hash, so that nobody hashes it again.
  struct Hashed {
    std::string_view text;
    std::size_t hash;
  };
  struct Placed {
    std::string_view place;  // in places_
    std::string key;
  };
  struct PlacedView {
    Hashed place;
    Hashed key;
  };
  struct Session {
    Hashed folder;
  };

  static std::size_t hashOf(std::string_view text);
  static std::size_t combined(std::size_t place, std::size_t key) {
    return key + place * 0x9E37'79B9'7F4A'7C15U;
  }

  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(const Hashed& text) const { return text.hash; }
    std::size_t operator()(std::string_view text) const { return hashOf(text); }
  };
  struct TextEqual {
    using is_transparent = void;
    static std::string_view view(std::string_view text) { return text; }
    static std::string_view view(const Hashed& text) { return text.text; }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return view(a) == view(b);
    }
  };
  struct PlacedHash {
    using is_transparent = void;
    std::size_t operator()(const PlacedView& placed) const {
      return combined(placed.place.hash, placed.key.hash);
    }
    std::size_t operator()(const Placed& placed) const {
      return combined(hashOf(placed.place), hashOf(placed.key));
    }
  };
  struct PlacedEqual {
    using is_transparent = void;
    bool operator()(const Placed& a, const Placed& b) const {
      return a.place == b.place && a.key == b.key;
    }
    bool operator()(const Placed& a, const PlacedView& b) const {
      return a.key == b.key.text && a.place == b.place.text;
    }
  };
  using PlacedMap = absl::flat_hash_map<Placed, bool, PlacedHash, PlacedEqual>;

  std::string_view kept(std::string_view place);

  std::unordered_set<std::string> places_;  // whose texts stay where they are
  absl::flat_hash_map<std::string, Session, TextHash, TextEqual> sessions_;
  absl::flat_hash_map<std::string, bool, TextHash, TextEqual> global_;
  PlacedMap workspace_;
  PlacedMap session_;
};

}  // namespace enablement::bench
