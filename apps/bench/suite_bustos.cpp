// The experiments of Bustos 2006 on today's hardware: time over dimensions,
// over t, over rows, with the CPU beside.

#include <algorithm>

#include <fmt/format.h>

#include "bench/given_rows.hpp"
#include "bench/targets.hpp"
#include "bench/workload.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

// "we got the best times using t = 8" (section 3).
constexpr std::uint32_t paper_t = 8;
constexpr std::uint64_t paper_block_rows = 1u << 20;

const LineChart over_dimensions{
    "Time of one query over the number of dimensions (figure 3, left)", "dimensions", "ms", true, true, {}};
const LineChart over_rows{"Time of one query over the number of rows (figure 3, right)", "rows", "ms", true, true, {}};

LineChart over_t(const std::string& device) {
  return {fmt::format("Texel search over t, dimensions per pass, on {}", device), "t", "ms", true, true, {}};
}

// The paper's method, t dimensions in a pass.
BustosOptions texel_form(std::uint32_t t, const BenchOptions& options) {
  return {.dimensions_per_pass = t, .reductions_per_pass = options.reductions_per_pass};
}

// "proxel_texel_t8_vulkan:0"; reductions that are not done one by one are named too.
std::string texel_name(std::uint32_t t, const std::string& id, const BenchOptions& options) {
  const std::uint32_t reductions = options.reductions_per_pass;
  const std::string form = reductions == 1   ? ""
                           : reductions == 0 ? "reductions_fused_"
                                             : fmt::format("reductions_{}_", reductions);
  return fmt::format("proxel_texel_t{}_{}{}", t, form, id);
}

void add_plain_loop(const std::string& group, const LineChart& chart, double x, const Workload& work,
                    const BenchOptions& options, Recorder& recorder) {
  const Timed timed = time_plain_loop(work, 0, options.patience, recorder);
  recorder.add(search_row(group, "plain_loop_all_cores", work.shape, timed));
  recorder.plot(chart, "plain loop, all CPU cores", x, timed.median_ms);
}

// Scan and texel search of one shape, at the paper's t.
void add_searches(Device& device, const std::string& group, const LineChart& chart, double x, const Workload& work,
                  const BenchOptions& options, Recorder& recorder) {
  const std::string id = device.info().id;
  const SearchTimings scan = time_scan(device, work, options.patience, recorder);
  add_search_rows(group, "proxel_scan_" + id, work.shape, scan, nullptr, recorder);
  recorder.plot(chart, id + " scan", x, scan.compute.median_ms);
  if (device.info().backend == BackendKind::cpu) return;

  const DeviceTexels texels(device, work.data.view(), paper_block_rows, rotation(device, work));
  const SearchTimings texel =
      time_texel(device, work, texels, texel_form(paper_t, options), true, options.patience, recorder);
  add_search_rows(group, texel_name(paper_t, id, options), work.shape, texel, nullptr, recorder);
  recorder.plot(chart, fmt::format("{} texel, t = {}", id, paper_t), x, texel.compute.median_ms);
}

void sweep_t(Device& device, const Workload& work, const Bandwidth& bandwidth, const BenchOptions& options,
             Recorder& recorder) {
  const std::string id = device.info().id;
  const DeviceTexels texels(device, work.data.view(), paper_block_rows, rotation(device, work));
  for (std::uint32_t t = 1; t <= 16; t = options.quick ? t * 4 : t + 1) {
    const Timed timed =
        time_texel(device, work, texels, texel_form(t, options), false, options.patience, recorder).compute;
    recorder.add(search_row("bustos_t", texel_name(t, id, options), work.shape, timed, &bandwidth));
    recorder.plot(over_t(id), fmt::format("d = {}", work.shape.dimensions), t, timed.median_ms);
  }
}

std::vector<std::uint64_t> row_counts(const BenchOptions& options) {
  if (options.quick) return {25'000, 50'000, 100'000};
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t count : {1'000'000u, 2'000'000u, 4'000'000u, 6'000'000u, 7'500'000u})
    if (count < options.largest_rows) counts.push_back(count);
  counts.push_back(options.largest_rows);
  return counts;
}

// Figure 4: rows of a file, an eighth, a quarter, half and all of them.
void run_on_file(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  constexpr std::uint64_t query_sets = 32;
  const GivenRows given = read_given_rows(options, query_sets, recorder);
  const LineChart chart{fmt::format("Time of one query over the rows of {} (figure 4, left)", options.data),
                        "rows",
                        "ms",
                        true,
                        true,
                        {}};
  for (const std::uint64_t part : {8u, 4u, 2u, 1u}) {
    bar.update(8 / part, 9);
    const Workload work = workload_of(first_rows(given.database, given.database.rows() / part), given.queries, 1, bar);
    const auto x = static_cast<double>(work.shape.rows);
    add_plain_loop("bustos_given", chart, x, work, options, recorder);
    for (const std::string& id : options.devices)
      on_device(id, recorder,
                [&](Device& device) { add_searches(device, "bustos_given", chart, x, work, options, recorder); });
  }
}

}  // namespace

void run_bustos(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  note_method(options, recorder);
  recorder.note(
      "Texel search keeps blocks of 1,048,576 rows in textures and reduces 4:1 in a pass of its own each time, as the "
      "paper does (unless --reductions-per-pass says otherwise); the CPU stands beside as proxel's scan and as a plain "
      "loop (-O3 -ffast-math, widest vectors, all cores).");
  if (!options.data.empty()) return run_on_file(options, recorder, bar);
  std::vector<Bandwidth> bandwidths(options.devices.size());
  for (std::size_t index = 0; index < options.devices.size(); ++index)
    on_device(options.devices[index], recorder, [&](Device& device) {
      if (device.info().backend == BackendKind::cpu) return;
      bandwidths[index] = measure_bandwidth(device, options.patience, options.quick);
      add_ceilings(device.info().id, bandwidths[index], recorder);
    });

  std::vector<std::uint32_t> dimensions = {16, 32, 64, 128, 256};
  if (options.quick) dimensions = {16, 64};
  const std::vector<std::uint64_t> counts = row_counts(options);
  const std::size_t steps = dimensions.size() + counts.size();
  std::size_t step = 0;
  std::optional<Workload> kept;
  for (const std::uint32_t count : dimensions) {
    bar.update(step++, steps);
    const Shape shape{options.quick ? 16384u : 262144u, count};
    const Workload& work = make_workload(kept, shape, options.seed, bar);
    add_plain_loop("bustos_fig3_left", over_dimensions, count, work, options, recorder);
    for (std::size_t index = 0; index < options.devices.size(); ++index)
      on_device(options.devices[index], recorder, [&](Device& device) {
        add_searches(device, "bustos_fig3_left", over_dimensions, count, work, options, recorder);
        if (device.info().backend != BackendKind::cpu) sweep_t(device, work, bandwidths[index], options, recorder);
      });
  }
  for (const std::uint64_t count : counts) {
    bar.update(step++, steps);
    bool beside = false;
    for (const std::string& id : options.devices)
      on_device(id, recorder, [&](Device& device) {
        const Shape shape{rows_that_fit(count, 64 * 4, device, recorder), 64};
        if (shape.rows != count) return;
        const Workload& work = make_workload(kept, shape, options.seed, bar);
        const auto x = static_cast<double>(count);
        if (!beside) add_plain_loop("bustos_fig3_right", over_rows, x, work, options, recorder);
        beside = true;
        add_searches(device, "bustos_fig3_right", over_rows, x, work, options, recorder);
      });
  }
}

}  // namespace proxel::tool
