#pragma once

#include <cstdint>
#include <memory>

#include "permutation/candidate_search.hpp"
#include "permutation/object_distances.hpp"

namespace proxel::permutation {

/// Permutations of the queries; for some of them at a time the objects of the nearest
/// permutations, among which the kind of the objects finds each query's answer.
class PermutationSearch {
 public:
  PermutationSearch(Device& device, const StoredPositions& stored, const PermutationSearchDescription& description,
                    std::unique_ptr<const ObjectDistances> objects);

  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  void record(Recording& recording, const PermutationBuffers& buffers) const;

 private:
  void record_permutations(Recording& recording, const ObjectDistances::Memory& memory) const;
  void record_candidates(Recording& recording, const ObjectDistances::Memory& memory, std::uint32_t first,
                         std::uint32_t count) const;

  const StoredPositions& stored_;
  PermutationSearchDescription description_;
  std::unique_ptr<const ObjectDistances> objects_;
  std::unique_ptr<const CandidateSearch> candidates_;
  std::uint64_t positions_offset_ = 0;  // behind what is the objects' own
  std::uint64_t distances_offset_ = 0;
  std::uint64_t lists_offset_ = 0;
  std::uint64_t selection_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace proxel::permutation
