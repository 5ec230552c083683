#pragma once

#include "passes/decoded_distance.hpp"
#include "proxel/search.hpp"

namespace proxel::search {

using passes::finish_of;

/// Records the decoding of `count` keys into results that start at slot first_slot.
void record_decode(Recording& recording, Metric metric, std::uint64_t keys_address,
                   const SearchBuffers& buffers, std::uint64_t first_slot, std::uint64_t count);

}  // namespace proxel::search
