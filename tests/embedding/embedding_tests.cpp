#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "engine.hpp"
#include "proxel/index.hpp"
#include "proxel/moving_points.hpp"
#include "proxel/range.hpp"
#include "proxel/screened.hpp"
#include "proxel/search.hpp"
#include "proxel/vulkan.hpp"
#include "require_device.hpp"

namespace {

constexpr std::uint64_t rows = 1000;
constexpr std::uint32_t dimensions = 13;
constexpr std::uint32_t queries = 3;
constexpr std::uint64_t k = 7;

proxel::Matrix<float> random_matrix(std::uint64_t row_count, std::uint64_t columns, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  proxel::Matrix<float> matrix(row_count, columns);
  for (std::uint64_t i = 0; i < row_count * columns; ++i) matrix.data()[i] = uniform(generator);
  return matrix;
}

}  // namespace

TEST_CASE("a search is recorded into an engine's command buffer over its buffers") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  const proxel::Matrix<float> database = random_matrix(rows, dimensions, 1);
  const proxel::Matrix<float> asked = random_matrix(queries, dimensions, 2);

  // The engine's data stays row-major, in one buffer, behind an offset.
  constexpr std::uint64_t offset = 256;
  const auto data = engine.create_buffer(offset + rows * dimensions * 4);
  std::memcpy(static_cast<std::byte*>(data.mapped) + offset, database.data(), rows * dimensions * 4);
  const auto query_data = engine.create_buffer(queries * dimensions * 4);
  std::memcpy(query_data.mapped, asked.data(), queries * dimensions * 4);
  const auto indices = engine.create_buffer(queries * k * 4);
  const auto distances = engine.create_buffer(queries * k * 4);

  const auto wrap = [&](const Engine::EngineBuffer& buffer) {
    return proxel::vulkan::wrap_buffer(*device, buffer.buffer, buffer.bytes);
  };
  const auto rows_buffer = wrap(data);
  const proxel::RowsSegment segment{proxel::row_major_rows(rows_buffer->address() + offset, rows, dimensions), 0};
  proxel::SearchDescription description;
  description.metric = proxel::Metric::l2;
  description.rows = rows;
  description.dimensions = dimensions;
  description.queries = queries;
  description.k = k;
  const auto plan = proxel::ScanPlan::make(*device, description, {&segment, 1});
  const auto scratch = engine.create_buffer(plan.scratch_bytes());

  const auto query_buffer = wrap(query_data);
  const auto scratch_buffer = wrap(scratch);
  const auto index_buffer = wrap(indices);
  const auto distance_buffer = wrap(distances);
  const proxel::SearchBuffers buffers{*query_buffer, *scratch_buffer, *index_buffer, *distance_buffer};
  const auto recording = proxel::vulkan::record_into(*device, engine.command_buffer);

  engine.begin();
  // A pass of the engine's own before and after: here, a fill of the result buffer.
  vkCmdFillBuffer(engine.command_buffer, indices.buffer, 0, VK_WHOLE_SIZE, 0xEEEEEEEEu);
  engine.full_barrier();
  const std::uint64_t calls_before = Engine::forbidden_calls();
  plan.record(*recording, {&segment, 1}, buffers);
  CHECK(Engine::forbidden_calls() == calls_before);
  engine.full_barrier();
  engine.finish();

  const auto cpu = proxel::open_device("cpu:reference");
  proxel::Index index(*cpu, database.view());
  const proxel::Neighbors expected = index.search(asked.view(), k, description.metric);
  CHECK(std::memcmp(indices.mapped, expected.indices.data(), queries * k * 4) == 0);
  CHECK(std::memcmp(distances.mapped, expected.distances.data(), queries * k * 4) == 0);
}

TEST_CASE("the counting functions do count") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const std::uint64_t before = Engine::forbidden_calls();
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  const auto buffer = device->create_buffer(1024, proxel::MemoryKind::device);
  CHECK(Engine::forbidden_calls() > before);
}

TEST_CASE("an index works on a wrapped device, by both methods") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  const auto cpu = proxel::open_device("cpu:reference");
  const proxel::Matrix<float> database = random_matrix(rows, dimensions, 3);
  const proxel::Matrix<float> asked = random_matrix(queries, dimensions, 4);
  for (const proxel::Method method : {proxel::Method::scan, proxel::Method::texel}) {
    proxel::IndexOptions options;
    options.method = method;
    proxel::Index wrapped(*device, database.view(), options);
    proxel::Index reference(*cpu, database.view(), options);
    const auto found = wrapped.search(asked.view(), k, proxel::Metric::l1);
    const auto expected = reference.search(asked.view(), k, proxel::Metric::l1);
    CHECK(found.indices == expected.indices);
    CHECK(found.distances == expected.distances);
  }
}

TEST_CASE("usages are said as Vulkan says them") {
  CHECK(proxel::vulkan::buffer_usage(0) == 0);
  CHECK(proxel::vulkan::buffer_usage(proxel::usage_storage | proxel::usage_device_address |
                                     proxel::usage_transfer_source | proxel::usage_transfer_destination) ==
        (VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT));
  CHECK_THROWS_AS(proxel::vulkan::buffer_usage(16), proxel::Error);
}

TEST_CASE("a missing handle is named") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  proxel::vulkan::DeviceHandles handles = engine.handles;
  handles.queue = nullptr;
  CHECK_THROWS_WITH_AS(proxel::vulkan::wrap_device(handles), doctest::Contains("queue"), proxel::Error);
  handles = engine.handles;
  handles.buffer_device_address = false;
  CHECK_THROWS_WITH_AS(proxel::vulkan::wrap_device(handles), doctest::Contains("buffer_device_address"), proxel::Error);
}

TEST_CASE("a queue family that is none, and a buffer of no bytes, are refused") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  proxel::vulkan::DeviceHandles handles = engine.handles;
  handles.queue_family = 77;
  CHECK_THROWS_WITH_AS(proxel::vulkan::wrap_device(handles), doctest::Contains("queue_family: 77"), proxel::Error);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  const auto buffer = engine.create_buffer(16);
  CHECK_THROWS_WITH_AS(proxel::vulkan::wrap_buffer(*device, buffer.buffer, 0), doctest::Contains("bytes: 0"),
                       proxel::Error);
  CHECK_THROWS_WITH_AS(proxel::vulkan::wrap_buffer(*device, VK_NULL_HANDLE, 16), doctest::Contains("buffer"),
                       proxel::Error);
}

TEST_CASE("planning a search of moving points, or of rows by many passes, submits nothing to the engine's queue") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  proxel::SearchDescription description;
  description.rows = description.queries = rows;
  description.dimensions = 3;
  description.k = k;
  const std::uint64_t before = Engine::submissions();
  const auto moving = proxel::MovingPointsPlan::make(*device, description);
  description.dimensions = 40;
  const proxel::RowsSegment all{proxel::row_major_rows(0, rows, description.dimensions), 0};
  const auto scan = proxel::ScanPlan::make(*device, description, {&all, 1});
  const auto thresholds = proxel::ScreenedPlan::make(*device, description, nullptr, all.rows);
  proxel::RangeDescription range;
  range.rows = range.queries = rows;
  range.dimensions = description.dimensions;
  const auto within = proxel::RangePlan::make(*device, range, {&all, 1});
  CHECK(Engine::submissions() == before);
  // Counters of one-pass scans begin at 0.
  description.queries = 1;
  const auto few = proxel::ScanPlan::make(*device, description, {&all, 1});
  CHECK(Engine::submissions() > before);
}
