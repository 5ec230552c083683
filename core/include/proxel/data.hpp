#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/matrix.hpp"

namespace proxel {

/// What the elements of a stored matrix are.
enum class ElementType { float16, float32, float64, int8, uint8, int16, uint16, int32, uint32, int64, uint64, text };
std::string_view to_string(ElementType type);

/// What a file holds, found from its header alone.
struct DataInfo {
  std::filesystem::path path;
  std::string format;        ///< "npy", "fvecs", "bvecs", "ivecs", "fbin", "u8bin", "ibin", "csv", "csv.gz", "hdf5"
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  ElementType type = ElementType::float32;
  std::uint64_t file_bytes = 0;
  /// HDF5: the data sets that can be named after '#', e.g. "train", "test".
  std::vector<std::string> parts;
};

/// How to read a matrix.
struct ReadOptions {
  /// Rows to skip, and the most rows to read.
  std::uint64_t first_row = 0;
  std::uint64_t max_rows = UINT64_MAX;
  /// Refuse files that would need more host memory than this, bytes.
  std::uint64_t memory_limit = std::uint64_t{1} << 40;
};

/// The header of a data file. A path may end in "#name" to name a data set of
/// an HDF5 file; without it, "train" is meant.
/// Throws Error(not_found | malformed_file | unsupported); messages name the
/// file, the byte offset (or line) and the reason.
DataInfo inspect_data(const std::string& path);

/// Reads a matrix as binary32 [rows x columns], rounding to nearest even where
/// the stored type is wider. The format is chosen by the file's name.
Matrix<float> read_matrix(const std::string& path, const ReadOptions& options = {});

/// Reads a matrix of integers (.ivecs, .ibin, integer .npy, HDF5 "neighbors").
/// Throws Error(malformed_file) where a value is not an integer of 32 bits.
Matrix<std::int32_t> read_integers(const std::string& path, const ReadOptions& options = {});

/// Writes by the file's name: .npy, .csv, .fvecs (float) or .ivecs (integers), .fbin, .ibin.
/// The file appears whole or not at all (written beside and renamed).
void write_matrix(const std::string& path, const MatrixView<float>& matrix);
void write_matrix(const std::string& path, const MatrixView<std::uint32_t>& matrix);

}  // namespace proxel
