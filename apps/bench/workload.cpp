#include "bench/workload.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "bench/plain_loop.hpp"
#include "seeded.hpp"

namespace proxel::tool {
namespace {

// Queries of a batch whose answers are compared: the CPU needs its time for each.
constexpr std::uint32_t checked_of_batch = 64;
constexpr std::uint32_t most_query_sets = 32;

void check(const Device& device, const char* method, const Workload& work, RecordedSearch& search, std::uint32_t copies,
           Recorder& recorder) {
  if (const auto difference = search.check(work.expected_of(copies)))
    recorder.difference(fmt::format("{} {} {} × {}, {} queries, {}", device.info().id, method, work.shape.rows,
                                    work.shape.dimensions, work.shape.queries, *difference));
}

SearchDescription describe(const Workload& work) {
  SearchDescription description;
  description.metric = Metric::l1;
  description.rows = work.shape.rows;
  description.dimensions = work.shape.dimensions;
  description.queries = work.shape.queries;
  description.k = 1;
  return description;
}

}  // namespace

Neighbors Workload::expected_of(std::uint32_t sets) const {
  const std::uint64_t rows = std::uint64_t{sets} * checked;
  Neighbors part{Matrix<std::uint32_t>(rows, 1), Matrix<float>(rows, 1)};
  std::copy_n(expected.indices.data(), rows, part.indices.data());
  std::copy_n(expected.distances.data(), rows, part.distances.data());
  return part;
}

const Workload& make_workload(std::optional<Workload>& kept, const Shape& shape, std::uint64_t seed, ProgressBar& bar) {
  if (kept && kept->shape.rows == shape.rows && kept->shape.dimensions == shape.dimensions &&
      kept->shape.queries == shape.queries)
    return *kept;
  kept.reset();
  const std::uint64_t queries = shape.queries == 1 ? most_query_sets : shape.queries;
  return kept.emplace(workload_of(random_matrix(shape.rows, shape.dimensions, seed),
                                  random_matrix(queries, shape.dimensions, seed + 1), shape.queries, bar));
}

Workload workload_of(Matrix<float> data, Matrix<float> queries, std::uint32_t queries_per_set, ProgressBar& bar) {
  Workload work;
  work.shape = {data.rows(), static_cast<std::uint32_t>(data.columns()), queries_per_set};
  work.query_sets = static_cast<std::uint32_t>(queries.rows() / queries_per_set);
  work.checked = std::min(queries_per_set, checked_of_batch);
  work.data = std::move(data);
  work.queries = std::move(queries);
  const std::uint64_t asked = std::uint64_t{work.query_sets} * work.checked;
  work.expected = answers_of("cpu", work.data.view(), work.queries.view().slice(0, asked), 1, Metric::l1, bar);
  return work;
}

std::uint32_t rotation(const Device& device, const Workload& work) {
  return std::min(work.query_sets, copies_beyond_caches(device, work.shape.bytes()));
}

SearchTimings time_scan(Device& device, const Workload& work, const Patience& patience, Recorder& recorder) {
  const std::uint32_t copies = rotation(device, work);
  const DeviceRows rows(device, work.data.view(), copies);
  const ScanPlan plan = ScanPlan::make(device, describe(work), rows.segments(0));
  RecordedSearch search(device, work.shape, 1, work.queries.view(), copies, plan.scratch_bytes(),
                        [&](Recording& recording, std::uint32_t copy, const SearchBuffers& buffers) {
    plan.record(recording, rows.segments(copy), buffers);
  });
  check(device, "scan", work, search, copies, recorder);
  return search.all(patience);
}

SearchTimings time_texel(Device& device, const Workload& work, const DeviceTexels& texels, const BustosOptions& form,
                         bool parts, const Patience& patience, Recorder& recorder) {
  const TexelPlan plan = TexelPlan::make(device, describe(work), texels.database(0), form);
  RecordedSearch search(device, work.shape, 1, work.queries.view(), texels.copies(), plan.scratch_bytes(),
                        [&](Recording& recording, std::uint32_t copy, const SearchBuffers& buffers) {
    plan.record(recording, texels.database(copy), buffers);
  });
  check(device, fmt::format("texel t={}", form.dimensions_per_pass).c_str(), work, search, texels.copies(), recorder);
  if (parts) return search.all(patience);
  SearchTimings timings;
  timings.compute = search.compute(patience);
  return timings;
}

Timed time_plain_loop(const Workload& work, std::uint32_t threads, const Patience& patience, Recorder& recorder) {
  const std::uint64_t copies = std::min<std::uint64_t>(
      work.query_sets, std::max<std::uint64_t>(1, (std::uint64_t{256} << 20) / work.shape.bytes()));
  const std::vector<Matrix<float>> data(copies - 1, work.data);
  std::vector<std::unique_ptr<PlainLoop>> loops;
  loops.push_back(std::make_unique<PlainLoop>(work.data.view(), threads));
  for (const Matrix<float>& copy : data) loops.push_back(std::make_unique<PlainLoop>(copy.view(), threads));
  const auto nearest = loops[0]->search(work.queries.data());
  const double expected = work.expected.distances(0, 0);
  // Another order of summation: equal up to rounding.
  if (std::abs(static_cast<double>(nearest.distance) - expected) > 1e-4 * expected)
    recorder.difference(fmt::format("plain loop: {} where {} is expected", nearest.distance, expected));
  return repeat(patience, [&](std::uint32_t turn) {
    const auto start = std::chrono::steady_clock::now();
    loops[turn % copies]->search(&work.queries(turn % work.query_sets, 0));
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  });
}

}  // namespace proxel::tool
