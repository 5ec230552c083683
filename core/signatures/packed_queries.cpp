#include "signatures/packed_queries.hpp"

#include <cstring>

#include "signatures/stored_pivots.hpp"

namespace proxel::signatures {

void pack_queries(const Signatures& queries, std::uint64_t first, const SignatureSearchDescription& description,
                  const StoredSignatures& stored, const ScreenBound& bound, std::byte* to) {
  const QueryMemory layout(description, stored.dimensions);
  SignaturePlaces places(queries, first, description.queries, query_alignment);
  places.groups.resize(std::uint64_t{description.queries} + 1, description.queries);
  pack(queries, first, stored.scale, places, layout.signatures, to);
  std::memset(to + layout.margins, 0, layout.bytes - layout.margins);
  auto* margins = reinterpret_cast<float*>(to + layout.margins);
  auto* errors = reinterpret_cast<float*>(to + layout.errors);
  for (std::uint64_t i = 0; i < description.queries; ++i) {
    const std::uint64_t query = first + i;
    if (description.screened)
      margins[i] = description.radius ? bound.limit(queries, query, *description.radius) : bound.margin(queries, query);
    if (description.filtered)
      errors[i] = static_cast<float>(1.001 * canonical_error(stored.dimensions, queries.length(query) + stored.longest,
                                                             total_weight(queries, query) + stored.largest_weight));
  }
}

}  // namespace proxel::signatures
