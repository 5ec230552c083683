// Searches whose number of queries the device alone knows.
#pragma once

#include <cstdint>

namespace proxel::cuda {

/// Whether there is no query of that number.
/// @param counted  address of a 32-bit count; 0: every query is there
__device__ inline bool past_counted(std::uint64_t counted, std::uint64_t query) {
  return counted != 0 && query >= *reinterpret_cast<const std::uint32_t*>(counted);
}

/// Queries that a pass answers, of those that it was made for.
__device__ inline std::uint32_t counted_queries(std::uint64_t counted, std::uint32_t queries) {
  return counted == 0 ? queries : min(queries, *reinterpret_cast<const std::uint32_t*>(counted));
}

}  // namespace proxel::cuda
