#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "search/check.hpp"
#include "session/stopwatch.hpp"
#include "sharding/implementation.hpp"

namespace proxel {

std::string_view to_string(Division division) { return division == Division::queries ? "queries" : "rows"; }

Division division_from_string(std::string_view name) {
  for (const Division division : {Division::rows, Division::queries})
    if (name == to_string(division)) return division;
  throw Error(ErrorCode::invalid_argument, "division",
              fmt::format("'{}' was given; rows and queries are allowed", name));
}

namespace sharding {
namespace {

// A sample is large enough where searching it takes longer than a device needs to begin.
constexpr double long_enough_milliseconds = 5;
constexpr std::uint64_t smallest_sample = 4096, largest_sample = std::uint64_t{1} << 18, sample_queries = 16,
                        sample_k = 10;

// Rows that it compares with a query in a millisecond.
double speed_of(Device& device, std::uint64_t database_rows, const Sample& sample, const IndexOptions& options) {
  IndexOptions with;
  with.scratch_limit = options.scratch_limit;
  with.timing = Timing::none;
  const std::uint64_t most = std::min(database_rows, largest_sample);
  for (std::uint64_t rows = std::min(most, smallest_sample);; rows = std::min(rows * 4, most)) {
    const Matrix<float> values = sample(rows);
    Index index(device, values.view(), with);
    const MatrixView<float> queries = values.view().slice(0, std::min(rows, sample_queries));
    double least = std::numeric_limits<double>::infinity();
    // The first search prepares what the others find ready.
    for (int repeat = 0; repeat < 4; ++repeat) {
      const session::Stopwatch searching;
      index.search(queries, sample_k, Metric::l2sq);
      least = std::min(least, searching.milliseconds());
    }
    if (least >= long_enough_milliseconds || rows == most) return static_cast<double>(rows) / std::max(least, 1e-6);
  }
}

}  // namespace

std::vector<double> shares_of(std::span<Device* const> devices, std::uint64_t rows, const Sample& sample,
                              const ShardedOptions& options) {
  std::vector<double> shares = options.shares;
  if (shares.empty()) {
    std::map<std::tuple<BackendKind, std::string, std::string>, double> speeds;
    for (Device* device : devices) {
      const auto [speed, is_new] =
          speeds.try_emplace({device->info().backend, device->info().name, device->info().driver});
      if (is_new && devices.size() > 1) speed->second = speed_of(*device, rows, sample, options.index);
      shares.push_back(devices.size() > 1 ? speed->second : 1);
    }
  }
  search::require_range("shares", shares.size(), devices.size(), devices.size());
  for (const double share : shares)
    if (!(share >= 0) || std::isinf(share))
      throw Error(ErrorCode::invalid_argument, "shares",
                  fmt::format("{} was given, numbers from 0 on are allowed", share));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(sum > 0) || std::isinf(sum))
    throw Error(ErrorCode::invalid_argument, "shares", fmt::format("add up to {}, a number above 0 is needed", sum));
  for (double& share : shares) share /= sum;
  return shares;
}

std::vector<Part> divide(std::uint64_t total, std::span<const Shard> shards, std::uint64_t multiple) {
  std::vector<Part> parts;
  std::uint64_t first = 0;
  double sum = 0;
  for (const Shard& shard : shards) {
    sum += shard.share;
    const double wanted = sum * static_cast<double>(total);
    std::uint64_t end = static_cast<std::uint64_t>(wanted / static_cast<double>(multiple) + 0.5) * multiple;
    // The last that has a share takes what is left, whatever the roundings came to.
    const bool last =
        std::all_of(&shard + 1, shards.data() + shards.size(), [](const Shard& later) { return later.share == 0; });
    end = last ? total : std::clamp(end, first, total);
    parts.push_back({first, end - first});
    first = end;
  }
  return parts;
}

}  // namespace sharding
}  // namespace proxel
