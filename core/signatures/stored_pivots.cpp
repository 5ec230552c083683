#include "signatures/stored_pivots.hpp"

#include "proxel/passes/signature_bounds.h"
#include "signatures/krulis_bounds.hpp"

namespace proxel::signatures {

Signatures picked(const Signatures& signatures, const std::vector<std::uint32_t>& numbers) {
  Signatures some(signatures.dimensions());
  for (const std::uint32_t number : numbers) some.add(signatures.centroids(number), signatures.weights(number));
  return some;
}

double canonical_error(std::uint32_t dimensions, std::uint64_t centroids, double weights) {
  const double steps = 0.2 * dimensions + 0.5 * static_cast<double>(centroids) + 32;
  return 1.01 * steps * 0x1p-46 * weights * weights + 1e-36;
}

StoredPivots::StoredPivots(Device& device, const Signatures& signatures, const SimilarityFunction& function,
                           const std::vector<std::uint32_t>& numbers, const Matrix<float>& distances)
    : pivots(device, picked(signatures, numbers), function), object_stride((signatures.size() + 63) / 64 * 64) {
  constexpr std::uint64_t most = passes::signature_pivots;
  const std::uint64_t intervals = most * object_stride;
  std::vector<float> values(2 * intervals + 2 * most * most);
  float* lows = values.data();
  float* highs = lows + intervals;
  std::vector<double> weights(signatures.size());
  for (std::uint64_t i = 0; i < weights.size(); ++i) weights[i] = total_weight(signatures, i);
  for (std::uint64_t pivot = 0; pivot < numbers.size(); ++pivot)
    for (std::uint64_t i = 0; i < weights.size(); ++i) {
      const double error =
          canonical_error(signatures.dimensions(), signatures.length(i) + signatures.length(numbers[pivot]),
                          weights[i] + weights[numbers[pivot]]);
      const krulis::Interval interval = krulis::true_distance(distances(pivot, i), error);
      lows[pivot * object_stride + i] = interval.low;
      highs[pivot * object_stride + i] = interval.high;
    }
  // 2^-19 to spare, and what the host rounds.
  constexpr double margin = 0x1p-18, apart_at_least = 1e-15;
  for (std::uint64_t near = 0; near < numbers.size(); ++near)
    for (std::uint64_t other = 0; other < numbers.size(); ++other) {
      const double apart = highs[other * object_stride + numbers[near]];
      if (near == other || apart < apart_at_least) continue;
      float* inverse = highs + intervals + near * most + other;
      inverse[0] = static_cast<float>(1 / apart * (1 - margin));
      inverse[most * most] = static_cast<float>(1 / apart * (1 + margin));
    }
  memory = device.create_buffer(values.size() * 4, MemoryKind::device);
  upload(device, *memory, values.data());
  low = memory->address();
  high = low + intervals * 4;
  inverse_low = high + intervals * 4;
  inverse_high = inverse_low + most * most * 4;
}

}  // namespace proxel::signatures
