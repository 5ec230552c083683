// A program that owns its CUDA stream, graph and memory, and searches through C.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#include "lent.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

constexpr std::uint64_t rows = 3000;
constexpr std::uint32_t dimensions = 4;
constexpr std::uint32_t queries = 50;
constexpr std::uint64_t k = 8;

// ctest counts this exit code as skipped: a machine without a GPU has nothing to say.
constexpr int skipped = 77;

void require_device() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) return;
  std::puts("skipped: no CUDA device");
  std::exit(skipped);
}

// Memory of the program's with proxel's handle over it, as large as is required.
struct Lent {
  void* memory = nullptr;
  BufferHandle buffer;

  Lent(proxel_device* device, const proxel_requirement& needed) {
    REQUIRE(cudaMalloc(&memory, needed.bytes) == cudaSuccess);
    CHECK_OK(proxel_cuda_wrap_buffer(device, memory, needed.bytes, &buffer));
  }
  ~Lent() { cudaFree(memory); }
  Lent(const Lent&) = delete;
  proxel_buffer_view view() const { return {buffer, 0, 0}; }
  void write(const Matrix<float>& values) const {
    REQUIRE(cudaMemcpy(memory, values.data(), values.rows() * values.columns() * 4, cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
};

}  // namespace

TEST_CASE("searches are captured into a caller's graph, and follow rows and queries that change") {
  require_device();
  DeviceHandle device;
  CHECK_OK(proxel_cuda_wrap_device(0, &device));
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  const auto cpu = open_device("cpu:reference");
  for (const char* method : {"scan", "bvh"}) {
    CAPTURE(method);
    PlanHandle plan;
    CHECK_OK(proxel_rows_plan(device, describe_rows(method, rows, dimensions), queries, k, plan_by("l1"), &plan));
    const LentBuffers<Lent> lent(requirements_of(plan),
                                 [&](const proxel_requirement& needed) { return Lent(device, needed); });
    RecordingHandle recording;
    CHECK_OK(proxel_cuda_record_into(device, stream, &recording));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK_OK(proxel_plan_record(plan, recording, &lent.all));
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    for (const std::uint32_t seed : {1u, 2u}) {
      const Matrix<float> database = random_matrix(rows, dimensions, seed);
      const Matrix<float> asked = random_matrix(queries, dimensions, seed + 10);
      lent.rows.write(database);
      lent.queries.write(asked);
      REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
      REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
      Found found(queries, k);
      REQUIRE(cudaMemcpy(found.indices.data(), lent.indices.memory, queries * k * 4, cudaMemcpyDeviceToHost) ==
              cudaSuccess);
      REQUIRE(cudaMemcpy(found.distances.data(), lent.distances.memory, queries * k * 4, cudaMemcpyDeviceToHost) ==
              cudaSuccess);
      CHECK(found == Index(*cpu, database.view()).search(asked.view(), k, Metric::l1));
    }
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
}

TEST_CASE("what is not this device's is refused") {
  require_device();
  DeviceHandle device, none;
  CHECK_OK(proxel_cuda_wrap_device(0, &device));
  const DeviceHandle cpu = open("cpu");
  CHECK(proxel_cuda_wrap_device(99, &none) == PROXEL_NOT_FOUND);
  CHECK_FAILS(proxel_cuda_wrap_device(-1, &none), PROXEL_INVALID_ARGUMENT, "ordinal");
  CHECK_FAILS(proxel_cuda_wrap_device(0, nullptr), PROXEL_INVALID_ARGUMENT, "device");
  BufferHandle buffer;
  RecordingHandle recording;
  CHECK_FAILS(proxel_cuda_wrap_buffer(device, nullptr, 16, &buffer), PROXEL_INVALID_ARGUMENT, "device_pointer");
  CHECK_FAILS(proxel_cuda_wrap_buffer(cpu, &buffer, 16, &buffer), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_cuda_wrap_buffer(device, &buffer, 16, nullptr), PROXEL_INVALID_ARGUMENT, "buffer");
  CHECK_FAILS(proxel_cuda_record_into(cpu, nullptr, &recording), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_cuda_record_into(device, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "recording");
}

TEST_CASE("a stream waits for no semaphore that is none") {
  require_device();
  CHECK_FAILS(proxel_cuda_signal(nullptr, nullptr, 1), PROXEL_INVALID_ARGUMENT, "semaphore");
  CHECK_FAILS(proxel_cuda_wait(nullptr, nullptr, 1), PROXEL_INVALID_ARGUMENT, "semaphore");
}
