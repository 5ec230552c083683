// Steps of the layout of a k-NN graph: every vertex is drawn to its neighbours and pushed from some that are drawn.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bench/made_data.hpp"
#include "bench/suite.hpp"
#include "format.hpp"
#include "proxel/graph.hpp"
#include "proxel/layout.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint64_t neighbors = 15;
// A launch of few vertices takes less time than a clock tells apart.
constexpr std::uint32_t steps_at_once = 10;
constexpr std::uint32_t dimensions_of_rows = 3;

std::unique_ptr<Buffer> uploaded(Device& device, const void* values, const BufferRequirement& needed) {
  auto buffer = device.create_buffer(needed.bytes, MemoryKind::device);
  upload(device, *buffer, values);
  return buffer;
}

class Measurement {
 public:
  Measurement(const Matrix<float>& data, const BenchOptions& options, Recorder& recorder,
              std::map<std::uint64_t, Matrix<float>>& positions)
      : data_(data), options_(options), recorder_(recorder), positions_(positions) {}

  void run(Device& device) {
    Index index(device, data_.view());
    const Neighbors graph = knn_graph(index, neighbors, Metric::l2sq);
    const LayoutDescription description{.rows = data_.rows(), .neighbors = neighbors};
    const LayoutPlan plan = LayoutPlan::make(device, description);
    const LayoutRequirements needed = plan.requirements();
    const Matrix<float> first = first_positions(description.rows, description.dimensions, options_.seed);
    const auto indices = uploaded(device, graph.indices.data(), needed.indices);
    const std::unique_ptr<Buffer> places[] = {uploaded(device, first.data(), needed.from),
                                              uploaded(device, first.data(), needed.to)};
    const auto commands = device.create_commands(Timing::whole);
    commands->begin();
    for (std::uint32_t step = 0; step < steps_at_once; ++step) {
      commands->barrier();
      plan.record(*commands, {*indices, *places[step % 2], *places[1 - step % 2]}, step, 0.2f);
    }
    commands->end();
    device_milliseconds(device, *commands);
    compare(device, *places[steps_at_once % 2]);
    const Timed times =
        repeat(options_.patience, [&](std::uint32_t) { return device_milliseconds(device, *commands); });
    record(device, description, times);
  }

 private:
  // Every device has the positions of the first.
  void compare(Device& device, Buffer& places) {
    Matrix<float> found(data_.rows(), LayoutDescription().dimensions);
    download(device, places, found.data());
    const auto [first, is_first] = positions_.try_emplace(data_.rows(), found);
    if (!is_first && !(first->second == found))
      recorder_.difference(fmt::format("{}: a layout of {} vertices has other positions than on the first device",
                                       device.info().id, data_.rows()));
  }

  void record(const Device& device, const LayoutDescription& description, const Timed& times) {
    BenchRow row;
    row.group = "layout";
    row.name = "step_" + device.info().id;
    row.metric = to_string(Metric::l2sq);
    row.n = row.q = description.rows;
    row.d = description.dimensions;
    row.k = description.neighbors;
    row.median_ms = times.median_ms / steps_at_once;
    row.min_ms = times.min_ms / steps_at_once;
    const double forces =
        static_cast<double>(description.rows) * static_cast<double>(description.neighbors + description.draws);
    row.remark = fmt::format("{} ns per force", significant(row.median_ms * 1e6 / forces));
    recorder_.add(row);
  }

  const Matrix<float>& data_;
  const BenchOptions& options_;
  Recorder& recorder_;
  std::map<std::uint64_t, Matrix<float>>& positions_;
};

}  // namespace

void run_layout(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  std::vector<std::uint64_t> sizes = {10'000, 100'000, 1'000'000};
  if (options.quick) sizes = {700};
  std::erase_if(sizes, [&](std::uint64_t rows) { return rows > options.largest_rows || !chosen(options.rows, rows); });
  std::map<std::uint64_t, Matrix<float>> positions;
  for (std::size_t done = 0; done < sizes.size(); ++done) {
    bar.update(done, sizes.size());
    const Matrix<float> data = normal_matrix(sizes[done], dimensions_of_rows, options.seed);
    for (const std::string& id : options.devices)
      on_device(id, recorder, [&](Device& device) {
        // A processor takes minutes over what a GPU does in milliseconds.
        constexpr std::uint64_t most_on_host = 10'000;
        if (device.capabilities().runs_on_host && sizes[done] > most_on_host)
          return recorder.note(fmt::format("{}: layouts of more than {} vertices are left to GPUs", id, most_on_host));
        Measurement(data, options, recorder, positions).run(device);
      });
  }
  recorder.note(fmt::format(
      "Device time of one step, of {} in one submission; d: dimensions of a position. The graph is that of rows of {} "
      "dimensions, normal, seed {}, each vertex with its {} nearest others and {} drawn at random.",
      steps_at_once, dimensions_of_rows, options.seed, neighbors, LayoutDescription().draws));
}

}  // namespace proxel::tool
