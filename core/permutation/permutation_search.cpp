#include "permutation/permutation_search.hpp"

#include <algorithm>

#include "passes/permutation_positions.hpp"
#include "search/check.hpp"
#include "search/occupancy.hpp"
#include "search/rehearsal.hpp"

namespace proxel::permutation {

using namespace search;

namespace {

constexpr std::uint64_t smallest_selection_scratch = std::uint64_t{1} << 20;
constexpr std::uint32_t workgroup = 128;

}  // namespace

PermutationSearch::PermutationSearch(Device& device, const StoredPositions& stored,
                                     const PermutationSearchDescription& description,
                                     std::unique_ptr<const ObjectDistances> objects)
    : stored_(stored), description_(description), objects_(std::move(objects)) {
  const std::uint32_t queries = description.queries;
  const std::uint32_t chunk = objects_->chunk();
  const std::uint64_t tiles = divide_up<std::uint64_t>(stored.objects, workgroup);
  groups_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      divide_up(8 * wanted_groups(device.capabilities()), chunk), 1, std::min<std::uint64_t>(tiles, largest_grid_extent)));
  select_ = candidate_selection(device, chunk);
  std::uint64_t selection_bytes = std::max<std::uint64_t>(select_->scratch_bytes(), 1);
  if (const std::uint32_t left = queries % chunk; left != 0) {
    select_last_ = candidate_selection(device, left);
    selection_bytes = std::max(selection_bytes, select_last_->scratch_bytes());
  }

  // Distances to permutants, of permutations and to candidates take turns in the same memory.
  const std::uint64_t distances =
      std::max({objects_->permutant_chunk() * objects_->permutant_stride() * 4, chunk * stride() * 4,
                objects_->distance_bytes()});
  const std::uint64_t list = align_scratch(chunk * description.candidates * 4);
  positions_offset_ = align_scratch(std::max<std::uint64_t>(objects_->scratch_bytes(), 1));
  distances_offset_ =
      positions_offset_ + align_scratch(passes::permutation_bytes(queries, stored.permutants));
  candidates_offset_ = distances_offset_ + align_scratch(distances);
  selected_offset_ = candidates_offset_ + list;
  selection_offset_ = selected_offset_ + list;
  scratch_bytes_ = selection_offset_ + align_scratch(selection_bytes);

  RehearsalBuffer nowhere(UINT64_MAX);
  Rehearsal rehearsal(device);
  record(rehearsal, {{nowhere, nowhere}, {nowhere, nowhere, nowhere, nowhere}});
}

SelectionPlan PermutationSearch::candidate_selection(Device& device, std::uint32_t queries) const {
  SelectionDescription description;
  description.rows = queries;
  description.columns = stored_.objects;
  description.row_stride = stride();
  description.k = description_.candidates;
  description.sorted = false;
  description.method = description_.selection;
  description.scratch_limit = std::max(description_.scratch_limit / 4, smallest_selection_scratch);
  return SelectionPlan::make(device, description);
}

void PermutationSearch::record_permutations(Recording& recording,
                                            const ObjectDistances::Memory& memory) const {
  const std::uint32_t chunk = objects_->permutant_chunk();
  for (std::uint32_t first = 0; first < description_.queries; first += chunk) {
    const std::uint32_t count = std::min(chunk, description_.queries - first);
    recording.barrier();
    objects_->record_to_permutants(recording, memory, first, count);
    recording.barrier();
    passes::PermutationsParameters pass{};
    pass.distances = memory.distances.address();
    pass.positions = memory.buffers.answers.scratch.address() + positions_offset_;
    pass.first_object = first;
    pass.objects = count;
    pass.permutants = stored_.permutants;
    pass.kept = stored_.kept;
    pass.object_stride = static_cast<std::uint32_t>(objects_->permutant_stride());
    pass.permutant_stride = 1;
    recording.record(passes::make_permutations(pass));
  }
}

void PermutationSearch::record_candidates(Recording& recording, const ObjectDistances::Memory& memory,
                                          std::uint32_t first, std::uint32_t count) const {
  const BufferView& scratch = memory.buffers.answers.scratch;
  passes::PermutationDistanceParameters distance{};
  distance.positions = stored_.positions->address();
  distance.query_positions = scratch.address() + positions_offset_;
  distance.distances = memory.distances.address();
  distance.objects = static_cast<std::uint32_t>(stored_.objects);
  distance.permutants = stored_.permutants;
  distance.first_query = first;
  distance.distance_stride = static_cast<std::uint32_t>(stride());
  recording.record(passes::make_permutation_distance(distance, stored_.distance, groups_, count));
  recording.barrier();

  const std::uint64_t list = count * description_.candidates * 4;
  SelectionBuffers selection;
  selection.values = memory.distances.part(0, count * stride() * 4);
  selection.scratch = scratch.part(selection_offset_, scratch_bytes_ - selection_offset_);
  selection.indices = scratch.part(candidates_offset_, list);
  selection.selected = scratch.part(selected_offset_, list);
  (count == objects_->chunk() ? *select_ : *select_last_).record(recording, selection);
  recording.barrier();
  objects_->record_answers(recording, memory, selection.indices, first, count);
}

void PermutationSearch::record(Recording& recording, const PermutationBuffers& buffers) const {
  const BufferView& scratch = buffers.answers.scratch;
  const ObjectDistances::Memory memory{
      buffers, scratch.part(0, positions_offset_),
      scratch.part(distances_offset_, candidates_offset_ - distances_offset_)};
  recording.push_label("permutations");
  objects_->record_begin(recording, memory);
  record_permutations(recording, memory);
  recording.pop_label();
  recording.push_label("candidates");
  const std::uint32_t chunk = objects_->chunk();
  for (std::uint32_t first = 0; first < description_.queries; first += chunk) {
    recording.barrier();
    record_candidates(recording, memory, first, std::min(chunk, description_.queries - first));
  }
  objects_->record_end(recording, memory);
  recording.pop_label();
}

}  // namespace proxel::permutation
