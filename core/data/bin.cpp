#include <optional>

#include "data/elements.hpp"
#include "data/parsers.hpp"

namespace proxel::data {
namespace {

// Whether it is ground truth as big-ann-benchmarks has it: as many distances of 4 bytes follow the integers.
bool has_distances(const ByteSource& source, const StoredMatrix& stored) {
  const auto values = product(stored.rows, stored.columns);
  const auto bytes = values ? product(*values, 8) : std::nullopt;
  return bytes && *bytes == source.size() - stored.first_byte;
}

}  // namespace

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
  if (!(format == "ibin" && has_distances(source, stored))) require_size(source, stored);
  return stored;
}

}  // namespace proxel::data
