#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "data/elements.hpp"
#include "data/output_file.hpp"
#include "index/index_file_layout.hpp"
#include "index/live_rows.hpp"
#include "proxel/error.hpp"
#include "proxel/search.hpp"

namespace proxel::index {

using namespace index_file;
using data::BlockWriter;

std::uint64_t IndexFile::row_bytes() const { return std::uint64_t{dimensions} * data::element_bytes(storage); }

void index_file::check(const IndexFile& file, const data::Refusal& refuse) {
  if (std::ranges::find(storage_types, file.storage) == storage_types.end()) refuse("rows of another type");
  if (file.rows == 0 || file.rows == no_neighbor || file.dimensions == 0)
    refuse(fmt::format("{} rows of {} dimensions; 1 … 4294967294 rows of at least one are allowed", file.rows,
                       file.dimensions));
  if (static_cast<std::uint32_t>(file.method) > last_method) refuse("an unknown method");
  if (static_cast<std::uint32_t>(file.row_selection) > last_selection) refuse("an unknown method of selection");
  if (file.live.empty()) return;
  if (file.live.size() != filter_words(file.rows))
    refuse(fmt::format("{} words say which of {} rows have been removed", file.live.size(), file.rows));
  if (file.rows % 32 != 0 && file.live.back() >> (file.rows % 32) != 0)
    refuse("rows past the last are said to be there");
  if (LiveRows(file.rows, file.live).removed() == 0) refuse("words say which rows have been removed, and none has");
}

void index_file::require_served(const std::string& name) {
  if (!served)
    throw Error(ErrorCode::unsupported, name, "indexes of vectors are files of machines with little-endian numbers");
}

void write_index_file(const BlockWriter::Sink& sink, const std::string& name, const IndexFile& file,
                      const WriteRows& write_rows) {
  require_served(name);
  check(file, [&](const std::string& reason) { throw Error(ErrorCode::invalid_argument, name, reason); });
  data::write_sections(sink, format, kind_rows, [&](std::size_t part, BlockWriter& to) {
    if (part == live) to.values(file.live);
    if (part == rows) write_rows(to);
    if (part != settings) return;
    to.value(static_cast<std::uint32_t>(std::ranges::find(storage_types, file.storage) - storage_types.begin()));
    to.value(file.rows);
    to.value(file.dimensions);
    to.value(static_cast<std::uint32_t>(file.method));
    to.value(static_cast<std::uint32_t>(file.row_selection));
  });
}

void write_index_file(const std::string& path, const IndexFile& file, const WriteRows& write_rows) {
  data::OutputFile output(path);
  write_index_file([&](std::span<const std::byte> bytes) { output.write(bytes); }, path, file, write_rows);
  output.finish();
}

}  // namespace proxel::index
