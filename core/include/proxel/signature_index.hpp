#pragma once

// Exact nearest feature signatures, by the signature quadratic form distance
// (Beecks et al. 2010; Krulis et al. 2011).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/export.h"
#include "proxel/index.hpp"
#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/search.hpp"
#include "proxel/signatures.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// How alike two centroids at the Euclidean distance L2 are. With gaussian and heuristic
/// the distance is a metric; with minus it is one between signatures of equal total weight,
/// and a square below 0, which other pairs may have, counts as 0.
enum class Similarity {
  gaussian,   ///< e^(-alpha L2^2), the paper's
  minus,      ///< -L2; alpha is not looked at
  heuristic,  ///< 1 / (alpha + L2)
};

/// "gaussian", "minus", "heuristic".
std::string_view to_string(Similarity similarity);
/// Throws Error(invalid_argument) that lists them.
Similarity similarity_from_string(std::string_view name);

struct SimilarityFunction {
  Similarity kind = Similarity::gaussian;
  /// 1e-15 … 1e15. The larger, the nearer centroids must be to count as alike.
  float alpha = 0.2f;

  bool operator==(const SimilarityFunction&) const = default;
};

/// Which algorithm answers. All give the same answer to the bit.
enum class SignatureMethod {
  automatic,  ///< screened where it serves
  canonical,  ///< every distance canonically
  /// Distances in plain binary32 with a bound of their errors; those canonically that
  /// the bound does not exclude.
  screened,
  /// Lower bounds by pivots, triangles' and Ptolemy's, leave out most signatures before the
  /// others are screened; the gaussian similarity alone. Where a trial when the index is made
  /// says that they leave more than a quarter, and for fewer than 16 queries, screened answers.
  filtered,
};

/// "auto", "canonical", "screened", "filtered".
std::string_view to_string(SignatureMethod method);
/// Throws Error(invalid_argument) that lists them.
SignatureMethod signature_method_from_string(std::string_view name);

struct SignatureIndexOptions {
  SimilarityFunction similarity;
  SignatureMethod method = SignatureMethod::automatic;
  /// Device memory that one search may use beside the signatures, bytes; at least
  /// 1 MiB. Less memory means fewer queries at a time.
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;
  Timing timing = Timing::whole;
};

/// Queries as a device reads them: one block of memory, whose parts begin at these bytes, multiples
/// of 256. SignaturePlan::pack() writes it; what is in it is defined by proxel/passes/types.h
/// (SignatureSet) and docs/proofs/signatures.md.
struct PackedSignatureLayout {
  std::uint64_t coordinates = 0;  ///< binary32 [places x dimensions], scaled; in blocks of 128 places
  std::uint64_t weights = 0;      ///< binary32 [places], scaled
  std::uint64_t spans = 0;        ///< 32-bit [queries x 2]: first place, a multiple of 4, and centroids
  std::uint64_t terms = 0;        ///< 32-bit [queries x 4]: 0, 0, the exponent of the weights, 0
  std::uint64_t groups = 0;       ///< 32-bit [queries + 1]: the first query of each group of a block
  std::uint64_t margins = 0;      ///< binary32 [queries]: of the screen's error; within a radius its limit
  std::uint64_t errors = 0;       ///< binary32 [queries]: of squared distances to pivots, where they filter
  std::uint64_t counts = 0;       ///< 32-bit [queries x 2]: 0
  std::uint64_t bytes = 0;        ///< of all
  std::uint64_t places = 0;       ///< that there are, for the most centroids that were planned

  bool operator==(const PackedSignatureLayout&) const = default;
};

/// A search among signatures.
class SignaturePlan : public Plan {
 public:
  /// What answers: canonical, screened or filtered.
  virtual SignatureMethod method() const = 0;
  /// All distances alone: from one query's to the next's, elements. Otherwise 0.
  virtual std::uint64_t distance_stride() const = 0;
  /// Canonical distances that the latest execution, which has finished, evaluated.
  virtual std::uint64_t evaluated() const = 0;
  /// Pairs of a query and a signature that pivots did not leave out, as of the same.
  virtual std::uint64_t compared() const = 0;

  /// How packed queries lie in memory.
  virtual PackedSignatureLayout layout() const = 0;
  /// Packs queries on the host, on as many threads at once as the caller has: into memory that the
  /// device reads, or is copied from.
  /// @param to  layout().bytes of it, 4-byte aligned
  /// Throws Error(invalid_argument) unless they are as many as were planned, none of them of more
  /// centroids, and of the index's dimensions; Error(unsupported) where squares of weights might leave
  /// the range of binary32, which screened and filtered need and canonical does not.
  virtual void pack(const Signatures& queries, std::span<std::byte> to) const = 0;
};

/// Signatures on a device, and exact searches among them.
///
/// Distances are evaluated in pairs of binary32 (float-float, 48 bits) in one order, with
/// nothing but operations that every device rounds alike, and then rounded to binary32:
/// the same bits everywhere, within 1e-5 of the value range (the sum of the two
/// signatures' weights, times the largest root of a similarity) of the real distance;
/// docs/proofs/signatures.md derives it. A signature's distance to itself is 0.
class SignatureIndex {
 public:
  /// Uploads the signatures, which need not outlive the index.
  /// Throws Error(invalid_argument | unsupported | out_of_memory): at least one
  /// signature, at most 2^32-2, of fewer than 2^32 centroids together; coordinates times
  /// sqrt(alpha) (gaussian) or divided by alpha (heuristic) of at most 1e15.
  /// @param progress  told of signatures; what it throws ends the building
  SignatureIndex(Device& device, const Signatures& signatures, const SignatureIndexOptions& options = {},
                 const Progress& progress = {});
  ~SignatureIndex();
  SignatureIndex(SignatureIndex&&) noexcept;
  SignatureIndex& operator=(SignatureIndex&&) noexcept;

  /// The k nearest signatures of each query, ordered by (distance, index); slots past
  /// size() as in Neighbors.
  /// @param queries  of the index's dimensions
  /// @param k        1…2^32-2
  /// Throws Error(invalid_argument | unsupported | out_of_memory | device_lost).
  Neighbors search(const Signatures& queries, std::uint64_t k, const Progress& progress = {});

  /// The signatures at most `radius` from each query.
  /// @param radius  any number but NaN; nothing is within a negative one
  /// Throws as search() does.
  RangeNeighbors range_search(const Signatures& queries, float radius, const Progress& progress = {});

  /// Every distance, [queries x size()].
  /// Throws as search() does.
  Distances distances(const Signatures& queries, const Progress& progress = {});

  /// A search to be recorded by the caller, who brings its buffers. As search() does, it chooses by
  /// the number of queries and k what answers within SignatureIndexOptions::method.
  /// @param queries        at least 1
  /// @param longest_query  centroids that a query has at most, 1…Signatures::largest_length
  /// Throws as search() does.
  std::unique_ptr<SignaturePlan> plan(std::uint32_t queries, std::uint32_t longest_query, std::uint64_t k);
  /// The same of range_search().
  std::unique_ptr<SignaturePlan> plan_range(std::uint32_t queries, std::uint32_t longest_query, float radius);
  /// The same of distances().
  std::unique_ptr<SignaturePlan> plan_distances(std::uint32_t queries, std::uint32_t longest_query);

  std::uint64_t size() const;
  std::uint32_t dimensions() const;
  const SimilarityFunction& similarity() const;
  double build_milliseconds() const;

 private:
  struct PROXEL_HIDDEN Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
