#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "data/text_source.hpp"

namespace proxel::data {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Gives the lines of a text file that hold fields: not blank ones, nor comments (#).
class RowReader {
 public:
  RowReader(const ByteSource& source, bool gzip) : source_(source), lines_(source, gzip) {}

  /// A line of tabs alone is a row of empty fields where tabs separate.
  void separated_by(char separator) {
    if (separator == '\t') blank_ = " ";
  }

  std::optional<std::string_view> next() {
    while (auto line = lines_.next()) {
      if (lines_.line_number() == 1 && line->starts_with(byte_order_mark)) line->remove_prefix(byte_order_mark.size());
      const std::size_t first = line->find_first_not_of(blank_);
      if (first == std::string_view::npos) continue;
      if ((*line)[first] != '#') return line;
      ++comments_;
    }
    return std::nullopt;
  }

  std::uint64_t line_number() const { return lines_.line_number(); }
  std::uint64_t comments() const { return comments_; }

  [[noreturn]] void fail(const std::string& reason) const {
    source_.fail(fmt::format("line {}: {}", lines_.line_number(), reason));
  }
  /// @param column  "column 2"
  [[noreturn]] void fail(const std::string& column, const std::string& reason) const {
    source_.fail(fmt::format("line {}, {}: {}", lines_.line_number(), column, reason));
  }

 private:
  const ByteSource& source_;
  LineReader lines_;
  std::string_view blank_ = " \t";
  std::uint64_t comments_ = 0;
};

}  // namespace proxel::data
