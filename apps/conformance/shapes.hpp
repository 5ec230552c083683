#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proxel/index.hpp"
#include "random.hpp"

namespace proxel::conformance {

/// The size of a search.
struct Shape {
  std::uint64_t n = 1;
  std::uint64_t d = 1;
  std::uint64_t q = 1;
  std::uint64_t k = 1;
};

/// A value of the k axis: a number, or relative to n.
struct KValue {
  std::int64_t value = 0;
  bool relative = false;
  /// The k it stands for; nothing where that is below 1.
  std::optional<std::uint64_t> at(std::uint64_t n) const;
  std::string name() const;  ///< "10", "n+1"
};

// Sizes around which something changes: one row, one texel of four, tiles of
// 64 and 128, list lengths, workgroups, and the odd ones between.
inline constexpr std::uint64_t n_axis[] = {1, 2, 3, 4, 5, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 5000};
inline constexpr std::uint64_t d_axis[] = {1,  2,  3,  4,  5,  7,  8,   9,   15,  16,  17,  31,
                                           32, 33, 54, 63, 64, 65, 128, 255, 256, 257, 784, 2048};
inline constexpr std::uint64_t q_axis[] = {1, 2, 3, 5, 8, 9, 16, 17, 64, 65, 127, 128, 129};
inline constexpr KValue k_axis[] = {{1},   {2},    {3},    {5},    {10},       {16},      {63},      {64},      {65},
                                    {100}, {1000}, {1024}, {1025}, {-1, true}, {0, true}, {1, true}, {50, true}};
/// Rows that only the full tier has.
inline constexpr std::uint64_t largest_n = 100003;
inline constexpr std::uint64_t largest_q = 1000;

/// The nearest shape that the method serves: `bvh` few dimensions, it and `fused` up to 1,024 neighbours, and
/// `fused` four rows for each of these.
Shape served(Method method, Shape shape);

/// About how many steps of arithmetic a search takes.
std::uint64_t work(Method method, const Shape& shape);

/// Chooses shapes that a method serves, so that, over the calls, every value of every axis is used
/// about equally often, and each shape stays within a budget of work.
class CoveringShapes {
 public:
  CoveringShapes(Method method, std::uint64_t budget, std::uint64_t seed);
  Shape next();
  /// Whether every value of every axis has been used.
  bool complete() const;

 private:
  bool fits(const Shape& shape) const;

  Method method_;
  std::uint64_t budget_;
  Random random_;
  std::uint64_t calls_ = 0;
  std::map<std::uint64_t, std::uint64_t> used_n_, used_d_, used_q_;
  std::map<std::size_t, std::uint64_t> used_k_;
};

}  // namespace proxel::conformance
