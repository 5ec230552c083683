#include "library_pass.hpp"

#include "cublas.hpp"
#include "device.hpp"

namespace proxel::cuda {
namespace {

Support supports_product(const Pass& pass) {
  const auto parameters = pass.as<passes::MatrixProductParameters>();
  if (parameters.rows.row_stride != 1 && parameters.rows.dimension_stride != 1)
    return Support::no(Limit::kernel, "matrix_product needs rows or dimensions that lie side by side");
  Support support = cublas_support();
  if (!support) support.reason = "matrix_product needs cuBLAS: " + support.reason;
  return support;
}

void prepare_product(CudaDevice& device) { device.cublas(); }

void enqueue_product(CudaDevice& device, cudaStream_t stream, const Pass& pass) {
  device.cublas().multiply(stream, pass.as<passes::MatrixProductParameters>());
}

}  // namespace

const LibraryPass cublas_product{supports_product, prepare_product, enqueue_product};

}  // namespace proxel::cuda
