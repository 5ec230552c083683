// A CUDA program of someone else's: its stream, its graph, its memory.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "host_allocations.hpp"
#include "proxel/cuda.hpp"
#include "proxel/index.hpp"
#include "proxel/search.hpp"
#include "recordables.hpp"
#include "refusals.hpp"

namespace {

constexpr std::uint64_t rows = 5000;
constexpr std::uint32_t dimensions = 33;
constexpr std::uint32_t queries = 40;
constexpr std::uint64_t k = 9;

// ctest counts this exit code as skipped: a machine without a GPU has nothing to say.
constexpr int skipped = 77;

void require(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
  std::abort();
}

void require_device() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) return;
  std::puts("skipped: no CUDA device");
  std::exit(skipped);
}

template <typename T>
T* on_device(const T* values, std::uint64_t count) {
  void* memory = nullptr;
  require(cudaMalloc(&memory, count * sizeof(T)));
  if (values) require(cudaMemcpy(memory, values, count * sizeof(T), cudaMemcpyHostToDevice));
  return static_cast<T*>(memory);
}

proxel::Matrix<float> random_matrix(std::uint64_t row_count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  proxel::Matrix<float> matrix(row_count, dimensions);
  for (std::uint64_t i = 0; i < row_count * dimensions; ++i) matrix.data()[i] = uniform(generator);
  return matrix;
}

}  // namespace

TEST_CASE("a search is captured into a caller's graph over the caller's memory") {
  require_device();
  const auto device = proxel::cuda::wrap_device(0);
  const auto reference = proxel::open_device("cpu:reference");
  const auto database = random_matrix(rows, 1);
  proxel::Index expected_from(*reference, database.view());

  for (const std::uint32_t asked : {1u, queries}) {
    CAPTURE(asked);
    const auto first = random_matrix(asked, 2);
    const auto second = random_matrix(asked, 3);
    float* row_memory = on_device(database.data(), rows * dimensions);
    float* query_memory = on_device(first.data(), asked * dimensions);
    auto* index_memory = on_device<std::uint32_t>(nullptr, asked * k);
    float* distance_memory = on_device<float>(nullptr, asked * k);

    const proxel::RowsSegment segment{
        proxel::row_major_rows(reinterpret_cast<std::uint64_t>(row_memory), rows, dimensions), 0};
    proxel::SearchDescription description;
    description.metric = proxel::Metric::l2sq;
    description.rows = rows;
    description.dimensions = dimensions;
    description.queries = asked;
    description.k = k;
    const auto plan = proxel::ScanPlan::make(*device, description, {&segment, 1});
    char* scratch_memory = on_device<char>(nullptr, plan.scratch_bytes());
    const auto query_buffer = proxel::cuda::wrap_buffer(*device, query_memory, asked * dimensions * 4);
    const auto scratch = proxel::cuda::wrap_buffer(*device, scratch_memory, plan.scratch_bytes());
    const auto indices = proxel::cuda::wrap_buffer(*device, index_memory, asked * k * 4);
    const auto distances = proxel::cuda::wrap_buffer(*device, distance_memory, asked * k * 4);
    const proxel::SearchBuffers buffers{*query_buffer, *scratch, *indices, *distances};

    cudaStream_t stream = nullptr;
    require(cudaStreamCreate(&stream));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    const auto recording = proxel::cuda::record_into(*device, stream);
    plan.record(*recording, {&segment, 1}, buffers);
    require(cudaStreamEndCapture(stream, &graph));
    require(cudaGraphInstantiate(&executable, graph, 0));

    for (const auto& now : {first, second}) {
      require(cudaMemcpy(query_memory, now.data(), asked * dimensions * 4, cudaMemcpyHostToDevice));
      require(cudaGraphLaunch(executable, stream));
      require(cudaStreamSynchronize(stream));
      proxel::Neighbors found{proxel::Matrix<std::uint32_t>(asked, k), proxel::Matrix<float>(asked, k)};
      require(cudaMemcpy(found.indices.data(), index_memory, asked * k * 4, cudaMemcpyDeviceToHost));
      require(cudaMemcpy(found.distances.data(), distance_memory, asked * k * 4, cudaMemcpyDeviceToHost));
      const auto expected = expected_from.search(now.view(), k, description.metric);
      CHECK(found.indices == expected.indices);
      CHECK(found.distances == expected.distances);
    }
    require(cudaGraphExecDestroy(executable));
    require(cudaGraphDestroy(graph));
    require(cudaStreamDestroy(stream));
    for (void* memory :
         {static_cast<void*>(row_memory), static_cast<void*>(query_memory), static_cast<void*>(index_memory),
          static_cast<void*>(distance_memory), static_cast<void*>(scratch_memory)})
      require(cudaFree(memory));
  }
}

