#pragma once

#include <cstdint>
#include <optional>

#include "proxel/selection.hpp"
#include "strings/stored_permutations.hpp"
#include "strings/string_search.hpp"

namespace proxel::strings {

struct PermutationSearchDescription {
  StringSearchDescription strings;
  std::uint64_t candidates = 1;  // per query, at least the smaller of k and the strings
  SelectionMethod selection = SelectionMethod::automatic;

  bool operator==(const PermutationSearchDescription&) const = default;
};

inline StringSearchDescription& strings_part(PermutationSearchDescription& whole) { return whole.strings; }
inline const StringSearchDescription& strings_part(const PermutationSearchDescription& whole) {
  return whole.strings;
}

/// Permutations of the queries; for some of them at a time the strings of the nearest
/// permutations, and their distances, of which each query's answer is taken.
class PermutationSearch {
 public:
  PermutationSearch(Device& device, const StoredPermutations& stored,
                    const PermutationSearchDescription& description);

  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  void record(Recording& recording, const StringSearchBuffers& buffers) const;

 private:
  SelectionPlan candidate_selection(Device& device, std::uint32_t queries) const;
  void record_permutations(Recording& recording, const StringSearchBuffers& buffers,
                           const StringAddresses& at) const;
  void record_chunk(Recording& recording, const StringSearchBuffers& buffers,
                    const StringAddresses& at, const search::AnswerBuffers& answers,
                    std::uint32_t first, std::uint32_t count) const;

  const StoredPermutations& stored_;
  PermutationSearchDescription description_;
  StringDistances to_permutants_, to_candidates_;
  std::uint32_t groups_ = 1;
  std::optional<SelectionPlan> select_, select_last_;
  std::unique_ptr<search::DistanceAnswers> answers_;
  std::uint64_t positions_offset_ = 0;
  std::uint64_t carries_offset_ = 0;
  std::uint64_t distances_offset_ = 0;
  std::uint64_t candidates_offset_ = 0;
  std::uint64_t selected_offset_ = 0;
  std::uint64_t selection_offset_ = 0;  // of candidates; then of answers
  std::uint64_t answers_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace proxel::strings
