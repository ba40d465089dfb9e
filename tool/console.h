// How enablectl speaks: results on standard output, messages on standard error, 80 columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <enablement/schema/error.h>
#include <enablement/tool/exit_code.h>

namespace enablement::tool {

inline constexpr std::size_t textWidth = 80;

enum class Paint : unsigned char { plain, green, red, yellow, bold };

// When colours are used: always, never, or on a terminal unless NO_COLOR is set.
enum class Colour : unsigned char { automatic, always, never };

// What standard output is. One process, one console; main thread only.
class Console {
 public:
  Console(Colour colour, bool quiet);

  // A line of the result.
  void print(std::string_view line) const;
  // A sentence of the result, wrapped.
  void say(std::string_view sentence) const;
  // Something said beside the result; not when quiet.
  void note(std::string_view sentence) const;

  [[nodiscard]] std::string painted(std::string_view text, Paint paint) const;
  // Columns that a result may take: the terminal's, or 80 when it is piped.
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] bool quiet() const { return quiet_; }

 private:
  bool colours_;
  bool quiet_;
  std::size_t width_;
};

// Says on standard error what failed and what to do next, and gives the exit code for it.
Exit complain(const Error& error);
// The same for an error whose exit code does not follow from its code.
Exit complain(const Error& error, Exit exit);

// Text from outside as it may be shown: control characters escaped, nothing cut.
[[nodiscard]] std::string shown(std::string_view text);

// Words wrapped at 80 columns; lines after the first are indented. Long words stay whole.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent = 0);

// Columns that `text` takes: its characters.
[[nodiscard]] std::size_t columns(std::string_view text);

// Rows under headings. When the rows are too wide for the console, each row's tall columns take a
// line of their own.
class Table {
 public:
  struct Column {
    std::string heading;
    bool tall = false;
  };
  struct Cell {
    std::string text;
    Paint paint = Paint::plain;
  };

  explicit Table(std::vector<Column> header, std::size_t indent = 0)
      : header_(std::move(header)), indent_(indent) {}
  void add(std::vector<Cell> row) { rows_.push_back({{}, std::move(row)}); }
  // A line between the rows, above those that are added after it.
  void heading(std::string text) { rows_.push_back({std::move(text), {}}); }
  void print(const Console& console) const;

 private:
  struct Row {
    std::string heading;  // when there are no cells
    std::vector<Cell> cells;
  };

  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string flat(const Console& console, const std::vector<std::size_t>& widths,
                                 const std::vector<Cell>& cells) const;
  [[nodiscard]] std::string tall(const Console& console, const std::vector<std::size_t>& widths,
                                 const std::vector<Cell>& cells) const;

  std::vector<Column> header_;
  std::size_t indent_;
  std::vector<Row> rows_;
};

}  // namespace enablement::tool
