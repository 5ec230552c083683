#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace proxel::tool {

/// What the rows of a file of features are of, a line for each: comma-separated with a heading where the name ends in
/// .csv, otherwise separated by tabs.
class NamesFile {
 public:
  /// @param path  empty: nothing is kept
  /// Throws Error(invalid_argument) that names --names where the ending is neither .csv nor .txt.
  explicit NamesFile(const std::string& path);

  void heading(std::initializer_list<std::string_view> fields);
  void add(std::initializer_list<std::string_view> fields);
  bool is_wanted() const { return wanted_; }
  const std::string& text() const { return text_; }

 private:
  bool wanted_, comma_separated_;
  std::string text_;
};

}  // namespace proxel::tool
