#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "table.hpp"

namespace proxel::tool {

struct Picture {
  std::vector<std::uint8_t> png;  ///< the file's bytes; empty where there is none to show
  std::string caption;
  std::string alternative;  ///< what those are told who do not see it
};

/// A self-contained HTML page: nothing is loaded from anywhere.
class Report {
 public:
  explicit Report(std::string title);

  void heading(std::string_view text);
  /// A heading below that.
  void subheading(std::string_view text);
  void paragraph(std::string_view text);
  /// A sentence that is the answer, with a sign that does not depend on colour.
  void verdict(bool good, std::string_view text);
  void table(const Table& table);
  /// @param svg  from plot.hpp
  void figure(const std::string& svg, std::string_view caption);
  /// A row of pictures that wraps.
  void pictures(const std::vector<Picture>& row);
  void code(std::string_view text);
  /// Adds the machine, the date and how to repeat the run.
  void origin(const std::string& command_line);

  std::string html() const;
  /// Writes the page to a place that Outputs::write() gave.
  void write(const std::string& place) const;

 private:
  std::string title_;
  std::string body_;
};

}  // namespace proxel::tool
