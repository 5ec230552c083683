#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../data/support.hpp"
#include "features/mesh.hpp"
#include "proxel/error.hpp"

namespace proxel::testing {

using features::Point;
using features::Triangle;
using features::Triangles;

/// What an action that must fail says.
template <typename Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

/// The surface of a box between two corners: twelve triangles.
inline Triangles box(const Point& low, const Point& high) {
  Triangles triangles;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double side : {low[axis], high[axis]}) {
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto corner = [&](double at_u, double at_v) {
        Point point{};
        point[axis] = side;
        point[u] = at_u;
        point[v] = at_v;
        return point;
      };
      const Point a = corner(low[u], low[v]), b = corner(high[u], low[v]), c = corner(high[u], high[v]),
                  d = corner(low[u], high[v]);
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  return triangles;
}

/// A part without any symmetry: boxes of different sizes beside and above each other.
inline Triangles bracket() {
  Triangles part = box({0, 0, 0}, {10, 3, 1});
  for (const Triangle& triangle : box({0, 0, 1}, {1, 3, 5})) part.push_back(triangle);
  for (const Triangle& triangle : box({7, 1, 1}, {8, 2, 2})) part.push_back(triangle);
  return part;
}

}  // namespace proxel::testing
