#pragma once

#include <cstdint>
#include <vector>

#include "permutation/stored_positions.hpp"
#include "proxel/permutation.hpp"
#include "signatures/signature_queries.hpp"
#include "signatures/stored_signatures.hpp"

namespace proxel::signatures {

/// Signatures that are permutants, and the permutations of all, in device memory.
struct SignaturePermutations {
  /// @param stored  the signatures in device memory
  /// @param chosen  numbers of the permutants, 1…256
  SignaturePermutations(Device& device, const Signatures& signatures, const SimilarityFunction& similarity,
                        const std::vector<std::uint32_t>& chosen, const PermutationOptions& options,
                        const Progress& progress);

  StoredSignatures permutants;
  permutation::StoredPositions permutations;
};

/// Distances to the permutants from one signature to the next.
std::uint64_t permutant_stride(const SignaturePermutations& stored);

/// Records what finds the permutations of queries first … first + count - 1, whose terms are there.
/// @param queries       address of memory that `memory` describes
/// @param distances     address, clobbered: binary32 [count x permutant_stride()]
/// @param positions     address, written, as the pass `permutations` says
/// @param first_object  where they stand among those positions
void record_permutations(Recording& recording, const SignaturePermutations& stored, const QueryMemory& memory,
                         std::uint64_t queries, std::uint32_t first, std::uint32_t count, std::uint64_t distances,
                         std::uint64_t positions, std::uint32_t first_object);

}  // namespace proxel::signatures
