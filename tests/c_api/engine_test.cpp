// A program that owns its Vulkan device and has proxel record into its command buffer, through C.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstring>

#include "../embedding/engine.hpp"
#include "proxel/vulkan.hpp"
#include "lent.hpp"

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

// The engine's buffer with proxel's handle over it, as large as is required; none where nothing is.
struct Lent {
  Engine::EngineBuffer memory;
  BufferHandle buffer;

  Lent(Engine& engine, proxel_device* device, const proxel_requirement& needed) {
    if (needed.bytes == 0) return;
    memory = engine.create_buffer(needed.bytes);
    CHECK_OK(proxel_vulkan_wrap_buffer(device, memory.buffer, needed.bytes, &buffer));
    CHECK(proxel_buffer_address(buffer) % needed.alignment == 0);
  }
  proxel_buffer_view view() const { return {buffer, 0, 0}; }
};

auto lender(Engine& engine, proxel_device* device) {
  return [&engine, device](const proxel_requirement& needed) { return Lent(engine, device, needed); };
}

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
  CHECK_OK(proxel_index_create(device, of(view), nullptr, &index));
  const auto cpu = open_device("cpu:reference");
  const Neighbors expected = Index(*cpu, database.view()).search(asked.view(), k, Metric::l2);

  PlanHandle plans[3];
  CHECK_OK(proxel_index_plan(index, queries, k, plan_by("l2"), &plans[0]));
  CHECK_OK(proxel_rows_plan(device, describe_rows("scan", rows, dimensions), queries, k, plan_by("l2"), &plans[1]));
  CHECK_OK(proxel_rows_plan(device, describe_rows("bvh", rows, dimensions), queries, k, plan_by("l2"), &plans[2]));
  RecordingHandle recording;
  CHECK_OK(proxel_vulkan_record_into(device, engine.command_buffer, &recording));
  for (PlanHandle& plan : plans) {
    const proxel_requirements needed = requirements_of(plan);
    const LentBuffers<Lent> lent(needed, lender(engine, device));
    if (needed.rows.bytes != 0) std::memcpy(lent.rows.memory.mapped, database.data(), needed.rows.bytes);
    std::memcpy(lent.queries.memory.mapped, asked.data(), needed.queries.bytes);

    engine.begin();
    const proxel_buffer_view filled = lent.indices.view();
    CHECK_OK(proxel_recording_fill(recording, &filled, 0xEE));
    CHECK_OK(proxel_recording_barrier(recording));
    const std::uint64_t calls_before = Engine::forbidden_calls();
    CHECK_OK(proxel_plan_record(plan, recording, &lent.all));
    CHECK(Engine::forbidden_calls() == calls_before);
    engine.full_barrier();
    engine.finish();
    CHECK(std::memcmp(lent.indices.memory.mapped, expected.indices.data(), queries * k * 4) == 0);
    CHECK(std::memcmp(lent.distances.memory.mapped, expected.distances.data(), queries * k * 4) == 0);
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
  CHECK_FAILS(proxel_index_create(device, of(view), &options, &index), PROXEL_CANCELLED, "progress");
  CHECK_OK(proxel_index_create(device, of(view), &options, &index));
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
  handles.shader_int8 = 2;
  CHECK_FAILS(proxel_vulkan_wrap_device(&handles, &device), PROXEL_INVALID_ARGUMENT, "shader_int8");
  handles = handles_of(engine);
  handles.reserved = 1;
  CHECK_FAILS(proxel_vulkan_wrap_device(&handles, &device), PROXEL_INVALID_ARGUMENT, "reserved");
  handles.reserved = 0;
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

TEST_CASE("wishes are those of the C++ interface, and each names the member that says it was granted") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  WishesHandle wishes, none;
  CHECK_OK(proxel_vulkan_wishes_create(&Engine::counting_get_instance_proc_addr, engine.instance,
                                       engine.physical_device, &wishes));
  const auto expected =
      vulkan::wishes(&Engine::counting_get_instance_proc_addr, engine.instance, engine.physical_device);
  REQUIRE(proxel_vulkan_wishes_count(wishes) == expected.size());
  for (std::uint64_t i = 0; i < expected.size(); ++i) {
    proxel_vulkan_wish wish = PROXEL_VULKAN_WISH_INIT;
    CHECK_OK(proxel_vulkan_wishes_get(wishes, i, &wish));
    CAPTURE(wish.name);
    CHECK(wish.name == expected[i].name);
    CHECK((wish.structure ? std::string_view(wish.structure) : std::string_view()) == expected[i].structure);
    CHECK(wish.purpose == expected[i].purpose);
    CHECK((wish.refused ? std::string(wish.refused) : std::string()) == expected[i].offered.reason);
    CHECK((wish.required == 1) == expected[i].required);
    vulkan::DeviceHandles handles;
    handles.*expected[i].enabled = true;
    const std::string member = wish.member;
    CHECK(handles.buffer_device_address == (member == "buffer_device_address"));
    CHECK(handles.cooperative_matrix == (member == "cooperative_matrix"));
    CHECK(handles.shader_float64 == (member == "shader_float64"));
    CHECK(handles.shader_int8 == (member == "shader_int8"));
    CHECK(handles.shader_float16 == (member == "shader_float16"));
    CHECK(handles.external_memory == (member == "external_memory"));
    CHECK(handles.external_semaphore == (member == "external_semaphore"));
    CHECK(handles.external_memory_host == (member == "external_memory_host"));
    CHECK(handles.host_query_reset == (member == "host_query_reset"));
  }
  proxel_vulkan_wish wish = PROXEL_VULKAN_WISH_INIT;
  CHECK_FAILS(proxel_vulkan_wishes_get(wishes, expected.size(), &wish), PROXEL_INVALID_ARGUMENT, "position");
  CHECK_FAILS(proxel_vulkan_wishes_create(nullptr, engine.instance, engine.physical_device, &none),
              PROXEL_INVALID_ARGUMENT, "get_instance_proc_addr");
}

