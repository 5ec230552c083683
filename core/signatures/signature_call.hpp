#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "proxel/signature_index.hpp"
#include "session/session.hpp"
#include "signatures/screen_bound.hpp"
#include "signatures/signature_queries.hpp"

namespace proxel::signatures {

/// What the round of a block of queries is planned for.
struct SignatureShape {
  SignatureSearchDescription description;
  bool all_distances = false;

  bool serves(const SignatureShape& wanted) const;
};

/// Throws Error(invalid_argument) unless the queries have the dimensions of the index.
void require_dimensions(const Signatures& queries, const StoredSignatures& stored);

/// What searches among signatures have in common.
struct SignatureSearcher {
  const StoredSignatures& stored;
  const ScreenBound& bound;
  /// Plans a search for queries of any length.
  std::function<std::unique_ptr<SignaturePlan>(const SignatureShape&)> plan;

  /// @param slots   words of results per query
  /// @param wanted  but for what a block says
  /// Throws as require_dimensions() does.
  session::Call<SignatureShape> call(const Signatures& queries, std::uint64_t slots,
                                     const SignatureShape& wanted) const;
};

/// What a plan's results have to be. @param description  of the k nearest or within a radius
SearchRequirements results_of(const SignatureSearchDescription& description);

/// Checks what a caller records of queries that are expected to weigh what is in the index, and describes it.
/// @param longest  centroids that a query has at most
/// Throws Error(invalid_argument).
SignatureSearchDescription planned(SignatureSearchDescription description, std::uint32_t queries,
                                   std::uint32_t longest);

}  // namespace proxel::signatures
