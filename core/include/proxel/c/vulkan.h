/* Recording proxel's searches on a Vulkan device of the caller's. No Vulkan header is needed: handles are
   the opaque pointers that Vulkan itself declares on 64-bit systems. In a build without the Vulkan backend
   every function is PROXEL_UNSUPPORTED. */
#ifndef PROXEL_C_VULKAN_H
#define PROXEL_C_VULKAN_H

#include "proxel/c/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VkInstance_T;
struct VkPhysicalDevice_T;
struct VkDevice_T;
struct VkQueue_T;
struct VkCommandBuffer_T;
struct VkPipelineCache_T;
struct VkBuffer_T;

/* The type of vkGetInstanceProcAddr. */
typedef void (*(*proxel_vulkan_get_proc_addr)(struct VkInstance_T*, const char*))(void);

/* A device that the caller created and keeps alive longer than all that is made from it. proxel touches
   nothing global: it loads its functions through get_instance_proc_addr into a table of its own. */
typedef struct proxel_vulkan_device {
  size_t struct_size;
  struct VkInstance_T* instance;
  struct VkPhysicalDevice_T* physical_device;
  struct VkDevice_T* device;
  struct VkQueue_T* queue; /* of a family with compute; used when indexes and plans are made and by
                              proxel_device_submit(), never while recording into a caller's command buffer.
                              Calls that use it must not run beside the caller's own */
  proxel_vulkan_get_proc_addr get_instance_proc_addr;
  struct VkPipelineCache_T* pipeline_cache; /* may be NULL; pipelines are created through it */
  uint32_t queue_family;
  uint32_t buffer_device_address; /* 1: Vulkan 1.2's feature of that name was enabled. Required */
  uint32_t cooperative_matrix;    /* 1: so was VK_KHR_cooperative_matrix, with its feature and Vulkan 1.2's
                                     shaderFloat16, vulkanMemoryModel and vulkanMemoryModelDeviceScope */
  uint32_t debug_utils;           /* 1: so was VK_EXT_debug_utils on the instance: passes are labelled */
  uint32_t shader_float64;        /* 1: so was the feature of that name: passes in binary64 are supported */
  uint32_t reserved;              /* 0 */
} proxel_vulkan_device;
#define PROXEL_VULKAN_DEVICE_INIT \
  {sizeof(proxel_vulkan_device), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0}

PROXEL_API proxel_status proxel_vulkan_wrap_device(const proxel_vulkan_device* handles, proxel_device** device);

/* Wraps a VkBuffer of that size, created with the usage and alignment that the requirements say, in memory
   allocated with VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT. It stays the caller's. */
PROXEL_API proxel_status proxel_vulkan_wrap_buffer(proxel_device* device, struct VkBuffer_T* vk_buffer,
                                                   uint64_t bytes, proxel_buffer** buffer);
/* PROXEL_USAGE bits as VkBufferUsageFlags. */
PROXEL_API proxel_status proxel_vulkan_buffer_usage(uint64_t usage, uint32_t* flags);

/* A recording into a primary or secondary command buffer that is in the recording state and outside a render
   pass whenever something is recorded. Clobbers the compute bind point's pipeline, descriptor sets 0 and 1
   and 128 bytes of push constants. Before a search the caller makes its inputs visible to COMPUTE_SHADER
   with SHADER_READ, and scratch memory free for SHADER_WRITE and TRANSFER_WRITE; after it, results were written
   by COMPUTE_SHADER with SHADER_WRITE. */
PROXEL_API proxel_status proxel_vulkan_record_into(proxel_device* device,
                                                   struct VkCommandBuffer_T* command_buffer,
                                                   proxel_recording** recording);

#ifdef __cplusplus
}
#endif

#endif
