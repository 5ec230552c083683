// Words under the Levenshtein distance: brute force, and the permutation index with its
// recall, over permutants, their prefixes, fraction, k and radius (Lopresti 2013, section 6,
// figure 7, tables 1 and 2).

#include <algorithm>
#include <map>
#include <random>

#include <fmt/format.h>

#include "bench/suite.hpp"
#include "format.hpp"
#include "input_lines.hpp"
#include "made_words.hpp"
#include "proxel/permutation.hpp"
#include "recall.hpp"

namespace proxel::tool {
namespace {

struct Words {
  Strings database, queries;  // queries: held out of the database, or given
  Strings batch;              // the queries, several times over
};

struct Sweep {
  std::vector<std::uint32_t> permutants = {64, 128};
  std::vector<double> fractions = {0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3};
  std::vector<std::uint64_t> neighbors = {2, 4, 16};
  std::vector<float> radii = {1, 2, 3};
  std::vector<std::uint32_t> prefixes = {4, 8, 16, 32};  // of each number of permutants
  std::vector<double> prefix_fractions = {0.0025, 0.01, 0.1};
  std::uint64_t prefix_neighbors = 4;
  // Lopresti 2013, tables 1 and 2: queries per second of f = 10 %, k = 2 and r = 1.
  std::vector<std::uint32_t> table_permutants = {5, 16, 32, 64, 80, 100, 128};
  std::vector<double> recalls = {0.9, 0.95, 0.99};  // for which fractions are chosen
};

Words make_words(const BenchOptions& options, std::uint64_t batch, Recorder& recorder) {
  std::vector<std::string> words =
      options.data.empty() ? made_words(options.quick ? 1'500 : 84'000, options.seed) : read_lines(options.data);
  std::vector<std::string> queries;
  // Each once, so that no word that is held out stays behind.
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::shuffle(words.begin(), words.end(), std::mt19937_64(options.seed));
  if (!options.queries.empty()) {
    queries = read_lines(options.queries);
  } else {
    const std::size_t held_out = std::min<std::size_t>(1'000, words.size() / 10);
    queries.assign(words.end() - static_cast<std::ptrdiff_t>(held_out), words.end());
    words.resize(words.size() - held_out);
  }
  words.resize(std::min<std::size_t>(words.size(), options.largest_rows));
  if (words.empty() || queries.empty())
    throw Error(ErrorCode::invalid_argument, options.data, "has too few words: 10 at least are needed");
  Words made;
  for (const std::string& word : words) made.database.add(word);
  for (const std::string& word : queries) made.queries.add(word);
  for (std::uint64_t i = 0; i < batch; ++i) made.batch.add(queries[i % queries.size()]);
  recorder.note(fmt::format("{} words{}, {} queries that {}, in batches of {}; seed {}.", with_separators(words.size()),
                            options.data.empty() ? " made at random" : "", with_separators(queries.size()),
                            options.queries.empty() ? "were held out" : "came from a file", with_separators(batch),
                            options.seed));
  return made;
}

// Answers of the first device, by what was asked.
struct Answers {
  std::map<std::string, Neighbors> nearest;
  std::map<std::string, RangeNeighbors> within;
};

class Measurement {
 public:
  Measurement(const Words& words, const Sweep& sweep, const BenchOptions& options, Recorder& recorder, Answers& answers)
      : words_(words), sweep_(sweep), options_(options), recorder_(recorder), answers_(answers) {}

  void run(Device& device) {
    id_ = device.info().id;
    StringIndex exact(device, words_.database);
    measure_exact(exact);
    for (const std::uint32_t permutants : sweep_.permutants) {
      PermutationIndex index = build(device, permutants, 0);
      if (!same_answer(index.search(words_.queries, 4, 1), exact.search(words_.queries, 4)))
        recorder_.difference(fmt::format("{}: the whole fraction gives another answer than brute force", id_));
      const std::string name = fmt::format("permutation_{}", permutants);
      for (const double fraction : sweep_.fractions) {
        for (const std::uint64_t k : sweep_.neighbors) nearest(index, name, permutants, fraction, k);
        for (const float radius : sweep_.radii) within(index, name, permutants, fraction, radius);
      }
      for (const double recall : sweep_.recalls) choose(index, name, permutants, recall);
      for (const std::uint32_t prefix : sweep_.prefixes) {
        if (prefix >= permutants) continue;
        PermutationIndex short_index = build(device, permutants, prefix);
        for (const double fraction : sweep_.prefix_fractions)
          nearest(short_index, fmt::format("{}_prefix_{}", name, prefix), permutants, fraction,
                  sweep_.prefix_neighbors);
      }
    }
    for (const std::uint32_t permutants : sweep_.table_permutants) {
      PermutationIndex index(
          device, words_.database,
          {.permutants = permutants, .seed = options_.seed, .selection = SelectionMethod::quick_sort});
      const std::string name = fmt::format("paper_{}", permutants);
      nearest(index, name, permutants, 0.1, 2);
      within(index, name, permutants, 0.1, 1);
    }
  }

 private:
  static LineChart speed_chart(std::uint64_t k) {
    return {.title = fmt::format("Queries per second over recall with ties, k = {}", k),
            .x_label = "recall",
            .y_label = "queries per second",
            .log_y = true};
  }
  static LineChart recall_chart(const std::string& what) {
    return {.title = fmt::format("Recall by identity over the fraction, {}", what),
            .x_label = "fraction compared",
            .y_label = "recall",
            .log_x = true};
  }
  double rate(double ms) const { return static_cast<double>(words_.batch.size()) / ms * 1000; }

  PermutationIndex build(Device& device, std::uint32_t permutants, std::uint32_t prefix) {
    PermutationIndex index(device, words_.database,
                           {.permutants = permutants, .seed = options_.seed, .prefix = prefix});
    if (prefix != 0) return index;
    const Timed times = repeat(options_.patience, [&](std::uint32_t) {
      PermutationIndex again(device, words_.database, {.permutants = permutants, .seed = options_.seed});
      return again.build_milliseconds();
    });
    BenchRow row;
    row.group = "words_build";
    row.name = fmt::format("permutation_{}_{}", permutants, id_);
    row.metric = "levenshtein";
    row.n = index.size();
    row.d = permutants;
    row.median_ms = times.median_ms;
    row.min_ms = times.min_ms;
    row.remark = fmt::format("whole build with upload, host clock; {} ms of it on the device; d: permutants",
                             significant(index.build_compute_milliseconds()));
    recorder_.add(row);
    return index;
  }

  void measure_exact(StringIndex& exact) {
    for (const std::uint64_t k : sweep_.neighbors) {
      const double ms =
          time([&] { return exact.search(words_.batch, k).report.times.compute_milliseconds; }, "exact", 0, k, "");
      exact_[k] = exact.search(words_.queries, k);
      compare(fmt::format("exact, k = {}", k), exact_[k], answers_.nearest);
      recorder_.plot(speed_chart(k), fmt::format("exact, {}", id_), 1, rate(ms));
    }
    for (const float radius : sweep_.radii) {
      exact_within_[radius] = exact.range_search(words_.queries, radius);
      time([&] { return exact.range_search(words_.batch, radius).report.times.compute_milliseconds; },
           fmt::format("exact_within_{}", radius), 0, 0,
           fmt::format("{:.2f} words per query", static_cast<double>(exact_within_[radius].indices.size()) /
                                                     static_cast<double>(words_.queries.size())));
      compare(fmt::format("exact, radius {}", radius), exact_within_[radius], answers_.within);
    }
  }

  template <typename Once>
  double time(const Once& once, const std::string& name, std::uint64_t permutants, std::uint64_t k,
              const std::string& remark) {
    const Timed times = repeat(options_.patience, [&](std::uint32_t) { return once(); });
    BenchRow row;
    row.group = "words";
    row.name = fmt::format("{}_{}", name, id_);
    row.metric = "levenshtein";
    row.n = words_.database.size();
    row.q = words_.batch.size();
    row.d = permutants;
    row.k = k;
    row.median_ms = times.median_ms;
    row.min_ms = times.min_ms;
    row.remark = fmt::format("{} queries/s{}{}", with_separators(static_cast<std::uint64_t>(rate(times.median_ms))),
                             remark.empty() ? "" : "; ", remark);
    recorder_.add(row);
    return times.median_ms;
  }

  void nearest(PermutationIndex& index, const std::string& of, std::uint32_t permutants, double fraction,
               std::uint64_t k) {
    const Neighbors found = index.search(words_.queries, k, fraction);
    const Recall recall = recall_of(exact_.at(k), found);
    const std::string name = fmt::format("{}_f_{}", of, fraction);
    compare(fmt::format("{}, k = {}", name, k), found, answers_.nearest);
    const double ms = time(
        [&] { return index.search(words_.batch, k, fraction).report.times.compute_milliseconds; }, name, permutants, k,
        fmt::format("recall {:.3f} by identity, {:.3f} with ties", recall.by_identity, recall.with_ties));
    const std::string series = fmt::format("{}, {}", of, id_);
    if (of.starts_with("paper")) return;
    recorder_.plot(recall_chart(fmt::format("k = {}", k)), series, fraction, recall.by_identity);
    recorder_.plot(speed_chart(k), series, recall.with_ties, rate(ms));
  }

  void within(PermutationIndex& index, const std::string& of, std::uint32_t permutants, double fraction, float radius) {
    const RangeNeighbors found = index.range_search(words_.queries, radius, fraction);
    const double recall = recall_of(exact_within_.at(radius), found);
    const std::string name = fmt::format("{}_within_{}_f_{}", of, radius, fraction);
    compare(name, found, answers_.within);
    time([&] { return index.range_search(words_.batch, radius, fraction).report.times.compute_milliseconds; }, name,
         permutants, 0, fmt::format("recall {:.3f}", recall));
    if (!of.starts_with("paper"))
      recorder_.plot(recall_chart(fmt::format("radius {}", radius)), fmt::format("{}, {}", of, id_), fraction, recall);
  }

  // The fraction for a recall, chosen on one half of the queries and tried on the other.
  void choose(PermutationIndex& index, const std::string& of, std::uint32_t permutants, double recall) {
    constexpr std::uint64_t k = 4;
    Strings sample, others;
    for (std::uint64_t i = 0; i < words_.queries.size(); ++i)
      (i % 2 == 0 ? sample : others).add(words_.queries.text(i));
    const FractionChoice choice = index.choose_fraction(recall, k, sample);
    const Recall reached = recall_of(index.search(others, k, 1), index.search(others, k, choice.fraction));
    time([&] { return index.search(words_.batch, k, choice.fraction).report.times.compute_milliseconds; },
         fmt::format("{}_recall_{}", of, recall), permutants, k,
         fmt::format("fraction {:.5f} was chosen: {:.3f} with ties on the sample, {:.3f} on other queries",
                     choice.fraction, choice.recall, reached.with_ties));
  }

  // Every device gives the answer of the first, approximate ones too.
  template <typename Answer>
  void compare(const std::string& what, const Answer& found, std::map<std::string, Answer>& answers) {
    const auto [first, is_first] = answers.try_emplace(what, found);
    if (!is_first && !same_answer(first->second, found))
      recorder_.difference(fmt::format("{} on {}: another answer than on the first device", what, id_));
  }

  const Words& words_;
  const Sweep& sweep_;
  const BenchOptions& options_;
  Recorder& recorder_;
  Answers& answers_;
  std::map<std::uint64_t, Neighbors> exact_;
  std::map<float, RangeNeighbors> exact_within_;
  std::string id_;
};

}  // namespace

void run_words(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  Sweep sweep;
  if (options.quick) sweep = {{16}, {0.05, 0.2}, {2, 4}, {1}, {4}, {0.2}, 4, {5}, {0.9}};
  const Words words = make_words(options, options.quick ? 150 : 10'000, recorder);
  Words few = words;
  few.batch = Strings();
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(words.batch.size(), 500); ++i)
    few.batch.add(words.batch.text(i));
  Answers answers;
  std::uint64_t done = 0;
  for (const std::string& id : options.devices) {
    bar.update(done++, options.devices.size());
    on_device(id, recorder, [&](Device& device) {
      // A processor takes minutes over what a GPU does in milliseconds.
      const bool on_host = device.capabilities().runs_on_host;
      Measurement(on_host ? few : words, sweep, options, recorder, answers).run(device);
    });
  }
  recorder.note(
      "paper_m: sorted by GPU-Qsort as in Lopresti 2013, section 4.2, whose tables 1 and 2 have about 29,000 "
      "range and 19,000 k-NN queries a second on a GeForce GTX 550 Ti.");
  recorder.note(
      "d: permutants, 0 for brute force. Recall by identity counts the same words (of k neighbours it "
      "is the precision too), with ties every word no farther than the true k-th; what is within a "
      "radius is never wrong, so that precision is 1. Device time of a whole batch.");
}

}  // namespace proxel::tool
