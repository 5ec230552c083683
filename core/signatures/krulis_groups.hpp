#pragma once

// Signatures cut into groups, which travel to a device as one, and how many of them each device has room for.

#include <cstdint>
#include <span>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/papers/krulis.hpp"

namespace proxel::krulis {

/// Bytes on a device of signatures first … end - 1; 0 of none.
std::uint64_t bytes_of(const Signatures& signatures, std::uint64_t first, std::uint64_t end);

/// Runs of neighbouring signatures.
class Groups {
 public:
  /// Groups of so many signatures; the last may have fewer.
  static Groups of_size(const Signatures& signatures, std::uint64_t size);
  /// Groups that take at most so many bytes, or one signature that takes more.
  static Groups of_bytes(const Signatures& signatures, std::uint64_t most);

  std::uint32_t count() const { return static_cast<std::uint32_t>(bytes_.size()); }
  /// Signatures first(group) … end(group) - 1.
  std::uint64_t first(std::uint32_t group) const { return ends_[group]; }
  std::uint64_t end(std::uint32_t group) const { return ends_[group + 1]; }
  std::uint64_t bytes(std::uint32_t group) const { return bytes_[group]; }
  /// Of the largest, and of all.
  std::uint64_t most_bytes() const { return most_bytes_; }
  std::uint64_t all_bytes() const { return all_bytes_; }

 private:
  void add(const Signatures& signatures, std::uint64_t end);

  std::vector<std::uint64_t> ends_{0};  // one more than there are groups
  std::vector<std::uint64_t> bytes_;
  std::uint64_t most_bytes_ = 0, all_bytes_ = 0;
};

struct Division {
  Groups groups;
  std::vector<std::uint32_t> held;  ///< groups that each device has room for, at least 1

  /// Whether some device lacks some of them.
  bool travels() const;
  /// The group that a device begins with: devices that do not hold all hold different ones, as far as may be.
  std::uint32_t first_held(std::size_t device) const;
};

/// @param pivot_bytes  that each device holds beside the groups
/// Throws Error(invalid_argument): options.memory_limit that has no room for a group.
Division divide(std::span<Device* const> devices, const Signatures& signatures, std::uint64_t pivot_bytes,
                const KrulisOptions& options);

}  // namespace proxel::krulis
