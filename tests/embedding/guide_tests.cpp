// docs/embedding.md, tried as it is written: CMake puts its code into
// embedding_guide.inc, and what stands around it here is the reader's engine.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "engine.hpp"
#include "proxel/index.hpp"
#include "proxel/moving_points.hpp"
#include "proxel/vulkan.hpp"
#include "require_device.hpp"

TEST_CASE("the guide for engines does what it says") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const VkInstance instance = engine.instance;
  const VkPhysicalDevice physical_device = engine.physical_device;
  const VkDevice device = engine.device;
  const VkQueue queue = engine.queue;
  const std::uint32_t queue_family = engine.queue_family;
  const VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
  const VkCommandBuffer commands = engine.command_buffer;
  // The engine has enabled every wish before; this one is not told of.
  const auto enable = [](std::string_view name) { return name != "shaderFloat16"; };
  const auto create_buffer = [&](std::uint64_t bytes) { return engine.create_buffer(bytes); };
  const auto points = create_buffer(2000 * 3 * 4);
  std::vector<float> values(2000 * 3);
  std::mt19937 generator(1);
  for (float& value : values) value = std::normal_distribution<float>()(generator);
  const auto source = create_buffer(points.bytes);
  std::memcpy(source.mapped, values.data(), points.bytes);
  const auto move_points = [&](VkCommandBuffer into) {
    // Stands for a pass: the points arrive by a copy.
    const VkBufferCopy whole{0, 0, points.bytes};
    vkCmdCopyBuffer(into, source.buffer, points.buffer, 1, &whole);
    engine.barrier({VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT}, proxel::vulkan::edges::inputs);
  };
  const auto draw_points = [&](VkCommandBuffer) {
    engine.barrier(proxel::vulkan::edges::results, {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT});
    engine.finish();
  };

  engine.begin();
#include "embedding_guide.inc"

  CHECK(handles.buffer_device_address);
  CHECK(!handles.cooperative_matrix);  // shaderFloat16 is one of its wishes
  const auto host = proxel::open_device("cpu:reference");
  const proxel::MatrixView<float> view(values.data(), count, dimensions);
  const proxel::Neighbors expected = proxel::Index(*host, view).search(view, k, description.metric);
  CHECK(std::memcmp(indices.mapped, expected.indices.data(), count * k * 4) == 0);
  CHECK(std::memcmp(distances.mapped, expected.distances.data(), count * k * 4) == 0);
}
