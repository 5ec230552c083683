#include "signatures/signature_candidates.hpp"

#include <algorithm>

#include "passes/permutation_positions.hpp"
#include "search/check.hpp"

namespace proxel::signatures {

using permutation::CandidateSearch;
using search::align_scratch;

namespace {

permutation::PermutationSearchDescription permutation_part(const SignatureSearchDescription& description) {
  return {description.queries, description.candidates, description.selection, description.scratch_limit};
}

}  // namespace

std::uint32_t SignatureCandidates::most_queries(const Device& device, const SignaturePermutations& stored,
                                                const SignatureSearchDescription& description) {
  return permutation::choose_way(device, stored.permutations, permutation_part(description)).most_queries;
}

SignatureCandidates::SignatureCandidates(Device& device, const SignaturePermutations& stored,
                                         const SignatureSearchDescription& description, std::uint32_t chunk)
    : stored_(stored),
      candidates_(CandidateSearch::make(device, stored.permutations, permutation_part(description), chunk)),
      list_stride_(permutation::choose_way(device, stored.permutations, permutation_part(description)).list_stride),
      positions_offset_(align_scratch(chunk * permutant_stride(stored) * 4)),
      lists_offset_(positions_offset_ +
                    align_scratch(passes::permutation_bytes(chunk, stored.permutations.permutants))),
      selection_offset_(lists_offset_ + align_scratch(std::uint64_t{chunk} * list_stride_ * 4)),
      scratch_bytes_(selection_offset_ + align_scratch(std::max<std::uint64_t>(candidates_->scratch_bytes(), 1))) {}

void SignatureCandidates::record(Recording& recording, const QueryMemory& memory, std::uint64_t queries,
                                 std::uint32_t first, std::uint32_t count, const BufferView& scratch,
                                 const BufferView& distances) const {
  const std::uint64_t positions = scratch.address() + positions_offset_;
  record_permutations(recording, stored_, memory, queries, first, count, scratch.address(), positions, 0);
  recording.barrier();
  candidates_->record(recording,
                      {positions, distances.part(0, candidates_->distance_bytes()),
                       scratch.part(selection_offset_, scratch_bytes_ - selection_offset_),
                       scratch.part(lists_offset_, selection_offset_ - lists_offset_)},
                      0, count);
}

}  // namespace proxel::signatures
