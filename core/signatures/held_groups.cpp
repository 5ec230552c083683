#include "signatures/held_groups.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "watch.hpp"

namespace proxel::krulis {

HeldGroups::HeldGroups(Device& device, const Signatures& signatures, const Signatures& pivots, const Groups& groups,
                       std::uint32_t held, std::uint32_t first, Told told)
    : signatures_(signatures), groups_(groups), told_(std::move(told)), places_(held) {
  const bool all = held == groups.count();
  const std::uint64_t pivot_bytes = bytes_of(pivots, 0, pivots.size());
  const auto group = [&](std::uint32_t place) { return (first + place) % groups.count(); };
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t i = 0; i < held; ++i) sizes.push_back(all ? groups.bytes(group(i)) : groups.most_bytes());
  sizes.push_back(pivot_bytes);
  find_memory(device, sizes);
  copies_.emplace(device, std::min(session::staging_bytes, *std::max_element(sizes.begin(), sizes.end())));
  for (std::uint32_t i = 0; i < held; ++i) fill(places_[i], group(i));
  if (pivots.size() != 0) {
    send(pivots_, pivots, 0, pivots.size());
    pivots_.group = groups.count();
  }
  finish();
  if (all) copies_.reset();
}

// Places lie one behind the other in as few buffers as the device allows: there may be thousands.
void HeldGroups::find_memory(Device& device, const std::vector<std::uint64_t>& sizes) {
  const std::uint64_t most = device.capabilities().max_allocation_bytes;
  for (std::size_t first = 0; first < sizes.size();) {
    std::size_t end = first;
    std::uint64_t bytes = 0;
    for (; end < sizes.size() && (end == first || sizes[end] <= most - bytes); ++end) bytes += sizes[end];
    if (bytes != 0) memory_.push_back(device.create_buffer(bytes, MemoryKind::device));
    for (std::uint64_t at = 0; first < end; at += sizes[first++])
      if (sizes[first] != 0)
        (first < places_.size() ? places_[first] : pivots_).memory = BufferView(*memory_.back(), at, sizes[first]);
  }
}

HeldGroups::Place* HeldGroups::place_of(std::uint32_t group) {
  if (group == groups_.count()) return &pivots_;
  const auto place = std::find_if(places_.begin(), places_.end(), [&](const Place& one) { return one.group == group; });
  return place == places_.end() ? nullptr : &*place;
}

HeldGroups::Place* HeldGroups::oldest(std::optional<std::uint32_t> but) {
  Place* found = nullptr;
  for (Place& place : places_)
    if ((!but || place.group != *but) && (!found || place.asked < found->asked)) found = &place;
  return found;
}

bool HeldGroups::spares(std::uint32_t group, std::uint32_t used) { return place_of(group) || oldest(used); }

void HeldGroups::leave(Place& place) {
  if (place.group == none) return;
  told_(std::exchange(place.group, none), false);
  place.asked = 0;
}

GroupAddress HeldGroups::bring(std::uint32_t group, std::optional<std::uint32_t> used) {
  Place* place = place_of(group);
  if (!place) {
    place = oldest(used);
    leave(*place);
    copies_->begin();  // one that was broken off may have left some
    fill(*place, group);
  }
  place->asked = ++calls_;
  return place->address;
}

void HeldGroups::finish() {
  Place* const arriving = std::exchange(arriving_, nullptr);
  if (!copies_) return;
  try {
    copies_->finish();
  } catch (...) {
    if (arriving) leave(*arriving);
    throw;
  }
}

void HeldGroups::fill(Place& place, std::uint32_t group) {
  send(place, signatures_, groups_.first(group), groups_.end(group));
  place.group = group;
  arriving_ = &place;
  told_(group, true);
}

// Offsets that begin at 0, then weights, then centroids.
void HeldGroups::send(Place& place, const Signatures& from, std::uint64_t first, std::uint64_t end) {
  const std::span<const std::uint64_t> offsets = from.offsets().subspan(first, end - first + 1);
  const std::uint64_t before = offsets.front(), count = offsets.back() - before, dimensions = from.dimensions();
  std::vector<std::uint32_t> own;
  own.reserve(offsets.size());
  for (const std::uint64_t offset : offsets) own.push_back(static_cast<std::uint32_t>(offset - before));
  const std::span<const std::byte> parts[] = {
      std::as_bytes(std::span<const std::uint32_t>(own)), std::as_bytes(from.weights().subspan(before, count)),
      std::as_bytes(from.centroids().subspan(before * dimensions, count * dimensions))};
  place.address.offsets = place.memory.address();
  place.address.weights = place.address.offsets + parts[0].size();
  place.address.centroids = place.address.weights + parts[1].size();
  std::uint64_t at = 0;
  for (std::span<const std::byte> part : parts)
    while (!part.empty()) {
      void* const piece = copies_->next();
      Watch::glance();
      const std::size_t bytes = std::min<std::size_t>(part.size(), copies_->piece_bytes());
      std::memcpy(piece, part.data(), bytes);
      copies_->send(place.memory.part(at, bytes));
      at += bytes;
      part = part.subspan(bytes);
    }
}

}  // namespace proxel::krulis
