#pragma once

#include <optional>
#include <string_view>

namespace proxel::data {

/// What stands between two fields of a line.
enum class Separator : char { comma = ',', semicolon = ';', tab = '\t', blanks = ' ' };

/// Guesses from a line: semicolons before tabs before commas before blanks, as
/// each may stand within fields that a sign before it separates.
Separator guess_separator(std::string_view line);

/// One field, without blanks around it and without its quotation marks.
struct Field {
  std::string_view text;
  bool unclosed = false;  ///< it begins with a quotation mark that nothing closes
};

/// Splits a line into its fields. A separator at the very end is ignored.
class FieldSplitter {
 public:
  FieldSplitter(std::string_view line, Separator separator);
  std::optional<Field> next();

 private:
  std::string_view rest_;
  Separator separator_;
};

}  // namespace proxel::data
