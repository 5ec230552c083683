#pragma once

#include <cstdint>
#include <memory>

#include "permutation/stored_positions.hpp"
#include "proxel/selection.hpp"

namespace proxel::permutation {

struct PermutationSearchDescription {
  std::uint32_t queries = 0;
  std::uint64_t candidates = 1;                            // per query, at least the smaller of k and the objects
  SelectionMethod selection = SelectionMethod::automatic;  // of candidates
  std::uint64_t scratch_limit = 0;
};

/// How the candidates of a search are found, which those who compare them go by.
struct CandidateWay {
  bool counting = false;           // of whole numbers, so that lists ascend; otherwise by a selection
  std::uint32_t most_queries = 1;  // whose candidates are looked for together
  std::uint32_t list_stride = 0;   // candidates from one query's to the next's
};
CandidateWay choose_way(const Device& device, const StoredPositions& stored,
                        const PermutationSearchDescription& description);

/// The objects whose permutations are nearest to a query's, for some queries at a time.
class CandidateSearch {
 public:
  /// @param chunk  queries at a time; in the end there may be fewer
  static std::unique_ptr<const CandidateSearch> make(Device& device, const StoredPositions& stored,
                                                     const PermutationSearchDescription& description,
                                                     std::uint32_t chunk);
  virtual ~CandidateSearch() = default;

  /// Bytes of the permutation distances of a chunk.
  virtual std::uint64_t distance_bytes() const = 0;
  virtual std::uint64_t scratch_bytes() const = 0;

  struct Memory {
    std::uint64_t query_positions;  ///< read: address, of all queries
    BufferView distances;           ///< clobbered: distance_bytes()
    BufferView scratch;             ///< clobbered: scratch_bytes()
    BufferView lists;               ///< written: numbers of objects, CandidateWay::list_stride apart
  };
  virtual void record(Recording& recording, const Memory& memory, std::uint32_t first, std::uint32_t count) const = 0;
};

}  // namespace proxel::permutation
