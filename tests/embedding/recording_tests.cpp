#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "engine.hpp"
#include "host_allocations.hpp"
#include "proxel/index.hpp"
#include "refusals.hpp"
#include "require_device.hpp"

namespace {

using proxel::vulkan::Edge;
namespace edges = proxel::vulkan::edges;

constexpr Edge host_writes{VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_WRITE_BIT};
constexpr Edge host_reads{VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};

// A search's buffers in the engine's memory, each behind an offset.
class Memory {
 public:
  static constexpr std::uint64_t offset = 256;

  Memory(Engine& engine, proxel::Device& device, const Recordable& search) : search_(search) {
    for (const auto& input : search.inputs) add(engine, device, input.size(), input.data());
    for (const auto& result : search.expected) add(engine, device, result.size(), nullptr);
    add(engine, device, std::max<std::uint64_t>(search.scratch_bytes, 4), nullptr);
  }
  std::span<const proxel::BufferView> views() const { return views_; }

  void forget_results() {
    for (std::size_t i = 0; i < search_.expected.size(); ++i)
      std::memset(result(i), static_cast<int>(Recordable::untouched), search_.expected[i].size());
  }
  void check_results() {
    for (std::size_t i = 0; i < search_.expected.size(); ++i) {
      CAPTURE(i);
      CHECK(std::memcmp(result(i), search_.expected[i].data(), search_.expected[i].size()) == 0);
    }
  }

 private:
  void add(Engine& engine, proxel::Device& device, std::uint64_t bytes, const void* contents) {
    const auto buffer = engine.create_buffer(offset + bytes);
    auto* first = static_cast<std::byte*>(buffer.mapped) + offset;
    if (contents) std::memcpy(first, contents, bytes);
    mapped_.push_back(first);
    wrapped_.push_back(proxel::vulkan::wrap_buffer(device, buffer.buffer, buffer.bytes));
    views_.emplace_back(*wrapped_.back(), offset, bytes);
  }
  std::byte* result(std::size_t i) { return mapped_[search_.inputs.size() + i]; }

  const Recordable& search_;
  std::vector<std::byte*> mapped_;
  std::vector<std::unique_ptr<proxel::Buffer>> wrapped_;
  std::vector<proxel::BufferView> views_;
};

// Nothing that an engine must not be surprised by has been done since.
class Quiet {
 public:
  void check() const {
    const HostAllocations now = HostAllocations::so_far();
    const std::uint64_t calls = Engine::forbidden_calls();
    CHECK(calls == calls_);
    CHECK(now.all == host_.all);
  }

 private:
  std::uint64_t calls_ = Engine::forbidden_calls();
  HostAllocations host_ = HostAllocations::so_far();
};

}  // namespace

TEST_CASE("every method and plan is recorded without allocating, submitting or waiting") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  for (const Recordable& search : recordables(*device)) {
    CAPTURE(search.name);
    if (!search.record) {
      // Not every device has every method, but none is without a reason.
      CHECK(!search.unsupported.empty());
      MESSAGE(search.name << " is not supported: " << search.unsupported);
      continue;
    }
    Memory memory(engine, *device, search);
    for (const bool secondary : {false, true}) {
      CAPTURE(secondary);
      memory.forget_results();
      const auto recording = proxel::vulkan::record_into(*device, secondary ? engine.secondary : engine.command_buffer);
      engine.begin();
      engine.barrier(host_writes, edges::inputs);
      if (secondary) engine.begin_secondary();
      const Quiet quiet;
      search.record(*recording, memory.views());
      quiet.check();
      if (secondary) engine.execute_secondary();
      engine.barrier(edges::results, host_reads);
      engine.finish();
      memory.check_results();
    }
  }
}

TEST_CASE("a wrong buffer is named, and nothing has been recorded then") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  const auto processor = proxel::open_device("cpu"), another = proxel::open_device("vulkan:0");
  CHECK_FALSE(device->shares_addresses(*another));
  CHECK(device->shares_addresses(*proxel::vulkan::wrap_device(engine.handles)));
  SUBCASE("on the engine's device") {
    proxel::Device* const others[] = {processor.get(), another.get()};
    check_refusals(*device, others);
  }
  SUBCASE("on the processor") {
    proxel::Device* const others[] = {device.get()};
    check_refusals(*processor, others);
  }
}

