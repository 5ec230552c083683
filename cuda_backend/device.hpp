#pragma once

#include <array>
#include <chrono>
#include <unordered_map>

#include <cuda_runtime_api.h>

#include "in_use.hpp"
#include "kernel.hpp"
#include "proxel/device.hpp"
#include "sharing.hpp"

namespace proxel::cuda {

class Cublas;

class CudaDevice : public Device {
 public:
  /// @param info  the entry of the backend's list that is opened
  explicit CudaDevice(const DeviceInfo& info);
  ~CudaDevice() override;

  bool shares_addresses(const Device& other) const override {
    return other.info().backend == BackendKind::cuda && other.info().index == info_.index;
  }
  Support supports(const Pass& pass) const override;
  void prepare(const Pass& pass) override;
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override;
  std::unique_ptr<Texture> create_texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                                          TexelFormat format) override;
  std::unique_ptr<Commands> create_commands(Timing timing) override;
  void submit(Commands& commands) override;
  void wait() override;
  bool copies_beside() const override { return true; }
  void start_copy(const BufferView& from, const BufferView& to) override;
  void wait_copies(std::uint32_t but) override;
  Support supports_pinning() const override { return Support::yes(); }
  std::unique_ptr<Buffer> pin(const void* memory, std::uint64_t bytes) override;
  interop::Sharing& sharing() override { return sharing_; }

  int ordinal() const { return static_cast<int>(info_.index); }
  cudaStream_t stream() const { return stream_; }
  /// Whether kernels may be placed while the ones before them still run.
  bool chains_passes() const { return chains_passes_; }
  /// cuBLAS on this device, started when first asked for: by prepare().
  Cublas& cublas();
  /// Throws Error that names this device where status is an error.
  void check(cudaError_t status, const char* action) const;

 private:
  void destroy();
  /// Waits for submitted work, for not much longer than that; returns whether it is done.
  bool finished_within(std::chrono::nanoseconds limit) const;

  cudaStream_t stream_ = nullptr;        // submissions run on it, in order
  cudaStream_t copies_ = nullptr;        // copies that run beside them
  std::array<cudaEvent_t, 8> copied_{};  // recorded behind copies, in turn
  std::uint64_t copies_started_ = 0;
  bool chains_passes_ = false;
  std::uint32_t binary_version_ = 0;  // compute capability, times ten, of the code that runs
  std::unique_ptr<Cublas> cublas_;
  std::unordered_map<const void*, cudaFuncAttributes> loaded_;  // of kernels that have been prepared
  CudaSharing sharing_{*this};
  InUse in_use_;
};

/// The device as one of this backend's. Throws Error(invalid_argument) otherwise.
CudaDevice& as_cuda_device(Device& device);

}  // namespace proxel::cuda
