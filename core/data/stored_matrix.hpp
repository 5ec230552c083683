#pragma once

#include <string_view>

#include "data/byte_source.hpp"
#include "data/rounding.hpp"
#include "proxel/data.hpp"

namespace proxel::data {

/// Where the values of a binary file lie, as its header says.
struct StoredMatrix {
  std::string_view format;
  ElementType type = ElementType::float32;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t first_byte = 0;  ///< of the first row
  bool big_endian = false;
  bool column_major = false;
  /// Each row begins with its dimension, a little-endian int32 (.fvecs and kin).
  bool row_prefix = false;
  /// Stored as a vector, which is read as one column.
  bool one_dimensional = false;
};

/// Bytes of the dimension that precedes a row of .fvecs and kin.
inline constexpr std::uint64_t row_prefix_bytes = 4;

/// Throws Error(malformed_file) unless the source holds exactly what the
/// header promises; after it no product of sizes can overflow.
void require_size(const ByteSource& source, const StoredMatrix& stored);

DataInfo info(const ByteSource& source, const StoredMatrix& stored);

/// Reads the dimension before a row and refuses one that differs from the first row's.
void require_row_prefix(const ByteSource& source, ByteCursor& cursor, std::uint64_t columns);

/// Reads the rows that the options choose. Only after require_size().
/// @param rounding  counts what binary32 did not hold; null: nobody asks
template <typename T>
Matrix<T> read_stored(const ByteSource& source, const StoredMatrix& stored, const ReadOptions& options,
                      RoundingCounts* rounding);

}  // namespace proxel::data
