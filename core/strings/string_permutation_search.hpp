#pragma once

#include <cstdint>

#include "permutation/permutation_search.hpp"
#include "strings/stored_permutations.hpp"
#include "strings/string_search.hpp"

namespace proxel::strings {

struct StringPermutationDescription {
  StringSearchDescription strings;
  std::uint64_t candidates = 1;  // per query, at least the smaller of k and the strings
  SelectionMethod selection = SelectionMethod::automatic;

  bool operator==(const StringPermutationDescription&) const = default;
};

/// Strings that a query is compared with.
inline std::uint64_t compared_with(const StoredStrings&, const StringPermutationDescription& wanted) {
  return wanted.candidates;
}

inline StringSearchDescription& strings_part(StringPermutationDescription& whole) { return whole.strings; }
inline const StringSearchDescription& strings_part(const StringPermutationDescription& whole) { return whole.strings; }

/// A permutation search among strings.
class StringPermutationSearch {
 public:
  static constexpr std::string_view method = "permutations";

  StringPermutationSearch(Device& device, const StoredPermutations& stored,
                          const StringPermutationDescription& description);

  std::uint64_t scratch_bytes() const { return search_.scratch_bytes(); }
  void record(Recording& recording, const SearchBuffers& buffers) const;

 private:
  permutation::PermutationSearch search_;
};

}  // namespace proxel::strings
