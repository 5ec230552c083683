#include "kernel.hpp"
#include "library_pass.hpp"

namespace proxel::cuda {

// No kernel of ours: the paper's method is the library's product.
PROXEL_KERNEL(matrix_product)(const Pass&) {
  Kernel kernel;
  kernel.library = &cublas_product;
  return kernel;
}

}  // namespace proxel::cuda
