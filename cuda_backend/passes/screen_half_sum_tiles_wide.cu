#include "proxel/passes/screen_half_sum_tiles_wide.h"
#include "kernels/screen_wide.cuh"
#include "kernels/screen_wide_half_sums.cuh"

namespace proxel::cuda {

PROXEL_KERNEL(screen_half_sum_tiles_wide)(const Pass& pass) { return wide::kernel_of<wide::HalfSums>(pass); }

}  // namespace proxel::cuda
