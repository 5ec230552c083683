#pragma once

#include <cuda_runtime_api.h>

#include "proxel/interop.hpp"

namespace proxel::cuda {

class CudaDevice;

/// Memory and semaphores that Vulkan has made. What CUDA makes is not exported.
class CudaSharing final : public interop::Sharing {
 public:
  explicit CudaSharing(CudaDevice& device) : device_(device) {}

  Support exports_memory() const override;
  Support imports_memory() const override;
  Support exports_semaphores() const override;
  Support imports_semaphores() const override;
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes) override;
  interop::ExportedMemory export_memory(const Buffer& buffer) override;
  std::unique_ptr<Buffer> import_memory(interop::ExportedMemory memory) override;
  std::unique_ptr<interop::Semaphore> create_semaphore(std::uint64_t value) override;
  interop::FileDescriptor export_semaphore(const interop::Semaphore& semaphore) override;
  std::unique_ptr<interop::Semaphore> import_semaphore(interop::FileDescriptor semaphore) override;

 private:
  CudaDevice& device_;
};

}  // namespace proxel::cuda
