#pragma once

#include <cstdint>
#include <optional>

#include "proxel/selection.hpp"
#include "strings/string_distances.hpp"
#include "strings/string_search.hpp"

namespace proxel::strings {

/// Strings with their permutations, in device memory.
struct StoredPermutations {
  const StoredStrings& strings;
  const StoredStrings& permutants;
  const Buffer& positions;
  passes::PermutationDistance distance;
};

struct PermutationSearchDescription {
  StringSearchDescription strings;
  std::uint64_t candidates = 1;  // per query, at least the smaller of k and the strings

  bool operator==(const PermutationSearchDescription&) const = default;
};

inline StringSearchDescription& strings_part(PermutationSearchDescription& whole) { return whole.strings; }
inline const StringSearchDescription& strings_part(const PermutationSearchDescription& whole) {
  return whole.strings;
}

/// Permutations of the queries; for some of them at a time the strings of the nearest
/// permutations, their distances, the k smallest of each.
class PermutationSearch {
 public:
  PermutationSearch(Device& device, const StoredPermutations& stored,
                    const PermutationSearchDescription& description);

  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  void record(Recording& recording, const StringSearchBuffers& buffers) const;

 private:
  // The selections of a chunk of queries: of candidates, and of results.
  struct Selections {
    SelectionPlan candidates, results;
  };
  Selections selections(Device& device, std::uint32_t queries) const;
  void record_permutations(Recording& recording, const StringSearchBuffers& buffers,
                           const StringAddresses& at) const;
  void record_chunk(Recording& recording, const StringSearchBuffers& buffers,
                    const StringAddresses& at, std::uint32_t first, std::uint32_t count) const;

  StoredPermutations stored_;
  PermutationSearchDescription description_;
  StringDistances to_permutants_, to_candidates_;
  std::uint32_t groups_ = 1;
  std::optional<Selections> select_, select_last_;
  std::uint64_t positions_offset_ = 0;
  std::uint64_t carries_offset_ = 0;
  std::uint64_t distances_offset_ = 0;
  std::uint64_t candidates_offset_ = 0;
  std::uint64_t selected_offset_ = 0;
  std::uint64_t selection_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace proxel::strings
