#pragma once

#include <array>

namespace engine {

/// A camera on a circle around the origin: the matrix that takes a place to where it
/// is drawn, column by column.
std::array<float, 16> camera_at(float angle, float width_by_height);

}  // namespace engine
