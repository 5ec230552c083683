// A filter of each query's own, which lies on the device, beside the same search of all rows: fused, and the scan.

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "bench/made_data.hpp"
#include "bench/recorded_search.hpp"
#include "bench/suite.hpp"
#include "format.hpp"
#include "proxel/index.hpp"

namespace proxel::tool {
namespace {

struct Sizes {
  Shape shape;
  std::vector<std::uint64_t> neighbors;
  std::uint32_t checked;  // queries whose answers are compared with the scan's
};

// Words of filters of which each allows one row in so many, [queries x words]. They are drawn from some ten thousand, which is quick and
// leaves no two filters alike.
std::vector<std::uint32_t> one_row_in(std::uint32_t share, const Shape& shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> drawn(65536);
  for (std::uint32_t& word : drawn)
    for (std::uint32_t bit = 0; bit < 32; ++bit) word |= random() % share == 0 ? 1u << bit : 0u;
  std::vector<std::uint32_t> words(filter_words(shape.rows) * shape.queries);
  for (std::uint32_t& word : words) word = drawn[random() % drawn.size()];
  return words;
}

class Measurement {
 public:
  Measurement(Device& device, const Sizes& sizes, const BenchOptions& options, Recorder& recorder)
      : device_(device),
        sizes_(sizes),
        options_(options),
        recorder_(recorder),
        data_(normal_matrix(sizes.shape.rows, sizes.shape.dimensions, options.seed)),
        queries_(normal_matrix(sizes.shape.queries, sizes.shape.dimensions, options.seed + 1)),
        fused_(device, data_.view(), {.method = Method::fused}),
        scan_(device, data_.view(), {.method = Method::scan}) {}

  void run() {
    search("all_rows", nullptr);
    for (const std::uint32_t share : {2u, 10u, 100u, 1'000u, 3'000u, 10'000u, 100'000u}) {
      const std::vector<std::uint32_t> words = one_row_in(share, sizes_.shape, options_.seed + share);
      const auto filter = device_.create_buffer(words.size() * 4, MemoryKind::device);
      upload(device_, *filter, words.data());
      search(fmt::format("filters_1_in_{}", share), filter.get());
    }
  }

 private:
  // The plan lives as long as what it recorded.
  struct Planned {
    std::unique_ptr<Plan> plan;
    std::unique_ptr<RecordedSearch> search;
  };
  Planned recorded(Index& index, std::uint32_t queries, std::uint64_t k, Buffer* filter) {
    Planned planned;
    planned.plan = index.plan(queries, k, Metric::l2, {.filter = filter ? FilterKind::per_query : FilterKind::none});
    Shape shape = sizes_.shape;
    shape.queries = queries;
    planned.search = std::make_unique<RecordedSearch>(
        device_, shape, k, queries_.view().slice(0, queries), 1, planned.plan->scratch_bytes(),
        [&](Recording& recording, std::uint32_t, const SearchBuffers& buffers) {
      SearchBuffers with_filter = buffers;
      if (filter) with_filter.filter = *filter;
      planned.plan->record(recording, with_filter);
    });
    return planned;
  }

  void search(const std::string& name, Buffer* filter) {
    const Shape& shape = sizes_.shape;
    for (const std::uint64_t k : sizes_.neighbors) {
      const Planned fused = recorded(fused_, shape.queries, k, filter);
      const Planned scanned = recorded(scan_, sizes_.checked, k, filter);
      if (const auto wrong = fused.search->check(scanned.search->answers(0)))
        recorder_.difference(fmt::format("{}: {}, k {}: {}", device_.info().id, name, k, *wrong));
      const Timed times = fused.search->compute(options_.patience);
      recorder_.add({"filters",
                     name + "_" + device_.info().id,
                     std::string(to_string(Metric::l2)),
                     shape.rows,
                     shape.queries,
                     shape.dimensions,
                     k,
                     times.median_ms,
                     times.min_ms,
                     "fused; device time",
                     {}});
    }
  }

  Device& device_;
  const Sizes& sizes_;
  const BenchOptions& options_;
  Recorder& recorder_;
  Matrix<float> data_, queries_;
  Index fused_, scan_;
};

}  // namespace

void run_filters(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  Sizes sizes{{1'000'000, 128, 1'000}, {10, 100, 1'000}, 32};
  if (options.quick) sizes = {{4'000, 24, 50}, {5}, 20};
  sizes.shape.rows = std::min(sizes.shape.rows, options.largest_rows);
  std::uint64_t done = 0;
  for (const std::string& id : options.devices) {
    bar.update(done++, options.devices.size());
    on_device(id, recorder, [&](Device& device) {
      Sizes own = sizes;
      own.shape.rows = rows_that_fit(own.shape.rows, 16 * own.shape.dimensions, device, recorder);
      Measurement(device, own, options, recorder).run();
    });
  }
  recorder.note(
      fmt::format("Data: normal; seed {}. Each query has a filter of its own, which lies on the device. The answers of "
                  "the first {} "
                  "queries were compared with a scan's under the same filters, bit for bit.",
                  options.seed, sizes.checked));
}

}  // namespace proxel::tool
