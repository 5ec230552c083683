#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "permutation/object_distances.hpp"
#include "permutation/stored_positions.hpp"
#include "proxel/selection.hpp"

namespace proxel::permutation {

struct PermutationSearchDescription {
  std::uint32_t queries = 0;
  std::uint64_t candidates = 1;  // per query, at least the smaller of k and the objects
  SelectionMethod selection = SelectionMethod::automatic;  // of candidates
  std::uint64_t scratch_limit = 0;
};

/// Permutations of the queries; for some of them at a time the objects of the nearest
/// permutations, among which the kind of the objects finds each query's answer.
class PermutationSearch {
 public:
  PermutationSearch(Device& device, const StoredPositions& stored,
                    const PermutationSearchDescription& description,
                    std::unique_ptr<const ObjectDistances> objects);

  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  void record(Recording& recording, const PermutationBuffers& buffers) const;

 private:
  /// Permutation distances from one query to the next: a multiple of 4.
  std::uint64_t stride() const { return (stored_.objects + 3) / 4 * 4; }
  SelectionPlan candidate_selection(Device& device, std::uint32_t queries) const;
  void record_permutations(Recording& recording, const ObjectDistances::Memory& memory) const;
  void record_candidates(Recording& recording, const ObjectDistances::Memory& memory, std::uint32_t first,
                         std::uint32_t count) const;

  const StoredPositions& stored_;
  PermutationSearchDescription description_;
  std::unique_ptr<const ObjectDistances> objects_;
  std::uint32_t groups_ = 1;
  std::optional<SelectionPlan> select_, select_last_;
  std::uint64_t positions_offset_ = 0;  // behind what is the objects' own
  std::uint64_t distances_offset_ = 0;
  std::uint64_t candidates_offset_ = 0;
  std::uint64_t selected_offset_ = 0;
  std::uint64_t selection_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace proxel::permutation
