#include <atomic>
#include <cstdlib>
#include <stdexcept>

#include "cpu/backend.hpp"
#include "cpu/processor.hpp"
#include "proxel/passes/decode_keys.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

ErrorCode code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  FAIL("nothing was thrown");
  return {};
}

struct HostDevices {
  std::unique_ptr<Device> fast = cpu::cpu_backend().open(0);
  std::unique_ptr<Device> plain = cpu::cpu_backend().open(1);
};

}  // namespace

TEST_CASE("the host lists a fast and a plain device") {
  const Backend& backend = cpu::cpu_backend();
  CHECK(backend.available());
  const auto devices = backend.devices();
  REQUIRE(devices.size() == 2);
  CHECK(devices[0].id == "cpu");
  CHECK(devices[1].id == "cpu:reference");
  for (std::uint32_t i = 0; i < 2; ++i) {
    CHECK(devices[i].index == i);
    CHECK(devices[i].backend == BackendKind::cpu);
    CHECK(devices[i].capabilities.runs_on_host);
    CHECK(devices[i].capabilities.timestamps);
    CHECK(devices[i].capabilities.memory_bytes > (1u << 20));
    CHECK(devices[i].usable);
    CHECK_FALSE(devices[i].name.empty());
  }
  CHECK(devices[1].capabilities.multiprocessors == 1);
  CHECK(code_of([&] { backend.open(2); }) == ErrorCode::not_found);
}

TEST_CASE("buffers are aligned, and all memory but the device's is mapped") {
  const HostDevices devices;
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{5} << 20})
    for (const MemoryKind kind : {MemoryKind::device, MemoryKind::upload, MemoryKind::readback, MemoryKind::direct}) {
      const auto buffer = devices.fast->create_buffer(bytes, kind);
      CHECK(buffer->bytes() == bytes);
      CHECK(buffer->address() % 256 == 0);
      if (kind == MemoryKind::device)
        CHECK(buffer->mapped() == nullptr);
      else
        CHECK(address_of(static_cast<std::byte*>(buffer->mapped())) == buffer->address());
    }
  CHECK(code_of([&] { devices.fast->create_buffer(0, MemoryKind::device); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { devices.fast->create_buffer(UINT64_MAX, MemoryKind::device); }) == ErrorCode::out_of_memory);
  CHECK(code_of([&] { devices.fast->create_texture(16385, 1, 1, TexelFormat::rgba32_uint); }) ==
        ErrorCode::invalid_argument);
  const auto texture = devices.fast->create_texture(3, 2, 4, TexelFormat::rgba32_uint);
  CHECK(texture->address() % 256 == 0);
  CHECK(texture->width() == 3);
  CHECK(texture->height() == 2);
  CHECK(texture->layers() == 4);
}

TEST_CASE("commands run in order, as often as they are submitted, and tell their times") {
  const HostDevices devices;
  for (Device* device : {devices.fast.get(), devices.plain.get()}) {
    const auto from = device->create_buffer(64, MemoryKind::upload);
    const auto between = device->create_buffer(64, MemoryKind::device);
    const auto to = device->create_buffer(64, MemoryKind::readback);
    auto* keys = static_cast<std::uint64_t*>(from->mapped());
    auto* indices = static_cast<std::uint32_t*>(to->mapped());
    passes::DecodeKeysParameters decode{};
    decode.keys = between->address();
    decode.indices = to->address();
    decode.distances = to->address() + 32;
    decode.count = 2;

    const auto commands = device->create_commands(Timing::passes);
    commands->begin();
    commands->push_label("outer");
    commands->push_label("inner");
    commands->fill(*between, 0xFF);
    commands->barrier();
    commands->copy(BufferView(*from, 0, 8), BufferView(*between, 0, 8));
    commands->barrier();
    commands->record(passes::make_decode_keys(decode));
    commands->pop_label();
    commands->pop_label();
    commands->end();
    for (const std::uint32_t index : {3u, 4u}) {
      keys[0] = key(1.5f, index);
      device->submit(*commands);
      device->wait();
      CHECK(indices[0] == index);
      CHECK(indices[1] == 0xFFFFFFFFu);
      const auto times = commands->pass_times();
      REQUIRE(times.size() == 4);
      double sum = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(times[i].name == std::array{"fill", "copy", "decode_keys", "rest"}[i]);
        CHECK(times[i].label == (i < 3 ? "outer/inner" : ""));
        CHECK(times[i].milliseconds >= 0);
        sum += times[i].milliseconds;
      }
      CHECK(commands->milliseconds() == doctest::Approx(sum));
    }
    commands->begin();
    commands->end();
    indices[0] = 99;
    device->submit(*commands);
    CHECK(indices[0] == 99);
    REQUIRE(commands->pass_times().size() == 1);
    CHECK(commands->pass_times()[0].name == "rest");
  }
}

TEST_CASE("a pass that does not exist, or asks for too much, is refused with a reason") {
  const HostDevices devices;
  passes::DecodeKeysParameters decode{};
  decode.count = 1;
  const Pass good = passes::make_decode_keys(decode);
  CHECK(devices.fast->supports(good));
  Pass unknown = good;
  unknown.kind = nullptr;
  Pass wide = good;
  wide.workgroup_size = 4096;
  Pass hungry = good;
  hungry.shared_bytes = 1u << 30;
  const auto commands = devices.fast->create_commands(Timing::none);
  commands->begin();
  for (const Pass& pass : {unknown, wide, hungry}) {
    CHECK_FALSE(devices.fast->supports(pass).reason.empty());
    CHECK(code_of([&] { devices.fast->prepare(pass); }) == ErrorCode::unsupported);
    CHECK(code_of([&] { commands->record(pass); }) == ErrorCode::unsupported);
  }
}

TEST_CASE("the number of threads can be chosen") {
  const auto count_with = [](const char* text) {
    setenv("PROXEL_CPU_THREADS", text, 1);
    return cpu::thread_count();
  };
  const char* before = std::getenv("PROXEL_CPU_THREADS");
  const std::string kept = before ? before : "";
  unsetenv("PROXEL_CPU_THREADS");
  const std::uint32_t usual = cpu::thread_count();
  CHECK(usual >= 1);
  CHECK(count_with("7") == 7);
  CHECK(count_with("0") == usual);
  CHECK(count_with("2x") == usual);
  CHECK(count_with("99999") == usual);
  if (before)
    setenv("PROXEL_CPU_THREADS", kept.c_str(), 1);
  else
    unsetenv("PROXEL_CPU_THREADS");
}

TEST_CASE("workers take every item once and hand on what a body throws") {
  for (const std::uint32_t threads : {1u, 2u, 5u}) {
    cpu::Workers workers(threads);
    for (const std::uint64_t count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> taken(count);
      workers.for_each(count, [&](std::uint64_t item) { ++taken[item]; });
      for (const auto& times : taken) REQUIRE(times == 1);
    }
    CHECK_THROWS_AS(workers.for_each(100,
                                     [](std::uint64_t item) {
      if (item == 50) throw std::runtime_error("x");
    }),
                    std::runtime_error);
    std::atomic<int> after{0};
    workers.for_each(10, [&](std::uint64_t) { ++after; });
    CHECK(after == 10);
  }
}
