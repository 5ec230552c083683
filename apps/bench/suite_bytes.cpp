// Rows of a byte a value, as many as a device holds beside the operand of its matrix units.

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/made_data.hpp"
#include "bench/suite.hpp"
#include "bench/targets.hpp"
#include "format.hpp"
#include "proxel/index.hpp"
#include "seeded.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint32_t dimensions = 128;
constexpr std::uint64_t neighbors = 100;
constexpr std::uint64_t checked_queries = 8;
using Bytes = std::unique_ptr<std::uint8_t[]>;

// Sums of two numbers of six bits.
Bytes made_bytes(std::uint64_t rows, std::uint64_t seed) {
  constexpr std::uint64_t six_bits = 0x3F3F3F3F3F3F3F3F;
  Bytes bytes = std::make_unique_for_overwrite<std::uint8_t[]>(rows * dimensions);
  in_parts(rows * (dimensions / 8), [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) {
      const std::uint64_t eight = (random_bits(2 * i, seed) & six_bits) + (random_bits(2 * i + 1, seed) & six_bits);
      for (unsigned byte = 0; byte < 8; ++byte) bytes[8 * i + byte] = static_cast<std::uint8_t>(eight >> (8 * byte));
    }
  });
  return bytes;
}

using Found = std::pair<std::uint32_t, std::uint32_t>;  // distance, row

std::uint32_t distance_between(const std::uint8_t* a, const std::uint8_t* b) {
  std::int32_t sum = 0;
  for (std::uint32_t i = 0; i < dimensions; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return static_cast<std::uint32_t>(sum);
}

void keep_nearest(std::vector<Found>& found) {
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(neighbors, found.size()));
  std::partial_sort(found.begin(), end, found.end());
  found.erase(end, found.end());
}

// The nearest of all rows, in integers.
std::vector<Found> nearest_to(const std::uint8_t* query, const std::uint8_t* rows, std::uint64_t count) {
  std::vector<Found> all;
  std::mutex writing;
  in_parts(count, [&](std::uint64_t first, std::uint64_t last) {
    std::vector<Found> found;
    for (std::uint64_t row = first; row < last; ++row) {
      const std::uint32_t distance = distance_between(query, rows + row * dimensions);
      // From the first that are enough on, they are in order.
      if (found.size() >= neighbors && distance >= found[neighbors - 1].first) continue;
      found.emplace_back(distance, static_cast<std::uint32_t>(row));
      if (found.size() == 2 * neighbors || found.size() == neighbors) keep_nearest(found);
    }
    const std::lock_guard lock(writing);
    all.insert(all.end(), found.begin(), found.end());
  });
  keep_nearest(all);
  return all;
}

class Measurement {
 public:
  Measurement(std::uint64_t rows, std::uint32_t queries, const BenchOptions& options)
      : options_(options),
        shape_{rows, dimensions, queries},
        rows_(made_bytes(rows, options.seed)),
        query_bytes_(made_bytes(queries, options.seed + 1)),
        queries_(queries, dimensions) {
    std::copy_n(query_bytes_.get(), std::uint64_t{queries} * dimensions, queries_.data());
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(checked_queries, queries); ++i)
      expected_.push_back(nearest_to(query_bytes_.get() + (queries - 1 - i) * dimensions, rows_.get(), rows));
  }

  void run(Device& device, Recorder& recorder) const {
    Index index(device, {rows_.get(), ElementType::uint8, shape_.rows, dimensions, dimensions},
                {.storage = ElementType::uint8});
    const auto search = [&] { return index.search(queries_.view(), neighbors, Metric::l2sq); };
    const auto add = [&](const std::string& group, const Timed& timed, const std::string& remark = {}) {
      recorder.add(knn_row(group, "uint8_" + device.info().id, Metric::l2sq, shape_, neighbors, timed, remark));
    };
    Neighbors found;
    const Timed first = repeat_on_host({0, 1, 1}, [&] { found = search(); });
    add("bytes_first", first, "with packing");
    check(found, device, recorder);
    Patience patience = options_.patience;
    patience.least = 3;
    add("bytes", repeat(patience, [&](std::uint32_t) { return search().report.times.compute_milliseconds; }),
        std::string(found.report.method));
    add("bytes_call", repeat_on_host(patience, [&] { found = search(); }));
    check(found, device, recorder);
  }

 private:
  void check(const Neighbors& found, const Device& device, Recorder& recorder) const {
    for (std::size_t i = 0; i < expected_.size(); ++i)
      for (std::size_t j = 0; j < expected_[i].size(); ++j) {
        const std::uint64_t query = shape_.queries - 1 - i;
        const Found here{static_cast<std::uint32_t>(found.distances(query, j)), found.indices(query, j)};
        if (here == expected_[i][j]) continue;
        recorder.difference(fmt::format("{}, query {}, slot {}: row {} at {} where row {} at {} is expected",
                                        device.info().id, query, j, here.second, here.first, expected_[i][j].second,
                                        expected_[i][j].first));
        return;
      }
  }

  const BenchOptions& options_;
  Shape shape_;
  Bytes rows_, query_bytes_;
  Matrix<float> queries_;
  std::vector<std::vector<Found>> expected_;
};

}  // namespace

void run_bytes(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  std::unique_ptr<Measurement> measurement;
  std::uint64_t done = 0;
  for (const std::string& id : options.devices) {
    bar.update(done++, options.devices.size());
    on_device(id, recorder, [&](Device& device) {
      const std::uint64_t wanted = std::min<std::uint64_t>(options.largest_rows, options.quick ? 100'000 : 500'000'000);
      // Made once, as rows for each device would not fit the host's memory.
      if (!measurement)
        measurement = std::make_unique<Measurement>(rows_that_fit(wanted, dimensions, device, recorder),
                                                    options.quick ? 100 : 10'000, options);
      measurement->run(device, recorder);
    });
  }
  recorder.note(fmt::format(
      "Data: sums of two numbers from 0 to 63, seed {}; queries likewise. The last {} queries' answers are "
      "compared with those of a plain loop over all rows in integers. 'bytes' is the time of computing, 'bytes_call' "
      "the host's of "
      "whole calls, 'bytes_first' that of the first, which makes the copy that others search where one is made: on "
      "processors a scan answers.",
      options.seed, checked_queries));
}

}  // namespace proxel::tool
