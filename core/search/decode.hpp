#pragma once

#include "passes/decoded_distance.hpp"
#include "proxel/search.hpp"

namespace proxel::search {

using passes::finish_of;

/// The metric whose distances the answers of a search have.
inline Metric answered_metric(const SearchDescription& description) {
  return description.ordered ? accumulated(description.metric) : description.metric;
}
/// What is done with what the metric accumulates.
inline std::uint32_t finish_of(const SearchDescription& description) { return finish_of(answered_metric(description)); }

/// Records the decoding of `count` keys into results that start at slot first_slot.
void record_decode(Recording& recording, Metric metric, std::uint64_t keys_address, const SearchBuffers& buffers,
                   std::uint64_t first_slot, std::uint64_t count);

}  // namespace proxel::search
