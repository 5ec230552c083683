/* One GPU, two devices: memory and timeline semaphores that a device of one backend makes and one of another uses,
   handed over as file descriptors (Linux). What both sides touch is ordered by semaphores, or by waiting on the host. */
#ifndef PROXEL_C_INTEROP_H
#define PROXEL_C_INTEROP_H

#include "proxel/c/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A counter that only grows, for work of either device to wait for and to set: a timeline semaphore of Vulkan.
   proxel/c/vulkan.h and proxel/c/cuda.h give it to submissions and streams. */
typedef struct proxel_semaphore proxel_semaphore;

/* Whether what one device exports another can import: both can, and they are the same GPU (uuid of
   proxel_device_info). Otherwise PROXEL_UNSUPPORTED with the reason. */
PROXEL_API proxel_status proxel_shares_memory(proxel_device* exporter, proxel_device* importer);
PROXEL_API proxel_status proxel_shares_semaphores(proxel_device* exporter, proxel_device* importer);

/* Memory on its way from one device to another. */
typedef struct proxel_exported_memory {
  size_t struct_size;
  uint64_t bytes;            /* of the buffer, which is the allocation's beginning */
  uint64_t allocation_bytes; /* of the memory that was allocated */
  int32_t descriptor;        /* closed by the caller, before or after it was imported */
  uint32_t dedicated;        /* 1: it was allocated for this buffer alone */
} proxel_exported_memory;
#define PROXEL_EXPORTED_MEMORY_INIT {sizeof(proxel_exported_memory), 0, 0, -1, 0}

/* Device memory that can be exported. */
PROXEL_API proxel_status proxel_buffer_create_shared(proxel_device* device, uint64_t bytes, proxel_buffer** buffer);
/* A new descriptor of memory that proxel_buffer_create_shared() made. The memory stays until the buffers of both sides
   have been destroyed and the descriptor closed. */
PROXEL_API proxel_status proxel_buffer_export(const proxel_buffer* buffer, proxel_exported_memory* memory);
/* The same memory as a buffer of this device. */
PROXEL_API proxel_status proxel_buffer_import(proxel_device* device, const proxel_exported_memory* memory,
                                              proxel_buffer** buffer);

/* value: what it counts from. */
PROXEL_API proxel_status proxel_semaphore_create(proxel_device* device, uint64_t value, proxel_semaphore** semaphore);
/* A new descriptor, closed by the caller. */
PROXEL_API proxel_status proxel_semaphore_export(const proxel_semaphore* semaphore, int* descriptor);
PROXEL_API proxel_status proxel_semaphore_import(proxel_device* device, int descriptor, proxel_semaphore** semaphore);
/* The caller sees to it that submitted work that uses it has finished. */
PROXEL_API void proxel_semaphore_destroy(proxel_semaphore* semaphore);

#ifdef __cplusplus
}
#endif

#endif
