#include "c_api/arguments.hpp"

#include <cstring>

#include <fmt/format.h>

namespace proxel::c_api {

std::span<const std::uint32_t> numbers_of(const std::uint32_t* numbers, std::uint64_t count, const char* argument) {
  if (count != 0) required(numbers, argument);
  return {numbers, count};
}

BufferView view_of(const proxel_buffer_view& view, const Device& device, const char* argument) {
  if (!view.buffer) return {};
  const HeldBuffer& held = handled(view.buffer, argument);
  if (held.device.get() != &device)
    refuse(argument,
           fmt::format("is a buffer of {}, not of this device, {}", held.device->info().id, device.info().id));
  Buffer& buffer = *held.buffer;
  if (view.offset > buffer.bytes() || view.bytes > buffer.bytes() - view.offset)
    refuse(argument, fmt::format("{} bytes from {} on were asked for, the buffer has {}", view.bytes, view.offset,
                                 buffer.bytes()));
  return {buffer, view.offset, limit_or(view.bytes, buffer.bytes() - view.offset)};
}

void copy_text(const std::string& from, char* text, std::uint64_t capacity, std::uint64_t* bytes) {
  required(bytes, "bytes");
  *bytes = from.size();
  if (capacity == 0 || from.empty()) return;
  required(text, "text");
  if (capacity < from.size())
    refuse("capacity", fmt::format("{} bytes were given, {} are needed", capacity, from.size()));
  std::memcpy(text, from.data(), from.size());
}

}  // namespace proxel::c_api
