#pragma once

// The permutation index over vectors, under every metric (see proxel/permutation.hpp).

#include <cstdint>
#include <memory>
#include <span>

#include "proxel/export.h"
#include "proxel/index.hpp"
#include "proxel/permutation.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Vectors through a permutation index: a vector's permutation is the order of the
/// permutants, which are vectors of the database, by their distance from it, nearest
/// first: for ip, which is no distance, by the largest product. The order is that of the
/// contract's distances before their last step (Metric), NaN behind all numbers, ties by the
/// permutants' order. A query is compared with those vectors whose permutations are nearest
/// to its own. How well that does depends on the metric and the data: choose_fraction() tells.
class VectorPermutationIndex {
 public:
  /// Uploads a copy of the rows, computes their distances to the permutants block by
  /// block within the scratch limit, and their permutations. Takes
  /// (4 * dimensions + permutants) * size() bytes of device memory; rows are not streamed.
  /// @param device    outlives the index
  /// @param database  [n x d]; n is 1…2^32-2, d 1…2^24
  /// @param options   of `strings` the scratch limit and the timing hold here, too; `selection`
  ///                  says how the nearest permutations are found
  /// @param progress  told of rows, each of which counts twice: as it is uploaded, and as its permutation
  ///                  is found; what it throws ends the making. May be empty
  /// Throws Error(invalid_argument | unsupported | out_of_memory).
  VectorPermutationIndex(Device& device, MatrixView<float> database, Metric metric,
                         const PermutationOptions& options = {}, const Progress& progress = {});
  ~VectorPermutationIndex();
  VectorPermutationIndex(VectorPermutationIndex&&) noexcept;
  VectorPermutationIndex& operator=(VectorPermutationIndex&&) noexcept;

  /// The k nearest among the candidates: the fraction of all rows, rounded up and at least
  /// k, whose permutations are nearest, ties by index. Distances and their order are those of
  /// Neighbors; nearer rows may be missing. The same answer on every device. With
  /// fraction 1 that of Index::search(), to the bit.
  /// @param queries   [q x d]; q may be 0
  /// @param k         1…2^32-2; slots past size() as in Neighbors
  /// @param fraction  0 < fraction <= 1 (f in Lopresti 2013, section 3)
  /// Throws Error(invalid_argument | unsupported | out_of_memory | device_lost).
  Neighbors search(MatrixView<float> queries, std::uint64_t k, double fraction, const Progress& progress = {});

  /// Those of the candidates that Index::range_search() would find; others may be missing.
  /// @param radius    as there: distances are at most this, at least for ip; not NaN
  /// @param fraction  as above
  RangeNeighbors range_search(MatrixView<float> queries, float radius, double fraction, const Progress& progress = {});

  /// A search to be recorded by the caller, who brings its buffers; queries as they are, also of
  /// metrics that normalise them. The index outlives it.
  /// @param queries  at least 1
  /// Throws as search() does.
  std::unique_ptr<Plan> plan(std::uint32_t queries, std::uint64_t k, double fraction);
  /// The same of range_search(). It has no halves: the candidates would be found twice.
  std::unique_ptr<Plan> plan_range(std::uint32_t queries, float radius, double fraction);

  /// The smallest fraction, within a twentieth of it, that reaches a recall on a sample,
  /// and what it reaches there. Recall is the share of the k neighbours that are no
  /// farther than the true k-th; it never falls where the fraction grows.
  /// @param recall   0 < recall <= 1
  /// @param queries  the sample; without any, 500 rows drawn at random, each looked for
  ///                 among the others
  FractionChoice choose_fraction(double recall, std::uint64_t k, MatrixView<float> queries = {},
                                 const Progress& progress = {});

  std::uint64_t size() const;
  std::uint32_t dimensions() const;
  Metric metric() const;
  /// Rows that are the permutants, in their order.
  std::span<const std::uint32_t> permutants() const;
  /// Candidates per query of a search.
  std::uint64_t candidates(std::uint64_t k, double fraction) const;
  /// Host time of the build with the upload.
  double build_milliseconds() const;

 private:
  struct PROXEL_HIDDEN Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
