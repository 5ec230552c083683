#include "data/stored_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "data/elements.hpp"

namespace proxel::data {
namespace {

std::int32_t load_int32(std::span<const std::byte> bytes) {
  std::int32_t value = 0;
  convert(ElementType::int32, false, bytes.data(), 1, &value);
  return value;
}

// Reads `count` values that lie one after the other from the cursor on.
template <typename T>
void read_run(const ByteSource& source, ByteCursor& cursor, const StoredMatrix& stored, std::uint64_t count, T* out,
              std::uint64_t stride, RoundingCounts* rounding) {
  const std::uint64_t bytes_each = element_bytes(stored.type);
  const std::uint64_t most = ByteCursor::largest_take / bytes_each;
  while (count > 0) {
    const std::uint64_t batch = std::min(count, most);
    const std::uint64_t offset = cursor.offset();
    const auto bytes = cursor.take(static_cast<std::size_t>(batch * bytes_each));
    if (const auto misfit = convert(stored.type, stored.big_endian, bytes.data(), batch, out, stride))
      source.fail_at(offset + misfit->index * bytes_each, misfit->reason);
    if constexpr (std::is_same_v<T, float>)
      if (rounding) rounding->look(stored.type, stored.big_endian, bytes.data(), batch, out, stride);
    out += batch * stride;
    count -= batch;
  }
}

}  // namespace

void require_size(const ByteSource& source, const StoredMatrix& stored) {
  if (stored.columns == 0) source.fail("its rows have no columns");
  const auto row_values = product(stored.columns, element_bytes(stored.type));
  const std::uint64_t prefix = stored.row_prefix ? row_prefix_bytes : 0;
  const auto row_bytes =
      row_values && *row_values <= UINT64_MAX - prefix ? std::optional(*row_values + prefix) : std::nullopt;
  const auto needed = row_bytes ? product(stored.rows, *row_bytes) : std::nullopt;
  const std::uint64_t present = source.size() - std::min(source.size(), stored.first_byte);
  if (stored.rows != 0 && (!needed || *needed > present))
    source.fail_at(source.size(), fmt::format("the file ends, but its header promises {} rows of {} columns ({}) "
                                              "from byte {} on",
                                              stored.rows, stored.columns, to_string(stored.type), stored.first_byte));
  const std::uint64_t used = stored.rows == 0 ? 0 : *needed;
  if (used < present)
    source.fail_at(stored.first_byte + used, fmt::format("{} bytes follow the last value", present - used));
}

DataInfo info(const ByteSource& source, const StoredMatrix& stored) {
  DataInfo result;
  result.path = source.name();
  result.format = stored.format;
  result.rows = stored.rows;
  result.columns = stored.columns;
  result.type = stored.type;
  result.file_bytes = source.size();
  return result;
}

void require_row_prefix(const ByteSource& source, ByteCursor& cursor, std::uint64_t columns) {
  const std::uint64_t offset = cursor.offset();
  const std::int32_t dimension = load_int32(cursor.take(row_prefix_bytes));
  if (dimension < 0 || static_cast<std::uint64_t>(dimension) != columns)
    source.fail_at(offset, fmt::format("dimension {} differs from {} of the first row", dimension, columns));
}

template <typename T>
Matrix<T> read_stored(const ByteSource& source, const StoredMatrix& stored, const ReadOptions& options,
                      RoundingCounts* rounding) {
  if constexpr (std::is_integral_v<T>) require_integers(stored.type, source.name());
  const std::uint64_t rows = rows_to_read(stored.rows, options);
  require_memory(source.name(), rows, stored.columns, sizeof(T), options.memory_limit);
  Matrix<T> matrix(rows, stored.columns);
  if (rows == 0) return matrix;
  if constexpr (std::is_same_v<T, float>)
    if (rounding) rounding->begin(matrix, options.first_row);

  const std::uint64_t bytes_each = element_bytes(stored.type);
  ByteCursor cursor(source);
  if (stored.column_major) {
    for (std::uint64_t column = 0; column < stored.columns; ++column) {
      cursor.seek(stored.first_byte + (column * stored.rows + options.first_row) * bytes_each);
      read_run(source, cursor, stored, rows, matrix.data() + column, stored.columns, rounding);
    }
  } else if (stored.row_prefix) {
    cursor.seek(stored.first_byte + options.first_row * (row_prefix_bytes + stored.columns * bytes_each));
    for (std::uint64_t row = 0; row < rows; ++row) {
      require_row_prefix(source, cursor, stored.columns);
      read_run(source, cursor, stored, stored.columns, matrix.data() + row * stored.columns, 1, rounding);
    }
  } else {
    cursor.seek(stored.first_byte + options.first_row * stored.columns * bytes_each);
    read_run(source, cursor, stored, rows * stored.columns, matrix.data(), 1, rounding);
  }
  return matrix;
}

template Matrix<float> read_stored(const ByteSource&, const StoredMatrix&, const ReadOptions&, RoundingCounts*);
template Matrix<std::int32_t> read_stored(const ByteSource&, const StoredMatrix&, const ReadOptions&, RoundingCounts*);

}  // namespace proxel::data
