#pragma once

// Permutation indexes over several devices: the answers of one index, to the bit.

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "proxel/division.hpp"
#include "proxel/export.h"
#include "proxel/permutation.hpp"
#include "proxel/signature_permutation.hpp"
#include "proxel/vector_permutation.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// How permutation indexes divide their work among devices.
struct ShardedPermutationOptions {
  /// Queries alone: rows are refused, since which objects are candidates depends on the permutations of all of them,
  /// so that the candidates of parts are others than those of the whole.
  Division division = Division::queries;
  std::vector<double> shares = {};  ///< as in ShardedOptionsOf
  PermutationOptions index = {};    ///< of the index on each device
};

/// What a permutation index is searched for.
template <typename IndexOf>
struct PermutedObjects;
template <>
struct PermutedObjects<PermutationIndex> {
  using Type = Strings;
};
template <>
struct PermutedObjects<VectorPermutationIndex> {
  using Type = MatrixView<float>;
};
template <>
struct PermutedObjects<SignaturePermutationIndex> {
  using Type = Signatures;
};

/// A permutation index on each of several devices of any kinds, of which each has all objects and answers a part of the
/// queries: the same permutants, candidates, neighbours and distances as one index has, to the bit. Devices work at
/// once, and fail, as those of a ShardedIndex.
///
/// Used by one thread at a time.
/// @tparam IndexOf  PermutationIndex, VectorPermutationIndex or SignaturePermutationIndex
template <typename IndexOf>
class ShardedPermutationsOf {
 public:
  using Objects = typename PermutedObjects<IndexOf>::Type;

  /// Makes the index on each device.
  /// @param devices   1 … 64, each once; they outlive the index. One that is opened twice counts as two
  /// @param progress  told of objects; may be empty
  /// Throws as the index does, Error(invalid_argument) for devices and shares, and Error(unsupported) where rows are to
  /// be divided.
  ShardedPermutationsOf(std::span<Device* const> devices, const Strings& strings,
                        const ShardedPermutationOptions& options = {}, const Progress& progress = {})
    requires std::same_as<IndexOf, PermutationIndex>;
  ShardedPermutationsOf(std::span<Device* const> devices, MatrixView<float> database, Metric metric,
                        const ShardedPermutationOptions& options = {}, const Progress& progress = {})
    requires std::same_as<IndexOf, VectorPermutationIndex>;
  ShardedPermutationsOf(std::span<Device* const> devices, const Signatures& signatures,
                        const SimilarityFunction& similarity = {}, const ShardedPermutationOptions& options = {},
                        const Progress& progress = {})
    requires std::same_as<IndexOf, SignaturePermutationIndex>;
  ~ShardedPermutationsOf();
  ShardedPermutationsOf(ShardedPermutationsOf&&) noexcept;
  ShardedPermutationsOf& operator=(ShardedPermutationsOf&&) noexcept;

  /// These are those of the index. The report adds up the devices' work; its devices are in their order.
  Neighbors search(const Objects& queries, std::uint64_t k, double fraction, const Progress& progress = {});
  RangeNeighbors range_search(const Objects& queries, float radius, double fraction, const Progress& progress = {});
  /// On the first device that has a share.
  FractionChoice choose_fraction(double recall, std::uint64_t k, const Objects& queries, const Progress& progress = {});
  FractionChoice choose_range_fraction(double recall, float radius, const Objects& queries,
                                       const Progress& progress = {})
    requires std::same_as<IndexOf, PermutationIndex>;

  std::uint32_t add(const Strings& strings)
    requires std::same_as<IndexOf, PermutationIndex>;
  std::uint64_t remove(std::span<const std::uint32_t> numbers)
    requires std::same_as<IndexOf, PermutationIndex>;
  std::string text(std::uint32_t number) const
    requires std::same_as<IndexOf, PermutationIndex>;
  StringUnits units() const
    requires std::same_as<IndexOf, PermutationIndex>;
  /// Writes what one index would: the file says nothing of devices.
  void save(const std::string& path)
    requires std::same_as<IndexOf, PermutationIndex>;

  std::uint32_t dimensions() const
    requires(!std::same_as<IndexOf, PermutationIndex>);
  Metric metric() const
    requires std::same_as<IndexOf, VectorPermutationIndex>;
  const SimilarityFunction& similarity() const
    requires std::same_as<IndexOf, SignaturePermutationIndex>;
  std::uint64_t size() const;
  std::span<const std::uint32_t> permutants() const;
  std::uint64_t candidates(std::uint64_t k, double fraction) const;
  Division division() const;
  std::vector<ShardInfo> shards() const;
  /// Host time that trying the devices and making the indexes took, milliseconds.
  double build_milliseconds() const;

 private:
  struct PROXEL_HIDDEN Implementation;
  std::unique_ptr<Implementation> implementation_;
};

using ShardedPermutationIndex = ShardedPermutationsOf<PermutationIndex>;
using ShardedVectorPermutationIndex = ShardedPermutationsOf<VectorPermutationIndex>;
using ShardedSignaturePermutationIndex = ShardedPermutationsOf<SignaturePermutationIndex>;

extern template class ShardedPermutationsOf<PermutationIndex>;
extern template class ShardedPermutationsOf<VectorPermutationIndex>;
extern template class ShardedPermutationsOf<SignaturePermutationIndex>;

}  // namespace proxel
PROXEL_PUBLIC_END
