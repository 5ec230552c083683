// A program that owns its Vulkan device and has proxel record into its command buffer, through C.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstring>

#include "../embedding/engine.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

constexpr std::uint64_t rows = 700;
constexpr std::uint32_t dimensions = 3;
constexpr std::uint32_t queries = 20;
constexpr std::uint64_t k = 6;

proxel_vulkan_device handles_of(const Engine& engine) {
  proxel_vulkan_device handles = PROXEL_VULKAN_DEVICE_INIT;
  handles.instance = engine.instance;
  handles.physical_device = engine.physical_device;
  handles.device = engine.device;
  handles.queue = engine.queue;
  handles.queue_family = engine.queue_family;
  handles.get_instance_proc_addr = &Engine::counting_get_instance_proc_addr;
  handles.buffer_device_address = 1;
  return handles;
}

// The engine's buffer with proxel's handle over it, as large as is required.
struct Lent {
  Engine::EngineBuffer memory;
  BufferHandle buffer;

  Lent(Engine& engine, proxel_device* device, const proxel_requirement& needed)
      : memory(engine.create_buffer(needed.bytes)) {
    CHECK_OK(proxel_vulkan_wrap_buffer(device, memory.buffer, needed.bytes, &buffer));
    CHECK(proxel_buffer_address(buffer) % needed.alignment == 0);
  }
  proxel_buffer_view view() const { return {buffer, 0, 0}; }
};

}  // namespace

// Where there is no Vulkan device at all, say so instead of passing silently.
#define REQUIRE_DEVICE(engine) \
  if (!(engine).present()) FAIL("this machine has no Vulkan device; a software device such as llvmpipe is enough");

TEST_CASE("searches of an index and of an engine's own rows are recorded into its command buffer") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  DeviceHandle device;
  const proxel_vulkan_device handles = handles_of(engine);
  CHECK_OK(proxel_vulkan_wrap_device(&handles, &device));
  const Matrix<float> database = random_matrix(rows, dimensions, 1), asked = random_matrix(queries, dimensions, 2);
  const proxel_matrix view = c_matrix(database);
  IndexHandle index;
  CHECK_OK(proxel_index_create(device, &view, nullptr, &index));
  const auto cpu = open_device("cpu:reference");
  const Neighbors expected = Index(*cpu, database.view()).search(asked.view(), k, Metric::l2);

  proxel_rows_description description = PROXEL_ROWS_DESCRIPTION_INIT;
  description.metric = "l2";
  description.rows = rows;
  description.dimensions = dimensions;
  description.queries = queries;
  description.k = k;
  PlanHandle plans[3];
  CHECK_OK(proxel_index_plan(index, queries, k, "l2", nullptr, &plans[0]));
  CHECK_OK(proxel_rows_plan(device, &description, &plans[1]));
  description.method = "bvh";
  CHECK_OK(proxel_rows_plan(device, &description, &plans[2]));
  RecordingHandle recording;
  CHECK_OK(proxel_vulkan_record_into(device, engine.command_buffer, &recording));
  for (PlanHandle& plan : plans) {
    proxel_requirements needed = PROXEL_REQUIREMENTS_INIT;
    CHECK_OK(proxel_plan_get_requirements(plan, &needed));
    if (needed.rows.bytes == 0) needed.rows.bytes = 4;  // unused
    const Lent own_rows(engine, device, needed.rows), own_queries(engine, device, needed.queries),
        scratch(engine, device, needed.scratch), indices(engine, device, needed.indices),
        distances(engine, device, needed.distances);
    if (needed.rows.bytes > 4) std::memcpy(own_rows.memory.mapped, database.data(), needed.rows.bytes);
    std::memcpy(own_queries.memory.mapped, asked.data(), needed.queries.bytes);
    proxel_search_buffers buffers = PROXEL_SEARCH_BUFFERS_INIT;
    buffers.queries = own_queries.view();
    buffers.scratch = scratch.view();
    buffers.indices = indices.view();
    buffers.distances = distances.view();
    buffers.rows = own_rows.view();

    engine.begin();
    const proxel_buffer_view filled = indices.view();
    CHECK_OK(proxel_recording_fill(recording, &filled, 0xEE));
    CHECK_OK(proxel_recording_barrier(recording));
    const std::uint64_t calls_before = Engine::forbidden_calls();
    CHECK_OK(proxel_plan_record(plan, recording, &buffers));
    CHECK(Engine::forbidden_calls() == calls_before);
    engine.full_barrier();
    engine.finish();
    CHECK(std::memcmp(indices.memory.mapped, expected.indices.data(), queries * k * 4) == 0);
    CHECK(std::memcmp(distances.memory.mapped, expected.distances.data(), queries * k * 4) == 0);
  }

  // The command buffer is the engine's to begin, end and submit.
  double milliseconds = 0;
  CHECK_FAILS(proxel_recording_begin(recording), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_recording_end(recording), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_recording_milliseconds(recording, &milliseconds), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_device_submit(device, recording), PROXEL_INVALID_ARGUMENT, "recording");
}

