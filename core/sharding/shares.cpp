#include "sharding/shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "proxel/error.hpp"
#include "search/check.hpp"
#include "session/stopwatch.hpp"
#include "sharding/each_shard.hpp"

namespace proxel::sharding {
namespace {

// A sample is large enough where searching it takes longer than a device needs to begin.
constexpr double long_enough_milliseconds = 5;
constexpr std::uint64_t largest_sample = std::uint64_t{1} << 18;

// Rows that it compares with a query in a millisecond.
double speed_of(Device& device, std::uint64_t database_rows, const Trial& trial) {
  const std::uint64_t most = std::min(database_rows, largest_sample);
  for (std::uint64_t rows = std::min(most, trial.fewest);; rows = std::min(rows * 4, most)) {
    const std::function<void()> search = trial.on(device, rows);
    double least = std::numeric_limits<double>::infinity();
    // The first search prepares what the others find ready.
    for (int repeat = 0; repeat < 4; ++repeat) {
      const session::Stopwatch searching;
      search();
      least = std::min(least, searching.milliseconds());
    }
    if (least >= long_enough_milliseconds || rows == most) return static_cast<double>(rows) / std::max(least, 1e-6);
  }
}

}  // namespace

std::vector<double> shares_of(std::span<Device* const> devices, std::vector<double> shares, std::uint64_t rows,
                              const Trial& trial) {
  if (shares.empty()) {
    std::map<std::tuple<BackendKind, std::string, std::string>, double> speeds;
    for (Device* device : devices) {
      const auto tried = speeds.try_emplace({device->info().backend, device->info().name, device->info().driver});
      if (tried.second && devices.size() > 1)
        do_all({{device->info().id, 1, [&](const Progress&) { tried.first->second = speed_of(*device, rows, trial); }}},
               {}, rows);
      shares.push_back(devices.size() > 1 ? tried.first->second : 1);
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

std::vector<Part> divide(std::uint64_t total, std::span<const double> shares, std::uint64_t multiple) {
  std::vector<Part> parts;
  std::uint64_t first = 0;
  double sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    sum += shares[i];
    const double wanted = sum * static_cast<double>(total);
    std::uint64_t end = static_cast<std::uint64_t>(wanted / static_cast<double>(multiple) + 0.5) * multiple;
    // The last that has a share takes what is left, whatever the roundings came to.
    const bool last = std::ranges::all_of(shares.subspan(i + 1), [](double later) { return later == 0; });
    end = last ? total : std::clamp(end, first, total);
    parts.push_back({first, end - first});
    first = end;
  }
  return parts;
}

}  // namespace proxel::sharding
