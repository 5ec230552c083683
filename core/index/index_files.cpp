// How an index is written to a file, and made of one.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "data/byte_source.hpp"
#include "index/blocks.hpp"
#include "index/implementation.hpp"
#include "index/index_file.hpp"
#include "index/upload.hpp"

namespace proxel {

Index Index::load(Device& device, const std::string& path, const IndexOptions& options, const Progress& progress) {
  auto saved = std::make_unique<index::SavedRows>(path);
  const index::IndexFile& file = saved->file();
  IndexOptions with = options;
  with.storage = file.storage;
  if (options.method == Method::automatic && fits(device, file.rows, file.dimensions, with)) {
    with.method = file.method;
    with.papers.komarov.selection = file.row_selection;
  }
  const ElementsView elements = saved->elements();
  auto made = std::make_unique<Implementation>(device, elements.data, elements.rows, elements.columns, with);
  made->live = index::LiveRows(file.rows, file.live);
  if (elements.type == ElementType::float32)
    made->build(saved->rows(), progress);
  else
    made->store(elements, [&](std::uint64_t first, std::uint64_t count) { saved->check(first, count); }, progress);
  if (made->blocked && elements.type == ElementType::float32) made->saved = std::move(saved);
  return Index(std::move(made));
}

bool Index::is_saved(const std::string& path) { return index::begins_as_index_file(data::FileSource(path)); }

void Index::save(const std::string& path, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  if (const Support support = self.supports_anything(); !support)
    throw Error(ErrorCode::unsupported, "save", support.reason);
  if (!self.blocked && !self.storage.has_tiles())
    throw Error(
        ErrorCode::unsupported, "save",
        fmt::format("{} search keeps no rows that could be read back; use the scan", to_string(self.options.method)));
  index::IndexFile file;
  file.storage = storage();
  file.rows = static_cast<std::uint32_t>(rows());
  file.dimensions = dimensions();
  file.method = self.options.method;
  file.row_selection = self.options.papers.komarov.selection;
  file.live = self.live.words();

  const std::uint64_t row_bytes = file.row_bytes();
  const std::uint64_t piece = index::rows_at_a_time(rows(), row_bytes);
  const auto room = self.storage.device().create_buffer((piece * row_bytes + 3) / 4 * 4, MemoryKind::readback);
  std::uint64_t written = 0;
  index::write_index_file(path, file, [&](data::BlockWriter& to) {
    for (std::uint64_t first = 0; first < rows(); first += piece) {
      const std::uint64_t count = std::min(piece, rows() - first);
      if (self.blocked)
        self.blocked->source().read(first, count, *room);
      else
        self.storage.read(first, count, *room);
      to.bytes({static_cast<const std::byte*>(room->mapped()), count * row_bytes});
      written += count;
      if (progress) progress(written, 2 * rows());
    }
  });
}

}  // namespace proxel
