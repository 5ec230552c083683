#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "data/elements.hpp"
#include "data/guarded.hpp"
#include "index/index_file_layout.hpp"
#include "proxel/error.hpp"
#include "proxel/search.hpp"

namespace proxel::index {

using namespace index_file;
using data::ByteSource;

namespace {

SavedIndex read(const ByteSource& source) {
  require_served(source.name());
  const data::SectionReader sections(source, format);
  const auto words = sections.numbers<std::uint32_t>(settings, settings_words);
  if (words[0] >= storage_types.size()) source.fail(fmt::format("rows of an unknown type, {}", words[0]));
  IndexFile file;
  file.storage = storage_types[words[0]];
  file.rows = words[1];
  file.dimensions = words[2];
  file.method = static_cast<Method>(words[3]);
  file.row_selection = static_cast<SelectionMethod>(words[4]);
  if (sections.bytes(live) != 0) file.live = sections.numbers<std::uint32_t>(live, filter_words(file.rows));
  check(file, [&](const std::string& reason) { source.fail(reason); });
  const auto row_bytes = data::product(file.rows, file.row_bytes());
  if (!row_bytes) source.fail(fmt::format("{} rows of {} bytes are no file", file.rows, file.row_bytes()));
  sections.require_bytes(rows, *row_bytes);
  return {std::move(file), sections.first(rows), sections.block_checksums()};
}

}  // namespace

SavedIndex read_index_file(const ByteSource& source) {
  return data::guarded(source.name(), [&] { return read(source); });
}

bool begins_as_index_file(const ByteSource& source) {
  std::array<std::byte, 16> start;
  if (!data::begins_as_section_file(source) || source.size() < start.size()) return false;
  source.read(0, start);
  constexpr std::array kind = {std::byte{kind_rows}, std::byte{0}, std::byte{0}, std::byte{0}};
  return std::equal(kind.begin(), kind.end(), start.begin() + 12);
}

}  // namespace proxel::index
