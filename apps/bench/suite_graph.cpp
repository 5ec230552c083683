// k-NN graphs (Komarov 2013): every row's k nearest among the others, and what leaving itself out costs.

#include <algorithm>

#include <fmt/format.h>

#include "bench/knn_check.hpp"
#include "bench/made_data.hpp"
#include "bench/suite.hpp"
#include "format.hpp"
#include "input.hpp"
#include "proxel/graph.hpp"

namespace proxel::tool {
namespace {

constexpr Metric metric = Metric::l2sq;
constexpr std::uint64_t checked_rows = 64;

struct GraphCase {
  std::uint64_t rows;
  std::uint32_t dimensions;
  std::uint64_t k;
};

// The graphs of some rows on one device by one method.
class Measurement {
 public:
  Measurement(Device& device, Method method, const Matrix<float>& data, const BenchOptions& options, Recorder& recorder)
      : name_(fmt::format("{}_{}", to_string(method), device.info().id)),
        data_(data),
        options_(options),
        recorder_(recorder),
        index_(device, data.view(), {.method = method}) {}

  void run(std::uint64_t k) {
    if (const Support support = index_.supports(metric, k + 1); !support)
      return recorder_.note(fmt::format("{}, k = {}: {}", name_, k, support.reason));
    // The same search with the rows themselves among what is found: what is between is what leaving them out takes.
    measure("graph_with_self", k + 1, false);
    check(measure("graph", k, true), k);
  }

 private:
  Neighbors measure(const char* group, std::uint64_t k, bool exclude_self) {
    GraphOptions with;
    with.exclude_self = exclude_self;
    if (index_.method() == Method::texel) with.rows = data_.view();  // of which it keeps textures alone
    Neighbors found;
    const Timed device = repeat(options_.patience, [&](std::uint32_t) {
      found = knn_graph(index_, k, metric, with);
      return found.report.times.compute_milliseconds;
    });
    const Timed call = repeat_on_host(options_.patience, [&] { knn_graph(index_, k, metric, with); });
    record(group, k, device, fmt::format("{} edges", with_separators(data_.rows() * std::min(k, data_.rows()))));
    record(fmt::format("{}_call", group), k, call, "whole call, host clock");
    return found;
  }

  void record(const std::string& group, std::uint64_t k, const Timed& times, std::string remark) {
    BenchRow row;
    row.group = group;
    row.name = name_;
    row.metric = to_string(metric);
    row.n = row.q = data_.rows();
    row.d = data_.columns();
    row.k = k;
    row.median_ms = times.median_ms;
    row.min_ms = times.min_ms;
    row.remark = std::move(remark);
    recorder_.add(std::move(row));
  }

  // A brute-force scan on the processor finds the row itself, which is then taken out here.
  void check(const Neighbors& found, std::uint64_t k) {
    const auto cpu = open_device("cpu");
    Index scan(*cpu, data_.view(), {.method = Method::scan});
    const std::vector<std::uint64_t> sample = spread_sample(data_.rows(), checked_rows);
    Neighbors expected{Matrix<std::uint32_t>(sample.size(), k), Matrix<float>(sample.size(), k)};
    for (std::uint64_t i = 0; i < sample.size(); ++i) {
      const Neighbors all = scan.search_rows(sample[i], 1, k + 1, metric);
      std::uint64_t slot = 0;
      for (std::uint64_t rank = 0; rank <= k && slot < k; ++rank) {
        if (all.indices(0, rank) == sample[i]) continue;
        expected.indices(i, slot) = all.indices(0, rank);
        expected.distances(i, slot++) = all.distances(0, rank);
      }
    }
    if (const auto difference = check_sample(expected, sample, found, data_.rows()))
      recorder_.difference(fmt::format("graph, {}, n = {}, k = {}: {}", name_, data_.rows(), k, *difference));
  }

  std::string name_;
  const Matrix<float>& data_;
  const BenchOptions& options_;
  Recorder& recorder_;
  Index index_;
};

void measure_everywhere(const Matrix<float>& data, const std::vector<std::uint64_t>& ks, const BenchOptions& options,
                        Recorder& recorder) {
  for (const std::string& id : options.devices)
    on_device(id, recorder, [&](Device& device) {
      // A processor takes hours over what a GPU does in milliseconds.
      constexpr std::uint64_t most_on_host = 16'384;
      if (device.capabilities().runs_on_host && data.rows() > most_on_host)
        return recorder.note(fmt::format("{}: graphs of more than {} rows are left to GPUs", id, most_on_host));
      for (const Method method : options.methods) {
        Measurement measurement(device, method, data, options, recorder);
        for (const std::uint64_t k : ks) measurement.run(k);
      }
    });
}

}  // namespace

void run_graph(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  std::vector<std::uint64_t> ks = {10, 100};
  if (!options.data.empty()) {
    const Matrix<float> rows = read_rows(options.data, {.max_rows = options.largest_rows}).rows;
    recorder.note(fmt::format("Data: {}, n = {}, d = {}.", options.data, with_separators(rows.rows()), rows.columns()));
    std::erase_if(ks, [&](std::uint64_t k) { return k >= rows.rows(); });
    return measure_everywhere(rows, ks, options, recorder);
  }
  std::vector<GraphCase> cases = {
      {8'192, 128, 0}, {65'536, 128, 0}, {100'000, 3, 16}, {1'000'000, 3, 16}, {1'000'000, 128, 32}};
  if (options.quick) cases = {{700, 16, 0}, {1'000, 3, 16}};
  std::erase_if(cases, [&](const GraphCase& one) {
    return one.rows > options.largest_rows || !chosen(options.rows, one.rows) ||
           !chosen(options.dimensions, one.dimensions);
  });
  for (std::size_t done = 0; done < cases.size(); ++done) {
    bar.update(done, cases.size());
    const GraphCase& one = cases[done];
    const Matrix<float> data = normal_matrix(one.rows, one.dimensions, options.seed);
    measure_everywhere(data, one.k == 0 ? ks : std::vector{one.k}, options, recorder);
  }
  recorder.note(
      fmt::format("Data: normal, seed {}. {} rows of each graph, spread over it, were compared with a scan on the "
                  "processor. graph_with_self is the same search for k + 1 that leaves each row in its own list.",
                  options.seed, checked_rows));
}

}  // namespace proxel::tool
