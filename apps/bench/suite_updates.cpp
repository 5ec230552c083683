// What filters and updates cost: searches under filters of several densities and
// after rows have been removed, against one of all rows; adding, removing and
// compaction, and the first search behind them.

#include <algorithm>
#include <chrono>
#include <random>

#include <fmt/format.h>

#include "bench/knn_check.hpp"
#include "bench/made_data.hpp"
#include "bench/suite.hpp"
#include "bench/targets.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

constexpr Metric metric = Metric::l2sq;
constexpr std::uint32_t checked_queries = 64;

struct Sizes {
  std::uint64_t rows, more;  // more: rows that are added, and removed, at a time
  std::uint32_t dimensions, queries;
  std::uint64_t k;
};

double host_time(const std::function<void()>& once) {
  const auto start = std::chrono::steady_clock::now();
  once();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Allows about one row in so many.
Matrix<std::uint32_t> one_row_in(std::uint64_t rows, std::uint32_t share, std::uint64_t seed) {
  Matrix<std::uint32_t> words(1, (rows + 31) / 32);
  std::mt19937_64 random(seed);
  for (std::uint64_t row = 0; row < rows; ++row)
    if (random() % share == 0) words(0, row / 32) |= 1u << (row % 32);
  return words;
}

class Measurement {
 public:
  Measurement(Device& device, const Sizes& sizes, const BenchOptions& options, Recorder& recorder)
      : sizes_(sizes),
        options_(options),
        recorder_(recorder),
        id_(device.info().id),
        data_(normal_matrix(sizes.rows + sizes.more, sizes.dimensions, options.seed)),
        queries_(normal_matrix(sizes.queries, sizes.dimensions, options.seed + 1)),
        index_(device, data_.view().slice(0, sizes.rows), {}),
        scan_(device, data_.view().slice(0, sizes.rows), {.method = Method::scan}) {}

  void run() {
    for (const std::uint32_t queries : {1u, sizes_.queries}) {
      search("all_rows", queries, {});
      for (const std::uint32_t share : {1u, 2u, 100u}) {
        const Matrix<std::uint32_t> filter = one_row_in(sizes_.rows, share, options_.seed + share);
        search(fmt::format("filter_1_in_{}", share), queries, filter.view());
      }
    }
    std::vector<std::uint32_t> removed(sizes_.more);
    std::mt19937_64 random(options_.seed + 3);
    for (std::uint32_t& row : removed) row = static_cast<std::uint32_t>(random() % sizes_.rows);
    once("remove", removed.size(), [&] { index_.remove(removed); });
    scan_.remove(removed);
    for (const std::uint32_t queries : {1u, sizes_.queries}) search("removed", queries, {});

    const MatrixView<float> added = data_.view().slice(sizes_.rows, sizes_.more);
    // The first time memory is taken for rows to come.
    once("add_first_row", 1, [&] { index_.add(added.slice(0, 1)); });
    first_search("search_after_move");
    once("add_row", 1, [&] { index_.add(added.slice(1, 1)); });
    first_search("search_after_row");
    once("add_rows", added.rows - 2, [&] { index_.add(added.slice(2, added.rows - 2)); });
    first_search("search_after_rows");
    scan_.add(added);
    search("added", sizes_.queries, {});
    once("compact", index_.rows(), [&] { index_.compact(); });
    scan_.compact();
    first_search("search_after_compaction");
    search("compacted", sizes_.queries, {});
  }

 private:
  void record(const std::string& name, std::uint32_t queries, const Timed& times, std::string remark) {
    recorder_.add(knn_row("updates", name + "_" + id_, metric, {index_.rows(), sizes_.dimensions, queries},
                          queries == 0 ? 0 : sizes_.k, times, std::move(remark)));
  }

  // Device time, the filter's way to the device included; the answer is the scan's.
  void search(const std::string& name, std::uint32_t queries, const MatrixView<std::uint32_t>& filter) {
    const SearchOptions with{.filter = filter};
    const MatrixView<float> asked = queries_.view().slice(0, queries);
    const Timed times = repeat(options_.patience, [&](std::uint32_t) {
      return index_.search(asked, sizes_.k, metric, with).report.times.compute_milliseconds;
    });
    const Neighbors found = index_.search(asked, sizes_.k, metric, with);
    std::string rungs;
    for (const RungCount& rung : found.report.rungs)
      rungs += fmt::format("{}{}: {}", rungs.empty() ? "" : ", ", rung.rung, with_separators(rung.queries));
    record(name, queries, times, std::move(rungs));
    const std::uint32_t checked = std::min(queries, checked_queries);
    const Neighbors expected = scan_.search(asked.slice(0, checked), sizes_.k, metric, with);
    if (const auto difference = check_sample(expected, spread_sample(checked, checked), found, data_.rows()))
      recorder_.difference(fmt::format("{} on {}, beside the scan: {}", name, id_, *difference));
  }

  void once(const std::string& name, std::uint64_t rows, const std::function<void()>& work) {
    const double ms = host_time(work);
    record(name, 0, {ms, ms, 1}, fmt::format("{} rows, host clock, once", with_separators(rows)));
  }

  // Everything that follows an update, on the host's clock.
  void first_search(const std::string& name) {
    const double ms = host_time([&] { index_.search(queries_.view(), sizes_.k, metric); });
    record(name, sizes_.queries, {ms, ms, 1}, "whole call, host clock, once");
  }

  Sizes sizes_;
  const BenchOptions& options_;
  Recorder& recorder_;
  std::string id_;
  Matrix<float> data_, queries_;
  Index index_, scan_;
};

}  // namespace

void run_updates(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  Sizes sizes{1'000'000, 10'000, 128, 10'000, 100};
  if (options.quick) sizes = {8'192, 100, 32, 64, 10};
  std::uint64_t done = 0;
  for (const std::string& id : options.devices) {
    bar.update(done++, options.devices.size());
    on_device(id, recorder, [&](Device& device) {
      Sizes own = sizes;
      own.rows = std::min(own.rows, options.largest_rows);
      // A processor takes hours over what a GPU does in milliseconds.
      if (device.capabilities().runs_on_host) own.queries = std::min(own.queries, 64u);
      own.rows = rows_that_fit(own.rows, 8 * own.dimensions, device, recorder);
      Measurement(device, own, options, recorder).run();
    });
  }
  recorder.note(
      fmt::format("Data: normal, seed {}. Of each search the first {} answers were compared with "
                  "those of a scan under the same filter and updates.",
                  options.seed, checked_queries));
}

}  // namespace proxel::tool