TEST_CASE("a frame is recorded by an object on its stack, which allocates nothing") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  const std::vector<Recordable> searches = recordables(*device);
  Memory memory(engine, *device, searches.front());
  memory.forget_results();
  engine.begin();
  engine.barrier(host_writes, edges::inputs);
  const Quiet quiet;
  proxel::vulkan::CommandBufferRecording recording(*device, engine.command_buffer);
  CHECK(recording.executes_on() == device.get());
  searches.front().record(recording, memory.views());
  quiet.check();
  engine.barrier(edges::results, host_reads);
  engine.finish();
  memory.check_results();
  const auto processor = proxel::open_device("cpu");
  CHECK_THROWS_WITH_AS(proxel::vulkan::CommandBufferRecording(*processor, engine.command_buffer),
                       doctest::Contains("is not a Vulkan device"), proxel::Error);
  CHECK_THROWS_WITH_AS(proxel::vulkan::CommandBufferRecording(*device, nullptr), doctest::Contains("is a null handle"),
                       proxel::Error);
}

TEST_CASE("an engine asks what decided its queries behind the barrier for it") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  constexpr std::uint64_t rows = 3000, dimensions = 9, queries = 5, k = 3;
  proxel::Matrix<float> database(rows, dimensions);
  for (std::uint64_t i = 0; i < rows * dimensions; ++i) database.data()[i] = static_cast<float>(i * i % 1009);
  proxel::Index index(*device, database.view(), {.method = proxel::Method::fused});
  const auto plan = index.plan(queries, k, proxel::Metric::l2sq);
  const proxel::SearchRequirements needed = plan->requirements();
  const auto asked = device->create_buffer(needed.queries.bytes, proxel::MemoryKind::upload);
  const auto scratch = device->create_buffer(needed.scratch.bytes, proxel::MemoryKind::device);
  const auto indices = device->create_buffer(needed.indices.bytes, proxel::MemoryKind::readback);
  const auto distances = device->create_buffer(needed.distances.bytes, proxel::MemoryKind::readback);
  std::memcpy(asked->mapped(), database.data(), needed.queries.bytes);
  const auto recording = proxel::vulkan::record_into(*device, engine.command_buffer);
  engine.begin();
  engine.barrier(host_writes, edges::inputs);
  const Quiet quiet;
  plan->record(*recording, {*asked, *scratch, *indices, *distances});
  quiet.check();
  engine.barrier(edges::rungs, host_reads);
  engine.barrier(edges::results, host_reads);
  engine.finish();
  std::uint64_t decided = 0;
  for (const proxel::RungCount& rung : plan->rungs()) decided += rung.queries;
  CHECK(decided == queries);
  for (std::uint32_t query = 0; query < queries; ++query)
    CHECK(static_cast<const std::uint32_t*>(indices->mapped())[query * k] == query);
}

TEST_CASE("one recording object serves a command buffer that is begun anew every frame") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  const auto recording = proxel::vulkan::record_into(*device, engine.command_buffer);
  const std::vector<Recordable> searches = recordables(*device);
  Memory memory(engine, *device, searches.front());
  for (int frame = 0; frame < 3; ++frame) {
    memory.forget_results();
    engine.begin();
    engine.barrier(host_writes, edges::inputs);
    // Twice, over the same scratch memory.
    searches.front().record(*recording, memory.views());
    engine.barrier(edges::written, edges::written);
    searches.front().record(*recording, memory.views());
    engine.barrier(edges::results, host_reads);
    engine.finish();
    memory.check_results();
  }
}