TEST_CASE("an upload on an engine's device is cancelled, and leaves nothing behind") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  DeviceHandle device;
  const proxel_vulkan_device handles = handles_of(engine);
  CHECK_OK(proxel_vulkan_wrap_device(&handles, &device));
  const Matrix<float> database = random_matrix(2000, 64, 1);
  const proxel_matrix view = c_matrix(database);
  Counter counter;
  counter.end_at = 1;
  proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
  options.progress = Counter::call;
  options.progress_user = &counter;
  IndexHandle index;
  CHECK_FAILS(proxel_index_create(device, &view, &options, &index), PROXEL_CANCELLED, "progress");
  CHECK_OK(proxel_index_create(device, &view, &options, &index));
}

TEST_CASE("missing handles are named, and devices of other kinds refused") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  DeviceHandle device;
  proxel_vulkan_device handles = handles_of(engine);
  handles.queue = nullptr;
  CHECK_FAILS(proxel_vulkan_wrap_device(&handles, &device), PROXEL_INVALID_ARGUMENT, "queue");
  handles = handles_of(engine);
  handles.buffer_device_address = 0;
  CHECK_FAILS(proxel_vulkan_wrap_device(&handles, &device), PROXEL_INVALID_ARGUMENT, "buffer_device_address");
  handles.buffer_device_address = 7;
  CHECK_FAILS(proxel_vulkan_wrap_device(&handles, &device), PROXEL_INVALID_ARGUMENT, "buffer_device_address");
  handles = handles_of(engine);
  handles.reserved = 1;
  CHECK_FAILS(proxel_vulkan_wrap_device(&handles, &device), PROXEL_UNSUPPORTED, "reserved");
  CHECK_FAILS(proxel_vulkan_wrap_device(nullptr, &device), PROXEL_INVALID_ARGUMENT, "handles");
  CHECK_FAILS(proxel_vulkan_wrap_device(&handles, nullptr), PROXEL_INVALID_ARGUMENT, "device");

  const DeviceHandle cpu = open("cpu");
  const auto memory = engine.create_buffer(64);
  BufferHandle buffer;
  RecordingHandle recording;
  CHECK_FAILS(proxel_vulkan_wrap_buffer(cpu, memory.buffer, 64, &buffer), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_vulkan_wrap_buffer(cpu, nullptr, 64, &buffer), PROXEL_INVALID_ARGUMENT, "vk_buffer");
  CHECK_FAILS(proxel_vulkan_wrap_buffer(cpu, memory.buffer, 64, nullptr), PROXEL_INVALID_ARGUMENT, "buffer");
  CHECK_FAILS(proxel_vulkan_record_into(cpu, engine.command_buffer, &recording), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_vulkan_record_into(cpu, engine.command_buffer, nullptr), PROXEL_INVALID_ARGUMENT, "recording");
  std::uint32_t flags = 0;
  CHECK_OK(proxel_vulkan_buffer_usage(PROXEL_USAGE_STORAGE | PROXEL_USAGE_TRANSFER_SOURCE, &flags));
  CHECK(flags == (VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT));
  CHECK_FAILS(proxel_vulkan_buffer_usage(16, &flags), PROXEL_INVALID_ARGUMENT, "usage");
  CHECK_FAILS(proxel_vulkan_buffer_usage(std::uint64_t{1} << 40, &flags), PROXEL_INVALID_ARGUMENT, "usage");
  CHECK_FAILS(proxel_vulkan_buffer_usage(1, nullptr), PROXEL_INVALID_ARGUMENT, "flags");
}
