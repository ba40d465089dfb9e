#include <enablement/schema/json_text.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <vector>

#include <enablement/schema/text.h>

namespace enablement {
namespace {

// Walks the text and lets the builder know how far the parser has read; the parser itself tells its
// position only for the errors it finds.
class Reading {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Reading(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  Reading& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  friend bool operator==(const Reading& a, const Reading& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

// Builds the value without recursion and refuses what the parser would let pass.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::string_view text) : text_(text), read_(text.data()) {}

  bool build() {
    return Json::sax_parse(Reading(text_.data(), &read_),
                           Reading(text_.data() + text_.size(), &read_), this);
  }
  Json take() { return std::move(root_); }
  // Where and what, as "line:column: message".
  [[nodiscard]] const std::string& problem() const { return problem_; }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& token) override {
    // The parser turns an integer that does not fit into 64 bits into a rounded float.
    if (token.find_first_of(".eE") == std::string::npos)
      return refuse(endOfNumber(token) - token.size(), "the number " + quote(token) + outOfRange);
    return add(value);
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }  // not in JSON text

  bool start_object(std::size_t /*elements*/) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*elements*/) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    if (!open_.back().keys.insert(key).second)
      return refuse(startOfString(), "the key " + quote(key) + " is in the object twice");
    key_ = std::move(key);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    if (error.id == numberOverflow)
      return refuse(position - std::min(position, token.size()),
                    "the number " + quote(token) + outOfRange);
    return refuse(position == 0 ? 0 : position - 1, plain(error.what()));
  }

 private:
  struct Container {
    Json* value;
    std::unordered_set<std::string> keys;  // of an object; looking them up in it is linear
  };

  static constexpr int numberOverflow = 406;
  static constexpr const char* outOfRange = " is out of range";

  template <typename Value>
  bool add(Value&& value) {
    place(std::forward<Value>(value));
    return true;
  }

  // Puts a value where the parser is, and says where it lies.
  Json* place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back().value;
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    // The vector's own function: keys are known to be new, and the map's would look again.
    auto& members = parent.get_ref<Json::object_t&>();
    return &members.emplace_back(std::move(key_), std::move(value)).second;
  }

  bool open(Json container) {
    if (open_.size() == maxJsonDepth)
      return refuse(read() - 1, "nested deeper than " + std::to_string(maxJsonDepth) + " levels");
    open_.push_back({place(std::move(container)), {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  bool refuse(std::size_t offset, const std::string& message) {
    problem_ = position(offset) + ": " + message;
    return false;
  }

  // Columns count characters, not bytes.
  [[nodiscard]] std::string position(std::size_t offset) const {
    const std::string_view before = text_.substr(0, offset);
    const std::size_t lineStart = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto column =
        std::count_if(before.begin() + static_cast<std::ptrdiff_t>(lineStart), before.end(),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }) +
        1;
    return std::to_string(line) + ":" + std::to_string(column);
  }

  [[nodiscard]] std::size_t read() const { return static_cast<std::size_t>(read_ - text_.data()); }

  // The parser reads one character past a number, unless the text ends there.
  [[nodiscard]] std::size_t endOfNumber(const std::string& token) const {
    return text_.substr(0, read()).ends_with(token) ? read() : read() - 1;
  }

  // The opening quotation mark of the string that ends where the parser is.
  [[nodiscard]] std::size_t startOfString() const {
    for (std::size_t at = read() - 1; at > 0;) {
      at = text_.rfind('"', at - 1);
      std::size_t escapes = 0;
      while (escapes < at && text_[at - escapes - 1] == '\\') ++escapes;
      if (escapes % 2 == 0) return at;
    }
    return 0;
  }

  // The parser's own words without its tag, its position and the token, which may be huge.
  static std::string plain(std::string_view what) {
    if (const auto tag = what.find("column "); tag != std::string_view::npos)
      if (const auto colon = what.find(": ", tag); colon != std::string_view::npos)
        what.remove_prefix(colon + 2);
    return std::string(what.substr(0, what.find("; last read: ")));
  }

  std::string_view text_;
  const char* read_;
  Json root_;
  std::vector<Container> open_;
  std::string key_;
  std::string problem_;
};

}  // namespace

Result<Json> parseJson(std::string_view text, std::string_view name) {
  Builder builder(text);
  if (builder.build()) return builder.take();
  return fail(ErrorCode::invalidArgument, std::string(name) + ":" + builder.problem(),
              "the file must hold one JSON document");
}

}  // namespace enablement
