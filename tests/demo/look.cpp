// Says what there is to see in parts of a picture: look FILE.png X0 Y0 X1 Y1 …
// Prints, for each part, the share of its pixels that have not its most frequent colour, how many
// colours there are, and the contrast between the brightest and the darkest, 0 … 1.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>

#include <nlohmann/json.hpp>

#include "images/image.hpp"

namespace {

nlohmann::json look(const proxel::images::Image& image, std::uint32_t left, std::uint32_t top, std::uint32_t right,
                    std::uint32_t bottom) {
  std::map<std::uint32_t, std::uint64_t> colours;
  double darkest = 1, brightest = 0;
  for (std::uint32_t y = top; y < std::min(bottom, image.height); ++y)
    for (std::uint32_t x = left; x < std::min(right, image.width); ++x) {
      const std::uint8_t* pixel = image.pixel(x, y);
      ++colours[std::uint32_t{pixel[0]} << 16 | std::uint32_t{pixel[1]} << 8 | pixel[2]];
      const double bright = (0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]) / 255;
      darkest = std::min(darkest, bright);
      brightest = std::max(brightest, bright);
    }
  std::uint64_t pixels = 0, most = 0;
  for (const auto& [colour, count] : colours) {
    pixels += count;
    most = std::max(most, count);
  }
  return {{"pixels", pixels},
          {"drawn", pixels == 0 ? 0.0 : static_cast<double>(pixels - most) / static_cast<double>(pixels)},
          {"colours", colours.size()},
          {"contrast", std::max(0.0, brightest - darkest)}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc % 4 != 2) {
    std::fprintf(stderr, "usage: demo_look FILE.png [X0 Y0 X1 Y1]…\n");
    return EXIT_FAILURE;
  }
  try {
    const proxel::images::Image image = proxel::images::read_image(argv[1]);
    nlohmann::json all = nlohmann::json::array();
    for (int i = 2; i + 3 < argc; i += 4) {
      const auto at = [&](int j) {
        return static_cast<std::uint32_t>(std::max(0.0, std::strtod(argv[i + j], nullptr)));
      };
      all.push_back(look(image, at(0), at(1), at(2), at(3)));
    }
    std::puts(nlohmann::json({{"width", image.width}, {"height", image.height}, {"parts", all}}).dump().c_str());
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
