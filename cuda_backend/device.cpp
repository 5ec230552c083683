#include "device.hpp"

#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "commands.hpp"
#include "cublas.hpp"
#include "library_pass.hpp"
#include "memory.hpp"
#include "proxel/passes/decode_keys.h"
#include "search/check.hpp"
#include "search/words.hpp"
#include "status.hpp"
#include "watch.hpp"

namespace proxel::cuda {

namespace {

// Of all devices, as those of one GPU share what is set of its kernels.
std::mutex loaded_mutex;

}  // namespace

CudaDevice::CudaDevice(const DeviceInfo& info) {
  info_ = info;
  const CurrentDevice current(ordinal());
  check(cudaSetDevice(ordinal()), "cannot be opened");
  // The architectures that were built for are known by number; this asks the driver.
  cudaFuncAttributes attributes{};
  const Kernel any = find_kernel(passes::make_decode_keys({}));
  check(cudaFuncGetAttributes(&attributes, any.function), "cannot run the kernels of this build");
  // Kernels made for older devices would not wait for the passes before them.
  chains_passes_ = attributes.binaryVersion >= 90 && attributes.ptxVersion >= 90;
  binary_version_ = static_cast<std::uint32_t>(attributes.binaryVersion);
  try {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cannot create a stream");
    check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "cannot create a stream");
    for (cudaEvent_t& event : copied_)
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cannot create an event");
    search::prepare_words(*this);
  } catch (...) {
    destroy();
    throw;
  }
}

CudaDevice::~CudaDevice() {
  const CurrentDevice current(ordinal());
  cudaStreamSynchronize(stream_);
  cudaStreamSynchronize(copies_);
  cublas_.reset();
  destroy();
}

void CudaDevice::destroy() {
  for (cudaEvent_t event : copied_)
    if (event) cudaEventDestroy(event);
  if (copies_) cudaStreamDestroy(copies_);
  if (stream_) cudaStreamDestroy(stream_);
}

void CudaDevice::check(cudaError_t status, const char* action) const { cuda::check(status, info_.id, action); }

Support CudaDevice::supports(const Pass& pass) const {
  const Capabilities& has = info_.capabilities;
  if (pass.workgroup_size > has.max_workgroup_size)
    return Support::no(fmt::format("{} needs workgroups of {}, the device has {}", pass.name(), pass.workgroup_size,
                                   has.max_workgroup_size));
  const Kernel kernel = find_kernel(pass);
  if (kernel.library) return kernel.library->supports(pass);
  if (!kernel.function)
    return Support::no(Limit::kernel, fmt::format("no CUDA kernel serves {} with {} and workgroups of {}", pass.name(),
                                                  text_of_constants(pass), pass.workgroup_size));
  if (kernel.only_capability != 0 && kernel.only_capability != binary_version_)
    return Support::no(
        Limit::build,
        fmt::format("{} uses instructions of compute capability {}.{}, this build runs code for {}.{} on the device",
                    pass.name(), kernel.only_capability / 10, kernel.only_capability % 10, binary_version_ / 10,
                    binary_version_ % 10));
  if (kernel.shared_bytes > has.shared_memory_bytes)
    return Support::no(fmt::format("{} needs {} bytes of shared memory, the device has {}", pass.name(),
                                   kernel.shared_bytes, has.shared_memory_bytes));
  if (pass.grid.x > INT32_MAX || pass.grid.y > largest_grid_extent || pass.grid.z > largest_grid_extent)
    return Support::no(
        fmt::format("{} needs a grid of {} x {} x {}", pass.name(), pass.grid.x, pass.grid.y, pass.grid.z));
  return Support::yes();
}

void CudaDevice::prepare(const Pass& pass) {
  if (const Support support = supports(pass); !support) throw Error(ErrorCode::unsupported, info_.id, support.reason);
  const CurrentDevice current(ordinal());
  const Kernel kernel = find_kernel(pass);
  if (kernel.library) return kernel.library->prepare(*this);
  // Loads the kernel now: loading it when it is first launched would wait for
  // the device, and fail inside a capture. To ask again takes as long as a short search.
  const std::scoped_lock lock(loaded_mutex);
  cudaFuncAttributes& attributes = loaded_[kernel.function];
  const auto shared_bytes = static_cast<int>(kernel.shared_bytes);
  // The same device, opened twice, may have been given more shared memory by the other.
  if (attributes.maxThreadsPerBlock == 0 || shared_bytes > attributes.maxDynamicSharedSizeBytes)
    check(cudaFuncGetAttributes(&attributes, kernel.function), "cannot load a kernel");
  const std::uint32_t threads = kernel.workgroup_size ? kernel.workgroup_size : pass.workgroup_size;
  if (static_cast<int>(threads) > attributes.maxThreadsPerBlock)
    throw Error(ErrorCode::unsupported, info_.id,
                fmt::format("{} needs workgroups of {}, its kernel allows {}", pass.name(), threads,
                            attributes.maxThreadsPerBlock));
  if (shared_bytes <= attributes.maxDynamicSharedSizeBytes) return;
  check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
        "cannot reserve shared memory");
  attributes.maxDynamicSharedSizeBytes = shared_bytes;
}

