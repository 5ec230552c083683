#include "data/parsers.hpp"

#ifdef PROXEL_WITH_HDF5

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "data/elements.hpp"
#include "data/hdf5_file.hpp"

namespace proxel::data {
namespace {

// The type that HDF5 converts to: as stored, in this machine's byte order.
// Narrowing is left to convert(), since HDF5 would clip.
hid_t native_type(ElementType type) {
  switch (type) {
    case ElementType::float64: return H5T_NATIVE_DOUBLE;
    case ElementType::int8: return H5T_NATIVE_INT8;
    case ElementType::uint8: return H5T_NATIVE_UINT8;
    case ElementType::int16: return H5T_NATIVE_INT16;
    case ElementType::uint16: return H5T_NATIVE_UINT16;
    case ElementType::int32: return H5T_NATIVE_INT32;
    case ElementType::uint32: return H5T_NATIVE_UINT32;
    case ElementType::int64: return H5T_NATIVE_INT64;
    case ElementType::uint64: return H5T_NATIVE_UINT64;
    default: return H5T_NATIVE_FLOAT;
  }
}

// Rows read together: about a MiB, in whole chunks where chunks are small.
std::uint64_t batch_rows(const Hdf5DataSet& set) {
  const std::uint64_t row_bytes = set.shape[1] * element_bytes(set.type);
  const std::uint64_t rows = std::max<std::uint64_t>(1, (std::uint64_t{1} << 20) / row_bytes);
  if (set.chunk_rows == 0 || set.chunk_rows >= rows) return rows;
  return rows / set.chunk_rows * set.chunk_rows;
}

}  // namespace

DataInfo inspect_hdf5(const ByteSource& source, const std::string& part) {
  const Hdf5Session session;
  const Hdf5Handle file = open_hdf5(source);
  const Hdf5DataSet set = open_hdf5_part(source, file.get(), part, UINT64_MAX);
  DataInfo info;
  info.path = source.name();
  info.format = "hdf5";
  info.rows = set.shape[0];
  info.columns = set.shape[1];
  info.type = set.type;
  info.file_bytes = source.size();
  info.parts = hdf5_parts(source, file.get());
  return info;
}

template <typename T>
Matrix<T> read_hdf5(const ByteSource& source, const std::string& part, const ReadOptions& options) {
  const Hdf5Session session;
  const Hdf5Handle file = open_hdf5(source);
  const Hdf5DataSet set = open_hdf5_part(source, file.get(), part, options.memory_limit);
  if constexpr (std::is_integral_v<T>) require_integers(set.type, source.name());
  const std::uint64_t rows = rows_to_read(set.shape[0], options);
  require_memory(source.name(), rows, set.shape[1], sizeof(T), options.memory_limit);
  Matrix<T> matrix(rows, set.shape[1]);

  const Hdf5Handle space(H5Dget_space(set.handle.get()), H5Sclose);
  const std::uint64_t row_bytes = set.shape[1] * element_bytes(set.type);
  const std::uint64_t most = std::min(rows, batch_rows(set));
  std::vector<std::byte> buffer(static_cast<std::size_t>(most * row_bytes));
  for (std::uint64_t row = 0; row < rows; row += most) {
    const hsize_t start[2] = {options.first_row + row, 0};
    const hsize_t count[2] = {std::min(most, rows - row), set.shape[1]};
    const Hdf5Handle memory(H5Screate_simple(set.dimensions, count, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
        H5Dread(set.handle.get(), native_type(set.type), memory.get(), space.get(), H5P_DEFAULT,
                buffer.data()) < 0)
      source.fail(fmt::format("data set \"{}\", rows {} to {}: {}", part, start[0],
                              start[0] + count[0] - 1, hdf5_reason()));
    const auto misfit = convert(set.type, std::endian::native == std::endian::big, buffer.data(),
                                count[0] * count[1], matrix.data() + row * set.shape[1]);
    if (misfit)
      source.fail(fmt::format("data set \"{}\", row {}, column {}: {}", part,
                              start[0] + misfit->index / count[1], misfit->index % count[1],
                              misfit->reason));
  }
  return matrix;
}

template Matrix<float> read_hdf5(const ByteSource&, const std::string&, const ReadOptions&);
template Matrix<std::int32_t> read_hdf5(const ByteSource&, const std::string&, const ReadOptions&);

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
Matrix<T> read_hdf5(const ByteSource& source, const std::string&, const ReadOptions&) {
  refuse(source);
}

template Matrix<float> read_hdf5(const ByteSource&, const std::string&, const ReadOptions&);
template Matrix<std::int32_t> read_hdf5(const ByteSource&, const std::string&, const ReadOptions&);

}  // namespace proxel::data

#endif