TEST_CASE("every method and plan goes to a caller's stream, and into its graph") {
  require_device();
  const auto device = proxel::cuda::wrap_device(0);
  for (const Recordable& search : recordables(*device)) {
    CAPTURE(search.name);
    if (!search.record) {
      CHECK(!search.unsupported.empty());
      MESSAGE(search.name << " is not supported: " << search.unsupported);
      continue;
    }
    std::vector<void*> memory;
    std::vector<std::unique_ptr<proxel::Buffer>> wrapped;
    std::vector<proxel::BufferView> views;
    const auto add = [&](const std::byte* contents, std::uint64_t bytes) {
      memory.push_back(on_device(contents, bytes));
      wrapped.push_back(proxel::cuda::wrap_buffer(*device, memory.back(), bytes));
      views.emplace_back(*wrapped.back());
    };
    for (const auto& input : search.inputs) add(input.data(), input.size());
    for (const auto& result : search.expected) add(nullptr, result.size());
    add(nullptr, std::max<std::uint64_t>(search.scratch_bytes, 4));

    cudaStream_t stream = nullptr;
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const auto recording = proxel::cuda::record_into(*device, stream);
    for (const bool captured : {false, true}) {
      CAPTURE(captured);
      for (std::size_t i = 0; i < search.expected.size(); ++i)
        require(cudaMemset(memory[search.inputs.size() + i], static_cast<int>(Recordable::untouched),
                           search.expected[i].size()));
      require(cudaDeviceSynchronize());
      // A capture in this mode fails where anything is allocated or waited for.
      if (captured) require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
      const std::uint64_t allocated = HostAllocations::so_far().by_new;
      search.record(*recording, views);
      const std::uint64_t allocated_then = HostAllocations::so_far().by_new;
      CHECK(allocated_then == allocated);
      if (captured) {
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        require(cudaStreamEndCapture(stream, &graph));
        require(cudaGraphInstantiate(&executable, graph, 0));
        require(cudaGraphLaunch(executable, stream));
        require(cudaStreamSynchronize(stream));
        require(cudaGraphExecDestroy(executable));
        require(cudaGraphDestroy(graph));
      }
      require(cudaStreamSynchronize(stream));
      for (std::size_t i = 0; i < search.expected.size(); ++i) {
        CAPTURE(i);
        const std::vector<std::byte>& expected = search.expected[i];
        std::vector<std::byte> found(expected.size());
        require(cudaMemcpy(found.data(), memory[search.inputs.size() + i], found.size(), cudaMemcpyDeviceToHost));
        CHECK(found == expected);
      }
    }
    require(cudaStreamDestroy(stream));
    for (void* pointer : memory) require(cudaFree(pointer));
  }
}

TEST_CASE("what is not this device's memory is refused") {
  require_device();
  const auto device = proxel::cuda::wrap_device(0);
  CHECK_THROWS_AS(proxel::cuda::wrap_buffer(*device, nullptr, 16), proxel::Error);
  const auto host = proxel::open_device("cpu");
  CHECK_THROWS_AS(proxel::cuda::record_into(*host, nullptr), proxel::Error);
}

TEST_CASE("a wrong buffer is named, and nothing has been recorded then") {
  require_device();
  const auto device = proxel::cuda::wrap_device(0);
  const auto processor = proxel::open_device("cpu");
  proxel::Device* const others[] = {processor.get()};
  check_refusals(*device, others);
}
