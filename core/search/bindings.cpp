#include "search/bindings.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "search/rehearsal.hpp"

namespace proxel::search {
namespace {

[[noreturn]] void refuse(const char* name, const std::string& reason) {
  throw Error(ErrorCode::invalid_argument, name, reason);
}

bool is_rehearsal(const Recording& recording) {
  return !recording.executes_on() && dynamic_cast<const Rehearsal*>(&recording);
}

// Bytes from the first value to the last where all between them are values of the rows, too; otherwise 0:
// a caller may have put something of its own into the gaps.
std::uint64_t bytes_without_gaps(const passes::Rows& rows, std::uint32_t dimensions) {
  const std::uint64_t values = std::uint64_t{rows.count} * dimensions;
  const auto same_strides = [&](const passes::Rows& other) { return same_layout(rows, other); };
  if (same_strides(row_major_rows(0, rows.count, dimensions)) ||
      same_strides(column_major_rows(0, rows.count, rows.count)))
    return values * 4;
  // The last tile has room for 128 rows, whether or not there are so many.
  if (same_strides(tiled_rows(0, rows.count, dimensions)))
    return divide_up<std::uint64_t>(rows.count, passes::tile_rows) * rows.tile_stride * 4;
  return 0;
}

}  // namespace

Bindings::Bindings(const Recording& recording, const Device& planned_for)
    : recording_(recording), rehearsal_(is_rehearsal(recording)) {
  const Device* executes = recording.executes_on();
  if (executes && executes != &planned_for)
    refuse("recording",
           fmt::format("is of the device {}, the plan was made for {}{}", executes->info().id,
                       executes->info().id == planned_for.info().id ? "another " : "", planned_for.info().id));
}

bool Bindings::look_at(const char* name, const BufferView& view, const BufferRequirement& needed) const {
  if (needed.bytes == 0) return false;
  require_buffer(name, view, needed);
  const Device* executes = recording_.executes_on();
  if (!executes) return view.buffer->device() != nullptr;
  require_of_device(name, view, *executes);
  return true;
}

void Bindings::keep_apart(const Range& range, const char* except) const {
  for (std::size_t i = 0; i < count_; ++i) {
    const Range& other = ranges_[i];
    const std::uint64_t first = std::max(range.first, other.first), end = std::min(range.end, other.end);
    if (first >= end || !(range.written || other.written)) continue;
    if (except && std::string_view(other.name) == except) continue;
    refuse(range.name, fmt::format("shares {} bytes with the {}, and {} written", end - first, other.name,
                                   range.written && other.written ? "both are"
                                   : range.written                ? "is"
                                                                  : "that is"));
  }
}

void Bindings::add(const Range& range) {
  if (count_ == ranges_.size())
    throw Error(ErrorCode::backend_failure, range.name, "is one buffer more than a recording is checked for");
  ranges_[count_++] = range;
}

void Bindings::reads(const char* name, const BufferView& view, const BufferRequirement& needed) {
  if (!look_at(name, view, needed)) return;
  const Range range{name, view.address(), view.address() + needed.bytes, false};
  keep_apart(range);
  add(range);
}

void Bindings::writes(const char* name, const BufferView& view, const BufferRequirement& needed) {
  if (!look_at(name, view, needed)) return;
  const Range range{name, view.address(), view.address() + needed.bytes, true};
  keep_apart(range);
  add(range);
}

void Bindings::reads_in_place(const char* name, const BufferView& view, const BufferRequirement& needed,
                              const char* written, std::uint64_t offset) {
  if (!look_at(name, view, needed)) return;
  const Range range{name, view.address(), view.address() + needed.bytes, false};
  const auto end = ranges_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto same = std::find_if(ranges_.begin(), end, [&](const Range& other) {
    return std::string_view(other.name) == written && other.first + offset == range.first;
  });
  keep_apart(range, same == end ? nullptr : written);
  add(range);
}

void Bindings::reads(std::span<const RowsSegment> given, std::span<const RowsSegment> planned,
                     std::uint32_t dimensions) {
  if (given.size() != planned.size())
    refuse("rows segments", fmt::format("{} were given, {} were planned", given.size(), planned.size()));
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].first_index != planned[i].first_index)
      refuse("rows segment",
             fmt::format("begins at row {}, {} was planned", given[i].first_index, planned[i].first_index));
    reads(given[i].rows, planned[i].rows, dimensions);
  }
}

