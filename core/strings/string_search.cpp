#include "strings/string_search.hpp"

#include <algorithm>

#include "search/check.hpp"
#include "search/rehearsal.hpp"

namespace proxel::strings {

using namespace search;

namespace {

constexpr std::uint64_t smallest_selection_scratch = std::uint64_t{1} << 20;

}  // namespace

StringSearch::StringSearch(Device& device, const StoredStrings& strings,
                           const StringSearchDescription& description)
    : strings_(strings), description_(description),
      distances_(device, strings, description.queries, description.longest_query, strings.count,
                 description.scratch_limit / 4) {
  SelectionDescription selection;
  selection.columns = strings.count;
  selection.k = description.k;
  selection.scratch_limit = std::max(description.scratch_limit / 4, smallest_selection_scratch);
  selection.rows = distances_.chunk();
  select_ = SelectionPlan::make(device, selection);
  std::uint64_t selection_bytes = select_->scratch_bytes();
  if (const std::uint32_t left = description.queries % distances_.chunk(); left != 0) {
    selection.rows = left;
    select_last_ = SelectionPlan::make(device, selection);
    selection_bytes = std::max(selection_bytes, select_last_->scratch_bytes());
  }

  carries_offset_ = align_scratch(distances_.table_bytes());
  distances_offset_ = carries_offset_ + align_scratch(distances_.carry_bytes());
  selection_offset_ = distances_offset_ + align_scratch(distances_.chunk() * strings.count * 4);
  scratch_bytes_ = selection_offset_ + align_scratch(std::max<std::uint64_t>(selection_bytes, 1));

  RehearsalBuffer nowhere(UINT64_MAX);
  Rehearsal rehearsal(device);
  record(rehearsal, {nowhere, nowhere, nowhere, nowhere, nowhere});
}

void StringSearch::record(Recording& recording, const StringSearchBuffers& buffers) const {
  recording.push_label("strings");
  const std::uint64_t scratch = buffers.scratch.address();
  const StringAddresses at{buffers.offsets.address(), scratch, scratch + carries_offset_,
                           scratch + distances_offset_};
  distances_.record_tables(recording, buffers.symbols.address(), at);
  for (std::uint32_t first = 0; first < description_.queries; first += distances_.chunk()) {
    const std::uint32_t count = std::min(distances_.chunk(), description_.queries - first);
    // The distances before have been selected from.
    recording.barrier();
    distances_.record(recording, at, first, count);
    recording.barrier();
    const std::uint64_t slots = count * description_.k * 4;
    const std::uint64_t done = first * description_.k * 4;
    const SelectionPlan& select = count == distances_.chunk() ? *select_ : *select_last_;
    SelectionBuffers selection;
    selection.values = buffers.scratch.part(distances_offset_, count * strings_.count * 4);
    selection.scratch = buffers.scratch.part(selection_offset_, scratch_bytes_ - selection_offset_);
    selection.indices = buffers.indices.part(done, slots);
    selection.selected = buffers.distances.part(done, slots);
    select.record(recording, selection);
  }
  recording.pop_label();
}

}  // namespace proxel::strings
