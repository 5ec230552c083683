#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/radix_scan.h"

namespace proxel {

Pass passes::make_radix_scan(const RadixScanParameters& parameters, std::uint32_t row_count,
                             std::uint32_t workgroup_size) {
  constexpr std::uint32_t few_tiles = 32;
  const std::uint32_t groups = parameters.tiles <= few_tiles ? 1 : parameters.digits;
  return make_pass(radix_scan, parameters, {}, {groups, row_count, 1}, workgroup_size, 4 * workgroup_size);
}

PROXEL_PASS(radix_scan)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<RadixScanParameters>();
  for (std::uint64_t item = 0; item < std::uint64_t{pass.grid.y} * parameters.digits; ++item) {
    auto* counts = at<std::uint32_t>(parameters.counts) + item * parameters.tiles;
    std::uint32_t sum = 0;
    for (std::uint32_t tile = 0; tile < parameters.tiles; ++tile) {
      const std::uint32_t count = counts[tile];
      counts[tile] = sum;
      sum += count;
    }
    at<std::uint32_t>(parameters.totals)[item] = sum;
  }
}

}  // namespace proxel
