#pragma once

#include <cuda_runtime_api.h>

#include "proxel/pass.hpp"

namespace proxel::cuda {

class CudaDevice;

/// How a library does the work of a pass: it is called on the host and puts
/// kernels of its own on the stream, which executes or captures them.
struct LibraryPass {
  /// Whether the library is there and serves this pass.
  Support (*supports)(const Pass& pass);
  /// Starts the library on a device, so that enqueueing allocates nothing.
  void (*prepare)(CudaDevice& device);
  void (*enqueue)(CudaDevice& device, cudaStream_t stream, const Pass& pass);
};

/// matrix_product by cuBLAS.
extern const LibraryPass cublas_product;

}  // namespace proxel::cuda
