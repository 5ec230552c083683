#include "kernel.hpp"

#include <string_view>

namespace proxel::cuda {

Kernel find_kernel(const Pass& pass) {
  const std::string_view name = pass.name;
#define PROXEL_PASS(pass_name) \
  if (name == #pass_name) return kernels::pass_name(pass);
#include "proxel_pass_names.inc"
#undef PROXEL_PASS
  return {};
}

}  // namespace proxel::cuda
