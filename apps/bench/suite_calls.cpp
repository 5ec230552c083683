// What whole calls of an index take on the host's clock: with as many queries as the call before, and with one more
// or fewer, for which the search is planned anew.

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "bench/knn_check.hpp"
#include "bench/made_data.hpp"
#include "bench/suite.hpp"
#include "bench/targets.hpp"

namespace proxel::tool {
namespace {

constexpr Metric metric = Metric::l2sq;
constexpr std::uint32_t checked_queries = 32;

struct Asked {
  std::uint32_t queries, others;  // of one call and of the next
  std::uint64_t k;
};

struct Sizes {
  std::uint64_t rows;
  std::uint32_t dimensions;
  std::vector<Asked> asked;
};

class Measurement {
 public:
  Measurement(Device& device, const Sizes& sizes, const BenchOptions& options, Recorder& recorder)
      : sizes_(sizes),
        options_(options),
        recorder_(recorder),
        id_(device.info().id),
        data_(normal_matrix(sizes.rows, sizes.dimensions, options.seed)),
        queries_(normal_matrix(most_queries(sizes), sizes.dimensions, options.seed + 1)),
        index_(device, data_.view(), {}),
        scan_(device, data_.view(), {.method = Method::scan}) {}

  void run() {
    for (const auto& [queries, others, k] : sizes_.asked) {
      measure("same", queries, queries, k);
      measure("same", others, others, k);
      measure("varied", queries, others, k);
    }
  }

 private:
  static std::uint64_t most_queries(const Sizes& sizes) {
    std::uint64_t most = 0;
    for (const Asked& asked : sizes.asked) most = std::max<std::uint64_t>({most, asked.queries, asked.others});
    return most;
  }

  void measure(const std::string& name, std::uint32_t queries, std::uint32_t others, std::uint64_t k) {
    const auto search = [&](std::uint32_t count) { return index_.search(queries_.view().slice(0, count), k, metric); };
    search(others);
    const Timed times = repeat(options_.patience, [&](std::uint32_t turn) {
      return search(turn % 2 == 0 ? queries : others).report.times.total_milliseconds;
    });
    recorder_.add(knn_row("calls", name + "_" + id_, metric, {sizes_.rows, sizes_.dimensions, queries}, k, times,
                          queries == others ? "" : fmt::format("and {} queries in turn", others)));
    for (const std::uint32_t count : {others, queries}) check(search(count), count, k);
  }

  // Its first answers and its last are the scan's.
  void check(const Neighbors& found, std::uint32_t queries, std::uint64_t k) {
    const std::uint32_t checked = std::min(queries, checked_queries);
    for (const std::uint32_t first : {0u, queries - checked}) {
      const Neighbors expected = scan_.search(queries_.view().slice(first, checked), k, metric);
      std::vector<std::uint64_t> sample(checked);
      std::iota(sample.begin(), sample.end(), first);
      if (const auto difference = check_sample(expected, sample, found, sizes_.rows))
        recorder_.difference(fmt::format("{} queries on {}: {}", queries, id_, *difference));
    }
  }

  const Sizes& sizes_;
  const BenchOptions& options_;
  Recorder& recorder_;
  std::string id_;
  Matrix<float> data_, queries_;
  Index index_, scan_;
};

}  // namespace

void run_calls(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  std::vector<Sizes> all = {
      {1'000'000, 128, {{1, 2, 10}, {10, 11, 10}, {100, 101, 10}, {1'000, 1'001, 10}, {10'000, 10'001, 100}}},
      {65'536, 256, {{65'536, 65'535, 20}}}};
  if (options.quick) all = {{8'192, 16, {{1, 2, 10}, {33, 32, 10}}}};
  std::uint64_t done = 0;
  for (const std::string& id : options.devices) {
    on_device(id, recorder, [&](Device& device) {
      for (Sizes sizes : all) {
        bar.update(done++, options.devices.size() * all.size());
        sizes.rows = rows_that_fit(std::min(sizes.rows, options.largest_rows), 8 * sizes.dimensions, device, recorder);
        // A processor takes minutes over what a GPU does in milliseconds.
        if (device.capabilities().runs_on_host)
          std::erase_if(sizes.asked, [](const Asked& asked) { return asked.queries > 100; });
        if (!sizes.asked.empty()) Measurement(device, sizes, options, recorder).run();
      }
    });
  }
  recorder.note(
      fmt::format("Data: normal, seed {}. Times are the host's of whole calls: 'same' has as many queries in each, "
                  "'varied' two numbers in turn. The first and the last {} answers were compared with those of a scan.",
                  options.seed, checked_queries));
}

}  // namespace proxel::tool
