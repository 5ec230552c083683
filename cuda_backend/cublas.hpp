#pragma once

#include <cuda_runtime_api.h>

#include "proxel/pass.hpp"
#include "proxel/passes/matrix_product.h"

struct cublasContext;

namespace proxel::cuda {

class CudaDevice;

/// Whether the cuBLAS library was found. It is loaded when first asked for, by
/// name, so that a machine without it runs everything else.
Support cublas_support();

/// cuBLAS on one device, in plain binary32. Not thread-safe, as its device.
class Cublas {
 public:
  /// Throws Error(unsupported) with cublas_support()'s reason.
  explicit Cublas(const CudaDevice& device);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  /// Enqueues the product on a stream that executes or captures. Allocates
  /// nothing: all working memory is the pass's own.
  void multiply(cudaStream_t stream, const passes::MatrixProductParameters& parameters) const;

 private:
  void check(int status, const char* action) const;

  const CudaDevice& device_;
  cublasContext* handle_ = nullptr;
};

}  // namespace proxel::cuda
