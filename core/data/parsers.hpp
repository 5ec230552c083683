#pragma once

#include <string>

#include "data/byte_source.hpp"
#include "data/stored_matrix.hpp"
#include "proxel/data.hpp"

namespace proxel::data {

// One parser per format. The binary ones only locate the values; reading them
// is shared. All throw Error(malformed_file | unsupported) naming the place.

/// .npy versions 1 to 3; 1-D arrays are one column.
StoredMatrix parse_npy(const ByteSource& source);
/// .fvecs, .bvecs, .ivecs: each row is its dimension and its values.
StoredMatrix parse_vecs(const ByteSource& source, std::string_view format, ElementType type);
/// .fbin, .u8bin, .ibin: uint32 rows, uint32 columns, then the values.
StoredMatrix parse_bin(const ByteSource& source, std::string_view format, ElementType type);

/// Numbers as text, one row per line; `gzip` tells whether it is compressed.
DataInfo inspect_csv(const ByteSource& source, bool gzip);
template <typename T>
Matrix<T> read_csv(const ByteSource& source, bool gzip, const ReadOptions& options);

/// HDF5 in the ann-benchmarks layout; `part` names one of its data sets.
DataInfo inspect_hdf5(const ByteSource& source, const std::string& part);
template <typename T>
Matrix<T> read_hdf5(const ByteSource& source, const std::string& part, const ReadOptions& options);

/// What a path says about a file.
struct FileName {
  std::string path;              ///< without "#part"
  std::string_view format;       ///< as in DataInfo
  std::string part = "train";    ///< HDF5 only
};

/// Reads the format off the end of the name, whatever its case.
/// Throws Error(unsupported) that lists what can be read.
FileName parse_file_name(const std::string& path);

/// Where the values of a .npy, .*vecs or .*bin file lie.
StoredMatrix parse_binary(const ByteSource& source, std::string_view format);

/// The parser that `name.format` chooses, over any source of bytes.
DataInfo inspect(const ByteSource& source, const FileName& name);
template <typename T>
Matrix<T> read(const ByteSource& source, const FileName& name, const ReadOptions& options);

}  // namespace proxel::data
