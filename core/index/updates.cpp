// Rows that are added to an index, removed from it, and taken out of it.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "index/check_search.hpp"
#include "index/implementation.hpp"
#include "session/stopwatch.hpp"
#include "index/upload.hpp"

namespace proxel {

using passes::tile_rows;

Support Index::Implementation::supports_anything() const {
  if (torn())
    return Support::no(Limit::unfinished,
                       "compact() was interrupted while rows moved; call it again, which finishes it");
  return Support::yes();
}

Support Index::Implementation::supports_updates() const {
  if (torn()) return supports_anything();
  if (blocked)
    return Support::no(Limit::rows, "needs all rows on the device as float32, and these are streamed or narrower");
  if (!storage.has_tiles())
    return Support::no(Limit::method, fmt::format("{} search keeps its rows in a form that does not grow; use the "
                                                  "scan",
                                                  to_string(options.method)));
  return Support::yes();
}

void Index::Implementation::rows_changed(std::uint64_t first) {
  description.rows = storage.rows();
  storage.rows_changed(first);
  for (auto& [name, searcher] : searchers) searcher->rows_changed(first);
}

bool Index::Implementation::follow(Metric metric) {
  storage.segments(metric);
  bool planned = true;
  for (auto& [name, searcher] : searchers) planned = searcher->follow(metric) && planned;
  return planned;
}

std::uint64_t Index::add(MatrixView<float> added, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  const std::uint64_t before = rows();
  index::check_added(added, dimensions());
  if (const Support support = self.supports_updates(); !support)
    throw Error(ErrorCode::unsupported, "add", support.reason);
  if (added.rows == 0) return before;
  Implementation::checked_description(added.data, before + added.rows, dimensions(), self.options);
  Device& device = self.storage.device();
  if (!fits(device, before + added.rows, dimensions(), self.options))
    throw Error(ErrorCode::out_of_memory, "rows",
                fmt::format("{} and {} more do not fit the memory limit of the index", before, added.rows));

  self.forget_plans();  // it is of the rows before, and its memory may be needed
  // The last tile is filled up: what it has comes back, to be packed with what is new.
  const std::uint64_t in_tile = before % tile_rows;
  const std::uint64_t fill = in_tile == 0 ? 0 : std::min(added.rows, tile_rows - in_tile);
  Matrix<float> tile(in_tile == 0 ? 0 : in_tile + fill, dimensions());
  if (in_tile != 0) {
    const auto last = device.create_buffer(in_tile * dimensions() * 4, MemoryKind::readback);
    self.storage.read(before - in_tile, in_tile, *last);
    std::memcpy(tile.data(), last->mapped(), last->bytes());
    index::copy_rows(added.slice(0, fill), &tile(in_tile, 0));
  }
  self.storage.set_rows(before + added.rows, memory_limit_of(device, self.options));
  try {
    index::upload_rows(device, tile.view(), self.storage, {}, before - in_tile);
    index::upload_rows(device, added.slice(fill, added.rows - fill), self.storage, progress,
                       before - in_tile + tile.rows());
    self.live.append(added.rows);
  } catch (...) {
    // The rows before are what they were; the last tile has been packed with them again.
    self.storage.shorten(before);
    throw;
  }
  self.rows_changed(before - in_tile);
  self.build_milliseconds += stopwatch.milliseconds();
  return before;
}

std::uint64_t Index::remove(std::span<const std::uint32_t> removed) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  if (self.torn()) throw Error(ErrorCode::unsupported, "remove", self.supports_updates().reason);
  for (const std::uint32_t row : removed)
    if (row >= rows())
      throw Error(ErrorCode::invalid_argument, "rows", fmt::format("{} is not one of the {} rows", row, rows()));
  return self.live.remove(removed);
}

std::uint64_t Index::removed_rows() const { return implementation_->live.removed(); }

std::vector<std::uint32_t> Index::compact(const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  if (const Support support = self.supports_updates(); !support && !self.torn())
    throw Error(ErrorCode::unsupported, "compact", support.reason);
  if (removed_rows() == rows()) throw Error(ErrorCode::invalid_argument, "compact", "every row has been removed");
  if (removed_rows() == 0) {
    std::vector<std::uint32_t> same(rows());
    std::iota(same.begin(), same.end(), 0u);
    return same;
  }

  if (!self.compaction) {
    self.forget_plans();
    self.compaction.emplace(self.storage, self.live, memory_limit_of(self.storage.device(), self.options));
  }
  try {
    self.compaction->run(progress);
  } catch (...) {
    if (!self.torn()) self.compaction.reset();
    throw;
  }
  std::vector<std::uint32_t> numbers = std::move(self.compaction->numbers());
  self.compaction.reset();
  self.live = index::LiveRows(rows());
  self.rows_changed(0);
  self.build_milliseconds += stopwatch.milliseconds();
  return numbers;
}

}  // namespace proxel
