// The descriptor of shapes: what it does not depend on, and what it does.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "features/depth_images.hpp"
#include "features/pose.hpp"
#include "features/shape_descriptor.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::features;
using namespace proxel::testing;

namespace {

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
  return std::sqrt(squares);
}

std::vector<float> descriptor(const Triangles& part) { return shape_descriptor(part, "part"); }

// Turned about a slanting axis, scaled, moved.
Triangles elsewhere(Triangles part) {
  const double c = std::cos(1.1), s = std::sin(1.1);
  for (Triangle& triangle : part)
    for (Point& p : triangle) {
      p = {c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]};
      p = {p[0], c * p[1] - s * p[2], s * p[1] + c * p[2]};
      for (double& value : p) value = 0.37 * value + 50;
    }
  return part;
}

}  // namespace

TEST_CASE("frequencies are 85, each other's opposites left out, the lowest first") {
  const auto frequencies = lowest_frequencies();
  CHECK(frequencies[0] == std::array{0, 0});
  std::set<std::array<int, 2>> seen;
  for (const auto& [u, v] : frequencies) {
    CHECK(seen.insert({u, v}).second);
    CHECK((seen.count({-u, -v}) == 0 || (u == 0 && v == 0)));
    CHECK(u * u + v * v <= 52);
  }
  CHECK(seen.size() == 85);
}

TEST_CASE("neither the order of triangles nor that of their corners changes a bit") {
  const Triangles part = bracket();
  const std::vector<float> expected = descriptor(part);
  REQUIRE(expected.size() == shape_dimensions);
  Triangles other = part;
  std::ranges::reverse(other);
  for (std::size_t i = 0; i < other.size(); ++i)
    std::rotate(other[i].begin(), other[i].begin() + static_cast<std::ptrdiff_t>(i % 3), other[i].end());
  other.push_back(other.front());  // drawn twice
  CHECK(descriptor(other) == expected);
}

TEST_CASE("place, size and direction do not matter, shape does") {
  const std::vector<float> part = descriptor(bracket());
  const double same = distance(part, descriptor(elsewhere(bracket())));
  Triangles longer = bracket();
  for (Triangle& triangle : longer)
    for (Point& point : triangle) point[0] *= 1.2;
  const double similar = distance(part, descriptor(longer));
  const double different = distance(part, descriptor(box({0, 0, 0}, {1, 1, 1})));
  CHECK(same < 0.02);
  CHECK(similar > 2 * same);
  CHECK(different > 2 * similar);
}

TEST_CASE("how a surface is cut into triangles changes next to nothing") {
  Triangles finer;
  for (const Triangle& t : bracket()) {
    const auto middle = [](const Point& a, const Point& b) {
      return Point{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
    };
    const Point ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
    for (const Triangle& small : {Triangle{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}})
      finer.push_back(small);
  }
  CHECK(distance(descriptor(bracket()), descriptor(finer)) < 1e-5);
}

TEST_CASE("a pose has its centre at 0, mean square 1, and the longest axis first") {
  const Posed shape = posed(elsewhere(box({0, 0, 0}, {6, 2, 3})), "box");
  Point least{9, 9, 9}, most{-9, -9, -9};
  for (const Triangle& triangle : shape.triangles)
    for (const Point& point : triangle)
      for (std::size_t i = 0; i < 3; ++i) {
        least[i] = std::min(least[i], point[i]);
        most[i] = std::max(most[i], point[i]);
      }
  for (std::size_t i = 0; i < 3; ++i) CHECK(least[i] + most[i] == doctest::Approx(0).epsilon(1e-9));
  CHECK((most[0] - least[0]) / (most[1] - least[1]) == doctest::Approx(2));
  CHECK((most[1] - least[1]) / (most[2] - least[2]) == doctest::Approx(1.5));
  CHECK(shape.spread[0] * shape.spread[0] + shape.spread[1] * shape.spread[1] + shape.spread[2] * shape.spread[2] ==
        doctest::Approx(1));
  // The surface of a cube of side 2: its mean square from the middle is 1 + 2/3.
  const Posed cube = posed(box({3, 3, 3}, {5, 5, 5}), "cube");
  CHECK(std::abs(cube.triangles[0][0][0]) == doctest::Approx(1 / std::sqrt(5.0 / 3)));
}

TEST_CASE("depth images show how near a surface is, from both sides") {
  const auto images = depth_images(box({-1, -1, -0.5}, {1, 1, 1}));
  const std::size_t middle = depth_side / 2 * depth_side + depth_side / 2;
  CHECK(images[0][middle] == doctest::Approx(0.75));
  CHECK(images[1][middle] == doctest::Approx(0.75));
  CHECK(images[4][middle] == doctest::Approx(0.75));   // z = 1 of -2 … 2
  CHECK(images[5][middle] == doctest::Approx(0.625));  // z = -0.5
  for (const auto& image : images) CHECK(image[0] == 0);
  // Half of each side of the cube, without holes.
  CHECK(std::ranges::count_if(images[4], [](double value) { return value > 0; }) ==
        static_cast<std::ptrdiff_t>(depth_side * depth_side / 4));
}

TEST_CASE("what has no surface is refused") {
  CHECK(refusal([] { shape_descriptor({}, "none.off"); }).find("none.off: no surface") == 0);
  CHECK(refusal([] { shape_descriptor({{{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}}}, "line.off"); }).find("no surface") !=
        std::string::npos);
  CHECK(refusal([] { shape_descriptor({{{{0, 0, 0}, {1e300, 1, 1}, {2, 5, 2}}}}, "far.dat"); }).find("at most") !=
        std::string::npos);
  // Largest and smallest sizes are shapes like any other.
  for (const double size : {1e30, 1e-300}) {
    const auto far = descriptor(box({0, 0, 0}, {size, 2 * size / 3, size / 3}));
    CHECK(distance(far, descriptor(box({0, 0, 0}, {3, 2, 1}))) < 1e-6);
  }
}
