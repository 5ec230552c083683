#pragma once

// The permutation index over feature signatures (see proxel/permutation.hpp and proxel/signature_index.hpp).

#include <cstdint>
#include <memory>
#include <span>

#include "proxel/export.h"
#include "proxel/permutation.hpp"
#include "proxel/signature_index.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Feature signatures through a permutation index, as Lopresti 2013 names for a next step: a signature's
/// permutation is the order of the permutants, which are signatures of the index, by their distance from it,
/// ties by the permutants' order. A query is compared with those signatures whose permutations are nearest to
/// its own: screened in binary32 first, as SignatureIndex does, and evaluated canonically where the screen
/// does not exclude them.
class SignaturePermutationIndex {
 public:
  /// Uploads the signatures, which need not outlive the index, and computes their distances to the
  /// permutants, and their permutations, block by block within the scratch limit. Takes the memory of a
  /// SignatureIndex and permutants * size() bytes.
  /// @param device     outlives the index
  /// @param signatures  1…2^32-2 of them; as SignatureIndex has them
  /// @param options     of `strings` and vectors nothing holds here but the scratch limit and the timing;
  ///                    `selection` says how the nearest permutations are found
  /// @param progress    told of signatures; what it throws ends the making. May be empty
  /// Throws Error(invalid_argument | unsupported | out_of_memory); unsupported as well where squares of
  /// weights may leave the range of binary32, since candidates are always screened.
  SignaturePermutationIndex(Device& device, const Signatures& signatures, const SimilarityFunction& similarity = {},
                            const PermutationOptions& options = {}, const Progress& progress = {});
  ~SignaturePermutationIndex();
  SignaturePermutationIndex(SignaturePermutationIndex&&) noexcept;
  SignaturePermutationIndex& operator=(SignaturePermutationIndex&&) noexcept;

  /// The k nearest among the candidates: the fraction of all signatures, rounded up and at least k, whose
  /// permutations are nearest, ties by index. Distances and their order are those of SignatureIndex; nearer
  /// signatures may be missing. The same answer on every device. With fraction 1 that of
  /// SignatureIndex::search(), to the bit.
  /// @param queries   of the index's dimensions
  /// @param k         1…2^32-2; slots past size() as in Neighbors
  /// @param fraction  0 < fraction <= 1 (f in Lopresti 2013, section 3)
  /// Throws Error(invalid_argument | unsupported | out_of_memory | device_lost).
  Neighbors search(const Signatures& queries, std::uint64_t k, double fraction, const Progress& progress = {});

  /// Those of the candidates that SignatureIndex::range_search() would find; others may be missing.
  /// @param radius    any number but NaN
  /// @param fraction  as above
  RangeNeighbors range_search(const Signatures& queries, float radius, double fraction, const Progress& progress = {});

  /// A search to be recorded by the caller, who brings its buffers. The index outlives it.
  /// @param queries        at least 1
  /// @param longest_query  centroids that a query has at most, 1…Signatures::largest_length
  /// Throws as search() does.
  std::unique_ptr<SignaturePlan> plan(std::uint32_t queries, std::uint32_t longest_query, std::uint64_t k,
                                      double fraction);
  /// The same of range_search().
  std::unique_ptr<SignaturePlan> plan_range(std::uint32_t queries, std::uint32_t longest_query, float radius,
                                            double fraction);

  /// The smallest fraction, within a twentieth of it, that reaches a recall on a sample, and what it reaches
  /// there. Recall is the share of the k neighbours that are no farther than the true k-th; it never falls
  /// where the fraction grows.
  /// @param recall   0 < recall <= 1
  /// @param queries  the sample, of the index's dimensions; without any, 500 signatures drawn at random,
  ///                 each looked for among the others
  FractionChoice choose_fraction(double recall, std::uint64_t k, const Signatures& queries,
                                 const Progress& progress = {});

  std::uint64_t size() const;
  std::uint32_t dimensions() const;
  const SimilarityFunction& similarity() const;
  /// Signatures that are the permutants, in their order.
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
