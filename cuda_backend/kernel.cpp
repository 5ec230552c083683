#include "kernel.hpp"

#include <string_view>
#include <unordered_map>

namespace proxel::cuda {
namespace kernels {

// Each stands in passes/<name>.cu.
#define PROXEL_PASS(name) Kernel name(const Pass& pass);
#include "proxel_cuda_kernels.inc"
#undef PROXEL_PASS

}  // namespace kernels

Kernel find_kernel(const Pass& pass) {
  static const std::unordered_map<std::string_view, Kernel (*)(const Pass&)> all = {
#define PROXEL_PASS(name) {#name, kernels::name},
#include "proxel_cuda_kernels.inc"
#undef PROXEL_PASS
  };
  const auto found = all.find(pass.name());
  return found == all.end() ? Kernel{} : found->second(pass);
}

}  // namespace proxel::cuda
