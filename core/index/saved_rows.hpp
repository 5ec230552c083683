#pragma once

#include <string>

#include "data/mapped_file.hpp"
#include "index/host_rows.hpp"
#include "index/index_file.hpp"

namespace proxel::index {

/// The rows of a saved index, where they lie in its file: read, and held against their checksums, when they are
/// asked for. Those that have been found undamaged are not checked again.
class SavedRows {
 public:
  /// Reads what the file says of the rows. Throws as read_index_file(), and not_found.
  explicit SavedRows(const std::string& path);
  SavedRows(const SavedRows&) = delete;
  SavedRows& operator=(const SavedRows&) = delete;

  const IndexFile& file() const { return saved_.file; }
  /// All of them, unchecked; valid as long as this object.
  ElementsView elements() const;
  /// To be called before rows first … first + count - 1 are read.
  /// Throws Error(malformed_file) where they are damaged.
  void check(std::uint64_t first, std::uint64_t count);
  /// Those of an index of float32, which check themselves; valid as long as this object.
  HostRows rows();

 private:
  data::MappedFile mapped_;
  SavedIndex saved_;
};

}  // namespace proxel::index
