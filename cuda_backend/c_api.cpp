// The C interface to a caller's CUDA program (proxel/c/cuda.h).
#include "c_api/boundary.hpp"
#include "c_api/handles.hpp"
#include "proxel/cuda.hpp"

using namespace proxel;
using namespace proxel::c_api;

proxel_status proxel_cuda_wrap_device(int ordinal, proxel_device** device) {
  return guarded([&] {
    required(device, "device");
    give_device(cuda::wrap_device(ordinal), device);
  });
}

proxel_status proxel_cuda_wrap_buffer(proxel_device* device, void* device_pointer, uint64_t bytes,
                                      proxel_buffer** buffer) {
  return guarded([&] {
    required(buffer, "buffer");
    const auto& on = handled(device, "device").device;
    *buffer = make_handle<proxel_buffer>(on, on, cuda::wrap_buffer(*on, device_pointer, bytes));
  });
}

proxel_status proxel_cuda_record_into(proxel_device* device, void* cuda_stream, proxel_recording** recording) {
  return guarded([&] {
    required(recording, "recording");
    const auto& on = handled(device, "device").device;
    *recording = make_handle<proxel_recording>(on, on, cuda::record_into(*on, cuda_stream));
  });
}

proxel_status proxel_cuda_signal(const proxel_semaphore* semaphore, void* cuda_stream, uint64_t value) {
  return guarded([&] { cuda::signal(*handled(semaphore, "semaphore").semaphore, cuda_stream, value); });
}

proxel_status proxel_cuda_wait(const proxel_semaphore* semaphore, void* cuda_stream, uint64_t value) {
  return guarded([&] { cuda::wait(*handled(semaphore, "semaphore").semaphore, cuda_stream, value); });
}
