// Sorting whole rows, as the permutation index of Lopresti 2013 does: GPU-Qsort against
// the modern selection, CUB and std::sort.

#include <fmt/format.h>

#include "bench/peers/sort_peer.hpp"
#include "bench/select_matrix.hpp"
#include "bench/targets.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

constexpr const char* group = "sort_rows";

struct Rows {
  std::uint64_t count, columns;
};

std::vector<Rows> cases(const BenchOptions& options) {
  if (options.quick) return {{1, 20'000}, {32, 4'096}};
  return {{1, 84'000}, {100, 84'000}, {1'000, 84'000}, {64, 1'048'576}, {8'192, 4'096}};
}

// Whole rows, and the tenth that a permutation index looks at.
std::vector<std::uint64_t> kept(std::uint64_t columns) { return {columns, columns / 10}; }

class RowSorts {
 public:
  RowSorts(Device& device, const Rows& rows, const Bandwidth& bandwidth, const BenchOptions& options,
           Recorder& recorder)
      : device_(device),
        rows_(rows),
        bandwidth_(bandwidth),
        options_(options),
        recorder_(recorder),
        matrix_(device, rows.count, rows.columns, options.seed) {}

  void measure_selections() {
    for (const std::uint64_t k : kept(rows_.columns))
      for (const SelectionMethod method : {SelectionMethod::quick_sort, SelectionMethod::automatic}) {
        SelectionDescription description;
        description.rows = rows_.count;
        description.columns = rows_.columns;
        description.k = k;
        description.method = method;
        description.scratch_limit = std::uint64_t{2} << 30;
        if (const Support support = SelectionPlan::supports(device_, description); !support) {
          recorder_.note(fmt::format("{} x {}, {} on {} left out: {}", rows_.count, rows_.columns, to_string(method),
                                     device_.info().id, support.reason));
          continue;
        }
        const SelectMatrix::Measured measured = matrix_.measure(description, options_.patience);
        add(fmt::format("proxel_{}", to_string(method)), k, measured,
            method == SelectionMethod::automatic ? fmt::format("{}; ", to_string(measured.method)) : "");
      }
  }

  void measure_peers() {
    if (!sort_peers_run_on(device_)) return;
    for (const SortPeerMaker& maker : sort_peers()) {
      if (maker.one_row && rows_.count != 1) continue;
      const auto peer = maker.make(device_.info().index, rows_.count, rows_.columns);
      add(maker.name, rows_.columns, matrix_.measure(*peer, options_.patience), "");
    }
  }

  void measure_host() {
    const Timed timed = matrix_.sort_on_host(options_.patience);
    recorder_.add({group,
                   "std_sort_1core",
                   "-",
                   rows_.columns,
                   rows_.count,
                   0,
                   rows_.columns,
                   timed.median_ms,
                   timed.min_ms,
                   "pairs of value and column",
                   {}});
  }

 private:
  void add(const std::string& sort, std::uint64_t k, const SelectMatrix::Measured& measured,
           const std::string& prefix) {
    // Values are read once; k values and columns of each row are written once.
    const auto bytes = static_cast<double>(rows_.count * (4 * rows_.columns + 8 * k));
    const double floor_ms = bytes / bandwidth_.copy;
    const double pairs = static_cast<double>(rows_.count * rows_.columns);
    const std::string name = fmt::format("{}_{}", sort, device_.info().id);
    recorder_.add({group,
                   name,
                   "-",
                   rows_.columns,
                   rows_.count,
                   0,
                   k,
                   measured.timed.median_ms,
                   measured.timed.min_ms,
                   fmt::format("{}{} million pairs per second; {} x moving them once ({} ms)", prefix,
                               significant(pairs / measured.timed.median_ms / 1000),
                               significant(measured.timed.median_ms / floor_ms), significant(floor_ms)),
                   {}});
    if (measured.difference)
      recorder_.difference(
          fmt::format("{}, {} x {}, k = {}: {}", name, rows_.count, rows_.columns, k, *measured.difference));
  }

  Device& device_;
  Rows rows_;
  Bandwidth bandwidth_;
  const BenchOptions& options_;
  Recorder& recorder_;
  SelectMatrix matrix_;
};

}  // namespace

void run_sort(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  recorder.note(
      "Pairs of value and column, ascending; CUB's sorts are stable, timed by CUDA events and checked "
      "like proxel's. Moving once: values read, k values and columns written, at the rate of a copy.");
  const std::vector<Bandwidth> bandwidths = measure_bandwidths(options, recorder);
  const auto all = cases(options);
  for (std::size_t number = 0; number < all.size(); ++number) {
    bar.update(number, all.size());
    for (std::size_t index = 0; index < options.devices.size(); ++index)
      on_device(options.devices[index], recorder, [&](Device& device) {
        if (number == 0)
          if (const Support support = sort_peers_run_on(device); !support)
            recorder.note(fmt::format("CUB on {}: {}", device.info().id, support.reason));
        Rows fitting = all[number];
        // Results and the keys of both buffers are seven times what the values take.
        fitting.count = rows_that_fit(fitting.count, 8 * 4 * fitting.columns, device, recorder);
        RowSorts sorts(device, fitting, bandwidths[index], options, recorder);
        sorts.measure_selections();
        sorts.measure_peers();
        if (index == 0) sorts.measure_host();
      });
  }
}

}  // namespace proxel::tool
