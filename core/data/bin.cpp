#include "data/elements.hpp"
#include "data/parsers.hpp"

namespace proxel::data {

StoredMatrix parse_bin(const ByteSource& source, std::string_view format, ElementType type) {
  StoredMatrix stored;
  stored.format = format;
  stored.type = type;
  stored.first_byte = 8;

  ByteCursor cursor(source);
  std::int32_t counts[2] = {};
  convert(ElementType::uint32, false, cursor.take(8).data(), 2, counts);
  stored.rows = static_cast<std::uint32_t>(counts[0]);
  stored.columns = static_cast<std::uint32_t>(counts[1]);
  if (stored.columns == 0) source.fail_at(4, "its rows have no columns");
  require_size(source, stored);
  return stored;
}

}  // namespace proxel::data
