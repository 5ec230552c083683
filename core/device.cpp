#include "proxel/device.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace proxel {

std::string_view to_string(BackendKind kind) {
  switch (kind) {
    case BackendKind::cpu:
      return "cpu";
    case BackendKind::vulkan:
      return "vulkan";
    case BackendKind::cuda:
      return "cuda";
  }
  return "unknown";
}

BufferView BufferView::part(std::uint64_t first_byte, std::uint64_t byte_count) const {
  if (first_byte > bytes || byte_count > bytes - first_byte)
    throw Error(ErrorCode::invalid_argument, "buffer view",
                fmt::format("bytes {}…{} were asked for, the view has {}", first_byte, first_byte + byte_count, bytes));
  BufferView view = *this;
  view.offset += first_byte;
  view.bytes = byte_count;
  return view;
}

namespace {

constexpr std::uint64_t staging_bytes = std::uint64_t{32} << 20;

// Copies between a device buffer and the host in pieces of bounded staging memory.
template <typename Transfer>
void stage(Device& device, const BufferView& view, MemoryKind kind, const Transfer& transfer) {
  if (view.bytes == 0) return;
  const auto staging = device.create_buffer(std::min(view.bytes, staging_bytes), kind);
  const auto commands = device.create_commands(Timing::none);
  for (std::uint64_t done = 0; done < view.bytes; done += staging->bytes()) {
    const std::uint64_t bytes = std::min(staging->bytes(), view.bytes - done);
    transfer(*commands, BufferView(*staging, 0, bytes), view.part(done, bytes), done);
  }
}

void run(Device& device, Commands& commands, const BufferView& from, const BufferView& to) {
  commands.begin();
  commands.copy(from, to);
  commands.end();
  device.submit(commands);
  device.wait();
}

}  // namespace

void Device::start_copy(const BufferView& from, const BufferView& to) {
  const auto commands = create_commands(Timing::none);
  run(*this, *commands, from, to);
}

Support Device::supports_pinning() const {
  return Support::no(fmt::format("{} does not read host memory where it lies", info_.id));
}

std::unique_ptr<Buffer> Device::pin(const void*, std::uint64_t) {
  throw Error(ErrorCode::unsupported, "pinned memory", supports_pinning().reason);
}

void upload(Device& device, const BufferView& to, const void* from) {
  stage(device, to, MemoryKind::upload,
        [&](Commands& commands, const BufferView& staging, const BufferView& part, std::uint64_t done) {
    std::memcpy(staging.buffer->mapped(), static_cast<const std::byte*>(from) + done, part.bytes);
    run(device, commands, staging, part);
  });
}

void download(Device& device, const BufferView& from, void* to) {
  stage(device, from, MemoryKind::readback,
        [&](Commands& commands, const BufferView& staging, const BufferView& part, std::uint64_t done) {
    run(device, commands, part, staging);
    std::memcpy(static_cast<std::byte*>(to) + done, staging.buffer->mapped(), part.bytes);
  });
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> all;
  for (const Backend* backend : backends()) {
    auto devices = backend->devices();
    std::move(devices.begin(), devices.end(), std::back_inserter(all));
  }
  return all;
}

std::unique_ptr<Device> open_device(std::string_view id) {
  std::vector<std::string> known;
  for (const Backend* backend : backends()) {
    for (const DeviceInfo& device : backend->devices()) {
      if (device.id == id || (device.index == 0 && id == to_string(device.backend))) {
        if (!device.usable) throw Error(ErrorCode::unsupported, device.id, device.usable.reason);
        return backend->open(device.index);
      }
      known.push_back(device.id);
    }
    if (!backend->available() && id.starts_with(to_string(backend->kind())))
      throw Error(ErrorCode::not_found, std::string(id), backend->available().reason);
  }
  throw Error(ErrorCode::not_found, std::string(id),
              fmt::format("no such device; there are {}", fmt::join(known, ", ")));
}

namespace {
std::string& cache_directory() {
  static std::string directory;
  return directory;
}
}  // namespace

void set_pipeline_cache_directory(const std::string& path) { cache_directory() = path; }
const std::string& pipeline_cache_directory() { return cache_directory(); }

}  // namespace proxel
