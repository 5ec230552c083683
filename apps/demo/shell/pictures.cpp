#include "shell/pictures.hpp"

namespace demo {

Picture Pictures::load(const proxel::images::Image& image, Filter filter) {
  const Picture picture = create(image.width, image.height, filter);
  update(picture, image);
  return picture;
}

void Pictures::update(const Picture& picture, const proxel::images::Image& part, std::uint32_t x, std::uint32_t y) {
  std::uint8_t* rgba = stage(picture, x, y, part.width, part.height);
  for (std::size_t i = 0; i + 2 < part.rgb.size(); i += 3) {
    *rgba++ = part.rgb[i];
    *rgba++ = part.rgb[i + 1];
    *rgba++ = part.rgb[i + 2];
    *rgba++ = 255;
  }
}

}  // namespace demo
