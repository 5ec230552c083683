#include "kernels/sqfd_block.cuh"
#include "kernels/variant.cuh"

namespace proxel::cuda {

PROXEL_KERNEL(sqfd_block)(const Pass& pass) {
  return pass.workgroup_size == passes::sqfd_workgroup ? variant(sqfd_distances<float>) : Kernel{};
}

}  // namespace proxel::cuda
