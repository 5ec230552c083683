// What the compiler made of the kernels of this build, as the CUDA runtime tells it.
#include "proxel/pass_compiler.hpp"

#include <fmt/format.h>

#include "backend.hpp"
#include "device.hpp"
#include "library_pass.hpp"
#include "status.hpp"

namespace proxel::cuda {
namespace {

class CudaPassCompiler : public PassCompiler {
 public:
  explicit CudaPassCompiler(const DeviceInfo& info) : device_(info) {}

  const DeviceInfo& info() const override { return device_.info(); }
  Support supports(const Pass& pass) const override { return device_.supports(pass); }
  Support statistics() const override { return Support::yes(); }

  CompiledPass compile(const Pass& pass) override {
    device_.prepare(pass);  // loads the kernel
    const Kernel kernel = find_kernel(pass);
    CompiledPass compiled{info().capabilities.subgroup_size, {}};
    if (kernel.library) return compiled;  // a library's kernels tell nothing
    const CurrentDevice current(device_.ordinal());
    cudaFuncAttributes attributes{};
    device_.check(cudaFuncGetAttributes(&attributes, kernel.function), "cannot tell of a kernel");
    const std::uint32_t threads = kernel.workgroup_size ? kernel.workgroup_size : pass.workgroup_size;
    int workgroups = 0;
    device_.check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&workgroups, kernel.function, static_cast<int>(threads),
                                                                kernel.shared_bytes),
                  "cannot tell the occupancy of a kernel");
    compiled.statistics = {{"registers", "of a thread", static_cast<double>(attributes.numRegs)},
                           {"local memory", "bytes of a thread: spilled registers, and arrays that are indexed",
                            static_cast<double>(attributes.localSizeBytes)},
                           {"shared memory", "bytes of a workgroup",
                            static_cast<double>(attributes.sharedSizeBytes + kernel.shared_bytes)},
                           {"workgroups per multiprocessor", "that run at once", static_cast<double>(workgroups)}};
    return compiled;
  }

 private:
  CudaDevice device_;
};

}  // namespace

std::unique_ptr<PassCompiler> open_compiler(std::uint32_t index, std::uint32_t subgroup_size) {
  const DeviceInfo info = cuda_backend().devices().at(index);
  if (!info.usable) throw Error(ErrorCode::unsupported, info.id, info.usable.reason);
  if (subgroup_size != 0 && subgroup_size != info.capabilities.subgroup_size)
    throw Error(
        ErrorCode::unsupported, info.id,
        fmt::format("cannot compile for subgroups of {}; it has {}", subgroup_size, info.capabilities.subgroup_size));
  return std::make_unique<CudaPassCompiler>(info);
}

}  // namespace proxel::cuda
