#include "signatures/krulis_groups.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "session/memory_limit.hpp"

namespace proxel::krulis {
namespace {

// A device that lacks some holds about so many groups of its own: so few that a copy is worth its start, so many that
// one travels while another is worked on and others stay.
constexpr std::uint64_t held_at_once = 8;

// What a device has for groups, and the largest that one may be.
struct Room {
  std::uint64_t limit, groups, group;

  Room(const Device& device, std::uint64_t pivot_bytes, std::uint64_t wanted)
      : limit(session::memory_limit_of(device, wanted)),
        groups(limit - std::min(limit, pivot_bytes)),
        group(std::min(groups, device.capabilities().max_allocation_bytes)) {}
};

Groups chosen_groups(std::span<const Room> rooms, const Signatures& signatures) {
  const std::uint64_t all = bytes_of(signatures, 0, signatures.size());
  std::uint64_t most = all;
  for (const Room& room : rooms) most = std::min(most, all <= room.groups ? room.group : room.group / held_at_once);
  return Groups::of_bytes(signatures, most);
}

}  // namespace

std::uint64_t bytes_of(const Signatures& signatures, std::uint64_t first, std::uint64_t end) {
  if (first == end) return 0;
  const std::span<const std::uint64_t> offsets = signatures.offsets();
  return (end - first + 1) * 4 + (offsets[end] - offsets[first]) * (std::uint64_t{signatures.dimensions()} + 1) * 4;
}

void Groups::add(const Signatures& signatures, std::uint64_t end) {
  bytes_.push_back(bytes_of(signatures, ends_.back(), end));
  ends_.push_back(end);
  most_bytes_ = std::max(most_bytes_, bytes_.back());
  all_bytes_ += bytes_.back();
}

Groups Groups::of_size(const Signatures& signatures, std::uint64_t size) {
  Groups groups;
  while (groups.ends_.back() < signatures.size())
    groups.add(signatures, std::min(signatures.size(), groups.ends_.back() + size));
  return groups;
}

Groups Groups::of_bytes(const Signatures& signatures, std::uint64_t most) {
  Groups groups;
  for (std::uint64_t end = 1; end <= signatures.size(); ++end)
    if (end == signatures.size() || bytes_of(signatures, groups.ends_.back(), end + 1) > most)
      groups.add(signatures, end);
  return groups;
}

bool Division::travels() const {
  return std::any_of(held.begin(), held.end(), [&](std::uint32_t one) { return one < groups.count(); });
}

std::uint32_t Division::first_held(std::size_t device) const {
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < device; ++i) before += held[i];
  return static_cast<std::uint32_t>(before % groups.count());
}

Division divide(std::span<Device* const> devices, const Signatures& signatures, std::uint64_t pivot_bytes,
                const KrulisOptions& options) {
  std::vector<Room> rooms;
  for (const Device* device : devices) rooms.emplace_back(*device, pivot_bytes, options.memory_limit);
  Division division;
  division.groups = options.group != 0 ? Groups::of_size(signatures, options.group) : chosen_groups(rooms, signatures);
  const std::uint64_t most = division.groups.most_bytes();
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    if (most > rooms[i].group)
      throw Error(ErrorCode::invalid_argument, "memory_limit",
                  fmt::format("{} on {} was given; a group of signatures takes {} bytes in one buffer, and pivots {}",
                              rooms[i].limit, devices[i]->info().id, most, pivot_bytes));
    const bool all = division.groups.all_bytes() <= rooms[i].groups;
    division.held.push_back(
        all ? division.groups.count()
            : static_cast<std::uint32_t>(std::min<std::uint64_t>(division.groups.count(), rooms[i].groups / most)));
  }
  return division;
}

}  // namespace proxel::krulis
