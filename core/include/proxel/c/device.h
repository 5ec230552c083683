/* Devices, their memory, and recordings of proxel's own. */
#ifndef PROXEL_C_DEVICE_H
#define PROXEL_C_DEVICE_H

#include "proxel/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A device that was opened, or a caller's that was wrapped (proxel/c/vulkan.h, proxel/c/cuda.h). */
typedef struct proxel_device proxel_device;
/* The devices that there were when the list was made. */
typedef struct proxel_device_list proxel_device_list;
/* Linear memory that kernels reach by address. */
typedef struct proxel_buffer proxel_buffer;
/* Where work is written down: of proxel's own, or a caller's command buffer or stream. */
typedef struct proxel_recording proxel_recording;

/* What a device is and can do. */
typedef struct proxel_device_info {
  size_t struct_size;
  const char* backend;           /* "cpu", "vulkan", "cuda" */
  const char* id;                /* "cpu", "vulkan:0", "cuda:1": what proxel_device_open() takes */
  const char* name;              /* as the driver gives it */
  const char* driver;            /* driver name and version */
  const char* unusable;          /* why proxel cannot run on it; NULL where it can */
  uint8_t uuid[16];              /* zeros where unknown; equal for one GPU seen by Vulkan and CUDA */
  uint64_t memory_bytes;         /* size of the largest device-local heap */
  uint64_t max_allocation_bytes; /* largest single buffer */
  uint32_t subgroup_size;        /* lanes of a warp, wave or subgroup */
  uint32_t max_workgroup_size;   /* invocations of one workgroup */
  uint32_t shared_memory_bytes;  /* per workgroup */
  uint32_t multiprocessors;      /* 0 where the driver does not tell */
  uint32_t timestamps;           /* 1 where passes can be timed on the device */
  uint32_t runs_on_host;         /* 1 for the CPU backend and for a processor posing as a GPU */
} proxel_device_info;
#define PROXEL_DEVICE_INFO_INIT {sizeof(proxel_device_info), NULL, NULL, NULL, NULL, NULL, {0}, 0, 0, 0, 0, 0, 0, 0, 0}

/* Lists the devices of all backends, usable or not. Destroyed by the caller. */
PROXEL_API proxel_status proxel_device_list_create(proxel_device_list** list);
/* 0 for NULL. */
PROXEL_API uint64_t proxel_device_list_count(const proxel_device_list* list);
/* The device at `position`, from 0. Strings are valid as long as the list. */
PROXEL_API proxel_status proxel_device_list_get(const proxel_device_list* list, uint64_t position,
                                                proxel_device_info* info);
PROXEL_API void proxel_device_list_destroy(proxel_device_list* list);

/* Whether a backend, "cpu", "vulkan" or "cuda", is in this build and has found its driver;
   PROXEL_UNSUPPORTED with the reason where not. */
PROXEL_API proxel_status proxel_backend_available(const char* backend);

/* Opens a device by id: "cpu", "cpu:reference", "vulkan", "vulkan:1", "cuda:0"; a backend's name alone
   is its device 0. NULL is "cpu". PROXEL_NOT_FOUND lists the ids there are. */
PROXEL_API proxel_status proxel_device_open(const char* id, proxel_device** device);
/* Strings are valid as long as the device. */
PROXEL_API proxel_status proxel_device_get_info(const proxel_device* device, proxel_device_info* info);
/* Starts what was recorded on a recording of proxel's own, and returns at once; submissions run in
   order. PROXEL_INVALID_ARGUMENT for a recording of another device, or one that has not been ended. */
PROXEL_API proxel_status proxel_device_submit(proxel_device* device, proxel_recording* recording);
/* Returns when everything submitted has finished. */
PROXEL_API proxel_status proxel_device_wait(proxel_device* device);
PROXEL_API void proxel_device_destroy(proxel_device* device);

