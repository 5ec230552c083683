#pragma once

#include <cstdint>
#include <memory>

#include "permutation/candidate_search.hpp"
#include "signatures/signature_permutations.hpp"
#include "signatures/signature_queries.hpp"

namespace proxel::signatures {

/// The objects whose permutations are nearest to a query's, for some queries of a search at a time.
class SignatureCandidates {
 public:
  /// Queries whose candidates may be looked for together, at most.
  static std::uint32_t most_queries(const Device& device, const SignaturePermutations& stored,
                                    const SignatureSearchDescription& description);
  /// @param chunk  queries at a time; in the end there may be fewer
  SignatureCandidates(Device& device, const SignaturePermutations& stored,
                      const SignatureSearchDescription& description, std::uint32_t chunk);

  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  /// Candidates from one query's to the next's.
  std::uint32_t list_stride() const { return list_stride_; }
  /// Where record() leaves the candidates' numbers, 32-bit. @param scratch  address of what record() was given
  std::uint64_t lists(std::uint64_t scratch) const { return scratch + lists_offset_; }

  /// @param memory     of the queries, whose terms are there
  /// @param scratch    clobbered: scratch_bytes()
  /// @param distances  clobbered: distance_stride() of the objects * 4 bytes for each query of a chunk
  void record(Recording& recording, const QueryMemory& memory, std::uint64_t queries, std::uint32_t first,
              std::uint32_t count, const BufferView& scratch, const BufferView& distances) const;

 private:
  const SignaturePermutations& stored_;
  std::unique_ptr<const permutation::CandidateSearch> candidates_;
  std::uint32_t list_stride_;
  std::uint64_t positions_offset_;  // behind the distances to permutants
  std::uint64_t lists_offset_;
  std::uint64_t selection_offset_;
  std::uint64_t scratch_bytes_;
};

}  // namespace proxel::signatures
