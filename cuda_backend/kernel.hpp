#pragma once

#include <cstdint>
#include <cstring>

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
  std::uint32_t workgroup_size = 0;  ///< the pass's, whatever the kernel's own is
  std::uint32_t constants[4] = {};
  Surface textures[2];

#ifdef __CUDACC__
  /// The constants, as the struct they were made from.
  template <typename Constants>
  __device__ Constants as() const {
    static_assert(sizeof(Constants) <= sizeof constants);
    Constants result;
    memcpy(&result, constants, sizeof result);
    return result;
  }
#endif
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

/// The kernel of a pass, found by its kind and constants.
Kernel find_kernel(const Pass& pass);

/// Begins the choice of a pass's variant, in passes/<name>.cu: PROXEL_KERNEL(name)(const Pass& pass) { … }
#define PROXEL_KERNEL(name)      \
  namespace kernels {            \
  Kernel name(const Pass& pass); \
  }                              \
  Kernel kernels::name

}  // namespace proxel::cuda
