// Buffers.
#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

// Copies between the host and a part of a buffer.
template <typename Host, typename Copy>
void transfer(proxel_buffer* buffer, std::uint64_t offset, Host* host, const char* argument, std::uint64_t bytes,
              const Copy& copy) {
  const HeldBuffer& given = handled(buffer, "buffer");
  if (offset % 4 != 0 || bytes % 4 != 0)
    refuse("offset", fmt::format("{} bytes from {} on were asked for; multiples of 4 are allowed", bytes, offset));
  if (bytes == 0) return;
  require_given(host, argument);
  copy(*given.device, view_of({buffer, offset, bytes}, *given.device, "offset"), host);
}

}  // namespace

proxel_status proxel_buffer_create(proxel_device* device, uint64_t bytes, const char* kind, proxel_buffer** buffer) {
  return guarded([&] {
    required(buffer, "buffer");
    const auto& on = handled(device, "device").device;
    *buffer = make_handle<proxel_buffer>(on, on, on->create_buffer(bytes, memory_named(kind)));
  });
}

uint64_t proxel_buffer_bytes(const proxel_buffer* buffer) {
  return read_handle(buffer, "buffer", [](const HeldBuffer& own) { return own.buffer->bytes(); });
}
uint64_t proxel_buffer_address(const proxel_buffer* buffer) {
  return read_handle(buffer, "buffer", [](const HeldBuffer& own) { return own.buffer->address(); });
}
void* proxel_buffer_mapped(const proxel_buffer* buffer) {
  return read_handle(buffer, "buffer", [](const HeldBuffer& own) { return own.buffer->mapped(); });
}

proxel_status proxel_buffer_write(proxel_buffer* buffer, uint64_t offset, const void* from, uint64_t bytes) {
  return guarded([&] { transfer(buffer, offset, from, "from", bytes, upload); });
}

proxel_status proxel_buffer_read(proxel_buffer* buffer, uint64_t offset, void* to, uint64_t bytes) {
  return guarded([&] { transfer(buffer, offset, to, "to", bytes, download); });
}

void proxel_buffer_destroy(proxel_buffer* buffer) { destroy(buffer); }
