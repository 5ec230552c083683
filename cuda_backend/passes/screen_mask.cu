#include "kernels/chain.cuh"
#include "kernels/filter.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_mask.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenMaskParameters;

__global__ void __launch_bounds__(1024) mask(const Parameters p) {
  follow_previous_pass();
  const Filter filter(p.filter_bits, (p.row_count - 1) / 32 + 1, blockIdx.y);
  const std::uint64_t tiles = (std::uint64_t{p.row_count} + passes::tile_rows - 1) / passes::tile_rows;
  auto* masked = reinterpret_cast<std::uint32_t*>(p.masked) + blockIdx.y * tiles * passes::tile_rows;
  for_each_strided(tiles * passes::tile_rows, [&](std::uint64_t row) {
    const bool kept = row < p.row_count && filter.allows(static_cast<std::uint32_t>(row));
    masked[row] = kept ? __ldg(reinterpret_cast<const std::uint32_t*>(p.biases) + row) : p.nothing;
  });
}

}  // namespace

PROXEL_KERNEL(screen_mask)(const Pass&) { return variant(mask); }

}  // namespace proxel::cuda
