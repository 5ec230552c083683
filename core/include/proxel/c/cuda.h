/* Searching inside a CUDA program of the caller's: its device, its stream, its memory. No CUDA header is
   needed. In a build without the CUDA backend every function is PROXEL_UNSUPPORTED. */
#ifndef PROXEL_C_CUDA_H
#define PROXEL_C_CUDA_H

#include "proxel/c/interop.h"
#include "proxel/c/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a device by its CUDA ordinal, on the primary context that the CUDA runtime uses: what
   proxel_device_open("cuda:<ordinal>") opens. */
PROXEL_API proxel_status proxel_cuda_wrap_device(int ordinal, proxel_device** device);

/* Wraps memory of cudaMalloc and its relatives, or pinned host memory: 256-byte aligned, of this device, all
   `bytes` within the caller's allocation. It stays the caller's. */
PROXEL_API proxel_status proxel_cuda_wrap_buffer(proxel_device* device, void* device_pointer, uint64_t bytes,
                                                 proxel_buffer** buffer);

/* A recording into a stream: every pass is launched on it at once, asynchronously and in order, so that
   barriers cost nothing. The stream may be capturing into a CUDA graph.
   cuda_stream: a cudaStream_t of that device, or NULL for its default stream; outlives the recording. */
PROXEL_API proxel_status proxel_cuda_record_into(proxel_device* device, void* cuda_stream,
                                                 proxel_recording** recording);

/* Work on a stream, the caller's, sets a shared semaphore when what was enqueued before has finished, or begins with what
   follows when the semaphore has got there. semaphore: imported by a CUDA device; not while the stream is capturing. */
PROXEL_API proxel_status proxel_cuda_signal(const proxel_semaphore* semaphore, void* cuda_stream, uint64_t value);
PROXEL_API proxel_status proxel_cuda_wait(const proxel_semaphore* semaphore, void* cuda_stream, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
