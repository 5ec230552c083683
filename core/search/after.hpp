#pragma once

#include "proxel/search.hpp"

namespace proxel::search {

/// Records how the pairs of queries first_query … + count - 1 become keys, as
/// they stand: for metrics whose distances are returned as they were
/// accumulated. Pairs of l2, cosine and pearson need their rows.
void record_after(Recording& recording, Metric metric, const SearchAfter& after, std::uint32_t first_query,
                  std::uint32_t count, std::uint64_t keys_address);

/// The same for every metric.
/// @param query_address  of query first_query, [count x dimensions]
void record_after(Recording& recording, Metric metric, const SearchAfter& after, std::uint32_t first_query,
                  std::uint32_t count, std::uint64_t keys_address, std::uint64_t query_address,
                  std::uint32_t dimensions, std::span<const RowsSegment> segments);

}  // namespace proxel::search
