#pragma once

#include "gpu/textures.hpp"
#include "images/image.hpp"

namespace demo {

using gpu::Filter;
using gpu::Picture;

/// Images as textures.
class Pictures : public gpu::Textures {
 public:
  using Textures::Textures;

  /// Throws proxel::Error for a side that the device cannot have (most_side()).
  Picture load(const proxel::images::Image& image, Filter filter = Filter::smooth);
  /// Writes an image over a part of a picture, its left upper corner at (x, y).
  void update(const Picture& picture, const proxel::images::Image& part, std::uint32_t x = 0, std::uint32_t y = 0);
};

}  // namespace demo
