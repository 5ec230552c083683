// An engine's Vulkan device of which every function fails once, and the host's heap while it is used.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine.hpp"
#include "heap.hpp"
#include "index_scenarios.hpp"
#include "proxel/index.hpp"
#include "proxel/vulkan.hpp"
#include "require_device.hpp"
#include "samples.hpp"
#include "scenarios.hpp"
#include "vulkan_faults.hpp"

using namespace proxel;
using namespace proxel::faults;

namespace {

std::unique_ptr<Device> wrapped(const Engine& engine) {
  vulkan::DeviceHandles handles = engine.handles;
  handles.get_instance_proc_addr = &VulkanFaults::get_instance_proc_addr;
  return vulkan::wrap_device(handles);
}

// A device is wrapped and used for the first time, so that its pipelines are made.
Scenario wrapping(const Engine& engine) {
  struct Held {
    std::unique_ptr<Device> device;
    std::unique_ptr<Index> index;
  };
  static const Matrix<float> rows = integers(40, 3, 1);
  const auto make = [&engine] {
    auto held = std::make_shared<Held>();
    held->device = wrapped(engine);
    held->index = std::make_unique<Index>(*held->device, rows.view(), IndexOptions{.method = Method::scan});
    return held;
  };
  return making("wrap a device", make, [](Held& held) { return held.index->search(rows.view(), 2, Metric::l2); });
}

// What an error comes to.
std::vector<ErrorCode> codes_of(VkResult error) {
  switch (error) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_MEMORY_MAP_FAILED:
      return {ErrorCode::out_of_memory};
    case VK_ERROR_DEVICE_LOST:
      return {ErrorCode::device_lost};
    default:
      return {ErrorCode::backend_failure};
  }
}

// Calls of a function at which it is to fail: all, or some from the first to the last.
std::vector<std::uint64_t> places(std::uint64_t calls, std::uint64_t most) {
  std::vector<std::uint64_t> chosen;
  const std::uint64_t count = std::min(calls, most);
  for (std::uint64_t i = 0; i < count; ++i) chosen.push_back(count == 1 ? 0 : i * (calls - 1) / (count - 1));
  return chosen;
}

// Whether a search frees memory while something else runs, as Krulis's index does between its blocks.
enum class Frees { waiting, meanwhile };

void fail_every_call(const Scenario& scenario, std::uint64_t most_places, Frees frees, Count& sum) {
  const auto trial = [&](const auto& inject, const std::vector<ErrorCode>& codes) {
    const std::int64_t before = VulkanFaults::objects();
    Outcome outcome = Outcome::done;
    bool fired = false;
    {
      const Trial one = scenario.make();
      inject();
      outcome = run(one, codes, [&] { fired = VulkanFaults::restore(); });
    }
    expect(VulkanFaults::objects() == before, "Vulkan objects are left");
    expect(!VulkanFaults::freed_while_running() || frees == Frees::meanwhile,
           "memory was freed while the device used it");
    return std::pair(outcome, fired);
  };
  trial([] { VulkanFaults::fail_nothing(); }, {});  // whose pipelines stay
  trial([] { VulkanFaults::fail_nothing(); }, {});
  // The calls of the check come after those that were counted.
  const Trial counted = scenario.make();
  VulkanFaults::fail_nothing();
  counted.act();
  const auto functions = VulkanFaults::functions();
  counted.check();
  for (const VulkanFaults::Function& function : functions) {
    std::size_t turn = 0;
    sum.places += function.calls;
    for (const std::uint64_t call : places(function.calls, most_places))
      // At the first call every error, at the others one after another.
      for (std::size_t i = 0; i < (call == 0 ? function.errors.size() : 1); ++i) {
        const VkResult error = function.errors[turn++ % function.errors.size()];
        try {
          const auto [outcome, fired] = trial([&] { VulkanFaults::fail(function, call, error); }, codes_of(error));
          if (!fired) continue;
          ++(outcome == Outcome::refused ? sum.refused : sum.done);
        } catch (const Broken& broken) {
          FAIL_CHECK(scenario.name, ", ", function.name, " ", call, " with ", static_cast<int>(error), ": ",
                     broken.what);
        } catch (const std::exception& failure) {
          FAIL_CHECK(scenario.name, ", ", function.name, " ", call, " with ", static_cast<int>(error), " throws ",
                     failure.what());
        }
      }
  }
}

void fail_every_call(const std::vector<Scenario>& scenarios, Frees frees = Frees::waiting) {
  Count sum;
  for (const Scenario& scenario : scenarios) fail_every_call(scenario, 3 * 4 / stride_of_environment(4), frees, sum);
  CHECK(sum.refused != 0);
  MESSAGE("together: ", sum.places, " calls, of which ", sum.trials(), " failed: ", sum.refused, " errors, ", sum.done,
          " done without");
}

void fail_every_allocation_of(const std::vector<Scenario>& scenarios, std::uint64_t every) {
  Heap::set_scope(HeapScope::thread);
  Count sum;
  for (const Scenario& scenario : scenarios) {
    const Count one = fail_every_allocation(scenario, stride_of_environment(every), {ErrorCode::out_of_memory},
                                            &VulkanFaults::objects);
    CHECK(one.refused != 0);
    sum.refused += one.refused;
    sum.done += one.done;
  }
  MESSAGE("together: ", sum.trials(), " failed: ", sum.refused, " errors, ", sum.done, " done without");
}

}  // namespace

TEST_SUITE_BEGIN("results");

TEST_CASE("a function fails while a device is wrapped and first used") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  fail_every_call({wrapping(engine)});
}

TEST_CASE("a function fails while vectors are searched") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = wrapped(engine);
  fail_every_call(vector_scenarios(*device));
}

TEST_SUITE_END();
TEST_SUITE_BEGIN("results of objects");

TEST_CASE("a function fails while strings and signatures are searched") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = wrapped(engine);
  fail_every_call(string_scenarios(*device));
  fail_every_call(signature_scenarios(*device));
  fail_every_call(krulis_scenarios(*device), Frees::meanwhile);
}

TEST_SUITE_END();
TEST_SUITE_BEGIN("heap");

TEST_CASE("the host's heap is exhausted while a device is wrapped and first used") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  fail_every_allocation_of({wrapping(engine)}, 7);
}

TEST_CASE("the host's heap is exhausted while a device is used") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = wrapped(engine);
  // Not Krulis's index, whose threads allocate what this one frees.
  for (const auto& some : {vector_scenarios(*device), string_scenarios(*device), signature_scenarios(*device)})
    fail_every_allocation_of(some, 11);
}

TEST_SUITE_END();
