#pragma once

// The sizes and the metric of one k-NN search, and how one of them is walked along.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxel/metric.hpp"

namespace proxel::tool::cliffs {

struct Point {
  Metric metric = Metric::l2sq;
  std::uint64_t rows = 1;
  std::uint64_t queries = 1;
  std::uint64_t dimensions = 1;
  std::uint64_t k = 1;

  bool operator==(const Point&) const = default;
};

/// What a walk changes; all else stays what it is at the walk's base.
enum class Axis { rows, queries, dimensions, neighbors, metric };
inline constexpr std::array<Axis, 4> sizes = {Axis::rows, Axis::queries, Axis::dimensions, Axis::neighbors};

/// "n", "q", "d", "k" or "metric".
std::string_view to_string(Axis axis);

/// A size of the point; the axis is not the metric.
std::uint64_t size_of(const Point& point, Axis axis);
/// The point with another size there.
Point with(Point point, Axis axis, std::uint64_t size);

/// The axis along which the points lie a step of one apart, in either direction; nothing where they do not.
std::optional<Axis> step_between(const Point& one, const Point& other);

/// For people: "l2sq, 65,536 × 8, 100 queries, k = 10".
std::string to_text(const Point& point);
/// For --only: "metric=l2sq,n=65536,q=100,d=8,k=10".
std::string to_argument(const Point& point);
/// What to_argument() wrote, in any order. Throws Error(invalid_argument) that names --only, also where a size or the metric is missing or given twice.
Point point_from(std::string_view argument);

}  // namespace proxel::tool::cliffs
