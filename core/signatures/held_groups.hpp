#pragma once

// The groups of signatures that a device has, and how it gets others.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/signatures.hpp"
#include "session/staged_copies.hpp"
#include "signatures/krulis_groups.hpp"

namespace proxel::krulis {

/// Where the device has a group, as sqfd_block reads it.
struct GroupAddress {
  std::uint64_t offsets = 0, weights = 0, centroids = 0;

  bool operator==(const GroupAddress&) const = default;
};

class HeldGroups {
 public:
  /// Told of every change: the group, and whether it is there now or no longer.
  using Told = std::function<void(std::uint32_t group, bool there)>;

  /// Brings as many groups as there is room for.
  /// @param signatures  outlive the object where it does not hold all of them, and so do `groups`
  /// @param pivots      one group more, of number groups.count(), which never goes; may have no signature
  /// @param held        groups that there is room for
  /// @param first       the group that it begins with; behind the last comes group 0
  HeldGroups(Device& device, const Signatures& signatures, const Signatures& pivots, const Groups& groups,
             std::uint32_t held, std::uint32_t first, Told told);

  /// Whether bring() leaves the group `used` where it is.
  bool spares(std::uint32_t group, std::uint32_t used);
  /// Begins to bring a group, unless it is there, in the place of the one that was asked for longest ago but `used`.
  /// May run on beside submitted work when it returns. Glances at a Watch; what that throws leaves the group away.
  GroupAddress bring(std::uint32_t group, std::optional<std::uint32_t> used);
  /// Returns when the group that was brought is there. Where it throws, the group is not.
  void finish();

 private:
  static constexpr std::uint32_t none = ~0u;
  struct Place {
    BufferView memory;
    std::uint32_t group = none;
    std::uint64_t asked = 0;  // when, in calls of bring()
    GroupAddress address = {};
  };

  void find_memory(Device& device, const std::vector<std::uint64_t>& sizes);
  Place* place_of(std::uint32_t group);
  Place* oldest(std::optional<std::uint32_t> but);
  void leave(Place& place);
  void fill(Place& place, std::uint32_t group);
  void send(Place& place, const Signatures& from, std::uint64_t first, std::uint64_t end);

  const Signatures& signatures_;
  const Groups& groups_;
  Told told_;
  std::vector<std::unique_ptr<Buffer>> memory_;
  std::vector<Place> places_;
  Place pivots_;
  Place* arriving_ = nullptr;  // has been filled and not been waited for
  std::uint64_t calls_ = 0;
  std::optional<session::StagedCopies> copies_;  // none where no group will ever come
};

}  // namespace proxel::krulis
