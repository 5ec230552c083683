#pragma once

#include <cstdint>
#include <optional>

#include "proxel/device.hpp"
#include "proxel/selection.hpp"
#include "proxel/signature_index.hpp"
#include "search/check.hpp"
#include "signatures/stored_signatures.hpp"

namespace proxel::signatures {

/// Describes one search: how many queries, of how many centroids.
struct SignatureSearchDescription {
  std::uint32_t queries = 0;
  std::uint64_t places = 0;  // that their memory has
  std::uint64_t k = 1;
  std::optional<float> radius = {};  // instead of k
  bool screened = false;
  bool filtered = false;  // by pivots, before what is left is screened
  /// Objects that permutations leave of each query, which are screened; 0: there are no permutations.
  std::uint64_t candidates = 0;
  SelectionMethod selection = SelectionMethod::automatic;  // of candidates
  std::uint64_t scratch_limit = 0;

  bool operator==(const SignatureSearchDescription&) const = default;
};

/// Whether the answers are all candidates, so that there is nothing to leave out.
inline bool answers_all_candidates(const SignatureSearchDescription& description) {
  return description.candidates != 0 && !description.radius && description.k >= description.candidates;
}

inline SignatureMethod method_of(const SignatureSearchDescription& description) {
  return description.filtered   ? SignatureMethod::filtered
         : description.screened ? SignatureMethod::screened
                                : SignatureMethod::canonical;
}

/// Queries begin at multiples of so many places (signature_screen.h).
inline constexpr std::uint64_t query_alignment = 4;

/// Queries in device memory. Their groups are as many as they are, the last ones empty.
struct QueryMemory {
  QueryMemory(const SignatureSearchDescription& description, std::uint32_t dimensions)
      : signatures(description.queries, description.places, dimensions, description.queries),
        margins(signatures.bytes),
        errors(margins + search::align_scratch(std::uint64_t{description.queries} * 4)),
        evaluated(errors + search::align_scratch(std::uint64_t{description.queries} * 4)),
        survivors(evaluated + std::uint64_t{description.queries} * 4),
        bytes(survivors + std::uint64_t{description.queries} * 4) {}

  SignatureLayout signatures;
  std::uint64_t margins;    // binary32 [queries]: signature_limits'; without a k-th nearest the limits themselves
  std::uint64_t errors;     // binary32 [queries]: of squared distances to pivots
  std::uint64_t evaluated;  // 32-bit [queries]: canonical distances, 0 at first
  std::uint64_t survivors;  // 32-bit [queries]: objects that pivots left, 0 at first; of permutations the candidates
  std::uint64_t bytes;
};

/// Canonical distances of `count` queries from `first` on.
/// @param distances  [count x stride]
/// @param limits     address, [count]; 0: every distance
void record_distances(Recording& recording, const StoredSignatures& stored, const QueryMemory& memory,
                      std::uint64_t queries, std::uint32_t first, std::uint32_t count, std::uint64_t distances,
                      std::uint64_t stride, std::uint64_t limits = 0);

/// Distances from one query to the next: a multiple of 4.
std::uint64_t distance_stride(const StoredSignatures& stored);

/// Those of `set` from signature `first` on.
passes::SignatureSet from_query(passes::SignatureSet set, std::uint32_t first);

/// Records what finds the terms of packed queries.
void record_query_terms(Recording& recording, const StoredSignatures& stored, const QueryMemory& memory,
                        std::uint64_t queries, std::uint32_t count);

}  // namespace proxel::signatures
