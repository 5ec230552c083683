#include <cstring>

#include <fmt/format.h>

#include "architectures.hpp"
#include "backend.hpp"
#include "device.hpp"
#include "status.hpp"

namespace proxel::cuda {
namespace {

std::string version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

// Whether there is a driver that this runtime can use.
Support probe(int& device_count) {
  int driver = 0;
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    cudaGetLastError();
    return Support::no("no NVIDIA driver was found");
  }
  const cudaError_t status = cudaGetDeviceCount(&device_count);
  if (status == cudaSuccess && device_count > 0) return Support::yes();
  cudaGetLastError();
  device_count = 0;
  if (status == cudaErrorInsufficientDriver)
    return Support::no(
        fmt::format("the NVIDIA driver serves CUDA {}, too old for CUDA {}", version(driver), version(runtime)));
  if (status == cudaSuccess || status == cudaErrorNoDevice) return Support::no("the driver reports no NVIDIA device");
  return Support::no(describe(status));
}

int attribute(cudaDeviceAttr which, int ordinal) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, ordinal) != cudaSuccess) cudaGetLastError();
  return value;
}

DeviceInfo describe_device(int ordinal) {
  DeviceInfo info;
  info.backend = BackendKind::cuda;
  info.index = static_cast<std::uint32_t>(ordinal);
  info.id = fmt::format("cuda:{}", ordinal);
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  info.driver = fmt::format("CUDA driver {}, runtime {}", version(driver), version(runtime));

  cudaDeviceProp properties{};
  if (const cudaError_t status = cudaGetDeviceProperties(&properties, ordinal); status != cudaSuccess) {
    cudaGetLastError();
    info.usable = Support::no(describe(status));
    return info;
  }
  info.name = properties.name;
  static_assert(sizeof properties.uuid.bytes == sizeof info.uuid);
  std::memcpy(info.uuid.data(), properties.uuid.bytes, sizeof properties.uuid.bytes);

  Capabilities& has = info.capabilities;
  has.memory_bytes = properties.totalGlobalMem;
  has.max_allocation_bytes = properties.totalGlobalMem;
  has.subgroup_size = static_cast<std::uint32_t>(properties.warpSize);
  has.max_workgroup_size = static_cast<std::uint32_t>(properties.maxThreadsPerBlock);
  has.shared_memory_bytes = static_cast<std::uint32_t>(properties.sharedMemPerBlockOptin);
  has.multiprocessors = static_cast<std::uint32_t>(properties.multiProcessorCount);
  // Textures are linear memory: what a grid can cover is the limit.
  has.max_texture_extent = largest_grid_extent;
  has.max_texture_layers = largest_grid_extent;
  has.timestamps = true;

  info.usable = kernels_run_on(PROXEL_CUDA_ARCHITECTURES, properties.major, properties.minor);
  if (attribute(cudaDevAttrComputeMode, ordinal) == cudaComputeModeProhibited)
    info.usable = Support::no("its compute mode prohibits every use");
  return info;
}

class CudaBackend : public Backend {
 public:
  CudaBackend() {
    int device_count = 0;
    available_ = probe(device_count);
    for (int ordinal = 0; ordinal < device_count; ++ordinal) devices_.push_back(describe_device(ordinal));
  }

  BackendKind kind() const override { return BackendKind::cuda; }
  Support available() const override { return available_; }
  std::vector<DeviceInfo> devices() const override { return devices_; }

  std::unique_ptr<Device> open(std::uint32_t index) const override {
    if (index >= devices_.size())
      throw Error(ErrorCode::not_found, fmt::format("cuda:{}", index),
                  available_ ? fmt::format("there are {} devices", devices_.size()) : available_.reason);
    const DeviceInfo& info = devices_[index];
    if (!info.usable) throw Error(ErrorCode::unsupported, info.id, info.usable.reason);
    return std::make_unique<CudaDevice>(info);
  }

 private:
  Support available_;
  std::vector<DeviceInfo> devices_;
};

}  // namespace

const Backend& cuda_backend() {
  static const CudaBackend backend;
  return backend;
}

}  // namespace proxel::cuda
