#pragma once

// The file in which an index of vectors is saved (docs/index-file.md).

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data/block_checksums.hpp"
#include "data/block_writer.hpp"
#include "data/byte_source.hpp"
#include "proxel/data.hpp"
#include "proxel/index.hpp"

namespace proxel::index {

/// All that an index of vectors is, but for its rows.
struct IndexFile {
  ElementType storage = ElementType::float32;  ///< float32, float16, int8 or uint8
  std::uint32_t rows = 0;
  std::uint32_t dimensions = 0;
  Method method = Method::automatic;
  SelectionMethod row_selection = SelectionMethod::automatic;  ///< KomarovOptions::selection
  std::vector<std::uint32_t> live;                             ///< LiveRows::words()

  std::uint64_t row_bytes() const;
};

/// Writes rows, from the first to the last, in the type they are stored in.
using WriteRows = std::function<void(data::BlockWriter& to)>;

/// Writes the file, whole or not at all. The same index is the same bytes on every machine.
/// @param write_rows  is called twice, and writes the same
/// Throws Error(invalid_argument) that says which of the above does not hold, Error(input_output), and what
/// `write_rows` throws.
void write_index_file(const std::string& path, const IndexFile& file, const WriteRows& write_rows);
/// Hands the file's bytes on, in order.
/// @param name  what errors call it
void write_index_file(const data::BlockWriter::Sink& sink, const std::string& name, const IndexFile& file,
                      const WriteRows& write_rows);

/// A file that is read, but for its rows.
struct SavedIndex {
  IndexFile file;
  std::uint64_t first_byte;        ///< of the rows, a multiple of 4
  data::BlockChecksums checksums;  ///< of the rows
};

/// Reads all but the rows, if every other checksum and all of the above holds.
/// Throws Error: malformed_file, which says what is damaged; unsupported for files of another version or of other
/// objects; input_output; out_of_memory.
SavedIndex read_index_file(const data::ByteSource& source);
/// Whether the source begins as such a file does.
bool begins_as_index_file(const data::ByteSource& source);

}  // namespace proxel::index
