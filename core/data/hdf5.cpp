#include "data/parsers.hpp"

#ifdef PROXEL_WITH_HDF5

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "data/elements.hpp"
#include "data/hdf5_chunk.hpp"
#include "data/hdf5_file.hpp"
#include "data/part.hpp"

namespace proxel::data {
namespace {

// Converts `count` stored values of one row from `column` on.
template <typename T>
void convert_values(const ByteSource& source, const std::string& part, const Hdf5DataSet& set, const std::byte* stored,
                    hsize_t row, hsize_t column, hsize_t count, T* out, RoundingCounts* rounding) {
  if (const auto misfit = convert(set.type, set.big_endian, stored, count, out))
    source.fail(
        fmt::format("data set \"{}\", row {}, column {}: {}", part, row, column + misfit->index, misfit->reason));
  if constexpr (std::is_same_v<T, float>)
    if (rounding) rounding->look(set.type, set.big_endian, stored, count, out, 1);
}

// Values that lie in one piece are read as those of other formats are, without
// HDF5: it may answer with zeros where the file was cut.
template <typename T>
Matrix<T> read_piece(const ByteSource& source, const Hdf5DataSet& set, const ReadOptions& options,
                     RoundingCounts* rounding) {
  StoredMatrix stored;
  stored.format = "hdf5";
  stored.type = set.type;
  stored.rows = set.shape[0];
  stored.columns = set.shape[1];
  stored.first_byte = set.address;
  stored.big_endian = set.big_endian;
  return read_stored<T>(source, stored, options, rounding);
}

// Values within the header, at most 64 KiB of them.
template <typename T>
Matrix<T> read_compact(const ByteSource& source, const std::string& part, const Hdf5DataSet& set,
                       const ReadOptions& options, RoundingCounts* rounding) {
  const Hdf5Handle type(H5Dget_type(set.handle.get()), H5Tclose);
  std::vector<std::byte> values(static_cast<std::size_t>(set.shape[0] * set.shape[1] * element_bytes(set.type)));
  if (!values.empty() && H5Dread(set.handle.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    source.fail(fmt::format("data set \"{}\": {}", part, hdf5_reason()));
  return read_piece<T>(MemorySource(source.name(), values), set, options, rounding);
}

// Chunk by chunk, each of which is decoded once.
template <typename T>
Matrix<T> read_chunks(const ByteSource& source, const std::string& part, const Hdf5DataSet& set,
                      const ReadOptions& options, RoundingCounts* rounding) {
  const std::uint64_t rows = rows_to_read(set.shape[0], options);
  require_memory(source.name(), rows, set.shape[1], sizeof(T), options.memory_limit);
  Matrix<T> matrix(rows, set.shape[1]);
  if (rows == 0) return matrix;
  if constexpr (std::is_same_v<T, float>)
    if (rounding) rounding->begin(matrix, options.first_row);

  const hsize_t first_row = options.first_row;
  const hsize_t end_row = first_row + rows;
  const hsize_t chunk_row_bytes = set.chunk[1] * element_bytes(set.type);
  for (hsize_t chunk_row = first_row / set.chunk[0] * set.chunk[0]; chunk_row < end_row; chunk_row += set.chunk[0])
    for (hsize_t column = 0; column < set.shape[1]; column += set.chunk[1]) {
      const auto values = read_chunk(source, part, set, chunk_row, column);
      const hsize_t columns = std::min(set.chunk[1], set.shape[1] - column);
      const hsize_t begin = std::max(first_row, chunk_row);
      const hsize_t end = std::min(end_row, chunk_row + set.chunk[0]);
      for (hsize_t row = begin; row < end; ++row)
        convert_values(source, part, set, values.data() + (row - chunk_row) * chunk_row_bytes, row, column, columns,
                       matrix.data() + (row - first_row) * set.shape[1] + column, rounding);
    }
  return matrix;
}

}  // namespace

DataInfo inspect_hdf5(const ByteSource& source, const std::string& part) {
  const Hdf5Session session;
  const Hdf5Handle file = open_hdf5(source);
  DataInfo info;
  info.parts = hdf5_parts(source, file.get());
  const Hdf5DataSet set = open_hdf5_part(source, file.get(), chosen_part(source, info.parts, part), UINT64_MAX);
  info.path = source.name();
  info.format = "hdf5";
  info.rows = set.shape[0];
  info.columns = set.shape[1];
  info.type = set.type;
  info.file_bytes = source.size();
  return info;
}

template <typename T>
Matrix<T> read_hdf5(const ByteSource& source, const std::string& asked, const ReadOptions& options,
                    bool& one_dimensional, RoundingCounts* rounding) {
  const Hdf5Session session;
  const Hdf5Handle file = open_hdf5(source);
  const std::string part = chosen_part(source, hdf5_parts(source, file.get()), asked);
  const Hdf5DataSet set = open_hdf5_part(source, file.get(), part, options.memory_limit);
  one_dimensional = set.dimensions == 1;
  if constexpr (std::is_integral_v<T>) require_integers(set.type, source.name());
  if (set.address != 0) return read_piece<T>(source, set, options, rounding);
  if (set.chunk[0] == 0) return read_compact<T>(source, part, set, options, rounding);
  return read_chunks<T>(source, part, set, options, rounding);
}

template Matrix<float> read_hdf5(const ByteSource&, const std::string&, const ReadOptions&, bool&, RoundingCounts*);
template Matrix<std::int32_t> read_hdf5(const ByteSource&, const std::string&, const ReadOptions&, bool&,
                                        RoundingCounts*);

}  // namespace proxel::data

#else

namespace proxel::data {
namespace {

[[noreturn]] void refuse(const ByteSource& source) {
  throw Error(ErrorCode::unsupported, source.name(),
              "this build of proxel was made without HDF5 (libhdf5 was not found)");
}

}  // namespace

DataInfo inspect_hdf5(const ByteSource& source, const std::string&) { refuse(source); }

template <typename T>
Matrix<T> read_hdf5(const ByteSource& source, const std::string&, const ReadOptions&, bool&, RoundingCounts*) {
  refuse(source);
}

template Matrix<float> read_hdf5(const ByteSource&, const std::string&, const ReadOptions&, bool&, RoundingCounts*);
template Matrix<std::int32_t> read_hdf5(const ByteSource&, const std::string&, const ReadOptions&, bool&,
                                        RoundingCounts*);

}  // namespace proxel::data

#endif
