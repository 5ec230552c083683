#include "memory.hpp"

#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "search/check.hpp"
#include "status.hpp"

namespace proxel::cuda {
namespace {

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// Device memory of `bytes` bytes.
std::uint64_t allocate(const CudaDevice& device, std::uint64_t bytes) {
  void* memory = nullptr;
  device.check(cudaMalloc(&memory, bytes), fmt::format("cannot allocate {} bytes of device memory", bytes).c_str());
  return reinterpret_cast<std::uint64_t>(memory);
}

}  // namespace

CudaBuffer::CudaBuffer(CudaDevice& device, std::uint64_t bytes, MemoryKind kind) : device_(device) {
  if (bytes == 0) throw Error(ErrorCode::invalid_argument, "buffer bytes", "0 was given, at least 1 is allowed");
  const CurrentDevice current(device.ordinal());
  owner_ = &device;
  bytes_ = bytes;
  if (kind == MemoryKind::device) {
    address_ = allocate(device, bytes);
    return;
  }
  device.check(cudaHostAlloc(&mapped_, bytes, cudaHostAllocMapped | cudaHostAllocPortable),
               fmt::format("cannot allocate {} bytes of pinned memory", bytes).c_str());
  void* seen_by_kernels = nullptr;
  if (const cudaError_t status = cudaHostGetDevicePointer(&seen_by_kernels, mapped_, 0); status != cudaSuccess) {
    cudaFreeHost(mapped_);
    device.check(status, "cannot map pinned memory");
  }
  address_ = reinterpret_cast<std::uint64_t>(seen_by_kernels);
}

CudaBuffer::~CudaBuffer() {
  const CurrentDevice current(device_.ordinal());
  if (mapped_)
    cudaFreeHost(mapped_);
  else
    cudaFree(pointer(address_));
}

namespace {

// Host memory that CUDA reads where it lies: of cudaHostAlloc, or locked by whomever.
bool is_locked(const void* memory) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, memory) == cudaSuccess) return attributes.type == cudaMemoryTypeHost;
  cudaGetLastError();
  return false;
}

// How many buffers there are of memory that this process has locked for them, by its begin and size.
std::mutex locks_mutex;
std::map<std::pair<const void*, std::uint64_t>, std::uint32_t> locks;

}  // namespace

PinnedBuffer::PinnedBuffer(CudaDevice& device, const void* memory, std::uint64_t bytes) : device_(device) {
  search::require_pinnable(memory, bytes);
  const CurrentDevice current(device.ordinal());
  owner_ = &device;
  bytes_ = bytes;
  mapped_ = const_cast<void*>(memory);
  address_ = reinterpret_cast<std::uint64_t>(memory);
  const std::scoped_lock lock(locks_mutex);
  if (const auto held = locks.find({memory, bytes}); held != locks.end()) {
    ++held->second;
    locked_ = true;
    return;
  }
  if (is_locked(memory) && is_locked(static_cast<const std::byte*>(memory) + bytes - 1)) return;
  auto held = locks.try_emplace({memory, bytes}, 1).first;
  // Pages that may only be read, those of a mapped file, are locked by some systems alone.
  int only_read = 0;
  cudaDeviceGetAttribute(&only_read, cudaDevAttrHostRegisterReadOnlySupported, device.ordinal());
  const unsigned flags = cudaHostRegisterPortable | (only_read != 0 ? cudaHostRegisterReadOnly : 0u);
  if (const cudaError_t status = cudaHostRegister(mapped_, bytes, flags); status != cudaSuccess) {
    cudaGetLastError();
    locks.erase(held);
    throw Error(status == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::unsupported,
                "pinned memory",
                fmt::format("{} does not lock {} bytes of this memory: {}", device.info().id, bytes, describe(status)));
  }
  locked_ = true;
}

PinnedBuffer::~PinnedBuffer() {
  if (!locked_) return;
  const std::scoped_lock lock(locks_mutex);
  const auto held = locks.find({mapped_, bytes_});
  if (--held->second != 0) return;
  locks.erase(held);
  const CurrentDevice current(device_.ordinal());
  cudaHostUnregister(mapped_);
}

WrappedBuffer::WrappedBuffer(CudaDevice& device, void* device_pointer, std::uint64_t bytes) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::invalid_argument, "device_pointer", why); };
  const auto address = reinterpret_cast<std::uint64_t>(device_pointer);
  if (!device_pointer) refuse("is null");
  if (bytes == 0) throw Error(ErrorCode::invalid_argument, "bytes", "0 was given, at least 1 is allowed");
  if (address % 256 != 0) refuse("must be a multiple of 256");
  const CurrentDevice current(device.ordinal());
  cudaPointerAttributes attributes{};
  if (const cudaError_t status = cudaPointerGetAttributes(&attributes, device_pointer); status != cudaSuccess) {
    cudaGetLastError();
    refuse("is not known to CUDA: " + describe(status));
  }
  if (attributes.type == cudaMemoryTypeUnregistered || !attributes.devicePointer)
    refuse("is host memory that CUDA does not know");
  if (attributes.type == cudaMemoryTypeDevice && attributes.device != device.ordinal())
    refuse(fmt::format("is memory of cuda:{}, not of {}", attributes.device, device.info().id));
  owner_ = &device;
  bytes_ = bytes;
  address_ = reinterpret_cast<std::uint64_t>(attributes.devicePointer);
}

CudaTexture::CudaTexture(CudaDevice& device, std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                         TexelFormat format)
    : device_(device) {
  const Capabilities& allowed = device.capabilities();
  if (width == 0 || height == 0 || layers == 0 || width > allowed.max_texture_extent ||
      height > allowed.max_texture_extent || layers > allowed.max_texture_layers)
    throw Error(ErrorCode::invalid_argument, "texture extent",
                fmt::format("{} x {} x {} was given, 1 to {} x {} x {} is allowed", width, height, layers,
                            allowed.max_texture_extent, allowed.max_texture_extent, allowed.max_texture_layers));
  const std::uint64_t texels = std::uint64_t{width} * height;
  if (texels > UINT64_MAX / 16 / layers)
    throw Error(ErrorCode::out_of_memory, device.info().id, "no texture is that large");
  const std::uint64_t bytes = texels * layers * 16;
  const CurrentDevice current(device.ordinal());
  width_ = width;
  height_ = height;
  layers_ = layers;
  format_ = format;
  address_ = allocate(device, bytes);
}

CudaTexture::~CudaTexture() {
  const CurrentDevice current(device_.ordinal());
  cudaFree(pointer(address_));
}

}  // namespace proxel::cuda
