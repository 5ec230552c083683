#pragma once

// One index of feature signatures over several devices: the answers of one index, to the bit.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "proxel/division.hpp"
#include "proxel/export.h"
#include "proxel/signature_index.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

using ShardedSignatureOptions = ShardedOptionsOf<SignatureIndexOptions>;

/// Signatures on several devices of any kinds, searched as one SignatureIndex: the same neighbours, distances and
/// counts, to the bit, however they are divided. Devices work at once, and fail, as those of a ShardedIndex. Which
/// method answers each device chooses by what it has, so that a report may count other comparisons than one index.
///
/// Used by one thread at a time.
class ShardedSignatureIndex {
 public:
  /// Uploads the signatures, or parts of them, which need not outlive the index.
  /// @param devices   1 … 64, each once; they outlive the index. One that is opened twice counts as two
  /// @param progress  told of signatures; may be empty
  /// Throws as SignatureIndex does, and Error(invalid_argument) for devices and shares.
  ShardedSignatureIndex(std::span<Device* const> devices, const Signatures& signatures,
                        const ShardedSignatureOptions& options = {}, const Progress& progress = {});
  ~ShardedSignatureIndex();
  ShardedSignatureIndex(ShardedSignatureIndex&&) noexcept;
  ShardedSignatureIndex& operator=(ShardedSignatureIndex&&) noexcept;

  /// SignatureIndex::search(). The report adds up the devices' work; its devices are in their order.
  Neighbors search(const Signatures& queries, std::uint64_t k, const Progress& progress = {});
  /// SignatureIndex::range_search().
  RangeNeighbors range_search(const Signatures& queries, float radius, const Progress& progress = {});
  /// SignatureIndex::distances().
  Distances distances(const Signatures& queries, const Progress& progress = {});

  std::uint64_t size() const;
  std::uint32_t dimensions() const;
  const SimilarityFunction& similarity() const;
  Division division() const;
  std::vector<ShardInfo> shards() const;
  /// Host time that trying the devices, uploading and packing took, milliseconds.
  double build_milliseconds() const;

 private:
  struct PROXEL_HIDDEN Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
