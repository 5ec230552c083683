#include "permutation/permutation_search.hpp"

#include <algorithm>

#include "passes/permutation_positions.hpp"
#include "search/check.hpp"
#include "search/rehearsal.hpp"

namespace proxel::permutation {

using namespace search;

PermutationSearch::PermutationSearch(Device& device, const StoredPositions& stored,
                                     const PermutationSearchDescription& description,
                                     std::unique_ptr<const ObjectDistances> objects)
    : stored_(stored),
      description_(description),
      objects_(std::move(objects)),
      candidates_(CandidateSearch::make(device, stored, description, objects_->chunk())) {
  const std::uint32_t queries = description.queries;
  // Distances to permutants, of permutations and to candidates take turns in the same memory.
  const std::uint64_t distances = std::max({objects_->permutant_chunk() * objects_->permutant_stride() * 4,
                                            candidates_->distance_bytes(), objects_->distance_bytes()});
  const std::uint64_t list = std::uint64_t{choose_way(device, stored, description).list_stride} * 4;
  positions_offset_ = align_scratch(std::max<std::uint64_t>(objects_->scratch_bytes(), 1));
  distances_offset_ = positions_offset_ + align_scratch(passes::permutation_bytes(queries, stored.permutants));
  lists_offset_ = distances_offset_ + align_scratch(distances);
  selection_offset_ = lists_offset_ + align_scratch(objects_->chunk() * list);
  scratch_bytes_ = selection_offset_ + align_scratch(std::max<std::uint64_t>(candidates_->scratch_bytes(), 1));

  RehearsalBuffer nowhere(UINT64_MAX);
  rehearse(device, [&](Recording& rehearsal) {
    record(rehearsal, {{nowhere, nowhere}, {nowhere, nowhere, nowhere, nowhere}});
  });
}

void PermutationSearch::record_permutations(Recording& recording, const ObjectDistances::Memory& memory) const {
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
  const BufferView lists = scratch.part(lists_offset_, selection_offset_ - lists_offset_);
  candidates_->record(recording,
                      {scratch.address() + positions_offset_, memory.distances,
                       scratch.part(selection_offset_, scratch_bytes_ - selection_offset_), lists},
                      first, count);
  recording.barrier();
  objects_->record_answers(recording, memory, lists, first, count);
}

void PermutationSearch::record(Recording& recording, const PermutationBuffers& buffers) const {
  const BufferView& scratch = buffers.answers.scratch;
  const ObjectDistances::Memory memory{buffers, scratch.part(0, positions_offset_),
                                       scratch.part(distances_offset_, lists_offset_ - distances_offset_)};
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
