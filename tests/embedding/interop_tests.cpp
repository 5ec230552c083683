// One GPU seen by two devices.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#ifdef PROXEL_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "engine.hpp"
#include "proxel/bvh.hpp"
#include "proxel/index.hpp"
#include "proxel/interop.hpp"
#include "require_device.hpp"

#ifdef PROXEL_WITH_CUDA
#include "proxel/cuda.hpp"
#endif

using namespace proxel;

namespace {

// ctest counts this exit code as skipped.
[[maybe_unused]] constexpr int skipped = 77;

std::vector<float> random_values(std::uint64_t count) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(generator);
  return values;
}

}  // namespace

TEST_SUITE("vulkan") {
TEST_CASE("what one device writes another reads") {
  const auto one = open_device("vulkan:0");
  const auto other = open_device("vulkan:0");
  if (const Support support = interop::shares_memory(*one, *other); !support) {
    MESSAGE("not shared: " << support.reason);
    CHECK_THROWS_WITH_AS(interop::SharedBuffer(*one, *other, 16), doctest::Contains(support.reason.c_str()), Error);
    return;
  }
  const std::vector<float> values = random_values(1000);
  const interop::SharedBuffer shared(*one, *other, values.size() * 4);
  upload(*one, shared.exported(), values.data());
  std::vector<float> found(values.size());
  download(*other, shared.imported(), found.data());
  CHECK(found == values);
}

TEST_CASE("what one device signals another has waited for") {
  const auto one = open_device("vulkan:0");
  const auto other = open_device("vulkan:0");
  if (const Support support = interop::shares_semaphores(*one, *other); !support) {
    MESSAGE("not shared: " << support.reason);
    CHECK_THROWS_WITH_AS(interop::SharedSemaphore(*one, *other), doctest::Contains(support.reason.c_str()), Error);
    return;
  }
  const interop::SharedSemaphore shared(*one, *other, 5);
  vulkan::wait(shared.imported(), 5);
  vulkan::signal(shared.exported(), 6);
  vulkan::wait(shared.imported(), 6);
}

TEST_CASE("what cannot be shared is refused, with the reason") {
  const auto one = open_device("vulkan:0");
  const auto host = open_device("cpu");
  CHECK(interop::shares_memory(*host, *one).reason.find("shares nothing") != std::string::npos);
  CHECK_THROWS_WITH_AS(interop::SharedSemaphore(*host, *one), doctest::Contains("shares nothing"), Error);
  if (one->sharing().exports_memory()) {
    const auto own = one->create_buffer(64, MemoryKind::device);
    CHECK_THROWS_WITH_AS(one->sharing().export_memory(*own), doctest::Contains("not made to be exported"), Error);
  }
  const auto elsewhere = host->create_buffer(64, MemoryKind::device);
  CHECK_THROWS_AS(vulkan::buffer_of(*elsewhere), Error);
}

TEST_CASE("a device that was created without the extensions says so") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  vulkan::DeviceHandles handles = engine.handles;
  handles.external_memory = handles.external_semaphore = false;
  const auto device = vulkan::wrap_device(handles);
  CHECK(device->sharing().exports_memory().reason.find("VK_KHR_external_memory_fd") != std::string::npos);
  CHECK_THROWS_AS(device->sharing().create_semaphore(0), Error);
}
}  // namespace suite

#ifdef PROXEL_WITH_CUDA
TEST_SUITE("cuda") {
TEST_CASE("boxes that CUDA has built are searched in a Vulkan frame, without a copy") {
  int count = 0;
  Engine engine;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0 || !engine.present()) {
    std::puts("skipped: no CUDA device, or no Vulkan device");
    std::exit(skipped);
  }
  const auto vulkan = vulkan::wrap_device(engine.handles);
  const auto cuda = cuda::wrap_device(0);
  Support support = interop::shares_memory(*vulkan, *cuda);
  if (support) support = interop::shares_semaphores(*vulkan, *cuda);
  if (!support) {
    std::printf("skipped: %s\n", support.reason.c_str());
    std::exit(skipped);
  }

  constexpr std::uint32_t points = 20000, dimensions = 3;
  constexpr std::uint64_t k = 16;
  const std::vector<float> values = random_values(points * dimensions);
  const BoxHierarchy::Bytes bytes = BoxHierarchy::bytes(points, dimensions);
  const interop::SharedBuffer rows(*vulkan, *cuda, values.size() * 4);
  const interop::SharedBuffer order(*vulkan, *cuda, bytes.order);
  const interop::SharedBuffer coordinates(*vulkan, *cuda, bytes.coordinates);
  const interop::SharedBuffer boxes(*vulkan, *cuda, bytes.boxes);
  const interop::SharedSemaphore semaphore(*vulkan, *cuda);

  // CUDA moves the points and builds the boxes, on a stream of its own.
  const BoxHierarchy built(*cuda, points, dimensions, {order.imported(), coordinates.imported(), boxes.imported()});
  const auto building = cuda->create_buffer(built.scratch_bytes(), MemoryKind::device);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(reinterpret_cast<void*>(rows.imported().address()), values.data(), values.size() * 4,
                          cudaMemcpyHostToDevice, stream) == cudaSuccess);
  built.record(*cuda::record_into(*cuda, stream), row_major_rows(rows.imported().address(), points, dimensions),
               *building);
  cuda::signal(semaphore.imported(), stream, 1);

  // The frame waits on the GPU for that, searches, and lets CUDA go on.
  SearchDescription description;
  description.rows = description.queries = points;
  description.dimensions = dimensions;
  description.k = k;
  const BoxHierarchy searched(*vulkan, points, dimensions,
                              {order.exported(), coordinates.exported(), boxes.exported()});
  const passes::Rows layout = row_major_rows(rows.exported().address(), points, dimensions);
  const BvhPlan plan = BvhPlan::make(*vulkan, description, searched, layout);
  const auto indices = engine.create_buffer(points * k * 4);
  const auto distances = engine.create_buffer(points * k * 4);
  const auto scratch = engine.create_buffer(plan.scratch_bytes());
  const auto wrap = [&](const Engine::EngineBuffer& buffer) {
    return vulkan::wrap_buffer(*vulkan, buffer.buffer, buffer.bytes);
  };
  const auto index_buffer = wrap(indices), distance_buffer = wrap(distances), scratch_buffer = wrap(scratch);
  const auto recording = vulkan::record_into(*vulkan, engine.command_buffer);
  engine.begin();
  plan.record(*recording, layout, {rows.exported(), *scratch_buffer, *index_buffer, *distance_buffer});
  engine.barrier(vulkan::edges::results, {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT});
  engine.finish(vulkan::semaphore_of(semaphore.exported()), 1, 2);
  cuda::wait(semaphore.imported(), stream, 2);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  cudaStreamDestroy(stream);

  const auto host = open_device("cpu");
  const MatrixView<float> view(values.data(), points, dimensions);
  const Neighbors expected = Index(*host, view).search(view, k, Metric::l2sq);
  CHECK(std::memcmp(indices.mapped, expected.indices.data(), points * k * 4) == 0);
  CHECK(std::memcmp(distances.mapped, expected.distances.data(), points * k * 4) == 0);
}
}  // namespace suite
#endif
