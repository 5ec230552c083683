#include "features/pose.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel::features {
namespace {

using Matrix3 = std::array<Point, 3>;

// Smaller than what rounding leaves of moments that are 0.
constexpr double nothing = 1e-9;

double area(const Triangle& triangle) {
  Point cross{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    cross[i] = (triangle[1][j] - triangle[0][j]) * (triangle[2][k] - triangle[0][k]) -
               (triangle[1][k] - triangle[0][k]) * (triangle[2][j] - triangle[0][j]);
  }
  return std::sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]) / 2;
}

// Sums follow this order, so that the file's has no part in their roundings.
void put_in_order(Triangles& triangles) {
  for (Triangle& triangle : triangles) {
    for (Point& point : triangle)
      for (double& value : point) value += 0.0;  // -0 becomes 0
    std::ranges::sort(triangle);
  }
  std::ranges::sort(triangles);
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
}

// Brings all coordinates to -1 … 1, where no product overflows.
void shrink(Triangles& triangles, const std::string& name) {
  Point least{}, most{};
  least.fill(largest_coordinate);
  most.fill(-largest_coordinate);
  for (const Triangle& triangle : triangles)
    for (const Point& point : triangle)
      for (std::size_t i = 0; i < 3; ++i) {
        if (!(std::abs(point[i]) <= largest_coordinate))
          throw Error(ErrorCode::unsupported, name,
                      fmt::format("a coordinate is {}; at most {:g} is allowed", point[i], largest_coordinate));
        least[i] = std::min(least[i], point[i]);
        most[i] = std::max(most[i], point[i]);
      }
  double side = 0;
  for (std::size_t i = 0; i < 3; ++i) side = std::max(side, (most[i] - least[i]) / 2);
  for (Triangle& triangle : triangles)
    for (Point& point : triangle)
      for (std::size_t i = 0; i < 3; ++i) point[i] = side > 0 ? (point[i] - (least[i] + most[i]) / 2) / side : 0;
}

Point centre_of(const Triangles& triangles, double whole) {
  Point centre{};
  for (const Triangle& triangle : triangles) {
    const double share = area(triangle) / whole / 3;
    for (const Point& point : triangle)
      for (std::size_t i = 0; i < 3; ++i) centre[i] += share * point[i];
  }
  return centre;
}

// The integral of x xᵀ over a triangle is its area / 12 of this sum.
Matrix3 covariance_of(const Triangles& triangles, double whole) {
  Matrix3 covariance{};
  for (const Triangle& triangle : triangles) {
    const double share = area(triangle) / whole / 12;
    Point sum{};
    for (const Point& point : triangle)
      for (std::size_t i = 0; i < 3; ++i) sum[i] += point[i];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        double products = sum[i] * sum[j];
        for (const Point& point : triangle) products += point[i] * point[j];
        covariance[i][j] += share * products;
      }
  }
  return covariance;
}

// Jacobi's rotations. What is not turned keeps the axes that it has: equal eigenvalues leave the file's.
// Rows of the result are eigenvectors; the eigenvalues are left on the matrix' diagonal.
Matrix3 eigenvectors(Matrix3& matrix) {
  Matrix3 vectors{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const double trace = matrix[0][0] + matrix[1][1] + matrix[2][2];
  for (int sweep = 0; sweep < 50; ++sweep) {
    bool turned = false;
    for (const auto& [p, q] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
      if (std::abs(matrix[p][q]) <= nothing * trace) continue;
      turned = true;
      const double angle = 0.5 * std::atan2(2 * matrix[p][q], matrix[q][q] - matrix[p][p]);
      const double c = std::cos(angle), s = std::sin(angle);
      for (std::size_t i = 0; i < 3; ++i) {
        const double at_p = matrix[i][p], at_q = matrix[i][q];
        matrix[i][p] = c * at_p - s * at_q;
        matrix[i][q] = s * at_p + c * at_q;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        const double at_p = matrix[p][i], at_q = matrix[q][i];
        matrix[p][i] = c * at_p - s * at_q;
        matrix[q][i] = s * at_p + c * at_q;
        const double of_p = vectors[p][i], of_q = vectors[q][i];
        vectors[p][i] = c * of_p - s * of_q;
        vectors[q][i] = s * of_p + c * of_q;
      }
    }
    if (!turned) break;
  }
  return vectors;
}

double along(const Point& axis, const Point& point) {
  return axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
}

// The integral of f³ over a triangle, of a linear f, is its area / 10 of all products of three values of its corners.
double third_moment(const Triangles& triangles, const Point& axis, double whole) {
  double moment = 0;
  for (const Triangle& triangle : triangles) {
    const double a = along(axis, triangle[0]), b = along(axis, triangle[1]), c = along(axis, triangle[2]);
    const double products = a * a * a + b * b * b + c * c * c + a * a * b + a * a * c + b * b * a + b * b * c +
                            c * c * a + c * c * b + a * b * c;
    moment += area(triangle) / whole / 10 * products;
  }
  return moment;
}

void point_the_right_way(Point& axis, double moment, double spread) {
  double sign = moment;
  if (std::abs(moment) <= nothing * spread * spread * spread) {
    sign = axis[0];
    for (const double component : axis)
      if (std::abs(component) > std::abs(sign) + nothing) sign = component;
  }
  if (sign < 0)
    for (double& component : axis) component = 0 - component;
}

}  // namespace

Posed posed(Triangles triangles, const std::string& name) {
  put_in_order(triangles);
  shrink(triangles, name);
  double whole = 0;
  for (const Triangle& triangle : triangles) whole += area(triangle);
  if (!(whole > 0)) throw Error(ErrorCode::unsupported, name, "no surface: there is no triangle with an area");
  const Point centre = centre_of(triangles, whole);
  for (Triangle& triangle : triangles)
    for (Point& point : triangle)
      for (std::size_t i = 0; i < 3; ++i) point[i] -= centre[i];

  Matrix3 covariance = covariance_of(triangles, whole);
  const Matrix3 vectors = eigenvectors(covariance);
  const double trace = covariance[0][0] + covariance[1][1] + covariance[2][2];
  std::array<std::size_t, 3> order{0, 1, 2};
  // Equal but for their rounding: the file's order.
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return covariance[a][a] > covariance[b][b] + nothing * trace; });
  const double scale = std::sqrt(trace);
  Posed result;
  Matrix3 axes{};
  for (std::size_t i = 0; i < 3; ++i) {
    axes[i] = vectors[order[i]];
    const double spread = std::sqrt(std::max(0.0, covariance[order[i]][order[i]]));
    point_the_right_way(axes[i], third_moment(triangles, axes[i], whole), spread);
    result.spread[i] = spread / scale;
  }
  for (Triangle& triangle : triangles)
    for (Point& point : triangle) {
      const Point before = point;
      for (std::size_t i = 0; i < 3; ++i) point[i] = along(axes[i], before) / scale;
    }
  result.triangles = std::move(triangles);
  return result;
}

}  // namespace proxel::features
