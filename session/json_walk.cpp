#include <enablement/session/json_walk.h>

#include <array>
#include <charconv>
#include <vector>

#include <enablement/schema/text.h>

namespace enablement {
namespace {

template <typename Number>
std::size_t digitsOf(Number number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return static_cast<std::size_t>(end - text.data());
}

class Walk {
 public:
  Walk(std::size_t maxDepth, std::size_t maxBytes) : maxDepth_(maxDepth), maxBytes_(maxBytes) {}

  std::string run(const Json& root) {
    enter(root);
    while (problem_.empty() && !open_.empty()) {
      Level& level = open_.back();
      if (level.next == level.end) {
        open_.pop_back();
        continue;
      }
      const auto member = level.next++;
      constexpr std::size_t quotesAndColon = 3;
      if (level.isObject) addText(member.key(), quotesAndColon);
      enter(*member);
    }
    return std::move(problem_);
  }

 private:
  struct Level {
    Json::const_iterator next;
    Json::const_iterator end;
    bool isObject;
  };

  void enter(const Json& value) {
    switch (value.type()) {
      case Json::value_t::object:
      case Json::value_t::array:
        if (open_.size() == maxDepth_)
          problem_ = "is nested deeper than " + std::to_string(maxDepth_) + " levels";
        else
          open_.push_back({value.begin(), value.end(), value.is_object()});
        return add(value.empty() ? 2 : 1 + value.size());  // brackets and commas
      case Json::value_t::string:
        return addText(value.get_ref<const std::string&>(), 2);
      case Json::value_t::number_integer:
        return add(digitsOf(value.get<Json::number_integer_t>()));
      case Json::value_t::number_unsigned:
        return add(digitsOf(value.get<Json::number_unsigned_t>()));
      case Json::value_t::number_float:
        return add(digitsOf(value.get<Json::number_float_t>()));
      case Json::value_t::boolean:
        return add(value.get<bool>() ? 4 : 5);
      case Json::value_t::null:
        return add(4);
      case Json::value_t::binary:
      case Json::value_t::discarded:
        problem_ = "holds something that is not JSON";
    }
  }

  void addText(const std::string& text, std::size_t around) {
    add(text.size() + around);
    if (problem_.empty() && !isUtf8(text)) problem_ = "holds text that is not UTF-8";
  }

  void add(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > maxBytes_ && problem_.empty())
      problem_ = "is longer than " + std::to_string(maxBytes_) + " bytes";
  }

  std::size_t maxDepth_;
  std::size_t maxBytes_;
  std::size_t bytes_ = 0;
  std::vector<Level> open_;
  std::string problem_;
};

}  // namespace

std::string problemOfJson(const Json& value, std::size_t maxDepth, std::size_t maxBytes) {
  return Walk(maxDepth, maxBytes).run(value);
}

}  // namespace enablement
