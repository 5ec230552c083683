#pragma once

// Where searches are looked at: along one size at a time, by steps of one around every limit in the code.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cliffs/point.hpp"

namespace proxel::tool::cliffs {

/// A size at which something in the code changes.
struct Limit {
  std::uint64_t size = 0;
  std::string name;  ///< what changes: "neighbours that codes serve"
};

struct Walk {
  std::string name;  ///< of the group in the CSV
  Axis axis = Axis::neighbors;
  Point base;
  std::vector<Limit> limits;  ///< ascending, each size once; of metrics none
  std::uint64_t most = 0;     ///< the largest size of the walk
  /// Whether the sizes at which another method is chosen are limits too, which are looked for.
  bool follows_choice = false;
};

/// How large searches may be.
enum class Extent {
  quick,   ///< to see that everything works
  host,    ///< a processor, posing as a GPU or not
  device,  ///< a device of its own
};

/// Every walk, the ones with the most to tell first.
std::vector<Walk> walks_of(Extent extent);

/// Throws Error(invalid_argument), which names the walks that there are, unless one has this name.
void require_walk(std::string_view name);

/// A point of a walk, and the limit that it lies at or beside; empty where it is no limit's.
struct Place {
  Point point;
  std::string limit;
};
/// The places of a walk in their order: each limit with the sizes a step of one to either side, those from 1 to `most`;
/// of metrics one each.
std::vector<Place> places_of(const Walk& walk);
/// Adds limits to a walk, but for sizes that it has already.
void add_limits(Walk& walk, std::span<const Limit> more);

/// Sizes between which changes are looked for: 1, 2, 4, … up to `most`.
std::vector<std::uint64_t> doubling(std::uint64_t most);

/// Adds the limits that depend on the device: queries that have a multiprocessor each, and the sizes from which on codes of few queries by l1 and
/// linf leave so many rows that these are listed.
void add_limits_of_device(Walk& walk, std::uint32_t multiprocessors);

/// The sizes from which on another choice is made than for one less, found by halving between the sizes given; what
/// changes and changes back between two of them is not seen.
/// @param among   ascending
/// @param choose  what is chosen for a size
std::vector<Limit> changes_of(std::span<const std::uint64_t> among,
                              const std::function<std::string_view(std::uint64_t)>& choose);

}  // namespace proxel::tool::cliffs
