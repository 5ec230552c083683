#include "sharing.hpp"

#include "device.hpp"
#include "proxel/cuda.hpp"
#include "status.hpp"

namespace proxel::cuda {
namespace {

constexpr const char* no_export = "CUDA memory and semaphores are not exported; let the Vulkan device make them";

// Vulkan's memory, and a pointer to it.
class ImportedBuffer final : public Buffer {
 public:
  ImportedBuffer(CudaDevice& device, interop::ExportedMemory memory) : device_(device) {
    const CurrentDevice current(device.ordinal());
    cudaExternalMemoryHandleDesc from{};
    from.type = cudaExternalMemoryHandleTypeOpaqueFd;
    from.handle.fd = memory.descriptor.number();
    from.size = memory.allocation_bytes;
    if (memory.dedicated) from.flags = cudaExternalMemoryDedicated;
    device.check(cudaImportExternalMemory(&memory_, &from), "cannot import memory");
    memory.descriptor.release();  // is the driver's now
    cudaExternalMemoryBufferDesc part{};
    part.size = memory.bytes;
    void* pointer = nullptr;
    if (const cudaError_t status = cudaExternalMemoryGetMappedBuffer(&pointer, memory_, &part); status != cudaSuccess) {
      cudaDestroyExternalMemory(memory_);
      device.check(status, "cannot map imported memory");
    }
    owner_ = &device;
    bytes_ = memory.bytes;
    address_ = reinterpret_cast<std::uint64_t>(pointer);
  }
  ~ImportedBuffer() override {
    const CurrentDevice current(device_.ordinal());
    cudaFree(reinterpret_cast<void*>(address_));
    cudaDestroyExternalMemory(memory_);
  }

 private:
  CudaDevice& device_;
  cudaExternalMemory_t memory_ = nullptr;
};

class ImportedSemaphore final : public interop::Semaphore {
 public:
  ImportedSemaphore(CudaDevice& device, interop::FileDescriptor descriptor) : device_(device) {
    const CurrentDevice current(device.ordinal());
    cudaExternalSemaphoreHandleDesc from{};
    from.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    from.handle.fd = descriptor.number();
    device.check(cudaImportExternalSemaphore(&semaphore_, &from), "cannot import a semaphore");
    descriptor.release();
  }
  ~ImportedSemaphore() override {
    const CurrentDevice current(device_.ordinal());
    cudaDestroyExternalSemaphore(semaphore_);
  }

  void signal(cudaStream_t stream, std::uint64_t value) const {
    const CurrentDevice current(device_.ordinal());
    cudaExternalSemaphoreSignalParams parameters{};
    parameters.params.fence.value = value;
    device_.check(cudaSignalExternalSemaphoresAsync(&semaphore_, &parameters, 1, stream), "cannot signal a semaphore");
  }
  void wait(cudaStream_t stream, std::uint64_t value) const {
    const CurrentDevice current(device_.ordinal());
    cudaExternalSemaphoreWaitParams parameters{};
    parameters.params.fence.value = value;
    device_.check(cudaWaitExternalSemaphoresAsync(&semaphore_, &parameters, 1, stream), "cannot wait for a semaphore");
  }

 private:
  CudaDevice& device_;
  cudaExternalSemaphore_t semaphore_ = nullptr;
};

const ImportedSemaphore& imported(const interop::Semaphore& semaphore) {
  const auto* own = dynamic_cast<const ImportedSemaphore*>(&semaphore);
  if (!own) throw Error(ErrorCode::invalid_argument, "semaphore", "is not one of a CUDA device");
  return *own;
}

[[noreturn]] void refuse_export() { throw Error(ErrorCode::unsupported, "sharing", no_export); }

}  // namespace

Support CudaSharing::exports_memory() const { return Support::no(no_export); }
Support CudaSharing::imports_memory() const { return Support::yes(); }
Support CudaSharing::exports_semaphores() const { return Support::no(no_export); }
Support CudaSharing::imports_semaphores() const { return Support::yes(); }

std::unique_ptr<Buffer> CudaSharing::create_buffer(std::uint64_t) { refuse_export(); }
interop::ExportedMemory CudaSharing::export_memory(const Buffer&) { refuse_export(); }
std::unique_ptr<interop::Semaphore> CudaSharing::create_semaphore(std::uint64_t) { refuse_export(); }
interop::FileDescriptor CudaSharing::export_semaphore(const interop::Semaphore&) { refuse_export(); }

std::unique_ptr<Buffer> CudaSharing::import_memory(interop::ExportedMemory memory) {
  return std::make_unique<ImportedBuffer>(device_, std::move(memory));
}

std::unique_ptr<interop::Semaphore> CudaSharing::import_semaphore(interop::FileDescriptor semaphore) {
  return std::make_unique<ImportedSemaphore>(device_, std::move(semaphore));
}

void signal(const interop::Semaphore& semaphore, void* cuda_stream, std::uint64_t value) {
  imported(semaphore).signal(static_cast<cudaStream_t>(cuda_stream), value);
}

void wait(const interop::Semaphore& semaphore, void* cuda_stream, std::uint64_t value) {
  imported(semaphore).wait(static_cast<cudaStream_t>(cuda_stream), value);
}

}  // namespace proxel::cuda
