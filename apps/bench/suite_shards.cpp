// One index over several devices: as fast as they are together, with the answer of one.

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/made_data.hpp"
#include "bench/suite.hpp"
#include "bench/targets.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "proxel/sharded_index.hpp"

namespace proxel::tool {
namespace {

constexpr Metric metric = Metric::l2sq;

struct ShardCase {
  std::uint64_t rows;
  std::uint32_t dimensions;
  std::uint64_t queries, k;
};

// The same search by one device after the other, and by all together.
class Measurement {
 public:
  Measurement(const ShardCase& of, const BenchOptions& options, Recorder& recorder)
      : case_(of),
        options_(options),
        recorder_(recorder),
        database_(normal_matrix(of.rows, of.dimensions, options.seed)),
        queries_(normal_matrix(of.queries, of.dimensions, options.seed + 1)) {}

  void run(const std::vector<Device*>& devices, const std::vector<std::string>& ids) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
      Index index(*devices[i], database_.view());
      measure("one", ids[i], index);
    }
    for (const Division division : {Division::rows, Division::queries}) {
      ShardedIndex index(devices, database_.view(), {.division = division});
      measure(fmt::format("divided_{}", to_string(division)), fmt::format("{}", fmt::join(ids, "+")), index);
    }
  }

 private:
  // What the slowest device computed.
  static double device_milliseconds(const SearchReport& report) {
    if (report.devices.empty()) return report.times.compute_milliseconds;
    return std::ranges::max(report.devices, {}, &DeviceShare::milliseconds).milliseconds;
  }

  template <typename AnyIndex>
  void measure(const std::string& group, const std::string& name, AnyIndex& index) {
    Neighbors found;
    const Timed device = repeat(options_.patience, [&](std::uint32_t) {
      found = index.search(queries_.view(), case_.k, metric);
      return device_milliseconds(found.report);
    });
    const Timed call = repeat_on_host(options_.patience, [&] { index.search(queries_.view(), case_.k, metric); });
    record(group, name, device, fastest_device_);
    record(group + "_call", name, call, fastest_call_);
    if (group == "one") {
      fastest_device_ = std::min(fastest_device_, device.median_ms);
      fastest_call_ = std::min(fastest_call_, call.median_ms);
    }
    if (first_.indices.rows() == 0)
      first_ = std::move(found);
    else if (!(found.indices == first_.indices && found.distances == first_.distances))
      recorder_.difference(
          fmt::format("{}, {}, n = {}: another answer than that of the first device", group, name, case_.rows));
  }

  void record(const std::string& group, const std::string& name, const Timed& times, double fastest_alone) {
    const Shape shape{case_.rows, case_.dimensions, static_cast<std::uint32_t>(case_.queries)};
    std::string remark;
    if (!group.starts_with("one"))
      remark = fmt::format("{} × as fast as the fastest alone", significant(fastest_alone / times.median_ms));
    recorder_.add(knn_row(group, name, metric, shape, case_.k, times, std::move(remark)));
  }

  const ShardCase& case_;
  const BenchOptions& options_;
  Recorder& recorder_;
  Matrix<float> database_, queries_;
  Neighbors first_;
  double fastest_device_ = std::numeric_limits<double>::infinity();
  double fastest_call_ = fastest_device_;
};

}  // namespace

void run_shards(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  if (options.devices.size() < 2)
    return recorder.note("One device has nobody to divide a search with; give several: --device cuda:0,cuda:1.");
  std::vector<std::unique_ptr<Device>> opened;
  std::vector<Device*> devices;
  for (const std::string& id : options.devices) {
    opened.push_back(open_checked(id));
    devices.push_back(opened.back().get());
  }
  std::vector<ShardCase> cases = {{1'000'000, 128, 10'000, 100}, {10'000'000, 96, 1'000, 100}};
  if (options.quick) cases = {{20'000, 16, 200, 10}};
  std::erase_if(cases, [&](const ShardCase& one) { return one.rows > options.largest_rows; });
  for (std::size_t done = 0; done < cases.size(); ++done) {
    bar.update(done, cases.size());
    Measurement(cases[done], options, recorder).run(devices, options.devices);
  }
  recorder.note(fmt::format(
      "Data: normal, seed {}; queries likewise. Devices are one after the other alone, then together: each "
      "with a part of the rows, and with all rows and a part of the queries. Of several devices the time is "
      "that of the slowest; a call's is the host's, with the copies and the merging. All answers are the same.",
      options.seed));
}

}  // namespace proxel::tool
