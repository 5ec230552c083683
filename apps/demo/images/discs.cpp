#include "images/discs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "images/image_signature.hpp"

namespace demo {
namespace {

// CIE 15, the other way round than signatures have it.
double part_of(double lightness) {
  constexpr double delta = 6.0 / 29;
  return lightness > delta ? lightness * lightness * lightness : 3 * delta * delta * (lightness - 4.0 / 29);
}

std::uint8_t channel_of(double light) {
  light = std::clamp(light, 0.0, 1.0);
  const double value = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * value));
}

}  // namespace

std::array<std::uint8_t, 3> colour_of_lab(double lightness, double a, double b) {
  const double middle = (lightness + 16) / 116;
  const double x = 0.95047 * part_of(middle + a / 500), y = part_of(middle), z = 1.08883 * part_of(middle - b / 200);
  return {channel_of(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
          channel_of(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
          channel_of(0.0556434 * x - 0.2040259 * y + 1.0572252 * z)};
}

std::vector<Disc> discs_of(const proxel::Signatures& signatures, std::uint64_t number) {
  std::vector<Disc> discs;
  const auto centroids = signatures.centroids(number), weights = signatures.weights(number);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float* const at = centroids.data() + i * proxel::images::feature_dimensions;
    discs.push_back({at[0], at[1], std::sqrt(weights[i] / std::numbers::pi_v<float>),
                     colour_of_lab(100.0 * at[2], 100.0 * at[3], 100.0 * at[4])});
  }
  std::ranges::stable_sort(discs, std::greater(), &Disc::radius);
  return discs;
}

}  // namespace demo
