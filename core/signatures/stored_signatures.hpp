#pragma once

#include <memory>

#include "proxel/device.hpp"
#include "signatures/packed_signatures.hpp"

namespace proxel::signatures {

/// Signatures in device memory, with their terms.
struct StoredSignatures {
  /// Throws Error(invalid_argument | unsupported | out_of_memory).
  StoredSignatures(Device& device, const Signatures& signatures, const SimilarityFunction& function);

  SimilarityFunction function;
  SimilarityScale scale;
  std::uint64_t count;
  std::uint32_t dimensions;
  std::uint64_t centroids;
  std::uint64_t longest;
  double largest_weight;  ///< of a signature's total weights
  std::uint32_t group_count;
  SignatureLayout layout;
  std::unique_ptr<Buffer> memory;

  passes::SignatureSet set() const { return layout.at(memory->address()); }
  std::uint64_t groups() const { return memory->address() + layout.groups; }

 private:
  StoredSignatures(Device& device, const Signatures& signatures, const SimilarityFunction& function,
                   const SignaturePlaces& places);
};

/// Records what finds the terms of signatures in such memory.
void record_terms(Recording& recording, const passes::SignatureSet& set, std::uint64_t groups,
                  std::uint32_t group_count, const SimilarityScale& scale, std::uint32_t dimensions);

}  // namespace proxel::signatures
