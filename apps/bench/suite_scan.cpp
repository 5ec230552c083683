// One l1 query, k = 1, against the read bandwidth of the same run; then a batch.

#include <fmt/format.h>

#include "bench/given_rows.hpp"
#include "bench/targets.hpp"
#include "bench/workload.hpp"

namespace proxel::tool {
namespace {

struct Case {
  std::string group;
  Shape shape;
};

std::vector<Case> cases(const BenchOptions& options) {
  const std::uint64_t rows = options.quick ? 16384 : 262144;
  std::vector<Case> all;
  for (const std::uint32_t dimensions : {16u, 32u, 64u, 128u, 256u})
    if (!options.quick || dimensions <= 64) all.push_back({"bustos_fig3", {rows, dimensions}});
  all.push_back({"bustos_fig3", {options.quick ? 50'000u : 1'000'000u, 54}});
  all.push_back({"bustos_fig3", {options.quick ? 100'000u : options.largest_rows, 64}});
  all.push_back({"bustos_batch1000", {rows, options.quick ? 64u : 256u, 1000}});
  return all;
}

void measure(Device& device, const Case& one, const Workload& work, const Bandwidth& bandwidth,
             const BenchOptions& options, Recorder& recorder) {
  const bool batch = one.shape.queries > 1;
  const SearchTimings times = time_scan(device, work, options.patience, recorder);
  const std::string id = device.info().id;
  add_search_rows(one.group, "proxel_scan_" + id, work.shape, times, batch ? nullptr : &bandwidth, recorder);
  if (batch || times.compute.median_ms <= 0 || bandwidth.read <= 0) return;
  const auto bytes = static_cast<double>(work.shape.bytes());
  recorder.plot(
      {"Share of the read bandwidth that one query reaches", "size of the database, MB", "per cent", true, false, {}},
      id, bytes / 1e6, 100 * bytes / times.compute.median_ms / bandwidth.read);
}

// Rows of a file: one query after the other, then all of them together.
void scan_given(const BenchOptions& options, const std::vector<Bandwidth>& bandwidths, Recorder& recorder,
                ProgressBar& bar) {
  constexpr std::uint64_t sets = 32, batch = 1000;
  const GivenRows given = read_given_rows(options, batch, recorder);
  const auto together = static_cast<std::uint32_t>(given.queries.rows());
  for (const std::uint32_t queries : {1u, together}) {
    const Matrix<float> asked = first_rows(given.queries, queries == 1 ? sets : batch);
    const Workload work = workload_of(given.database, asked, queries, bar);
    const Case one{queries == 1 ? "given" : "given_batch", work.shape};
    for (std::size_t index = 0; index < options.devices.size(); ++index)
      on_device(options.devices[index], recorder,
                [&](Device& device) { measure(device, one, work, bandwidths[index], options, recorder); });
  }
}

}  // namespace

void run_scan(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  note_method(options, recorder);
  const std::vector<Bandwidth> bandwidths = measure_bandwidths(options, recorder);
  if (!options.data.empty()) return scan_given(options, bandwidths, recorder, bar);
  const auto all = cases(options);
  std::optional<Workload> kept;
  for (std::size_t number = 0; number < all.size(); ++number) {
    bar.update(number, all.size());
    for (std::size_t index = 0; index < options.devices.size(); ++index)
      on_device(options.devices[index], recorder, [&](Device& device) {
        Shape shape = all[number].shape;
        shape.rows = rows_that_fit(shape.rows, shape.dimensions * 4, device, recorder);
        const Workload& work = make_workload(kept, shape, options.seed, bar);
        measure(device, all[number], work, bandwidths[index], options, recorder);
      });
  }
}

}  // namespace proxel::tool
