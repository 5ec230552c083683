#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proxel::data {

/// The separator that stands for runs of blanks and tabs.
inline constexpr char blanks = ' ';

/// Guesses from a line what stands between its fields: semicolons before tabs before
/// commas before blanks, as each may stand within fields that a sign before it separates.
/// @param decimal  a comma that is the decimal mark separates nothing
char guess_separator(std::string_view line, char decimal = '.');

/// One field, without blanks around it and without its quotation marks.
struct Field {
  std::string_view text;
  bool quoted = false;    ///< doubled quotation marks inside stand for one
  bool unclosed = false;  ///< it begins with a quotation mark that nothing closes

  /// The text with doubled quotation marks made one.
  std::string unescaped() const;
};

/// Splits a line into its fields. What follows a separator at the very end is an
/// empty field.
class FieldSplitter {
 public:
  FieldSplitter(std::string_view line, char separator);
  std::optional<Field> next();

 private:
  std::string_view rest_;
  char separator_;
  bool ended_ = false;
};

/// All fields of a line.
std::vector<Field> split_fields(std::string_view line, char separator);

}  // namespace proxel::data
