// Functions of a backend that was left out say so.
#include "support.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

bool built(BackendKind kind) {
  for (const Backend* backend : backends())
    if (backend->kind() == kind) return backend->available() || backend->available().limit != Limit::build;
  return false;
}

}  // namespace

TEST_CASE("a build without Vulkan answers that it has none") {
  if (built(BackendKind::vulkan)) return;
  DeviceHandle device;
  BufferHandle buffer;
  RecordingHandle recording;
  std::uint32_t flags = 0;
  const proxel_vulkan_device handles = PROXEL_VULKAN_DEVICE_INIT;
  CHECK_FAILS(proxel_vulkan_wrap_device(&handles, &device), PROXEL_UNSUPPORTED, "vulkan");
  CHECK_FAILS(proxel_vulkan_wrap_buffer(device, nullptr, 4, &buffer), PROXEL_UNSUPPORTED, "vulkan");
  CHECK_FAILS(proxel_vulkan_record_into(device, nullptr, &recording), PROXEL_UNSUPPORTED, "vulkan");
  CHECK_FAILS(proxel_vulkan_buffer_usage(1, &flags), PROXEL_UNSUPPORTED, "vulkan");
  CHECK_FAILS(proxel_vulkan_record_into_timed(device, nullptr, nullptr, 0, 2, &recording), PROXEL_UNSUPPORTED,
              "vulkan");
  CHECK_FAILS(proxel_vulkan_recording_timed(nullptr, nullptr, nullptr), PROXEL_UNSUPPORTED, "vulkan");
  CHECK_FAILS(proxel_vulkan_semaphore_of(nullptr, nullptr), PROXEL_UNSUPPORTED, "vulkan");
  WishesHandle wishes;
  proxel_vulkan_wish wish = PROXEL_VULKAN_WISH_INIT;
  CHECK_FAILS(proxel_vulkan_wishes_create(nullptr, nullptr, nullptr, &wishes), PROXEL_UNSUPPORTED, "vulkan");
  CHECK_FAILS(proxel_vulkan_wishes_get(wishes, 0, &wish), PROXEL_UNSUPPORTED, "vulkan");
  CHECK(proxel_vulkan_wishes_count(wishes) == 0);
  CHECK(std::string(proxel_last_error()).find("no Vulkan backend") != std::string::npos);
}

TEST_CASE("a build without CUDA answers that it has none") {
  if (built(BackendKind::cuda)) return;
  DeviceHandle device;
  BufferHandle buffer;
  RecordingHandle recording;
  CHECK_FAILS(proxel_cuda_wrap_device(0, &device), PROXEL_UNSUPPORTED, "cuda");
  CHECK_FAILS(proxel_cuda_wrap_buffer(device, nullptr, 4, &buffer), PROXEL_UNSUPPORTED, "cuda");
  CHECK_FAILS(proxel_cuda_record_into(device, nullptr, &recording), PROXEL_UNSUPPORTED, "cuda");
  CHECK_FAILS(proxel_cuda_signal(nullptr, nullptr, 1), PROXEL_UNSUPPORTED, "cuda");
  CHECK_FAILS(proxel_cuda_wait(nullptr, nullptr, 1), PROXEL_UNSUPPORTED, "cuda");
  CHECK(std::string(proxel_last_error()).find("no CUDA backend") != std::string::npos);
}
