#include "search/after.hpp"

#include "proxel/passes/after_keys.h"
#include "search/decode.hpp"

namespace proxel::search {
namespace {

passes::AfterKeysParameters pairs(const SearchAfter& after, std::uint32_t first_query, std::uint32_t count,
                                  std::uint64_t keys_address) {
  const std::uint64_t first = std::uint64_t{first_query} * after.stride * 4;
  passes::AfterKeysParameters parameters{};
  parameters.distances = after.distances.address() + first;
  parameters.indices = after.indices.address() + first;
  parameters.keys = keys_address;
  parameters.query_count = count;
  parameters.pair_stride = after.stride;
  parameters.others = 1;
  return parameters;
}

}  // namespace

void record_after(Recording& recording, Metric metric, const SearchAfter& after, std::uint32_t first_query,
                  std::uint32_t count, std::uint64_t keys_address) {
  recording.record(passes::make_after_keys(pairs(after, first_query, count, keys_address), metric));
}

void record_after(Recording& recording, Metric metric, const SearchAfter& after, std::uint32_t first_query,
                  std::uint32_t count, std::uint64_t keys_address, std::uint64_t query_address,
                  std::uint32_t dimensions, std::span<const RowsSegment> segments) {
  if (finish_of(metric) == passes::finish_none)
    return record_after(recording, metric, after, first_query, count, keys_address);
  passes::AfterKeysParameters parameters = pairs(after, first_query, count, keys_address);
  parameters.queries = query_address;
  parameters.dimensions = dimensions;
  parameters.query_stride = dimensions;
  for (const RowsSegment& segment : segments) {
    // The first segment writes every key, later ones those of their own rows.
    if (&segment != &segments.front()) {
      recording.barrier();
      parameters.others = 0;
    }
    parameters.rows = segment.rows;
    parameters.first_index = static_cast<std::uint32_t>(segment.first_index);
    recording.record(passes::make_after_keys(parameters, metric));
  }
}

}  // namespace proxel::search
