// Rows that pass through a device in parts, by ones around the sizes at which parts or copies change: answers are those of
// rows that stay on the device, and no step of one takes much longer.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/made_data.hpp"
#include "bench/suite.hpp"
#include "bench/targets.hpp"
#include "format.hpp"
#include "proxel/index.hpp"
#include "proxel/search.hpp"

namespace proxel::tool {
namespace {

// As core/index/blocks.cpp and cuda_backend have them.
constexpr std::uint64_t part_bytes = std::uint64_t{256} << 20;
constexpr std::uint64_t copied_by_kernel = std::uint64_t{8} << 20;
constexpr std::uint64_t most_refined = 256;
constexpr std::uint64_t tile = 128;

struct Sizes {
  std::uint32_t dimensions;
  std::uint64_t part;    // rows
  std::uint64_t parts;   // that there are at most
  std::uint64_t copied;  // bytes
};

class Walks {
 public:
  Walks(Device& device, const Sizes& sizes, const BenchOptions& options, Recorder& recorder)
      : device_(device),
        sizes_(sizes),
        options_(options),
        recorder_(recorder),
        database_(normal_matrix(sizes.parts * sizes.part + 2, sizes.dimensions, options.seed)),
        queries_(normal_matrix(most_queries() + 1, sizes.dimensions, options.seed + 1)) {}

  void run() {
    // Two parts of two blocks that are as large, which more rows pass through.
    const std::uint64_t room = 4 * sizes_.part / tile;
    for (std::uint64_t parts = 5; parts <= sizes_.parts; ++parts)
      for (std::uint64_t rows = parts * sizes_.part - 2; rows <= parts * sizes_.part + 2; ++rows)
        walk_rows("rows", rows, room);
    // Two parts are loaded by turns where there is room for three quarters of them, below that one.
    const std::uint64_t least = 4 * (sizes_.part - sizes_.part / 4) / tile;
    for (std::uint64_t tiles = least - 2; tiles <= least + 2; ++tiles)
      walk_rows("room", sizes_.parts * sizes_.part - 1, tiles);
    const Indexes of_all = indexes(sizes_.parts * sizes_.part - 1, room);
    for (std::uint64_t k = most_refined - 2; k <= most_refined + 2; ++k)
      for (const Metric metric : {Metric::l2sq, Metric::ip}) compare("k", of_all, metric, 200, k, false);
    const std::uint64_t queries = sizes_.copied / (sizes_.dimensions * 4);
    for (std::uint64_t q = queries - 1; q <= queries + 1; ++q)
      compare("copied queries", of_all, Metric::l2sq, q, 10, false);
    const std::uint64_t filters = filters_copied();
    for (std::uint64_t q = filters - 1; q <= filters + 2; ++q)
      compare("copied filters", of_all, Metric::l2sq, q, 10, true);
  }

 private:
  struct Indexes {
    std::uint64_t rows;
    std::unique_ptr<Index> resident;
    std::vector<std::pair<std::string, std::unique_ptr<Index>>> streamed;
  };

  std::uint64_t words() const { return filter_words(sizes_.parts * sizes_.part - 1); }
  std::uint64_t filters_copied() const { return sizes_.copied / (words() * 4); }
  std::uint64_t most_queries() const {
    return std::max({sizes_.copied / (sizes_.dimensions * 4), filters_copied() + 1, std::uint64_t{200}});
  }

  Indexes indexes(std::uint64_t rows, std::uint64_t tiles) {
    const MatrixView<float> some = database_.view().slice(0, rows);
    Indexes made{rows, std::make_unique<Index>(device_, some), {}};
    IndexOptions options;
    options.memory_limit = tiles * tile * sizes_.dimensions * 4;
    made.streamed.emplace_back("streamed", std::make_unique<Index>(device_, some, options));
    options.pinned = bool(device_.supports_pinning());
    if (options.pinned) made.streamed.emplace_back("pinned", std::make_unique<Index>(device_, some, options));
    return made;
  }

  void walk_rows(const std::string& walk, std::uint64_t rows, std::uint64_t tiles) {
    const Indexes of = indexes(rows, tiles);
    for (const Metric metric : {Metric::l2sq, Metric::cosine})
      compare(fmt::format("{} in room for {} tiles", walk, tiles), of, metric, 130, 20, false);
  }

  void compare(const std::string& walk, const Indexes& of, Metric metric, std::uint64_t queries, std::uint64_t k,
               bool filtered) {
    Matrix<std::uint32_t> filters(filtered ? queries : 0, filtered ? words() : 0);
    for (std::uint64_t i = 0; i < queries && filtered; ++i)
      std::fill_n(filters.data() + i * filters.columns(), filters.columns(), 0x55555555u << i % 2);
    SearchOptions with;
    if (filtered) with.filter = filters.view();
    const auto search = [&](Index& index) { return index.search(queries_.view().slice(0, queries), k, metric, with); };
    const Neighbors expected = search(*of.resident);
    const Shape shape{of.rows, sizes_.dimensions, static_cast<std::uint32_t>(queries)};
    for (const auto& [group, index] : of.streamed) {
      if (index->block_rows() == 0)
        recorder_.difference(
            fmt::format("{}, {}, {}, n = {}: no rows passed through", device_.info().id, walk, group, of.rows));
      const Neighbors found = search(*index);
      if (found.indices != expected.indices || found.distances != expected.distances)
        recorder_.difference(fmt::format("{}, {}, {}, n = {}, q = {}, k = {}: another answer than of resident rows",
                                         device_.info().id, walk, group, of.rows, queries, k));
      const Timed times = repeat_on_host(options_.patience, [&] { search(*index); });
      recorder_.add(knn_row("parts_" + group, walk, metric, shape, k, times, {}));
    }
  }

  Device& device_;
  Sizes sizes_;
  const BenchOptions& options_;
  Recorder& recorder_;
  Matrix<float> database_, queries_;
};

}  // namespace

void run_parts(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  constexpr std::uint32_t dimensions = 512;
  // Small parts have no size of their own: the memory makes them.
  const Sizes sizes =
      options.quick ? Sizes{16, 1024, 5, 8192} : Sizes{dimensions, part_bytes / (dimensions * 4), 6, copied_by_kernel};
  for (std::size_t done = 0; done < options.devices.size(); ++done) {
    bar.update(done, options.devices.size());
    on_device(options.devices[done], recorder, [&](Device& device) {
      const std::uint64_t rows = sizes.parts * sizes.part + 2;
      if (rows_that_fit(rows, sizes.dimensions * 4, device, recorder) == rows)
        Walks(device, sizes, options, recorder).run();
    });
  }
  recorder.note(
      fmt::format("Data: normal, seed {}. Times are the host's, of whole calls. Sizes go by ones around parts of 256 "
                  "MiB, room for two "
                  "of them, 256 neighbours and copies of 8 MiB. All answers are those of rows on the device.",
                  options.seed));
}

}  // namespace proxel::tool
