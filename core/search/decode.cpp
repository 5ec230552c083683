#include "search/decode.hpp"

#include <algorithm>

#include "proxel/passes/decode_keys.h"
#include "search/check.hpp"

namespace proxel::search {

void record_decode(Recording& recording, Metric metric, std::uint64_t keys_address, const SearchBuffers& buffers,
                   std::uint64_t first_slot, std::uint64_t count) {
  constexpr std::uint64_t most_at_once = 1u << 30;
  for (std::uint64_t done = 0; done < count; done += most_at_once) {
    passes::DecodeKeysParameters parameters{};
    parameters.keys = keys_address + done * key_bytes;
    parameters.indices = buffers.indices.address() + (first_slot + done) * 4;
    parameters.distances = buffers.distances.address() + (first_slot + done) * 4;
    parameters.count = static_cast<std::uint32_t>(std::min(most_at_once, count - done));
    parameters.largest_first = largest_first(accumulated(metric));
    parameters.finish = finish_of(metric);
    recording.record(passes::make_decode_keys(parameters));
  }
}

}  // namespace proxel::search
