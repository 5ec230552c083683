#pragma once

#include <string>

#include "data/byte_source.hpp"
#include "data/stored_matrix.hpp"
#include "proxel/data_table.hpp"

namespace proxel::data {

// One parser per format. The binary ones only locate the values; reading them
// is shared. All throw Error(malformed_file | unsupported) naming the place.

/// .npy versions 1 to 3; 1-D arrays are one column.
StoredMatrix parse_npy(const ByteSource& source);
/// .fvecs, .bvecs, .ivecs: each row is its dimension and its values.
StoredMatrix parse_vecs(const ByteSource& source, std::string_view format, ElementType type);
/// .fbin, .f16bin, .u8bin, .i8bin, .ibin: uint32 rows, uint32 columns, then the values. An .ibin file of ground truth has
/// as many binary32 distances behind them, which are passed over.
StoredMatrix parse_bin(const ByteSource& source, std::string_view format, ElementType type);

/// Numbers as text, one row per line; `gzip` tells whether it is compressed.
/// @param table  gets what is read beside the numbers
TableInfo inspect_csv(const ByteSource& source, bool gzip, const TableOptions& options);
template <typename T>
Matrix<T> read_csv(const ByteSource& source, bool gzip, const TableOptions& options, DataTable& table);

/// HDF5; `part` names one of its data sets, empty: "train", as in the ann-benchmarks
/// layout, or the only one.
/// @param one_dimensional  set where it is stored as a vector
/// @param rounding         as of read_stored()
DataInfo inspect_hdf5(const ByteSource& source, const std::string& part);
template <typename T>
Matrix<T> read_hdf5(const ByteSource& source, const std::string& part, const ReadOptions& options,
                    bool& one_dimensional, RoundingCounts* rounding);

/// .npz, a zip archive of .npy files; `part` names one of them, empty: the only one.
DataInfo inspect_npz(const ByteSource& source, const std::string& part);
template <typename T>
Matrix<T> read_npz(const ByteSource& source, const std::string& part, const ReadOptions& options, bool& one_dimensional,
                   RoundingCounts* rounding);

/// What a path says about a file.
struct FileName {
  std::string path;         ///< without "#part"
  std::string_view format;  ///< as in DataInfo
  std::string part;         ///< HDF5 and .npz; empty: none was named
};

/// Reads the format off the end of the name, whatever its case.
/// Throws Error(unsupported) that lists what can be read.
FileName parse_file_name(const std::string& path);

/// Whether the name's end tells a format that can be read.
bool has_format(const std::string& name);

/// Throws Error(unsupported) that says what to do with a file of a format like "Parquet".
[[noreturn]] void refuse_format(const std::string& path, std::string_view format);

/// The format that the first bytes tell; text where they tell none.
std::string_view format_of(const ByteSource& source);

/// Where the values of a .npy, .*vecs or .*bin file lie.
StoredMatrix parse_binary(const ByteSource& source, std::string_view format);

/// The parser that `name.format` chooses, over any source of bytes.
/// @param table  gets what is read beside the numbers
TableInfo inspect(const ByteSource& source, const FileName& name, const TableOptions& options = {});
template <typename T>
Matrix<T> read(const ByteSource& source, const FileName& name, const TableOptions& options, DataTable& table);

}  // namespace proxel::data
