#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/insertion_sort.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::InsertionSortParameters;

// Rows that are read before the first of them is looked at.
constexpr unsigned together = 8;

__global__ void __launch_bounds__(1024) sort(const Parameters p) {
  follow_previous_pass();
  const std::uint32_t query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query >= p.query_count) return;
  const auto* column = reinterpret_cast<const std::uint32_t*>(p.keys) + query;
  auto* keys = reinterpret_cast<std::uint32_t*>(p.nearest_keys) + query;
  const bool tracked = p.nearest_indices != 0;
  auto* indices = reinterpret_cast<std::uint32_t*>(p.nearest_indices) + query;
  const std::uint64_t pitch = p.rank_pitch;
  std::uint32_t held = min(p.rows_before, p.k);
  std::uint32_t kth = held == p.k ? keys[(p.k - 1) * pitch] : 0;

  for (std::uint32_t first = 0; first < p.row_count; first += together) {
    std::uint32_t read[together];
#pragma unroll
    for (unsigned j = 0; j < together; ++j)
      read[j] = __ldcs(column + std::uint64_t{min(first + j, p.row_count - 1)} * p.row_pitch);
#pragma unroll
    for (unsigned j = 0; j < together; ++j) {
      const std::uint32_t key = read[j];
      if (first + j >= p.row_count || (held == p.k && key >= kth)) continue;
      if (held < p.k) ++held;
      std::uint32_t rank = held - 1;
      for (; rank > 0; --rank) {
        const std::uint32_t before = keys[(rank - 1) * pitch];
        if (before <= key) break;
        keys[rank * pitch] = before;
        if (tracked) indices[rank * pitch] = indices[(rank - 1) * pitch];
      }
      keys[rank * pitch] = key;
      if (tracked) indices[rank * pitch] = p.first_index + first + j;
      if (held == p.k) kth = keys[(p.k - 1) * pitch];
    }
  }
}

}  // namespace

PROXEL_KERNEL(insertion_sort)(const Pass&) { return variant(sort); }

}  // namespace proxel::cuda
