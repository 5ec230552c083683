#include <algorithm>
#include <cmath>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/screen_origin.h"

namespace proxel {

Pass passes::make_screen_origin(ScreenOriginParameters parameters, bool centre) {
  parameters.samples =
      std::min(parameters.rows.count, std::clamp(screen_origin_values / parameters.dimensions,
                                                 screen_origin_least_samples, screen_origin_most_samples));
  // A sum per invocation where a dimension is shared by several.
  return make_pass(screen_origin, parameters, {.at_zero = centre ? 0u : 1u}, {1, 1, 1}, common_workgroup,
                   common_workgroup * 4);
}

PROXEL_PASS(screen_origin)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ScreenOriginParameters>();
  const bool centre = pass.constants_as<ScreenOriginConstants>().at_zero == 0;
  const std::uint64_t samples = parameters.samples;
  const auto sample = [&](std::uint64_t i, std::uint32_t dimension) {
    const std::uint64_t row = i * parameters.rows.count / samples;
    const float value = *value_address(parameters.rows, row, dimension);
    return std::isfinite(value) ? value : 0.0f;
  };
  auto* frame = at<float>(parameters.frame);
  float largest = 0;
  for (std::uint32_t dimension = 0; dimension < parameters.dimensions; ++dimension) {
    double mean = 0;
    for (std::uint64_t i = 0; centre && i < samples; ++i)
      mean += static_cast<double>(sample(i, dimension)) / static_cast<double>(samples);
    const bool near = std::fabs(mean) <= std::ldexp(1.0, screen_farthest_origin);
    const auto origin = near ? static_cast<float>(mean) : 0.0f;
    frame[screen_frame_origin + dimension] = origin;
    for (std::uint64_t i = 0; i < samples; ++i) largest = std::max(largest, std::fabs(sample(i, dimension) - origin));
  }
  std::fill(frame, frame + screen_frame_origin, 0.0f);
  // Of the largest coordinate: squared norms leave sums in half precision room.
  const int wanted =
      5 - (parameters.dimensions > screen_frame_most_at_32) - 2 * (parameters.dimensions > screen_frame_most_at_16);
  const int exponent = std::clamp(wanted - std::ilogb(std::min(largest, 0x1p127f)), -60, 60);
  frame[0] = largest == 0 ? 1.0f : std::ldexp(1.0f, exponent);
  // Room for rows that lie farther out than the sample.
  frame[screen_frame_step] =
      largest == 0 ? 0.5f
                   : std::max(static_cast<float>(1.25 / 127 * frame[0] * std::min(largest, 0x1p127f)), 0x1p-100f);
  const double units = std::ldexp(double{frame[0]}, 10 - wanted);
  for (std::uint32_t dimension = 0; dimension < parameters.dimensions; ++dimension) {
    float& origin = frame[screen_frame_origin + dimension];
    origin = static_cast<float>(std::nearbyint(origin * units) / units);
  }
}

}  // namespace proxel
