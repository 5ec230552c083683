#pragma once

#ifdef PROXEL_WITH_HDF5

#include <cstddef>
#include <vector>

#include "data/hdf5_file.hpp"

namespace proxel::data {

/// The values of the chunk that begins at `row`, `column`: chunk_rows x
/// chunk_columns elements as stored.
///
/// HDF5 hands over the stored bytes and the filters are undone here, since it
/// does not check that they give as many bytes as a chunk has: a damaged file
/// would make it read past the end of its buffer.
/// Throws Error(malformed_file).
std::vector<std::byte> read_chunk(const ByteSource& source, const std::string& part, const Hdf5DataSet& set,
                                  hsize_t row, hsize_t column);

}  // namespace proxel::data

#endif