/* Makes a buffer of 1 … max_allocation_bytes bytes; contents undefined.
   kind: "device" (the default; fastest for kernels), "upload" (written by the host, read by
   kernels), "readback" (written by kernels, read by the host) or "direct" (memory of the device's own that the
   host writes, in order, and does not read; PROXEL_UNSUPPORTED where there is none, as on CUDA; PROXEL_OUT_OF_MEMORY
   where too little is left, and through Vulkan for more than a 32nd of what the host can write). */
PROXEL_API proxel_status proxel_buffer_create(proxel_device* device, uint64_t bytes, const char* kind,
                                              proxel_buffer** buffer);
/* 0 for NULL, as the two below. */
PROXEL_API uint64_t proxel_buffer_bytes(const proxel_buffer* buffer);
/* The address that kernels of its device use; at least 256-byte aligned where proxel made it. */
PROXEL_API uint64_t proxel_buffer_address(const proxel_buffer* buffer);
/* Host pointer for all but "device" memory, coherent; otherwise NULL. Valid as long as the buffer. */
PROXEL_API void* proxel_buffer_mapped(const proxel_buffer* buffer);
/* Copies host memory into the buffer from byte `offset` on, and waits. Offset and bytes are multiples of 4.
   Its device first finishes what was submitted. */
PROXEL_API proxel_status proxel_buffer_write(proxel_buffer* buffer, uint64_t offset, const void* from, uint64_t bytes);
/* The other way. */
PROXEL_API proxel_status proxel_buffer_read(proxel_buffer* buffer, uint64_t offset, void* to, uint64_t bytes);
/* The caller sees to it that submitted work that uses the buffer has finished; what was recorded over it
   and not submitted is not submitted any more. */
PROXEL_API void proxel_buffer_destroy(proxel_buffer* buffer);

/* A part of a buffer. A buffer of NULL means none. Never changes, and is part of structs as it is. */
typedef struct proxel_buffer_view {
  proxel_buffer* buffer;
  uint64_t offset; /* bytes */
  uint64_t bytes;  /* 0: all that follow */
} proxel_buffer_view;

/* Makes a recording of proxel's own, which can be submitted any number of times.
   timing: "none", "whole" (the default: two timestamps around everything) or "passes". */
PROXEL_API proxel_status proxel_recording_create(proxel_device* device, const char* timing,
                                                 proxel_recording** recording);
/* The following are for either kind of recording. Nothing is submitted or waited for. */

/* Everything recorded before happens, and is visible, before anything recorded after. */
PROXEL_API proxel_status proxel_recording_barrier(proxel_recording* recording);
/* Copies from.bytes bytes; offsets and sizes are multiples of 4. */
PROXEL_API proxel_status proxel_recording_copy(proxel_recording* recording, const proxel_buffer_view* from,
                                               const proxel_buffer_view* to);
/* Sets every byte of the view; offset and size are multiples of 4. */
PROXEL_API proxel_status proxel_recording_fill(proxel_recording* recording, const proxel_buffer_view* view,
                                               uint8_t byte);
/* Opens a named group of passes, shown by RenderDoc and Nsight; pop closes the innermost. */
PROXEL_API proxel_status proxel_recording_push_label(proxel_recording* recording, const char* name);
PROXEL_API proxel_status proxel_recording_pop_label(proxel_recording* recording);

/* The following are for proxel's own; PROXEL_INVALID_ARGUMENT for a caller's command buffer or stream. */

/* Forgets what was recorded, whose execution has finished, and starts anew. */
PROXEL_API proxel_status proxel_recording_begin(proxel_recording* recording);
PROXEL_API proxel_status proxel_recording_end(proxel_recording* recording);
/* Device time of the latest completed submission; 0 with timing "none" or without timestamps. */
PROXEL_API proxel_status proxel_recording_milliseconds(proxel_recording* recording, double* milliseconds);
/* The caller sees to it that its submitted work has finished. A command buffer or stream of the
   caller's is left as it is. */
PROXEL_API void proxel_recording_destroy(proxel_recording* recording);

#ifdef __cplusplus
}
#endif

#endif
