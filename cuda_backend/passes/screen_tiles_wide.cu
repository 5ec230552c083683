#include "kernels/screen_wide.cuh"
#include "proxel/passes/screen_tiles_wide.h"

namespace proxel::cuda {

PROXEL_KERNEL(screen_tiles_wide)(const Pass& pass) { return wide::kernel_of<wide::HalfScores>(pass); }

}  // namespace proxel::cuda
