#pragma once

#include <cstdint>
#include <span>

#include "neighbors.hpp"

namespace engine {

/// What can be changed while the engine runs.
struct Choices {
  Shape shape;
  bool still = false;   ///< the points rest
  bool lines = true;    ///< to the neighbours
  bool within = false;  ///< what proxel records is timed pass by pass, too
  bool shown = true;    ///< the interface
};

/// Values that are offered; others may be given on the command line.
inline constexpr std::uint32_t offered_points[] = {1000, 10000, 100000, 1000000};
inline constexpr std::uint32_t offered_dimensions[] = {2, 3, 8};
inline constexpr std::uint32_t offered_neighbours[] = {4, 8, 16, 32};
inline constexpr std::uint32_t offered_asking[] = {1024, 0};
inline constexpr float offered_reach = 0.4f;

/// A key, and what it does: the next of the values, or the other of two.
struct Key {
  char letter;
  const char* name;
  void (*press)(Choices& choices);
};
std::span<const Key> keys();
/// Letters that do nothing are left aside.
void press(std::uint32_t letter, Choices& choices);

}  // namespace engine
