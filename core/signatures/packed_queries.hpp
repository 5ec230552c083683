#pragma once

#include "signatures/screen_bound.hpp"
#include "signatures/signature_queries.hpp"

namespace proxel::signatures {

/// Writes the queries first … first + description.queries - 1 to memory of description.places places, as a
/// search of that description reads them.
/// @param bound  null unless the search is screened
/// @param to     QueryMemory::bytes of it
/// Throws as pack() does.
void pack_queries(const Signatures& queries, std::uint64_t first, const SignatureSearchDescription& description,
                  const StoredSignatures& stored, const ScreenBound* bound, std::byte* to);

}  // namespace proxel::signatures
