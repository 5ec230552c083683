#pragma once

#include <cstdint>
#include <memory>

#include "proxel/device.hpp"
#include "search/distance_answers.hpp"

namespace proxel::permutation {

/// Queries in device memory.
struct QueryBuffers {
  BufferView values;   ///< read: of strings 32-bit, symbols by their numbers; of vectors
                       ///< binary32 [queries x dimensions], row-major
  BufferView offsets;  ///< read: of strings alone, 32-bit [queries + 1]
};

/// Memory of a search.
struct PermutationBuffers {
  QueryBuffers queries;
  search::AnswerBuffers answers;
};

/// What the kind of the objects says in a permutation search: how far they are. A plan of
/// one search; its recordings follow each other in order, with a barrier between.
class ObjectDistances {
 public:
  virtual ~ObjectDistances() = default;

  /// Queries whose distances to the permutants are there together, at most, and those
  /// whose candidates are.
  virtual std::uint32_t permutant_chunk() const = 0;
  virtual std::uint32_t chunk() const = 0;
  /// Distances to the permutants from one query to the next.
  virtual std::uint64_t permutant_stride() const = 0;
  /// Memory for what record_answers() does with the distances of a chunk, bytes.
  virtual std::uint64_t distance_bytes() const = 0;
  /// Memory that keeps its contents from record_begin() on, bytes.
  virtual std::uint64_t scratch_bytes() const = 0;

  /// Where all of it is.
  struct Memory {
    const PermutationBuffers& buffers;
    BufferView scratch;    ///< scratch_bytes()
    BufferView distances;  ///< clobbered: the larger of a chunk's to the permutants and distance_bytes()
  };
  virtual void record_begin(Recording& recording, const Memory& memory) const = 0;
  /// Distances to the permutants, of queries first … first + count - 1, to the front of
  /// memory.distances, as the pass `permutations` reads them.
  virtual void record_to_permutants(Recording& recording, const Memory& memory, std::uint32_t first,
                                    std::uint32_t count) const = 0;
  /// @param candidates  numbers of objects, 32-bit, as CandidateWay says
  virtual void record_answers(Recording& recording, const Memory& memory, const BufferView& candidates,
                              std::uint32_t first, std::uint32_t count) const = 0;
  virtual void record_end(Recording& recording, const Memory& memory) const = 0;
};

}  // namespace proxel::permutation
