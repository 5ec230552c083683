#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/export.h"
#include "proxel/matrix.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// What the elements of a stored matrix are.
enum class ElementType { float16, float32, float64, int8, uint8, int16, uint16, int32, uint32, int64, uint64, text };
std::string_view to_string(ElementType type);

/// What a file holds, found from its header alone.
struct DataInfo {
  std::filesystem::path path;
  std::string format;  ///< "npy", "fvecs", "bvecs", "ivecs", "fbin", "f16bin", "u8bin", "i8bin", "ibin", "csv", …
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  ElementType type = ElementType::float32;
  std::uint64_t file_bytes = 0;
  /// HDF5 and .npz: what can be named after '#', e.g. "train", "group/test".
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

/// The header of a data file. A path may end in "#name" to name a data set of an HDF5
/// file (or in ":/group/name") or an array of an .npz file; without it, "train" is meant,
/// otherwise the only one.
/// Throws Error(not_found | malformed_file | unsupported); messages name the
/// file, the byte offset (or line) and the reason.
DataInfo inspect_data(const std::string& path);

/// Reads a matrix as binary32 [rows x columns], rounding to nearest even where
/// the stored type is wider. The format is chosen by the file's name. Whether a text
/// file's first line names its columns is found out; read_table() (data_table.hpp) says
/// what was decided, and takes other decisions.
Matrix<float> read_matrix(const std::string& path, const ReadOptions& options = {});

/// Reads a matrix of integers (.ivecs, .ibin, integer .npy, HDF5 "neighbors").
/// Throws Error(malformed_file) where a value is not an integer of 32 bits.
Matrix<std::int32_t> read_integers(const std::string& path, const ReadOptions& options = {});

/// Borrowed rows of float32, float16, int8 or uint8: the elements of a row lie
/// one after the other, rows row_bytes apart.
struct ElementsView {
  const void* data = nullptr;
  ElementType type = ElementType::float32;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t row_bytes = 0;

  /// Rows first … first + count - 1 of this view; the caller keeps them in range.
  ElementsView slice(std::uint64_t first, std::uint64_t count) const {
    return {static_cast<const std::byte*>(data) + first * row_bytes, type, count, columns, row_bytes};
  }
};

/// A matrix that is used where it lies in its file: pages are read when they
/// are touched, and the operating system may drop them again. For databases
/// larger than the host's memory.
class MappedMatrix {
 public:
  /// Maps a .npy, .*vecs or .*bin file of float32, float16, int8 or uint8 in
  /// this machine's byte order. Of a .*vecs file the dimension of every row is
  /// checked, which touches every page once. The file must not become shorter
  /// while it is mapped.
  /// Throws Error: not_found, malformed_file, input_output, and unsupported
  /// where the file has to be read instead; the message says why.
  explicit MappedMatrix(const std::string& path);
  ~MappedMatrix();
  MappedMatrix(MappedMatrix&& other) noexcept;
  MappedMatrix& operator=(MappedMatrix&& other) noexcept;

  ElementType type() const { return type_; }
  /// The whole matrix; valid as long as this object. Throws
  /// Error(unsupported) unless type() is float32.
  MatrixView<float> view() const;
  /// The same in the type it has. Throws Error(unsupported) where the file
  /// lists columns instead of rows.
  ElementsView elements() const;

 private:
  void unmap() noexcept;

  void* mapping_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::string path_;
  ElementType type_ = ElementType::float32;
  const std::byte* first_ = nullptr;  // element (0, 0)
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::uint64_t row_bytes_ = 0;  // between rows; 0 where columns are listed
};

/// Writes by the file's name: .npy, .csv, .fvecs (float) or .ivecs (integers), .fbin, .ibin.
/// The file appears whole or not at all (written beside and renamed).
void write_matrix(const std::string& path, const MatrixView<float>& matrix);
void write_matrix(const std::string& path, const MatrixView<std::uint32_t>& matrix);

/// Writes a list as a .npy file of one dimension, whole or not at all.
void write_list(const std::string& path, std::span<const float> values);
void write_list(const std::string& path, std::span<const std::uint32_t> values);

/// Throws Error(unsupported) where write_matrix() writes no matrix of that name: what takes long can ask before.
/// @param integers  the matrix will be of integers, of floats otherwise
void check_matrix_file(const std::string& path, bool integers);

}  // namespace proxel
PROXEL_PUBLIC_END
