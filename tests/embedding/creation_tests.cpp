// Creation that fails half-way leaves nothing behind on an engine's device.
#include <doctest/doctest.h>

#include <string_view>

#include "engine.hpp"
#include "proxel/device.hpp"
#include "proxel/error.hpp"
#include "require_device.hpp"

namespace {

std::string_view failing;  // "Fence": vkCreateFence
int alive = 0;             // objects that were created and not destroyed

// What a device's functions are replaced by.
// clang-format off
#define PROXEL_OBJECTS(F) \
  F(DescriptorSetLayout) F(PipelineLayout) F(PipelineCache) F(CommandPool) F(Fence) F(QueryPool)
#define PROXEL_REPLACE(Name)                                                                   \
  VkResult VKAPI_CALL create_##Name(VkDevice device, const Vk##Name##CreateInfo* info,         \
                                    const VkAllocationCallbacks* callbacks, Vk##Name* object) { \
    if (failing == #Name) return VK_ERROR_OUT_OF_HOST_MEMORY;                                  \
    ++alive;                                                                                   \
    return vkCreate##Name(device, info, callbacks, object);                                    \
  }                                                                                            \
  void VKAPI_CALL destroy_##Name(VkDevice device, Vk##Name object,                             \
                                 const VkAllocationCallbacks* callbacks) {                     \
    if (object) --alive;                                                                       \
    vkDestroy##Name(device, object, callbacks);                                                \
  }
// clang-format on
PROXEL_OBJECTS(PROXEL_REPLACE)

VkResult VKAPI_CALL allocate_command_buffers(VkDevice device, const VkCommandBufferAllocateInfo* info,
                                             VkCommandBuffer* buffers) {
  if (failing == "CommandBuffers") return VK_ERROR_OUT_OF_HOST_MEMORY;
  return vkAllocateCommandBuffers(device, info, buffers);  // they end with their pool
}

PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device, const char* name) {
  const std::string_view asked = name;
#define PROXEL_GIVE(Name)                                                                     \
  if (asked == "vkCreate" #Name) return reinterpret_cast<PFN_vkVoidFunction>(&create_##Name); \
  if (asked == "vkDestroy" #Name) return reinterpret_cast<PFN_vkVoidFunction>(&destroy_##Name);
  PROXEL_OBJECTS(PROXEL_GIVE)
  if (asked == "vkAllocateCommandBuffers") return reinterpret_cast<PFN_vkVoidFunction>(&allocate_command_buffers);
  return vkGetDeviceProcAddr(device, name);
}

PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance, const char* name) {
  if (std::string_view(name) == "vkGetDeviceProcAddr")
    return reinterpret_cast<PFN_vkVoidFunction>(&get_device_proc_addr);
  return vkGetInstanceProcAddr(instance, name);
}

}  // namespace

TEST_CASE("what fails half-way in being created leaves nothing on an engine's device") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  proxel::vulkan::DeviceHandles handles = engine.handles;
  handles.get_instance_proc_addr = &get_instance_proc_addr;
  for (const std::string_view one : {"", "DescriptorSetLayout", "PipelineLayout", "PipelineCache", "CommandPool",
                                     "CommandBuffers", "Fence", "QueryPool"}) {
    CAPTURE(one);
    failing = one;
    alive = 0;
    const auto create = [&] {
      const auto device = proxel::vulkan::wrap_device(handles);
      const auto commands = device->create_commands(proxel::Timing::passes);
      CHECK(alive > 3);
    };
    if (one.empty())
      create();
    else
      CHECK_THROWS_AS(create(), proxel::Error);
    CHECK(alive == 0);
  }
  failing = "";
}

TEST_CASE("a label that was not opened is not closed") {
  Engine engine;
  REQUIRE_DEVICE(engine);
  const auto device = proxel::vulkan::wrap_device(engine.handles);
  const auto commands = device->create_commands(proxel::Timing::none);
  commands->begin();
  commands->pop_label();
  commands->push_label("one");
  commands->pop_label();
  commands->pop_label();
  commands->end();
}
