// Vectors, documents if no others are given: brute force, and the permutation index with its
// recall, over permutants, prefixes of their order, fractions and k (Lopresti 2013, section 6).

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "bench/made_documents.hpp"
#include "bench/suite.hpp"
#include "format.hpp"
#include "input.hpp"
#include "proxel/vector_permutation.hpp"
#include "recall.hpp"

namespace proxel::tool {
namespace {

struct Vectors {
  Matrix<float> database, queries;  // queries: held out of the database, or given
  Matrix<float> batch;              // the queries, several times over
  Metric metric;
};

struct Sweep {
  std::vector<std::uint32_t> permutants = {32, 64, 128};
  std::vector<std::uint32_t> prefixes = {0, 16};
  std::vector<double> fractions = {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2};
  std::vector<std::uint64_t> neighbors = {1, 10, 100};
};

Matrix<float> rows_at(const Matrix<float>& matrix, const std::vector<std::uint64_t>& places) {
  Matrix<float> rows(places.size(), matrix.columns());
  for (std::size_t i = 0; i < places.size(); ++i)
    std::copy_n(matrix.data() + places[i] * matrix.columns(), matrix.columns(), rows.data() + i * matrix.columns());
  return rows;
}

Matrix<float> repeated(const Matrix<float>& rows, std::uint64_t count) {
  std::vector<std::uint64_t> places(count);
  for (std::uint64_t i = 0; i < count; ++i) places[i] = i % rows.rows();
  return rows_at(rows, places);
}

Vectors make_vectors(const BenchOptions& options, std::uint64_t batch, Recorder& recorder) {
  constexpr std::uint32_t terms = 256;
  const std::uint64_t made = std::min<std::uint64_t>(options.quick ? 1'500 : 101'000, options.largest_rows);
  Matrix<float> all = options.data.empty() ? made_documents(made, terms, options.seed)
                                           : read_rows(options.data, {.max_rows = options.largest_rows}).rows;
  Vectors vectors;
  vectors.metric = options.metric;
  if (!options.queries.empty()) {
    vectors.queries = read_rows(options.queries, {.max_rows = 1'000}).rows;
    vectors.database = std::move(all);
  } else {
    std::vector<std::uint64_t> order(all.rows());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937_64(options.seed));
    const auto held_out = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(1'000, all.rows() / 10));
    vectors.queries = rows_at(all, {order.end() - held_out, order.end()});
    vectors.database = rows_at(all, {order.begin(), order.end() - held_out});
  }
  if (vectors.database.rows() == 0 || vectors.queries.rows() == 0)
    throw Error(ErrorCode::invalid_argument, options.data, "has too few rows: 10 at least are needed");
  vectors.batch = repeated(vectors.queries, batch);
  recorder.note(fmt::format("{} x {} {}, {}, {} queries that {}, in batches of {}; seed {}.",
                            with_separators(vectors.database.rows()), vectors.database.columns(),
                            options.data.empty() ? "made documents (term frequencies)" : "values of " + options.data,
                            to_string(options.metric), with_separators(vectors.queries.rows()),
                            options.queries.empty() ? "were held out" : "came from a file", with_separators(batch),
                            options.seed));
  return vectors;
}

class Measurement {
 public:
  Measurement(const Vectors& vectors, const Matrix<float>& batch, const Sweep& sweep, const BenchOptions& options,
              Recorder& recorder, std::map<std::string, Neighbors>& answers)
      : vectors_(vectors), batch_(batch), sweep_(sweep), options_(options), recorder_(recorder), answers_(answers) {}

  void run(Device& device) {
    id_ = device.info().id;
    Index exact(device, vectors_.database.view());
    for (const std::uint64_t k : sweep_.neighbors) {
      const double ms = time(
          [&] { return exact.search(batch_.view(), k, vectors_.metric).report.times.compute_milliseconds; }, "exact", 0,
          k, std::string(to_string(exact.method(vectors_.metric, k, static_cast<std::uint32_t>(batch_.rows())))));
      exact_[k] = exact.search(vectors_.queries.view(), k, vectors_.metric);
      compare(fmt::format("exact, k = {}", k), exact_[k]);
      recorder_.plot(speed_chart(k), fmt::format("exact, {}", id_), 1, rate(ms));
    }
    for (const std::uint32_t permutants : sweep_.permutants)
      for (const std::uint32_t prefix : sweep_.prefixes)
        if (prefix < permutants) measure(device, permutants, prefix);
  }

 private:
  static LineChart speed_chart(std::uint64_t k) {
    return {.title = fmt::format("Queries per second over recall with ties, k = {}", k),
            .x_label = "recall",
            .y_label = "queries per second",
            .log_y = true};
  }
  static LineChart recall_chart(std::uint64_t k) {
    return {.title = fmt::format("Recall by identity over the fraction, k = {}", k),
            .x_label = "fraction compared",
            .y_label = "recall",
            .log_x = true};
  }
  double rate(double ms) const { return static_cast<double>(batch_.rows()) / ms * 1000; }

  BenchRow row(const char* group, const std::string& name) const {
    BenchRow row;
    row.group = group;
    row.name = fmt::format("{}_{}", name, id_);
    row.metric = to_string(vectors_.metric);
    row.n = vectors_.database.rows();
    return row;
  }

  template <typename Once>
  double time(const Once& once, const std::string& name, std::uint64_t permutants, std::uint64_t k,
              const std::string& remark) {
    const Timed times = repeat(options_.patience, [&](std::uint32_t) { return once(); });
    BenchRow measured = row("permutation", name);
    measured.q = batch_.rows();
    measured.d = permutants;
    measured.k = k;
    measured.median_ms = times.median_ms;
    measured.min_ms = times.min_ms;
    measured.remark =
        fmt::format("{} queries/s; {}", with_separators(static_cast<std::uint64_t>(rate(times.median_ms))), remark);
    recorder_.add(measured);
    return times.median_ms;
  }

  void measure(Device& device, std::uint32_t permutants, std::uint32_t prefix) {
    VectorPermutationIndex index(device, vectors_.database.view(), vectors_.metric,
                                 {.permutants = permutants, .seed = options_.seed, .prefix = prefix});
    const std::string name =
        fmt::format("permutation_{}{}", permutants, prefix == 0 ? "" : fmt::format("_prefix_{}", prefix));
    BenchRow build = row("permutation_build", name);
    build.d = permutants;
    build.median_ms = build.min_ms = index.build_milliseconds();
    build.remark = "whole build with upload, host clock, once; d: permutants";
    recorder_.add(build);
    const std::uint64_t k = sweep_.neighbors.front();
    if (!same_answer(index.search(vectors_.queries.view(), k, 1), exact_.at(k)))
      recorder_.difference(fmt::format("{}: the whole fraction gives another answer than brute force", id_));
    for (const double fraction : sweep_.fractions)
      for (const std::uint64_t wanted : sweep_.neighbors) measure(index, name, fraction, wanted);
  }

  void measure(VectorPermutationIndex& index, const std::string& of, double fraction, std::uint64_t k) {
    const Neighbors found = index.search(vectors_.queries.view(), k, fraction);
    const Recall recall = recall_of(exact_.at(k), found, largest_first(vectors_.metric));
    const std::string name = fmt::format("{}_f_{}", of, fraction);
    compare(fmt::format("{}, k = {}", name, k), found);
    const double ms =
        time([&] { return index.search(batch_.view(), k, fraction).report.times.compute_milliseconds; }, name,
             index.permutants().size(), k,
             fmt::format("recall {:.3f} by identity, {:.3f} with ties", recall.by_identity, recall.with_ties));
    const std::string series = fmt::format("{}, {}", of, id_);
    recorder_.plot(recall_chart(k), series, fraction, recall.by_identity);
    recorder_.plot(speed_chart(k), series, recall.with_ties, rate(ms));
  }

  // Every device gives the answer of the first, approximate ones too.
  void compare(const std::string& what, const Neighbors& found) {
    const auto [first, is_first] = answers_.try_emplace(what, found);
    if (!is_first && !same_answer(first->second, found))
      recorder_.difference(fmt::format("{} on {}: another answer than on the first device", what, id_));
  }

  const Vectors& vectors_;
  const Matrix<float>& batch_;
  const Sweep& sweep_;
  const BenchOptions& options_;
  Recorder& recorder_;
  std::map<std::string, Neighbors>& answers_;
  std::map<std::uint64_t, Neighbors> exact_;
  std::string id_;
};

}  // namespace

void run_permutation(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  Sweep sweep;
  if (options.quick) sweep = {{16}, {0, 6}, {0.05, 0.2}, {2, 4}};
  // A processor takes minutes over what a GPU does in milliseconds.
  Sweep on_processor = sweep;
  if (!options.quick) on_processor = {.permutants = {64}, .neighbors = {10}};
  const Vectors vectors = make_vectors(options, options.quick ? 150 : 10'000, recorder);
  const Matrix<float> few = repeated(vectors.queries, std::min<std::uint64_t>(vectors.batch.rows(), 500));
  std::map<std::string, Neighbors> answers;
  std::uint64_t done = 0;
  for (const std::string& id : options.devices) {
    bar.update(done++, options.devices.size());
    on_device(id, recorder, [&](Device& device) {
      const bool on_host = device.capabilities().runs_on_host;
      Measurement(vectors, on_host ? few : vectors.batch, on_host ? on_processor : sweep, options, recorder, answers)
          .run(device);
    });
  }
  recorder.note(
      "d: permutants, 0 for brute force. Recall by identity counts the same rows, with ties "
      "every row no farther than the true k-th; device time of a whole batch.");
}

}  // namespace proxel::tool
