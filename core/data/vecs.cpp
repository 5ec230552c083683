#include <fmt/format.h>

#include "data/elements.hpp"
#include "data/parsers.hpp"

namespace proxel::data {

StoredMatrix parse_vecs(const ByteSource& source, std::string_view format, ElementType type) {
  if (source.size() == 0)
    source.fail_at(0, fmt::format("the file is empty; a .{} file without a row has no dimension", format));
  StoredMatrix stored;
  stored.format = format;
  stored.type = type;
  stored.row_prefix = true;

  ByteCursor cursor(source);
  std::int32_t dimension = 0;
  convert(ElementType::int32, false, cursor.take(row_prefix_bytes).data(), 1, &dimension);
  if (dimension <= 0) source.fail_at(0, fmt::format("dimension {}, at least 1 is needed", dimension));
  stored.columns = static_cast<std::uint64_t>(dimension);

  const std::uint64_t row_bytes = row_prefix_bytes + stored.columns * element_bytes(type);
  stored.rows = source.size() / row_bytes;
  if (const std::uint64_t rest = source.size() % row_bytes; rest != 0) {
    // Either rows differ in dimension, which is worth naming, or the last is cut.
    for (std::uint64_t offset = 0; source.size() - offset >= row_prefix_bytes;) {
      cursor.seek(offset);
      require_row_prefix(source, cursor, stored.columns);
      if (source.size() - offset < row_bytes) break;
      offset += row_bytes;
    }
    source.fail_at(source.size(), fmt::format("the file ends inside row {}: {} of its {} bytes are there", stored.rows,
                                              rest, row_bytes));
  }
  return stored;
}

}  // namespace proxel::data
