#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "proxel/device.hpp"
#include "proxel/passes/signature_pairs.h"
#include "proxel/selection.hpp"
#include "proxel/signature_index.hpp"
#include "search/check.hpp"
#include "search/distance_answers.hpp"
#include "signatures/signature_candidates.hpp"
#include "signatures/signature_queries.hpp"
#include "signatures/stored_pivots.hpp"
#include "signatures/stored_signatures.hpp"

namespace proxel::signatures {

/// All distances of some queries at a time, of which each query's answer is taken. Where they are
/// screened, those are canonical that may belong to the answer, and the others NaN.
class SignatureSearch {
 public:
  /// @param pivots        null unless the search is filtered
  /// @param permutations  null unless the description has candidates
  SignatureSearch(Device& device, const StoredSignatures& stored, const StoredPivots* pivots,
                  const SignatureSearchDescription& description, const SignaturePermutations* permutations = nullptr);

  const QueryMemory& query_memory() const { return queries_; }
  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  /// @param queries  query_memory().bytes of it, packed; its terms and counts are written
  void record(Recording& recording, const BufferView& queries, const search::AnswerBuffers& answers) const;

 private:
  void record_limits(Recording& recording, std::uint64_t queries, std::uint32_t first, std::uint32_t count,
                     const BufferView& scratch) const;
  void record_select(Recording& recording, std::uint32_t count, const BufferView& scratch) const;
  void record_filter(Recording& recording, std::uint64_t queries, std::uint32_t first, std::uint32_t count,
                     const BufferView& scratch) const;
  void record_pairs(Recording& recording, passes::SignaturePairsParameters pairs, std::uint64_t queries,
                    std::uint32_t first, std::uint32_t count, std::uint64_t listed) const;
  void record_candidates(Recording& recording, std::uint64_t queries, std::uint32_t first, std::uint32_t count,
                         const BufferView& scratch) const;
  void record_screen(Recording& recording, std::uint64_t queries, std::uint32_t first, std::uint32_t count,
                     const BufferView& scratch) const;
  SelectionPlan selection(Device& device, std::uint32_t queries) const;
  // Whether what is screened is compared with the k-th smallest, and not with what the query's memory says.
  bool selects() const {
    return description_.screened && !description_.radius && !answers_all_candidates(description_);
  }

  const StoredSignatures& stored_;
  const StoredPivots* pivots_;
  SignatureSearchDescription description_;
  QueryMemory queries_;
  std::uint64_t stride_;
  std::uint32_t chunk_;
  std::unique_ptr<search::DistanceAnswers> answers_;
  std::unique_ptr<const SignatureCandidates> candidates_;
  std::optional<SelectionPlan> select_, select_last_;  // of the k-th screened
  std::uint64_t limits_offset_ = 0;
  std::uint64_t indices_offset_ = 0;
  std::uint64_t selected_offset_ = 0;
  std::uint64_t selection_offset_ = 0;
  std::uint64_t pivots_offset_ = 0;   // distances of queries to pivots
  std::uint64_t squares_offset_ = 0;  // of the k that bounds put first
  std::uint64_t lists_offset_ = 0;    // of the objects that bounds leave
  std::uint64_t candidates_offset_ = 0;
  std::uint64_t answers_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

/// Every canonical distance of some queries.
class AllDistances {
 public:
  AllDistances(Device& device, const StoredSignatures& stored, const SignatureSearchDescription& description);

  const QueryMemory& query_memory() const { return queries_; }
  std::uint64_t scratch_bytes() const { return 0; }
  /// @param answers  of them distances alone: [queries x distance_stride()]
  void record(Recording& recording, const BufferView& queries, const search::AnswerBuffers& answers) const;

 private:
  const StoredSignatures& stored_;
  std::uint32_t count_;
  QueryMemory queries_;
};

}  // namespace proxel::signatures
