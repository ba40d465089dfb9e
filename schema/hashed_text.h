// A text that knows its hash: what tables are keyed by.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace enablement {

// The same within a process only.
[[nodiscard]] std::size_t hashOf(std::string_view text);

// Hashed once, when it is made. Immutable, cheap to copy, any thread. Copies of one object are
// found to be equal without reading their texts.
class HashedText {
 public:
  explicit HashedText(std::string_view text)
      : text_(std::make_shared<const std::string>(text)), hash_(hashOf(text)) {}

  [[nodiscard]] const std::string& text() const { return *text_; }
  [[nodiscard]] std::size_t hash() const { return hash_; }

  friend bool operator==(const HashedText& a, const HashedText& b) {
    return a.hash_ == b.hash_ && (a.text_ == b.text_ || *a.text_ == *b.text_);
  }
  friend bool operator==(const HashedText& a, std::string_view b) { return *a.text_ == b; }

 private:
  std::shared_ptr<const std::string> text_;
  std::size_t hash_;  // here, so that a table is searched without touching the text
};

// Of a text with or without its hash: both find the same slot.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(const HashedText& text) const { return text.hash(); }
  std::size_t operator()(std::string_view text) const { return hashOf(text); }
};

}  // namespace enablement
