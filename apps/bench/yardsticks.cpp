#include "bench/yardsticks.hpp"

#include <string_view>

namespace proxel::tool {
namespace {

// Dense products of 8,192 x 8,192 matrices by cuBLAS 13.0, measured with
// scripts/peers_torch.py; 10^12 operations per second.
struct KnownDevice {
  std::string_view name;
  double float_rate, matrix_rate;
};
constexpr KnownDevice known_devices[] = {{"NVIDIA H200", 51, 735}};

}  // namespace

Rates rates_of(const Device& device, const Bandwidth& bandwidth, const BenchOptions& options) {
  Rates rates{bandwidth.read, options.float_rate, options.matrix_rate};
  for (const KnownDevice& known : known_devices)
    if (device.info().name.starts_with(known.name)) {
      if (rates.float_rate <= 0) rates.float_rate = known.float_rate;
      if (rates.matrix_rate <= 0) rates.matrix_rate = known.matrix_rate;
    }
  return rates;
}

Floors floors_of(const Shape& shape, const Rates& rates) {
  const double bytes = static_cast<double>(shape.rows + shape.queries) * shape.dimensions * 4;
  const double operations = 2.0 * static_cast<double>(shape.rows) * shape.queries * shape.dimensions;
  Floors floors;
  if (rates.read > 0) floors.read_ms = bytes / rates.read;
  if (rates.float_rate > 0) floors.float_ms = operations / rates.float_rate / 1e9;
  if (rates.matrix_rate > 0) floors.matrix_ms = operations / rates.matrix_rate / 1e9;
  return floors;
}

}  // namespace proxel::tool
