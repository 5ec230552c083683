// Host memory that a device reads where it lies: at any place in its pages.
#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "case.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint64_t page = 4096;

struct Place {
  std::uint64_t offset, bytes;  // behind the begin of a page
};

// Whether what lies there arrives on the device, as often as it is asked for.
std::string difference(Device& device, const std::byte* memory, std::uint64_t bytes, std::uint32_t copies) {
  const auto pinned = device.pin(memory, bytes);
  const auto* const begin = static_cast<const std::byte*>(pinned->mapped());
  if (begin > memory || begin + pinned->bytes() < memory + bytes)
    return fmt::format("{} bytes are locked, which begin {} before what was given", pinned->bytes(), memory - begin);
  const auto there = device.create_buffer(bytes, MemoryKind::device);
  std::vector<std::byte> came(bytes);
  for (std::uint32_t i = 0; i < copies; ++i)
    device.start_copy(BufferView(*pinned, static_cast<std::uint64_t>(memory - begin), bytes), *there);
  device.wait_copies();
  download(device, *there, came.data());
  return std::equal(came.begin(), came.end(), memory) ? "" : "other bytes arrived than lie there";
}

Verdict reads(Device& device, const Place& place) {
  if (const Support support = device.supports_pinning(); !support) return Verdict::refuse(support);
  std::vector<std::byte> room(place.offset + place.bytes + 3 * page);
  for (std::uint64_t i = 0; i < room.size(); ++i) room[i] = static_cast<std::byte>(i * 7 + i / 256);
  const std::uint64_t begin = reinterpret_cast<std::uintptr_t>(room.data());
  const std::byte* const memory = room.data() + (page - begin % page) % page + place.offset;
  // More copies than a device keeps at work.
  if (std::string text = difference(device, memory, place.bytes, 20); !text.empty())
    return Verdict::fail(std::move(text));
  // What was unlocked is locked again, beside a neighbour in its last page and on top of what is locked.
  const auto neighbour = device.pin(memory + place.bytes, 4);
  if (std::string text = difference(device, memory, place.bytes, 1); !text.empty())
    return Verdict::fail("beside a neighbour: " + text);
  const auto same = device.pin(memory, place.bytes);
  if (std::string text = difference(device, memory, place.bytes, 1); !text.empty())
    return Verdict::fail("locked twice: " + text);
  return Verdict::pass();
}

}  // namespace

void add_pin_cases(Cases& cases) {
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{4}, page - 4, page - 4096 / 2 + 12})
    for (const std::uint64_t bytes :
         {std::uint64_t{4}, std::uint64_t{8}, page - 4, page, page + 4, 2 * page, 3 * page - 4, std::uint64_t{1} << 22})
      cases.push_back({fmt::format("pinned/offset={},bytes={}", offset, bytes), bytes == page + 4, [=](const Context&) {
        return make_check([=](Device& device) { return reads(device, {offset, bytes}); });
      }});
}

}  // namespace proxel::conformance