Cublas& CudaDevice::cublas() {
  if (!cublas_) cublas_ = std::make_unique<Cublas>(*this);
  return *cublas_;
}

std::unique_ptr<Buffer> CudaDevice::create_buffer(std::uint64_t bytes, MemoryKind kind) {
  search::require_enumerator("memory kind", kind, MemoryKind::direct);
  if (kind == MemoryKind::direct)
    throw Error(ErrorCode::unsupported, info_.id, "the host does not write memory of a CUDA device");
  return std::make_unique<CudaBuffer>(*this, bytes, kind);
}

std::unique_ptr<Texture> CudaDevice::create_texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                                                    TexelFormat format) {
  search::require_enumerator("texel format", format, TexelFormat::rgba32_uint);
  return std::make_unique<CudaTexture>(*this, width, height, layers, format);
}

std::unique_ptr<Commands> CudaDevice::create_commands(Timing timing) {
  search::require_enumerator("timing", timing, Timing::passes);
  return std::make_unique<CudaCommands>(*this, timing);
}

void CudaDevice::submit(Commands& commands) {
  auto* own = dynamic_cast<CudaCommands*>(&commands);
  if (!own || &own->device() != this)
    throw Error(ErrorCode::invalid_argument, "commands", "were not created by " + info_.id);
  const InUse::Scope in_use(in_use_, info_.id.c_str(), InUse::Again::allowed);
  own->launch(stream_);
}

void CudaDevice::wait() {
  const InUse::Scope in_use(in_use_, info_.id.c_str(), InUse::Again::allowed);
  const CurrentDevice current(ordinal());
  wait_watched([&](bool limited) {
    if (limited) return finished_within(Watch::interval());
    check(cudaStreamSynchronize(stream_), "cannot wait for submitted work");
    return true;
  });
}

bool CudaDevice::finished_within(std::chrono::nanoseconds limit) const {
  const auto begin = std::chrono::steady_clock::now();
  // As the driver waits by itself: short work is waited for without sleep.
  constexpr std::chrono::milliseconds short_work{20};
  while (true) {
    const cudaError_t status = cudaStreamQuery(stream_);
    if (status != cudaErrorNotReady) {
      check(status, "cannot wait for submitted work");
      return true;
    }
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (waited >= limit) return false;
    if (waited < short_work)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

std::unique_ptr<Buffer> CudaDevice::pin(const void* memory, std::uint64_t bytes) {
  return std::make_unique<PinnedBuffer>(*this, memory, bytes);
}

void CudaDevice::start_copy(const BufferView& from, const BufferView& to) {
  const CurrentDevice current(ordinal());
  check(cudaMemcpyAsync(reinterpret_cast<void*>(to.address()), reinterpret_cast<const void*>(from.address()),
                        from.bytes, cudaMemcpyDefault, copies_),
        "cannot copy");
  check(cudaEventRecord(copied_[copies_started_ % copied_.size()], copies_), "cannot record an event");
  ++copies_started_;
}

void CudaDevice::wait_copies(std::uint32_t but) {
  const CurrentDevice current(ordinal());
  if (but == 0)
    check(cudaStreamSynchronize(copies_), "cannot wait for copies");
  else if (copies_started_ > but)
    check(cudaEventSynchronize(copied_[(copies_started_ - 1 - but) % copied_.size()]), "cannot wait for copies");
}

CudaDevice& as_cuda_device(Device& device) {
  auto* own = dynamic_cast<CudaDevice*>(&device);
  if (!own) throw Error(ErrorCode::invalid_argument, "device", device.info().id + " is not a CUDA device");
  return *own;
}

}  // namespace proxel::cuda
