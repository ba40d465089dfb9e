#include <enablement/tool/console.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <numeric>

namespace enablement::tool {
namespace {

constexpr std::size_t gap = 2;  // between the columns of a table

bool wantsColours(Colour colour) {
  if (colour != Colour::automatic) return colour == Colour::always;
  const char* noColour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && (noColour == nullptr || *noColour == '\0') &&
         (term == nullptr || std::string_view(term) != "dumb");
}

std::size_t terminalWidth() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return textWidth;
  return size.ws_col == 0 ? textWidth : size.ws_col;
}

std::string_view codeOf(Paint paint) {
  static constexpr std::array codes{"", "\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[1m"};
  return codes[static_cast<std::size_t>(paint)];
}

bool continuesCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

Console::Console(Colour colour, bool quiet)
    : colours_(wantsColours(colour)), quiet_(quiet), width_(terminalWidth()) {}

void Console::print(std::string_view line) const {
  std::cout << line << '\n';
}

void Console::say(std::string_view sentence) const {
  std::cout << wrapped(sentence) << '\n';
}

void Console::note(std::string_view sentence) const {
  if (!quiet_) std::cerr << wrapped(sentence) << '\n';
}

std::string Console::painted(std::string_view text, Paint paint) const {
  if (!colours_ || paint == Paint::plain) return std::string(text);
  return std::string(codeOf(paint)) + std::string(text) + "\x1b[0m";
}

Exit complain(const Error& error) {
  return complain(error, exitOf(error.code));
}

Exit complain(const Error& error, Exit exit) {
  std::cout.flush();
  std::cerr << wrapped("enablectl: " + shown(error.message), 11) << '\n';
  if (!error.hint.empty()) std::cerr << wrapped("  " + shown(error.hint), 2) << '\n';
  return exit;
}

std::string shown(std::string_view text) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are controls too: terminals take U+009B for the start of a command.
    const bool c1 =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (byte < 0x20 || byte == 0x7F) {
      out += {'\\', 'x', hex[byte >> 4], hex[byte & 0xF]};
    } else if (c1) {
      const auto control = static_cast<unsigned char>(text[++i]);
      out += {'\\', 'x', hex[control >> 4], hex[control & 0xF]};
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', blanks), text.size());
    const std::size_t size = blanks + columns(text.substr(blanks, end - blanks));
    if (column > indent && column + size > textWidth) {
      out += '\n' + std::string(indent, ' ');
      column = indent + size - blanks;
      out += text.substr(blanks, end - blanks);
    } else {
      column += size;
      out += text.substr(0, end);
    }
    text.remove_prefix(end);
  }
  return out;
}

std::size_t columns(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continuesCharacter));
}

void Table::print(const Console& console) const {
  const auto wide = widths();
  const std::size_t gaps = wide.empty() ? 0 : gap * (wide.size() - 1);
  const bool fits = std::accumulate(wide.begin(), wide.end(), indent_ + gaps) <= console.width();
  if (fits) {
    std::vector<Cell> headings;
    for (const Column& column : header_) headings.push_back({column.heading, Paint::bold});
    console.print(flat(console, wide, headings));
  }
  for (const Row& row : rows_) {
    if (row.cells.empty())
      console.print(console.painted(row.heading, Paint::bold));
    else
      console.print(fits ? flat(console, wide, row.cells) : tall(console, wide, row.cells));
  }
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : header_) widths.push_back(columns(column.heading));
  for (const Row& row : rows_)
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      widths[i] = std::max(widths[i], columns(row.cells[i].text));
  return widths;
}

std::string Table::flat(const Console& console, const std::vector<std::size_t>& widths,
                        const std::vector<Cell>& cells) const {
  std::string line(indent_, ' ');
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += console.painted(cells[i].text, cells[i].paint);
    line.append(widths[i] - columns(cells[i].text) + gap, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string Table::tall(const Console& console, const std::vector<std::size_t>& widths,
                        const std::vector<Cell>& cells) const {
  std::string first(indent_, ' ');
  std::string below;
  std::size_t label = 0;
  for (const Column& column : header_)
    if (column.tall) label = std::max(label, columns(column.heading));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    const std::string& heading = header_[i].heading;
    if (!header_[i].tall) {
      first += console.painted(cell.text, cell.paint);
      first.append(widths[i] - columns(cell.text) + gap, ' ');
    } else if (!cell.text.empty()) {
      below += '\n';
      below.append(indent_ + gap, ' ').append(heading);
      below.append(label - columns(heading) + gap, ' ');
      below += console.painted(cell.text, cell.paint);
    }
  }
  first.erase(first.find_last_not_of(' ') + 1);
  return first + below;
}

}  // namespace enablement::tool
