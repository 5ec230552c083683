#include "features/names_file.hpp"

#include "csv_field.hpp"
#include "proxel/error.hpp"
#include "signatures/image_files.hpp"

namespace proxel::tool {

NamesFile::NamesFile(const std::string& path) : wanted_(!path.empty()), comma_separated_(path.ends_with(".csv")) {
  if (wanted_ && !comma_separated_ && !path.ends_with(".txt"))
    throw Error(ErrorCode::invalid_argument, "--names", "the file's name ends in .csv or .txt");
}

void NamesFile::heading(std::initializer_list<std::string_view> fields) {
  if (comma_separated_) add(fields);
}

void NamesFile::add(std::initializer_list<std::string_view> fields) {
  if (!wanted_) return;
  bool first = true;
  for (const std::string_view field : fields) {
    if (!first) text_ += comma_separated_ ? ',' : '\t';
    first = false;
    // A name with a line's end in it would be two lines of text.
    text_ += comma_separated_ ? csv_field(field) : printable_name(std::string(field));
  }
  text_ += '\n';
}

}  // namespace proxel::tool
