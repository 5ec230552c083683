#include "kernels/sqfd_block.cuh"
#include "kernels/variant.cuh"

namespace proxel::cuda {

PROXEL_KERNEL(sqfd_block_double)(const Pass& pass) {
  return pass.workgroup_size == passes::sqfd_workgroup ? variant(sqfd_distances<double>) : Kernel{};
}

}  // namespace proxel::cuda
