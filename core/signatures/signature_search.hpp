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
#include "signatures/stored_pivots.hpp"
#include "signatures/stored_signatures.hpp"

namespace proxel::signatures {

/// Describes one search: how many queries, of how many centroids.
struct SignatureSearchDescription {
  std::uint32_t queries = 0;
  std::uint64_t places = 0;  // that their memory has
  std::uint64_t k = 1;
  std::optional<float> radius = {};  // instead of k
  bool screened = false;
  bool filtered = false;  // by pivots, before what is left is screened
  std::uint64_t scratch_limit = 0;

  bool operator==(const SignatureSearchDescription&) const = default;
};

inline SignatureMethod method_of(const SignatureSearchDescription& description) {
  return description.filtered   ? SignatureMethod::filtered
         : description.screened ? SignatureMethod::screened
                                : SignatureMethod::canonical;
}

/// Queries begin at multiples of so many places (signature_screen.h).
inline constexpr std::uint64_t query_alignment = 4;

/// Queries in device memory. Their groups are as many as they are, the last ones empty.
struct QueryMemory {
  QueryMemory(const SignatureSearchDescription& description, std::uint32_t dimensions)
      : signatures(description.queries, description.places, dimensions, description.queries),
        margins(signatures.bytes),
        errors(margins + search::align_scratch(std::uint64_t{description.queries} * 4)),
        evaluated(errors + search::align_scratch(std::uint64_t{description.queries} * 4)),
        survivors(evaluated + std::uint64_t{description.queries} * 4),
        bytes(survivors + std::uint64_t{description.queries} * 4) {}

  SignatureLayout signatures;
  std::uint64_t margins;    // binary32 [queries]: signature_limits'; within a radius the limits themselves
  std::uint64_t errors;     // binary32 [queries]: of squared distances to pivots
  std::uint64_t evaluated;  // 32-bit [queries]: canonical distances, 0 at first
  std::uint64_t survivors;  // 32-bit [queries]: objects that pivots left, 0 at first
  std::uint64_t bytes;
};

/// All distances of some queries at a time, of which each query's answer is taken. Where they are
/// screened, those are canonical that may belong to the answer, and the others NaN.
class SignatureSearch {
 public:
  /// @param pivots  null unless the search is filtered
  SignatureSearch(Device& device, const StoredSignatures& stored, const StoredPivots* pivots,
                  const SignatureSearchDescription& description);

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
  void record_screen(Recording& recording, std::uint64_t queries, std::uint32_t first, std::uint32_t count,
                     const BufferView& scratch) const;
  SelectionPlan selection(Device& device, std::uint32_t queries) const;

  const StoredSignatures& stored_;
  const StoredPivots* pivots_;
  SignatureSearchDescription description_;
  QueryMemory queries_;
  std::uint64_t stride_;
  std::uint32_t chunk_;
  std::unique_ptr<search::DistanceAnswers> answers_;
  std::optional<SelectionPlan> select_, select_last_;  // of the k-th screened
  std::uint64_t limits_offset_ = 0;
  std::uint64_t indices_offset_ = 0;
  std::uint64_t selected_offset_ = 0;
  std::uint64_t selection_offset_ = 0;
  std::uint64_t pivots_offset_ = 0;   // distances of queries to pivots
  std::uint64_t squares_offset_ = 0;  // of the k that bounds put first
  std::uint64_t lists_offset_ = 0;    // of the objects that bounds leave
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

/// Canonical distances of `count` queries from `first` on.
/// @param distances  [count x stride]
/// @param limits     address, [count]; 0: every distance
void record_distances(Recording& recording, const StoredSignatures& stored, const QueryMemory& memory,
                      std::uint64_t queries, std::uint32_t first, std::uint32_t count, std::uint64_t distances,
                      std::uint64_t stride, std::uint64_t limits = 0);

/// Distances from one query to the next: a multiple of 4.
std::uint64_t distance_stride(const StoredSignatures& stored);

}  // namespace proxel::signatures