TEST_CASE("passes are timed by the engine's queries") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  if (!device->capabilities().timestamps) {
    MESSAGE("the device has no timestamps");
    return;
  }
  constexpr std::uint32_t before = 3, count = 64;
  const std::vector<Recordable> searches = recordables(*device);
  const auto many = std::find_if(searches.begin(), searches.end(),
                                 [](const Recordable& one) { return one.name == "scan, many queries"; });
  REQUIRE(many != searches.end());
  Memory memory(engine, *device, *many);
  const auto record = [&](std::uint32_t queries, const VkQueryPool pool) {
    const auto recording = proxel::vulkan::record_into(*device, engine.command_buffer, {pool, before, queries});
    engine.begin();
    vkCmdResetQueryPool(engine.command_buffer, pool, 0, before + count);
    engine.barrier(host_writes, edges::inputs);
    const Quiet quiet;
    many->record(*recording, memory.views());
    quiet.check();
    engine.barrier(edges::results, host_reads);
    engine.finish();
    return recording->timed();
  };

  const VkQueryPool pool = engine.create_timestamps(before + count);
  const std::vector<const char*> timed = record(count, pool);
  memory.check_results();
  REQUIRE(timed.size() >= 3);
  CHECK(std::string_view(timed.front()) == "tile_distance");
  CHECK(std::string_view(timed.back()) == "decode_keys");
  std::vector<std::uint64_t> ticks(timed.size() + 1);
  REQUIRE(vkGetQueryPoolResults(engine.device, pool, before, static_cast<std::uint32_t>(ticks.size()), ticks.size() * 8,
                                ticks.data(), 8, VK_QUERY_RESULT_64_BIT) == VK_SUCCESS);
  for (std::size_t i = 1; i < ticks.size(); ++i) CHECK(ticks[i] >= ticks[i - 1]);
  CHECK(ticks.back() > ticks.front());

  // What there is no query for is searched all the same.
  memory.forget_results();
  CHECK(record(2, engine.create_timestamps(before + count)).size() == 1);
  memory.check_results();
}

TEST_CASE("timestamps without a pool, or too few, are refused") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  CHECK_THROWS_WITH_AS(proxel::vulkan::record_into(*device, engine.command_buffer, {nullptr, 0, 8}),
                       doctest::Contains("pool"), proxel::Error);
  CHECK_THROWS_WITH_AS(proxel::vulkan::record_into(*device, engine.command_buffer, {engine.create_timestamps(1), 0, 1}),
                       doctest::Contains("at least 2"), proxel::Error);
}

TEST_CASE("what allocates is seen to allocate") {
  if (!HostAllocations::counted()) return;
  const HostAllocations before = HostAllocations::so_far();
  const auto made = std::make_unique<std::vector<int>>(1000);
  CHECK(HostAllocations::so_far().all > before.all);
  CHECK(HostAllocations::so_far().by_new > before.by_new);
  const HostAllocations then = HostAllocations::so_far();
  const NotCounted pause;
  CHECK(std::make_unique<int>(1) != nullptr);
  CHECK(HostAllocations::so_far() == then);
}

TEST_CASE("wishes are listed, required ones first, and those of a purpose stand together") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  using proxel::vulkan::DeviceHandles;
  const auto list =
      proxel::vulkan::wishes(&Engine::counting_get_instance_proc_addr, engine.instance, engine.physical_device);
  REQUIRE(!list.empty());
  CHECK(list.front().name == "bufferDeviceAddress");
  CHECK(list.front().required);
  CHECK(list.front().offered);
  for (std::size_t i = 0; i < list.size(); ++i) {
    CAPTURE(list[i].name);
    CHECK(!list[i].purpose.empty());
    CHECK(list[i].structure.empty() == (list[i].kind == proxel::vulkan::Wish::Kind::extension));
    CHECK(list[i].offered.reason.empty() == bool(list[i].offered));
    if (i != 0) CHECK(list[i].required <= list[i - 1].required);
    for (const auto& other : list)
      if (other.enabled == list[i].enabled) CHECK(bool(other.offered) == bool(list[i].offered));
  }
  CHECK_THROWS_WITH_AS(proxel::vulkan::wishes(nullptr, engine.instance, engine.physical_device),
                       doctest::Contains("get_instance_proc_addr"), proxel::Error);
}
