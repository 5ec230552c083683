#include "cublas.hpp"

#include <algorithm>

#include <cublas_v2.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "device.hpp"
#include "status.hpp"

namespace proxel::cuda {
namespace {

using passes::tile_rows;

// The functions that are used, found by name.
struct Library {
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasDestroy_v2) destroy = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasSetWorkspace_v2) set_workspace = nullptr;
  decltype(&cublasSetMathMode) set_math_mode = nullptr;
  decltype(&cublasSgemmStridedBatched) multiply_batches = nullptr;
  decltype(&cublasGetStatusString) describe = nullptr;
  Support support = Support::no("");

  Library() {
    // What this build's declarations describe.
    const std::string name = fmt::format("libcublas.so.{}", CUBLAS_VER_MAJOR);
    void* const object = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!object) {
      support = Support::no(name + " was not found");
      return;
    }
    support = Support::yes();
    find(object, create, "cublasCreate_v2");
    find(object, destroy, "cublasDestroy_v2");
    find(object, set_stream, "cublasSetStream_v2");
    find(object, set_workspace, "cublasSetWorkspace_v2");
    find(object, set_math_mode, "cublasSetMathMode");
    find(object, multiply_batches, "cublasSgemmStridedBatched");
    find(object, describe, "cublasGetStatusString");
  }

 private:
  template <typename Function>
  void find(void* object, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(object, name));
    if (!function) support = Support::no(fmt::format("libcublas.so has no {}", name));
  }
};

const Library& library() {
  // Never closed: its own destructors may run after ours.
  static const Library loaded;
  return loaded;
}

// A matrix as cuBLAS sees it: column-major, or that turned around.
struct Operand {
  const float* values;
  cublasOperation_t operation;
  int leading;
  long long batch_stride;
};

// Rows per batch: a tile, where tiles lie apart.
bool one_batch(const passes::Rows& rows) { return rows.tile_stride == std::uint64_t{tile_rows} * rows.row_stride; }

}  // namespace

Support cublas_support() { return library().support; }

Cublas::Cublas(const CudaDevice& device) : device_(device) {
  if (const Support support = cublas_support(); !support)
    throw Error(ErrorCode::unsupported, device.info().id, support.reason);
  const CurrentDevice current(device.ordinal());
  check(library().create(&handle_), "cannot start cuBLAS");
  check(library().set_math_mode(handle_, CUBLAS_PEDANTIC_MATH), "cannot set cuBLAS's arithmetic");
}

Cublas::~Cublas() {
  const CurrentDevice current(device_.ordinal());
  if (handle_) library().destroy(handle_);
}

void Cublas::check(int status, const char* action) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(ErrorCode::backend_failure, device_.info().id,
              fmt::format("{}: {}", action, library().describe(static_cast<cublasStatus_t>(status))));
}

void Cublas::multiply(cudaStream_t stream, const passes::MatrixProductParameters& p) const {
  const Library& blas = library();
  const CurrentDevice current(device_.ordinal());
  // In this order: choosing a stream forgets the workspace.
  check(blas.set_stream(handle_, stream), "cannot give cuBLAS a stream");
  check(blas.set_workspace(handle_, reinterpret_cast<void*>(p.workspace), p.workspace_bytes),
        "cannot give cuBLAS its workspace");

  const bool rows_turned = p.rows.row_stride != 1;  // row-major: stored as [dimensions x rows]
  const std::uint32_t rows_leading = rows_turned ? p.rows.row_stride : p.rows.dimension_stride;
  const auto* first =
      reinterpret_cast<const float*>(p.rows.address) + std::uint64_t{p.first_row / tile_rows} * p.rows.tile_stride;
  auto* matrix = reinterpret_cast<float*>(p.matrix);
  const float zero = 0;
  const bool rows_first = p.row_pitch == 1;

  // `batches` times `count` rows, from row `row` of the block on.
  const auto multiply = [&](std::uint64_t row, std::uint32_t count, std::uint32_t batches) {
    const std::uint64_t offset = one_batch(p.rows) ? row * p.rows.row_stride : row / tile_rows * p.rows.tile_stride;
    // One dimension has no neighbour at any distance, but cuBLAS insists.
    const auto leading = static_cast<int>(rows_turned ? rows_leading : std::max(rows_leading, count));
    const Operand rows{first + offset, rows_turned == rows_first ? CUBLAS_OP_T : CUBLAS_OP_N, leading,
                       static_cast<long long>(p.rows.tile_stride)};
    const Operand queries{reinterpret_cast<const float*>(p.queries), rows_first ? CUBLAS_OP_N : CUBLAS_OP_T,
                          static_cast<int>(p.query_stride), 0};
    const Operand& left = rows_first ? rows : queries;
    const Operand& right = rows_first ? queries : rows;
    const auto left_count = static_cast<int>(rows_first ? count : p.query_count);
    const auto right_count = static_cast<int>(rows_first ? p.query_count : count);
    check(blas.multiply_batches(handle_, left.operation, right.operation, left_count, right_count,
                                static_cast<int>(p.dimensions), &p.alpha, left.values, left.leading, left.batch_stride,
                                right.values, right.leading, right.batch_stride, &zero, matrix + row * p.row_pitch,
                                static_cast<int>(rows_first ? p.query_pitch : p.row_pitch),
                                static_cast<long long>(tile_rows) * p.row_pitch, static_cast<int>(batches)),
          "cuBLAS refused a product");
  };

  if (one_batch(p.rows)) {
    multiply(0, p.row_count, 1);
    return;
  }
  constexpr std::uint32_t most_batches = 32768;  // that one launch counts
  const std::uint32_t whole = p.row_count / tile_rows;
  for (std::uint32_t tile = 0; tile < whole; tile += most_batches)
    multiply(std::uint64_t{tile} * tile_rows, tile_rows, std::min(most_batches, whole - tile));
  if (const std::uint32_t rest = p.row_count % tile_rows) multiply(std::uint64_t{whole} * tile_rows, rest, 1);
}

}  // namespace proxel::cuda
