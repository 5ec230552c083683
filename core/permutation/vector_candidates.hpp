#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "permutation/candidate_search.hpp"
#include "permutation/object_distances.hpp"
#include "permutation/stored_vectors.hpp"
#include "proxel/selection.hpp"

namespace proxel::permutation {

/// Describes one search.
struct VectorSearchDescription {
  std::uint32_t queries = 0;
  std::uint64_t k = 1;
  std::optional<float> radius = {};                        // instead of k
  std::uint64_t candidates = 1;                            // per query, at least the smaller of k and the vectors
  SelectionMethod selection = SelectionMethod::automatic;  // of candidates
  std::uint64_t scratch_limit = 0;

  bool operator==(const VectorSearchDescription&) const = default;
};

/// The candidates of such a search.
PermutationSearchDescription permutation_part(const VectorSearchDescription& description);

/// What vectors say in a permutation search of that description.
std::unique_ptr<const ObjectDistances> make_vector_candidates(Device& device, const StoredVectorPermutations& stored,
                                                              const VectorSearchDescription& description);

}  // namespace proxel::permutation
