#include "proxel/data_text.hpp"

#include "data/guarded.hpp"
#include "data/row_reader.hpp"

namespace proxel {
namespace {

TextLines read_all(const data::ByteSource& source) {
  return data::guarded(source.name(), [&] {
    data::LineReader reader(source, data::is_gzip(source));
    TextLines text;
    while (auto line = reader.next()) {
      if (reader.line_number() == 1 && line->starts_with(data::byte_order_mark))
        line->remove_prefix(data::byte_order_mark.size());
      if (line->empty())
        text.empty.push_back(reader.line_number());
      else
        text.lines.emplace_back(*line);
    }
    return text;
  });
}

}  // namespace

std::uint64_t TextLines::line_number(std::uint64_t index) const {
  std::uint64_t number = index + 1;
  for (const std::uint64_t line : empty)
    if (line <= number) ++number;
  return number;
}

TextLines read_text_lines(const std::string& path) { return read_all(data::FileSource(path)); }

TextLines read_text_lines(std::span<const std::byte> content, const std::string& name) {
  return read_all(data::MemorySource(name, content));
}

}  // namespace proxel
