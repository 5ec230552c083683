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

namespace {

proxel_answer_view view_of(const proxel_answer* answer) {
  proxel_answer_view view = PROXEL_ANSWER_VIEW_INIT;
  CHECK_OK(proxel_answer_get(answer, &view));
  return view;
}

bool same_bytes(const void* given, const void* expected, std::uint64_t bytes) {
  return bytes == 0 || std::memcmp(given, expected, bytes) == 0;
}

}  // namespace

bool same(const proxel_answer* answer, const Neighbors& expected) {
  const proxel_answer_view view = view_of(answer);
  const std::uint64_t bytes = expected.indices.rows() * expected.indices.columns() * 4;
  return view.queries == expected.indices.rows() && view.columns == expected.indices.columns() && !view.offsets &&
         same_bytes(view.indices, expected.indices.data(), bytes) &&
         same_bytes(view.distances, expected.distances.data(), bytes);
}

bool same(const proxel_answer* answer, const RangeNeighbors& expected) {
  const proxel_answer_view view = view_of(answer);
  return view.queries + 1 == expected.offsets.size() && view.columns == 0 &&
         same_bytes(view.offsets, expected.offsets.data(), expected.offsets.size() * 8) &&
         same_bytes(view.indices, expected.indices.data(), expected.indices.size() * 4) &&
         same_bytes(view.distances, expected.distances.data(), expected.indices.size() * 4);
}

bool same(const proxel_answer* answer, const Matrix<float>& expected) {
  const proxel_answer_view view = view_of(answer);
  return view.queries == expected.rows() && view.columns == expected.columns() && !view.offsets && !view.indices &&
         same_bytes(view.distances, expected.data(), expected.rows() * expected.columns() * 4);
}

proxel_report report_of(const proxel_answer* answer) {
  proxel_report report = PROXEL_REPORT_INIT;
  CHECK_OK(proxel_answer_get_report(answer, &report));
  return report;
}

bool plausible(const proxel_report& report) {
  return report.total_milliseconds > 0 && report.upload_milliseconds >= 0 && report.readback_milliseconds >= 0 &&
         report.upload_milliseconds + report.readback_milliseconds <= report.total_milliseconds &&
         report.compute_milliseconds >= 0;
}

}  // namespace proxel::c_test
