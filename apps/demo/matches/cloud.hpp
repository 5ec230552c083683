#pragma once

#include <array>
#include <cstdint>

#include "proxel/matrix.hpp"

namespace demo {

/// Points that drift in a box: 1.5 wide to both sides of its middle, 1 in the other dimensions.
class Cloud {
 public:
  enum class Kind { uniform, clusters };
  static float half_side(std::uint32_t dimension) { return dimension == 0 ? 1.5f : 1.0f; }

  /// The same points every time.
  Cloud(std::uint32_t count, std::uint32_t dimensions, Kind kind);

  /// Points go on, and come back where they would leave.
  void advance(float seconds);
  /// Takes along the points around a place in the plane, the nearer the farther.
  void drag(float x, float y, float by_x, float by_y, float radius);

  std::uint32_t size() const { return static_cast<std::uint32_t>(places_.rows()); }
  std::uint32_t dimensions() const { return static_cast<std::uint32_t>(places_.columns()); }
  const proxel::Matrix<float>& places() const { return places_; }

 private:
  proxel::Matrix<float> places_, speeds_;
};

/// How the cloud is seen: from above in two dimensions, from a circle around it in three.
struct Camera {
  float turn = 0.6f, tilt = 0.35f;  ///< radians
  float zoom = 1;

  /// The matrix that takes a place to where it is drawn, column by column; the middle is at w = 1.
  std::array<float, 16> matrix(std::uint32_t dimensions, float width_by_height) const;
  bool operator==(const Camera&) const = default;
};

/// The place in the plane under a position of a picture, -1…1 in both.
struct PlanePoint {
  float x, y;
};
PlanePoint plane_point(float picture_x, float picture_y, float width_by_height, float zoom);

}  // namespace demo
