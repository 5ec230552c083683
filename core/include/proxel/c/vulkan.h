/* Recording proxel's searches on a Vulkan device of the caller's. No Vulkan header is needed: handles are
   the opaque pointers that Vulkan itself declares on 64-bit systems. In a build without the Vulkan backend
   every function is PROXEL_UNSUPPORTED. */
#ifndef PROXEL_C_VULKAN_H
#define PROXEL_C_VULKAN_H

#include "proxel/c/interop.h"
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
struct VkQueryPool_T;
struct VkSemaphore_T;

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
  uint32_t external_memory;       /* 1: so was VK_KHR_external_memory_fd: memory is shared (proxel/c/interop.h) */
  uint32_t external_semaphore;    /* 1: so was VK_KHR_external_semaphore_fd, with Vulkan 1.2's timelineSemaphore:
                                     semaphores are, too */
  uint32_t shader_int8;           /* 1: so was Vulkan 1.2's feature shaderInt8: rows and queries that are integers of a
                                     byte are multiplied as such on matrix units, with cooperative_matrix */
  uint32_t external_memory_host;  /* 1: so was VK_EXT_external_memory_host: proxel_index_options.pinned serves */
  uint32_t shader_float16;        /* 1: so was Vulkan 1.2's feature shaderFloat16, a part of cooperative_matrix: many
                                     queries by l1 and linf are compared by 8-bit codes */
  uint32_t host_query_reset;      /* 1: so was Vulkan 1.2's feature hostQueryReset: the host resets timestamps
                                     of proxel_recording_create(), and no command of theirs comes before what is timed */
  uint32_t reserved;              /* 0 */
} proxel_vulkan_device;
#define PROXEL_VULKAN_DEVICE_INIT \
  {sizeof(proxel_vulkan_device), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* What proxel wishes for a device that is about to be created, required first. */
typedef struct proxel_vulkan_wishes proxel_vulkan_wishes;

/* An extension or a feature. Strings are valid as long as the list. */
typedef struct proxel_vulkan_wish {
  size_t struct_size;
  const char* name;      /* "VK_KHR_cooperative_matrix"; of a feature its member, "shaderFloat16" */
  const char* structure; /* of a feature what it is a member of, "VkPhysicalDeviceVulkan12Features"; otherwise NULL */
  const char* purpose;   /* "screened searches on matrix units": wishes of one purpose are enabled together */
  const char* refused;   /* why it is not worth enabling on this device; NULL where it is */
  const char* member;    /* of proxel_vulkan_device: what is set to 1 where every wish of the purpose was enabled */
  uint64_t required;     /* 1: nothing runs without it */
} proxel_vulkan_wish;
#define PROXEL_VULKAN_WISH_INIT {sizeof(proxel_vulkan_wish), NULL, NULL, NULL, NULL, NULL, 0}

PROXEL_API proxel_status proxel_vulkan_wishes_create(proxel_vulkan_get_proc_addr get_instance_proc_addr,
                                                     struct VkInstance_T* instance,
                                                     struct VkPhysicalDevice_T* physical_device,
                                                     proxel_vulkan_wishes** wishes);
/* 0 for NULL. */
PROXEL_API uint64_t proxel_vulkan_wishes_count(const proxel_vulkan_wishes* wishes);
PROXEL_API proxel_status proxel_vulkan_wishes_get(const proxel_vulkan_wishes* wishes, uint64_t position,
                                                  proxel_vulkan_wish* wish);
PROXEL_API void proxel_vulkan_wishes_destroy(proxel_vulkan_wishes* wishes);

PROXEL_API proxel_status proxel_vulkan_wrap_device(const proxel_vulkan_device* handles, proxel_device** device);

/* Wraps a VkBuffer of that size, created with the usage and alignment that the requirements say, in memory
   allocated with VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT. It stays the caller's. */
PROXEL_API proxel_status proxel_vulkan_wrap_buffer(proxel_device* device, struct VkBuffer_T* vk_buffer, uint64_t bytes,
                                                   proxel_buffer** buffer);
/* PROXEL_USAGE bits as VkBufferUsageFlags. */
PROXEL_API proxel_status proxel_vulkan_buffer_usage(uint64_t usage, uint32_t* flags);

/* What a recording does at its edges, as bits of VkPipelineStageFlags and VkAccessFlags, for the caller's barriers: before
   it from what wrote its inputs to INPUTS, and from what last used scratch memory and results to WRITTEN; behind it from
   RESULTS, and from INPUTS to what writes inputs anew. Between recordings that share scratch memory, or of which one reads
   what the other makes ("bvh" keeps boxes), from WRITTEN to WRITTEN. proxel_plan_get_rungs() reads what RUNGS wrote. */
#define PROXEL_VULKAN_INPUTS_STAGES 0x00001800u
#define PROXEL_VULKAN_INPUTS_ACCESS 0x00000820u
#define PROXEL_VULKAN_WRITTEN_STAGES 0x00001800u
#define PROXEL_VULKAN_WRITTEN_ACCESS 0x00001860u
#define PROXEL_VULKAN_RESULTS_STAGES 0x00000800u
#define PROXEL_VULKAN_RESULTS_ACCESS 0x00000040u
#define PROXEL_VULKAN_RUNGS_STAGES 0x00001800u
#define PROXEL_VULKAN_RUNGS_ACCESS 0x00001040u

/* A recording into a primary or secondary command buffer that is in the recording state and outside a render
   pass whenever something is recorded. Clobbers the compute bind point's pipeline, descriptor sets 0 and 1
   and 128 bytes of push constants. The barriers at its edges, above, are the caller's. */
PROXEL_API proxel_status proxel_vulkan_record_into(proxel_device* device, struct VkCommandBuffer_T* command_buffer,
                                                   proxel_recording** recording);
/* The same, with the time at which each pass had finished written to queries of the caller's, for a command buffer that is
   begun once. pool: of VK_QUERY_TYPE_TIMESTAMP, its queries reset; first, count: which of them, at least 2. Query
   `first` is written before the first pass; passes for which no query is left are not timed. */
PROXEL_API proxel_status proxel_vulkan_record_into_timed(proxel_device* device,
                                                         struct VkCommandBuffer_T* command_buffer,
                                                         struct VkQueryPool_T* pool, uint32_t first, uint32_t count,
                                                         proxel_recording** recording);
/* What ended at query first + 1 + i: passes, "copy", "fill". The pointer is valid until more is recorded. */
PROXEL_API proxel_status proxel_vulkan_recording_timed(const proxel_recording* recording, const char* const** names,
                                                       uint64_t* count);

/* The timeline semaphore behind one of a Vulkan device, for the caller's submissions. */
PROXEL_API proxel_status proxel_vulkan_semaphore_of(const proxel_semaphore* semaphore,
                                                    struct VkSemaphore_T** vk_semaphore);

#ifdef __cplusplus
}
#endif

#endif
