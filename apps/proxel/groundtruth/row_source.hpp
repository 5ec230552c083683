#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "groundtruth/made_rows.hpp"
#include "proxel/data.hpp"
#include "proxel/matrix.hpp"

namespace proxel::tool {

/// Host memory that blocks are read into one after another: what is taken anew costs more than what is read into it.
struct RowMemory {
  std::unique_ptr<float[]> values;
  std::uint64_t size = 0;  ///< values
};

/// A part of a database in host memory, as an index takes it.
struct RowBlock {
  std::uint64_t first = 0;  ///< of all rows of the source
  std::uint64_t count = 0;
  RowMemory memory;        ///< what the view is of, unless that lies in a mapped file
  MatrixView<float> view;  ///< the rows, unless `elements` are they
  std::optional<ElementsView> elements;
};

/// The rows of a database of any size, block by block: a file that is mapped, or read in parts, or, where its format has
/// no parts (text, .npz), at once; or rows that are made (made_rows.hpp).
class RowSource {
 public:
  /// @param rows     which of them there are, numbered from 0 on
  /// @param storage  what an index keeps of them
  /// Throws as read_rows(), and Error(unsupported) where the storage is not exact for what the file holds.
  RowSource(const std::string& path, const ReadOptions& rows, ElementType storage);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t columns() const { return columns_; }
  ElementType type() const { return type_; }
  /// "mapped", "read in blocks", "read at once", "made".
  const char* way() const;

  /// Brings rows into memory, by all of the host's threads. Called by one thread at a time.
  /// @param memory   of a block before, to be used again; may be none
  /// @param stopped  ends it early where it becomes true; the block is then worth nothing
  RowBlock load(std::uint64_t first, std::uint64_t count, RowMemory memory, const std::atomic<bool>& stopped) const;
  /// A few rows as binary32.
  Matrix<float> read(std::uint64_t first, std::uint64_t count) const;

 private:
  enum class Way { mapped, parts, whole, made };

  void open(const ReadOptions& rows, ElementType storage);
  bool map(ElementType storage);
  void fill(std::uint64_t first, std::uint64_t count, float* to) const;
  void touch(const ElementsView& rows, const std::atomic<bool>& stopped) const;

  std::string path_;
  Way way_ = Way::parts;
  std::uint64_t first_row_ = 0;  // in the file
  std::uint64_t rows_ = 0, columns_ = 0;
  ElementType type_ = ElementType::float32;
  bool narrow_ = false;  // the index takes the elements as they are stored
  bool widens_ = false;  // mapped bytes become binary32 here
  std::optional<MappedMatrix> mapped_;
  ElementsView elements_;  // of the mapped file, from first_row_ on
  Matrix<float> whole_;
  std::optional<MadeRows> made_;
};

}  // namespace proxel::tool
