#include "index/planned_codes.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "passes/reference.hpp"
#include "proxel/passes/screen_refine.h"
#include "search/decode.hpp"

namespace proxel::index {
namespace {

constexpr std::uint64_t query_bounds_bytes = 32;
constexpr std::uint64_t found_bytes = 8;

template <typename T>
std::uint64_t address_of(const T* host) {
  return reinterpret_cast<std::uintptr_t>(host);
}

}  // namespace

CollectedRows::CollectedRows(const SearchDescription& description, const Layout& layout, const std::byte* from)
    : description_(description),
      layout_(layout),
      bytes_(std::make_unique_for_overwrite<std::byte[]>(layout.found +
                                                         description.queries * layout.capacity * found_bytes)) {
  std::memcpy(bytes_.get(), from, layout.found);
  for (std::uint64_t query = 0; query < description.queries; ++query) {
    std::uint32_t count;
    std::memcpy(&count, from + layout.counts + query * sizeof count, sizeof count);
    const std::uint64_t list = layout.found + query * layout.capacity * found_bytes;
    std::memcpy(bytes_.get() + list, from + list, std::min(count, layout.capacity) * found_bytes);
  }
}

bool CollectedRows::answer(std::uint64_t number, const float* query, const passes::Rows& rows, const float* row_bounds,
                           std::uint32_t* indices, float* distances) const {
  std::array<std::uint32_t, 5> undecided{};
  passes::ScreenRefineParameters refine{};
  refine.rows = rows;
  refine.queries = address_of(query);
  refine.row_bounds = address_of(row_bounds);
  refine.query_bounds = address_of(bytes_.get() + number * query_bounds_bytes);
  refine.counts = address_of(bytes_.get() + layout_.counts + number * sizeof(std::uint32_t));
  refine.found = address_of(bytes_.get() + layout_.found + number * layout_.capacity * found_bytes);
  refine.indices = address_of(indices);
  refine.distances = address_of(distances);
  refine.undecided = address_of(undecided.data());
  refine.dimensions = description_.dimensions;
  refine.splits = 1;
  refine.capacity = layout_.capacity;
  refine.k = static_cast<std::uint32_t>(description_.k);
  refine.finish = search::finish_of(description_);
  refine.query_count = 1;
  reference::run(passes::make_screen_refine(refine, description_.metric, passes::screen_most_collected, false,
                                            passes::screen_most_survivors));
  return undecided[0] == 0;
}

PlannedCodes::PlannedCodes(Device& device, const SearchDescription& description, const ScreenedRows& codes)
    : PlanOver(description, tiled_rows(codes.packed().address(), codes.rows(), codes.dimensions()),
               ScreenedPlan::make(device, description, &codes,
                                  tiled_rows(codes.packed().address(), codes.rows(), codes.dimensions()))),
      at_(recorded().collected()) {
  const std::uint64_t queries = description.queries;
  layout_.counts = queries * query_bounds_bytes;
  layout_.found = layout_.counts + (queries + 1) / 2 * 2 * sizeof(std::uint32_t);
  layout_.capacity = at_.capacity;
  collected_ = device.create_buffer(layout_.found + queries * at_.capacity * found_bytes, MemoryKind::readback);
}

void PlannedCodes::record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const {
  PlanOver::record(recording, buffers, part);
  recording.barrier();
  const std::uint64_t queries = description().queries;
  const auto read = [&](std::uint64_t from, std::uint64_t bytes, std::uint64_t to) {
    recording.copy(buffers.scratch.part(from, bytes), BufferView(*collected_, to, bytes));
  };
  read(at_.query_bounds, queries * query_bounds_bytes, 0);
  read(at_.counts, queries * sizeof(std::uint32_t), layout_.counts);
  read(at_.found, queries * at_.capacity * found_bytes, layout_.found);
}

}  // namespace proxel::index
