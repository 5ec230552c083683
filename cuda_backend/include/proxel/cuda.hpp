#pragma once

// Searching inside a CUDA program of one's own: its device, its stream, its
// memory. No CUDA header is needed to include this one.

#include <cstdint>
#include <memory>

#include "proxel/export.h"
#include "proxel/interop.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel::cuda {

/// Opens a device by its CUDA ordinal, on the primary context that the CUDA
/// runtime and the rest of the program use. It is the device that
/// open_device("cuda:<ordinal>") opens.
/// Throws Error: not_found, unsupported (with the reason), out_of_memory.
std::unique_ptr<Device> wrap_device(int ordinal);

/// Records into a stream of the caller: every pass is launched on it at once,
/// asynchronously and in order, so that barriers cost nothing. Nothing is
/// allocated, synchronised or waited for, and the stream may be capturing into
/// a CUDA graph. Passes must have been prepared (plans prepare theirs).
/// @param device       outlives the recording; wrap_device or open_device made it
/// @param cuda_stream  a cudaStream_t of that device, or null for its default
///                     stream; outlives the recording
/// Throws Error(invalid_argument) when the device is not a CUDA device.
std::unique_ptr<Recording> record_into(Device& device, void* cuda_stream);

/// Lets passes use memory of the caller: of cudaMalloc and its relatives, or
/// pinned host memory. It stays the caller's and is not freed; mapped() is null.
/// @param device_pointer  256-byte aligned, of this device
/// @param bytes           at least 1, all within the caller's allocation
/// Throws Error(invalid_argument) when the pointer is null, misaligned or not
/// memory that this device reaches.
std::unique_ptr<Buffer> wrap_buffer(Device& device, void* device_pointer, std::uint64_t bytes);

/// Work on a stream, the caller's, sets a shared semaphore when what was enqueued
/// before has finished, or begins with what follows when the semaphore has got there.
/// @param semaphore  imported by a CUDA device; not while the stream is capturing
/// Throws Error(invalid_argument | backend_failure).
void signal(const interop::Semaphore& semaphore, void* cuda_stream, std::uint64_t value);
void wait(const interop::Semaphore& semaphore, void* cuda_stream, std::uint64_t value);

}  // namespace proxel::cuda
PROXEL_PUBLIC_END
