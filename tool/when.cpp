#include <enablement/tool/when.h>

#include <charconv>
#include <optional>
#include <regex>
#include <string>

#include <enablement/schema/text.h>

namespace enablement::tool {
namespace {

using std::chrono::milliseconds;

std::optional<milliseconds> unitOf(char letter) {
  switch (letter) {
    case 's':
      return std::chrono::seconds(1);
    case 'm':
      return std::chrono::minutes(1);
    case 'h':
      return std::chrono::hours(1);
    case 'd':
      return std::chrono::days(1);
    case 'w':
      return std::chrono::weeks(1);
    default:
      return std::nullopt;
  }
}

std::optional<milliseconds> ageIn(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const auto unit = unitOf(text.back());
  long count = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [read, error] = std::from_chars(text.data(), end, count);
  // A thousand years are enough, and do not overflow.
  if (!unit || error != std::errc() || read != end || count < 0 || count > 366'000)
    return std::nullopt;
  return *unit * count;
}

std::optional<Timestamp> momentIn(const std::string& text) {
  static const std::regex form(
      "(\\d{4})-(\\d\\d)-(\\d\\d)(?:[T ](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:\\.(\\d{3}))?)?Z?)?");
  std::smatch match;
  if (text.size() > 32 || !std::regex_match(text, match, form)) return std::nullopt;
  const auto number = [&](std::size_t i) { return match[i].matched ? std::stoi(match[i]) : 0; };
  const std::chrono::year_month_day date{std::chrono::year(number(1)),
                                         std::chrono::month(static_cast<unsigned>(number(2))),
                                         std::chrono::day(static_cast<unsigned>(number(3)))};
  if (!date.ok() || number(4) > 23 || number(5) > 59 || number(6) > 59) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(number(4)) +
         std::chrono::minutes(number(5)) + std::chrono::seconds(number(6)) +
         milliseconds(number(7));
}

}  // namespace

Result<milliseconds> parseAge(std::string_view text) {
  if (const auto age = ageIn(text)) return *age;
  return fail(ErrorCode::invalidArgument, quote(text) + " is no length of time",
              "write it as 90s, 15m, 12h, 30d or 4w");
}

Result<Timestamp> parseMoment(std::string_view text, Timestamp now) {
  if (const auto age = ageIn(text)) return now - *age;
  if (const auto moment = momentIn(std::string(text))) return *moment;
  return fail(ErrorCode::invalidArgument, quote(text) + " is no time",
              "write it as 2026-11-30, 2026-11-30T14:02Z, or how long ago: 15m, 12h, 30d");
}

}  // namespace enablement::tool
