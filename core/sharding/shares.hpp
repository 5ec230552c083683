#pragma once

// How large the part of each device is.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "proxel/device.hpp"
#include "sharding/part.hpp"

namespace proxel::sharding {

/// How a device is tried: on the first rows of a database, which are searched for the first few of them.
struct Trial {
  static constexpr std::uint64_t queries = 16, k = 10;

  /// Rows to begin with; more are taken until a search takes long enough to be timed.
  std::uint64_t fewest;
  /// Puts the first rows on a device. What is returned searches them once, and holds what it needs.
  std::function<std::function<void()>(Device& device, std::uint64_t rows)> on;
};

/// The shares that were given, or of how fast the devices search a sample, adding up to 1.
/// @param given  one of each device, or none
/// @param rows   of the database
/// Throws Error(invalid_argument) for shares that are not of the devices.
std::vector<double> shares_of(std::span<Device* const> devices, std::vector<double> given, std::uint64_t rows,
                              const Trial& trial);

/// Divides things in their order by shares, which add up to 1.
/// @param multiple  parts begin at multiples of this
std::vector<Part> divide(std::uint64_t total, std::span<const double> shares, std::uint64_t multiple);

}  // namespace proxel::sharding
