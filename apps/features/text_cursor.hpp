#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "features/mesh.hpp"

namespace proxel::features {

/// Goes through the lines of a text, and through the fields of a line, which blanks separate. What is
/// wrong is told with the line's number.
class TextCursor {
 public:
  /// @param name  of the file, for errors
  TextCursor(std::string name, std::string_view text) : name_(std::move(name)), left_(text) {}

  /// Goes to the next line. False behind the last.
  bool next_line();
  /// Goes to the next line that holds a field which does not begin with '#'.
  bool next_filled_line();

  /// The next field of the line, empty at its end.
  std::string_view field();
  /// What stands before a word in the line, whose next field then begins behind the word; nothing where the word
  /// is not there.
  std::optional<std::string_view> before(std::string_view word);
  /// Whether the line has no further field, or a comment that begins with '#'.
  bool at_line_end() const;
  /// What is left of the line, without blanks at its ends.
  std::string_view rest();
  /// The next field as a number within the largest coordinate. Throws Error(malformed_file).
  double number(std::string_view what);
  /// The next three.
  Point point(std::string_view what);
  /// The next field as a whole number of at most that. Throws Error(malformed_file).
  std::uint64_t count(std::string_view what, std::uint64_t most);

  /// Throws Error(malformed_file) that names file and line.
  [[noreturn]] void fail(const std::string& reason) const;
  std::uint64_t line_number() const { return number_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::string_view left_, line_;
  std::uint64_t number_ = 0;
};

/// Adds a triangle. Throws Error(unsupported) that names the file where there are too many.
void add(Triangles& triangles, const Triangle& triangle, const std::string& name);

}  // namespace proxel::features
