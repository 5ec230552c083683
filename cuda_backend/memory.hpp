#pragma once

#include "device.hpp"

namespace proxel::cuda {

/// Device memory, or pinned host memory that kernels reach without a copy.
class CudaBuffer : public Buffer {
 public:
  CudaBuffer(CudaDevice& device, std::uint64_t bytes, MemoryKind kind);
  ~CudaBuffer() override;

 private:
  CudaDevice& device_;
};

/// Host memory of the caller's, locked where it lies unless somebody else has done so. Buffers of the same memory share
/// what locked it.
class PinnedBuffer : public Buffer {
 public:
  PinnedBuffer(CudaDevice& device, const void* memory, std::uint64_t bytes);
  ~PinnedBuffer() override;

 private:
  CudaDevice& device_;
  bool locked_ = false;  // by this backend
};

/// Memory of the caller's.
class WrappedBuffer : public Buffer {
 public:
  WrappedBuffer(CudaDevice& device, void* device_pointer, std::uint64_t bytes);
};

/// Linear device memory, [layer][height][width].
class CudaTexture : public Texture {
 public:
  CudaTexture(CudaDevice& device, std::uint32_t width, std::uint32_t height, std::uint32_t layers, TexelFormat format);
  ~CudaTexture() override;

 private:
  CudaDevice& device_;
};

}  // namespace proxel::cuda
