// A recorded query from submit to its result on the host, against an empty
// submission of the same run.

#include <algorithm>

#include <fmt/format.h>

#include "bench/targets.hpp"
#include "bench/workload.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

void measure(Device& device, const Workload& work, const BenchOptions& options, Recorder& recorder) {
  const std::uint32_t copies = rotation(device, work);
  const DeviceRows rows(device, work.data.view(), copies);
  SearchDescription description;
  description.metric = Metric::l1;
  description.rows = work.shape.rows;
  description.dimensions = work.shape.dimensions;
  description.queries = 1;
  const ScanPlan plan = ScanPlan::make(device, description, rows.segments(0));

  // The query is copied next to the rows; results are written to memory that the
  // host sees, so that the wait's return is their arrival.
  const std::uint64_t query_bytes = std::uint64_t{work.shape.dimensions} * 4;
  const auto staged = device.create_buffer(query_bytes, MemoryKind::upload);
  const auto queries = device.create_buffer(query_bytes, MemoryKind::device);
  const auto scratch = device.create_buffer(plan.scratch_bytes(), MemoryKind::device);
  const auto indices = device.create_buffer(4, MemoryKind::readback);
  const auto distances = device.create_buffer(4, MemoryKind::readback);
  const SearchBuffers buffers{*queries, *scratch, *indices, *distances};
  const auto recorded = [&](Timing timing, std::uint32_t copy) {
    auto commands = device.create_commands(timing);
    commands->begin();
    commands->copy(*staged, *queries);
    commands->barrier();
    plan.record(*commands, rows.segments(copy), buffers);
    commands->end();
    return commands;
  };
  std::vector<std::unique_ptr<Commands>> untimed, timed;
  for (std::uint32_t copy = 0; copy < copies; ++copy) {
    untimed.push_back(recorded(Timing::none, copy));
    timed.push_back(recorded(Timing::whole, copy));
  }
  const auto empty = device.create_commands(Timing::none);
  empty->begin();
  empty->end();

  const auto set_query = [&](std::uint32_t set) {
    std::copy_n(&work.queries(set, 0), work.shape.dimensions, static_cast<float*>(staged->mapped()));
  };
  const std::string id = device.info().id;
  for (std::uint32_t copy = 0; copy < copies; ++copy) {
    set_query(copy);
    host_milliseconds(device, *untimed[copy]);
    const std::uint32_t index = *static_cast<const std::uint32_t*>(indices->mapped());
    const float distance = *static_cast<const float*>(distances->mapped());
    if (index != work.expected.indices(copy, 0) || distance != work.expected.distances(copy, 0))
      recorder.difference(fmt::format("{}: query {}: row {} at {} where {} at {} is expected", id, copy, index,
                                      distance, work.expected.indices(copy, 0), work.expected.distances(copy, 0)));
  }

  const Timed nothing = repeat(options.patience, [&](std::uint32_t) { return host_milliseconds(device, *empty); });
  const Timed whole =
      repeat(options.patience, [&](std::uint32_t turn) { return host_milliseconds(device, *untimed[turn % copies]); });
  const Timed compute =
      repeat(options.patience, [&](std::uint32_t turn) { return device_milliseconds(device, *timed[turn % copies]); });
  recorder.add({"latency", "empty_submit_" + id, "-", 0, 0, 0, 0, nothing.median_ms, nothing.min_ms,
                "submit and wait, nothing recorded"});
  recorder.add(search_row("latency_compute", "proxel_scan_" + id, work.shape, compute));
  BenchRow row = search_row("latency", "proxel_scan_" + id, work.shape, whole);
  const double allowed = 1.5 * nothing.median_ms + compute.median_ms;
  row.remark = fmt::format("from submit to result; 1.5 × empty + compute is {} ms: {}", significant(allowed),
                           whole.median_ms <= allowed ? "within" : "above");
  recorder.add(std::move(row));
}

}  // namespace

void run_latency(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  note_method(options, recorder);
  std::optional<Workload> kept;
  for (std::size_t index = 0; index < options.devices.size(); ++index) {
    bar.update(index, options.devices.size());
    on_device(options.devices[index], recorder, [&](Device& device) {
      Shape shape{options.quick ? 16384u : 262144u, 64};
      shape.rows = rows_that_fit(shape.rows, shape.dimensions * 4, device, recorder);
      measure(device, make_workload(kept, shape, options.seed, bar), options, recorder);
    });
  }
}

}  // namespace proxel::tool