void Bindings::reads(const passes::Rows& given, const passes::Rows& planned, std::uint32_t dimensions) {
  if (given.count == planned.count && !same_layout(given, planned))
    refuse("rows layout",
           fmt::format("strides of {}, {} and {} elements between tiles, dimensions and rows were given, {}, {} and {} "
                       "were planned",
                       given.tile_stride, given.dimension_stride, given.row_stride, planned.tile_stride,
                       planned.dimension_stride, planned.row_stride));
  reads(given, planned.count, dimensions);
}

void Bindings::reads(const passes::Rows& given, std::uint64_t planned_rows, std::uint32_t dimensions) {
  if (given.count != planned_rows)
    refuse("rows count", fmt::format("{} rows were given, {} were planned", given.count, planned_rows));
  check_layout(given, dimensions);
  if (rehearsal_) return;
  if (given.address == 0) refuse("rows address", "is null");
  require_apart(given, dimensions);
}

void Bindings::require_apart(const passes::Rows& rows, std::uint32_t dimensions) const {
  const std::uint64_t bytes = bytes_without_gaps(rows, dimensions);
  if (bytes != 0) keep_apart({"rows", rows.address, rows.address + bytes, false});
}

namespace {

void check_after(Bindings& bindings, const SearchRequirements& needed, const SearchAfter& after) {
  const std::uint64_t queries = needed.after_indices.bytes / 4, k = needed.indices.bytes / 4 / queries;
  require_range("after stride", after.stride, 1, UINT32_MAX);
  const BufferRequirement pairs = elements_requirement((queries - 1) * after.stride + 1);
  if (after.stride != k) {
    bindings.reads("after distances buffer", after.distances, pairs);
    bindings.reads("after indices buffer", after.indices, pairs);
    return;
  }
  // The page before may lie where this one is written: each query's last neighbour is read first.
  const std::uint64_t last = (k - 1) * 4;
  bindings.reads_in_place("after distances buffer", after.distances, pairs, "distances buffer", last);
  bindings.reads_in_place("after indices buffer", after.indices, pairs, "indices buffer", last);
}

}  // namespace

void check(Bindings& bindings, const SearchRequirements& needed, const SearchBuffers& buffers, SearchPart part) {
  bindings.reads("queries buffer", buffers.queries, needed.queries);
  bindings.reads("query offsets buffer", buffers.query_offsets, needed.query_offsets);
  bindings.writes("scratch buffer", buffers.scratch, needed.scratch);
  bindings.writes("offsets buffer", buffers.offsets, needed.offsets);
  BufferRequirement indices = needed.indices, distances = needed.distances;
  if (needed.offsets.bytes != 0) {
    const std::uint64_t slots = std::min(buffers.indices.bytes, buffers.distances.bytes) / 4;
    indices.bytes = distances.bytes = part == SearchPart::count ? 0 : std::max<std::uint64_t>(slots, 1) * 4;
  }
  bindings.writes("indices buffer", buffers.indices, indices);
  bindings.writes("distances buffer", buffers.distances, distances);
  bindings.reads("filter buffer", buffers.filter, needed.filter);
  bindings.reads("count buffer", buffers.count, needed.count);
  bindings.reads("self buffer", buffers.self, needed.self);
  bindings.reads("bounds buffer", buffers.bounds, needed.bounds);
  if (needed.after_indices.bytes != 0) check_after(bindings, needed, buffers.after);
}

void require_whole(SearchPart part) {
  if (part != SearchPart::whole)
    throw Error(ErrorCode::unsupported, "plan",
                "has no halves: it is not one of rows within a radius, or would find candidates twice");
}

}  // namespace proxel::search

namespace proxel {

void refuse_empty_plan() {
  throw Error(ErrorCode::invalid_argument, "plan", "is empty: it was never made, or has been moved from");
}

const Device& PlannedFor::device() const {
  if (!device_) refuse_empty_plan();
  return *device_;
}

}  // namespace proxel