TEST_CASE("passes are timed by the engine's queries") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  DeviceHandle device;
  const proxel_vulkan_device handles = handles_of(engine);
  CHECK_OK(proxel_vulkan_wrap_device(&handles, &device));
  proxel_device_info info = PROXEL_DEVICE_INFO_INIT;
  CHECK_OK(proxel_device_get_info(device, &info));
  if (info.timestamps == 0) return;
  constexpr std::uint32_t first = 2, count = 32;
  const VkQueryPool pool = engine.create_timestamps(first + count);
  RecordingHandle recording, none, plain;
  CHECK_FAILS(proxel_vulkan_record_into_timed(device, engine.command_buffer, nullptr, 0, 8, &none),
              PROXEL_INVALID_ARGUMENT, "timestamps pool");
  CHECK_FAILS(proxel_vulkan_record_into_timed(device, engine.command_buffer, pool, 0, 1, &none),
              PROXEL_INVALID_ARGUMENT, "timestamps count");
  CHECK_OK(proxel_vulkan_record_into_timed(device, engine.command_buffer, pool, first, count, &recording));

  PlanHandle plan;
  CHECK_OK(proxel_rows_plan(device, describe_rows("scan", rows, dimensions), queries, k, nullptr, &plan));
  const LentBuffers<Lent> lent(requirements_of(plan), lender(engine, device));
  engine.begin();
  vkCmdResetQueryPool(engine.command_buffer, pool, 0, first + count);
  CHECK_OK(proxel_plan_record(plan, recording, &lent.all));
  engine.full_barrier();
  engine.finish();
  const char* const* names = nullptr;
  std::uint64_t timed = 0;
  CHECK_OK(proxel_vulkan_recording_timed(recording, &names, &timed));
  REQUIRE(timed > 0);
  for (std::uint64_t i = 0; i < timed; ++i) CHECK(std::string(names[i]) != "");
  std::vector<std::uint64_t> ticks(timed + 1);
  REQUIRE(vkGetQueryPoolResults(engine.device, pool, first, static_cast<std::uint32_t>(ticks.size()), ticks.size() * 8,
                                ticks.data(), 8, VK_QUERY_RESULT_64_BIT) == VK_SUCCESS);
  CHECK(ticks.back() > ticks.front());
  CHECK_OK(proxel_vulkan_record_into(device, engine.command_buffer, &plain));
  CHECK_FAILS(proxel_vulkan_recording_timed(plain, &names, &timed), PROXEL_INVALID_ARGUMENT, "recording");
}

TEST_CASE("semaphores of other devices have no Vulkan handle") {
  VkSemaphore_T* handle = nullptr;
  CHECK_FAILS(proxel_vulkan_semaphore_of(nullptr, &handle), PROXEL_INVALID_ARGUMENT, "semaphore");
  Engine engine;
  REQUIRE_DEVICE(engine);
  DeviceHandle device;
  proxel_vulkan_device handles = handles_of(engine);
  CHECK_OK(proxel_vulkan_wrap_device(&handles, &device));
  SemaphoreHandle semaphore;
  const proxel_status status = proxel_semaphore_create(device, 5, &semaphore);
  if (status != PROXEL_OK) {
    CHECK(status == PROXEL_UNSUPPORTED);
    return;
  }
  CHECK_OK(proxel_vulkan_semaphore_of(semaphore, &handle));
  CHECK(handle != nullptr);
}
