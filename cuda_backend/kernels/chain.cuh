#pragma once

namespace proxel::cuda {

/// First statement of every kernel. On Hopper and later the next kernel of the
/// stream may be placed on the device while this one still runs, which hides
/// the time of a launch; it stops here until all work before it has finished
/// and is visible. Nothing in device memory may be touched before.
__device__ __forceinline__ void follow_previous_pass() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

}  // namespace proxel::cuda
