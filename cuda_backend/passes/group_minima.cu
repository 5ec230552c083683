#include "kernels/chain.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/group_minima.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::GroupMinimaParameters;

// Pieces that each thread reads before it uses the first.
constexpr unsigned pieces_at_once = 4;

template <bool largest_first>
__global__ void __launch_bounds__(256) find_minima(const Parameters p, const Launch launch) {
  follow_previous_pass();
  const std::uint64_t row = row_of_sharing_workgroups();
  if (row >= p.rows.rows) return;
  const SelectionRow values(p.rows, row);
  const unsigned merge = launch.as<passes::GroupMinimaConstants>().merge;
  const unsigned stride = p.groups * merge;
  unsigned piece = blockIdx.x * blockDim.x + threadIdx.x;
  // A value of the row even where all are NaN.
  Key best = make_key(0xFFFFFFFFu, piece == 0 ? 0 : 8 * piece - values.skip);
  if (8 * std::uint64_t{piece} >= std::uint64_t{values.columns} + values.skip) best = no_row;
  float best_value = __uint_as_float(0x7FC00000u);
  for (unsigned s = 0; s < p.steps; s += pieces_at_once) {
    SelectionChunk<2 * pieces_at_once, largest_first, false> chunk(values);
#pragma unroll
    for (unsigned i = 0; i < pieces_at_once; ++i) {
      chunk.read(2 * i, 2 * piece);
      chunk.read(2 * i + 1, 2 * piece + 1);
      piece += stride;
    }
    // Pieces come in the order of their columns: of equal values the first stays.
    const float value = chunk.best();
    if (value != value || (largest_first ? value <= best_value : value >= best_value)) continue;
    best_value = value;
    best = chunk.first_key(value);
  }
  for (unsigned distance = 1; distance < merge; distance *= 2)
    best = smaller(best, __shfl_xor_sync(all_lanes, best, distance));
  const unsigned group = (blockIdx.x * blockDim.x + threadIdx.x) / merge;
  if (threadIdx.x % merge == 0) reinterpret_cast<Key*>(p.minima)[row * p.groups + group] = best;
}

}  // namespace

PROXEL_KERNEL(group_minima)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::GroupMinimaConstants>();
  const std::uint32_t merge = constants.merge;
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > 256 || merge == 0 || merge > 8 ||
      (merge & (merge - 1)) != 0)
    return {};
  return constants.largest_first != 0 ? variant(find_minima<true>) : variant(find_minima<false>);
}

}  // namespace proxel::cuda
