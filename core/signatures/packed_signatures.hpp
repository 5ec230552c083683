#pragma once

// Signatures as kernels read them (proxel/passes/types.h, SignatureSet).

#include <cstdint>
#include <span>
#include <vector>

#include "proxel/passes/types.h"
#include "proxel/signatures.hpp"
#include "signatures/similarity_scale.hpp"

namespace proxel::signatures {

/// Where signatures have their places, and which are a group.
struct SignaturePlaces {
  /// The places of the signatures first … first + count - 1, which begin at multiples of `alignment`, a
  /// divisor of signature_block. Throws Error(unsupported) where there
  /// would be more than kernels can count.
  SignaturePlaces(const Signatures& signatures, std::uint64_t first, std::uint64_t count, std::uint64_t alignment = 1);

  std::vector<std::uint32_t> spans;   ///< [count x 2]
  std::vector<std::uint32_t> groups;  ///< [groups + 1]
  std::uint64_t places = 0;           ///< a multiple of signature_block
  /// That so many signatures of at most `longest` centroids take at most, however they follow each other.
  static std::uint64_t most(std::uint64_t signatures, std::uint64_t longest, std::uint64_t alignment);
  std::uint32_t group_count() const { return static_cast<std::uint32_t>(groups.size() - 1); }
};

/// The parts of the memory that a SignatureSet and its groups lie in.
struct SignatureLayout {
  SignatureLayout(std::uint64_t count, std::uint64_t places, std::uint32_t dimensions, std::uint64_t groups);

  std::uint64_t weights, spans, terms, groups, bytes;  // offsets; coordinates are at 0

  passes::SignatureSet at(std::uint64_t address) const;
};

/// Throws Error(invalid_argument) for coordinates of the signatures first … first + count - 1 that the similarity cannot
/// be computed of.
void require_scalable(const Signatures& signatures, std::uint64_t first, std::uint64_t count,
                      const SimilarityScale& scale);

/// Writes the signatures to such memory, which is cleared where nothing stands.
/// @param first  of those that the places are of
/// Throws as require_scalable() does.
void pack(const Signatures& signatures, std::uint64_t first, const SimilarityScale& scale,
          const SignaturePlaces& places, const SignatureLayout& layout, std::byte* to);

/// The total weight, as pack() finds the exponent of a signature by.
double total_weight(const Signatures& signatures, std::uint64_t i);

}  // namespace proxel::signatures
