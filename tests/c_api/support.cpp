#include "support.hpp"

namespace proxel::c_test {

std::vector<std::string> device_ids() {
  std::vector<std::string> ids{"cpu:reference"};
  std::string backend;
  for (const DeviceInfo& info : list_devices())
    if (info.usable && backend != to_string(info.backend)) {
      backend = to_string(info.backend);
      ids.push_back(info.id);
    }
  return ids;
}

Matrix<float> random_matrix(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Matrix<float> matrix(rows, columns);
  for (std::uint64_t i = 0; i < rows * columns; ++i) matrix.data()[i] = uniform(generator);
  return matrix;
}

bool same(const proxel_matches* matches, const RangeNeighbors& expected) {
  proxel_matches_view view = PROXEL_MATCHES_VIEW_INIT;
  CHECK_OK(proxel_matches_get(matches, &view));
  if (view.queries + 1 != expected.offsets.size()) return false;
  const std::uint64_t count = expected.indices.size();
  return std::memcmp(view.offsets, expected.offsets.data(), expected.offsets.size() * 8) == 0 &&
         (count == 0 || (std::memcmp(view.indices, expected.indices.data(), count * 4) == 0 &&
                         std::memcmp(view.distances, expected.distances.data(), count * 4) == 0));
}

bool plausible(const proxel_times& times) {
  return times.total_milliseconds > 0 && times.upload_milliseconds >= 0 && times.readback_milliseconds >= 0 &&
         times.upload_milliseconds + times.readback_milliseconds <= times.total_milliseconds &&
         times.compute_milliseconds >= 0;
}

}  // namespace proxel::c_test
