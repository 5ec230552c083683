#pragma once

#include <cstdint>

#include "proxel/pass.hpp"

namespace proxel::cuda {

/// A texture as kernels see it: linear memory of 16-byte texels, [layer][height][width].
struct Surface {
  void* texels = nullptr;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

/// What a kernel may want to know of its pass beside the parameters.
struct Launch {
  std::uint32_t constants[4] = {};
  Surface textures[2];
};

struct LibraryPass;

/// The compiled variant that runs a pass.
struct Kernel {
  /// A __global__ function of (Parameters) or (Parameters, Launch); null where
  /// no variant serves the pass.
  const void* function = nullptr;
  std::uint32_t shared_bytes = 0;  ///< dynamic shared memory of its launch
  /// Threads of a workgroup where the kernel wants its own number; 0: the pass's.
  std::uint32_t workgroup_size = 0;
  /// The only compute capability, times ten, whose instructions it uses; 0: any.
  std::uint32_t only_capability = 0;
  /// What does the work instead of a function; null for all but a few passes.
  const LibraryPass* library = nullptr;
};

/// The kernel of a pass, found by its name and constants.
Kernel find_kernel(const Pass& pass);

// One choice of variant per pass, defined in passes/<name>.cu.
namespace kernels {
#define PROXEL_PASS(name) Kernel name(const Pass& pass);
#include "proxel_pass_names.inc"
#undef PROXEL_PASS
}  // namespace kernels

}  // namespace proxel::cuda
