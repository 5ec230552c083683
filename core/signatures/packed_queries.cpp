#include "signatures/packed_queries.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "signatures/stored_pivots.hpp"

namespace proxel::signatures {
namespace {

float margin(const Signatures& queries, std::uint64_t query, const SignatureSearchDescription& description,
             const ScreenBound& bound) {
  if (description.radius) return bound.limit(queries, query, *description.radius);
  if (answers_all_candidates(description)) return std::numeric_limits<float>::infinity();
  return bound.margin(queries, query);
}

}  // namespace

void pack_queries(const Signatures& queries, std::uint64_t first, const SignatureSearchDescription& description,
                  const StoredSignatures& stored, const ScreenBound* bound, std::byte* to) {
  const QueryMemory layout(description, stored.dimensions);
  SignaturePlaces places(queries, first, description.queries, query_alignment);
  places.groups.resize(std::uint64_t{description.queries} + 1, description.queries);
  pack(queries, first, stored.scale, places, layout.signatures, to);
  std::memset(to + layout.margins, 0, layout.bytes - layout.margins);
  auto* margins = reinterpret_cast<float*>(to + layout.margins);
  std::fill_n(reinterpret_cast<std::uint32_t*>(to + layout.survivors), description.queries,
              static_cast<std::uint32_t>(description.candidates));
  auto* errors = reinterpret_cast<float*>(to + layout.errors);
  for (std::uint64_t i = 0; i < description.queries; ++i) {
    const std::uint64_t query = first + i;
    if (description.screened) margins[i] = margin(queries, query, description, *bound);
    if (description.filtered)
      errors[i] = static_cast<float>(1.001 * canonical_error(stored.dimensions, queries.length(query) + stored.longest,
                                                             total_weight(queries, query) + stored.largest_weight));
  }
}

}  // namespace proxel::signatures
