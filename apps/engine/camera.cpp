#include "camera.hpp"

#include <cmath>

namespace engine {

std::array<float, 16> camera_at(float angle, float width_by_height) {
  constexpr float distance = 3.2f, height = 0.4f, zoom = 1.6f, near = 0.1f;
  const float c = std::cos(angle), s = std::sin(angle);
  const float up = std::cos(height), forward = std::sin(height);
  // Turned about the vertical, tilted, and moved away; depth is not tested, so that all
  // of it is "far enough".
  const float x[4] = {c, 0, -s, 0};
  const float y[4] = {s * forward, -up, c * forward, 0};
  const float z[4] = {s * up, forward, c * up, distance};
  std::array<float, 16> matrix{};
  for (std::size_t column = 0; column < 4; ++column) {
    matrix[4 * column + 0] = zoom / width_by_height * x[column];
    matrix[4 * column + 1] = zoom * y[column];
    matrix[4 * column + 2] = z[column] - (column == 3 ? near : 0);
    matrix[4 * column + 3] = z[column];
  }
  return matrix;
}

}  // namespace engine
