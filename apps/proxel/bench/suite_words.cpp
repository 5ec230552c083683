// Words under the Levenshtein distance: brute force, and the permutation index with its
// recall, over permutants, fraction and k (Lopresti 2013, section 6, figure 7).

#include <algorithm>
#include <map>
#include <random>

#include <fmt/format.h>

#include "bench/suite.hpp"
#include "format.hpp"
#include "proxel/permutation.hpp"
#include "text_file.hpp"

namespace proxel::tool {
namespace {

struct Words {
  Strings database, queries;  // queries: held out of the database, or given
  Strings batch;              // the queries, several times over
};

struct Sweep {
  std::vector<std::uint32_t> permutants = {64, 128};
  std::vector<double> fractions = {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3};
  std::vector<std::uint64_t> neighbors = {2, 4, 16};
};

// What an approximate answer has of the exact one, averages over all queries.
struct Recall {
  double by_identity = 0;  // the same words
  double with_ties = 0;    // words no farther than the true k-th
};

// 3 to 14 letters, common ones more often.
std::vector<std::string> made_words(std::uint64_t count, std::uint64_t seed) {
  constexpr std::string_view letters = "eeeeeettttaaaaooooiiiinnnnssshhhrrrdddllcumwfgypbvkjxqz";
  std::mt19937_64 random(seed);
  std::vector<std::string> words(count);
  for (std::string& word : words)
    for (std::uint64_t left = 3 + random() % 12; left != 0; --left)
      word.push_back(letters[random() % letters.size()]);
  return words;
}

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
  recorder.note(fmt::format("{} words{}, {} queries that {}, in batches of {}; seed {}.",
                            with_separators(words.size()), options.data.empty() ? " made at random" : "",
                            with_separators(queries.size()),
                            options.queries.empty() ? "were held out" : "came from a file",
                            with_separators(batch), options.seed));
  return made;
}

Recall recall_of(const Neighbors& exact, const Neighbors& found) {
  Recall recall;
  const std::uint64_t k = exact.indices.columns();
  for (std::uint64_t query = 0; query < exact.indices.rows(); ++query) {
    const float farthest = exact.distances(query, k - 1);
    for (std::uint64_t rank = 0; rank < k; ++rank) {
      const std::uint32_t* same = exact.indices.data() + query * k;
      recall.by_identity += std::count(same, same + k, found.indices(query, rank)) != 0 ? 1 : 0;
      recall.with_ties += found.distances(query, rank) <= farthest ? 1 : 0;
    }
  }
  const auto all = static_cast<double>(exact.indices.rows() * k);
  return {recall.by_identity / all, recall.with_ties / all};
}

bool same_answer(const Neighbors& a, const Neighbors& b) {
  const std::uint64_t slots = a.indices.rows() * a.indices.columns();
  return std::equal(a.indices.data(), a.indices.data() + slots, b.indices.data()) &&
         std::equal(a.distances.data(), a.distances.data() + slots, b.distances.data());
}

class Measurement {
 public:
  Measurement(const Words& words, const Sweep& sweep, const BenchOptions& options, Recorder& recorder,
              std::map<std::string, Neighbors>& answers)
      : words_(words), sweep_(sweep), options_(options), recorder_(recorder), answers_(answers) {}

  void run(Device& device) {
    id_ = device.info().id;
    StringIndex exact(device, words_.database);
    for (const std::uint64_t k : sweep_.neighbors) {
      const double ms = time([&] { exact.search(words_.batch, k); return exact.times().compute_milliseconds; },
                             "exact", 0, k, "");
      exact_[k] = exact.search(words_.queries, k);
      compare(fmt::format("exact, k = {}", k), exact_[k]);
      recorder_.plot(speed_chart(k), fmt::format("exact, {}", id_), 1, rate(ms));
    }
    for (const std::uint32_t permutants : sweep_.permutants) {
      PermutationIndex index(device, words_.database, {.permutants = permutants, .seed = options_.seed});
      BenchRow build;
      build.group = "words_build";
      build.name = fmt::format("permutation_{}_{}", permutants, id_);
      build.metric = "levenshtein";
      build.n = index.size();
      build.d = permutants;
      build.median_ms = build.min_ms = index.build_milliseconds();
      build.remark = "whole build with upload, host clock, once; d: permutants";
      recorder_.add(build);
      if (!same_answer(index.search(words_.queries, 4, 1), exact.search(words_.queries, 4)))
        recorder_.difference(fmt::format("{}: the whole fraction gives another answer than brute force", id_));
      for (const double fraction : sweep_.fractions)
        for (const std::uint64_t k : sweep_.neighbors) measure(index, permutants, fraction, k);
    }
  }

 private:
  static LineChart speed_chart(std::uint64_t k) {
    return {.title = fmt::format("Queries per second over recall with ties, k = {}", k),
            .x_label = "recall", .y_label = "queries per second", .log_y = true};
  }
  static LineChart recall_chart(std::uint64_t k) {
    return {.title = fmt::format("Recall by identity over the fraction, k = {}", k),
            .x_label = "fraction compared", .y_label = "recall", .log_x = true};
  }
  double rate(double ms) const { return static_cast<double>(words_.batch.size()) / ms * 1000; }

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

  void measure(PermutationIndex& index, std::uint32_t permutants, double fraction, std::uint64_t k) {
    const Neighbors found = index.search(words_.queries, k, fraction);
    const Recall recall = recall_of(exact_.at(k), found);
    const std::string name = fmt::format("permutation_{}_f_{}", permutants, fraction);
    compare(fmt::format("{}, k = {}", name, k), found);
    const double ms = time(
        [&] {
          index.search(words_.batch, k, fraction);
          return index.times().compute_milliseconds;
        },
        name, permutants, k,
        fmt::format("recall {:.3f} by identity, {:.3f} with ties", recall.by_identity, recall.with_ties));
    const std::string series = fmt::format("{} permutants, {}", permutants, id_);
    recorder_.plot(recall_chart(k), series, fraction, recall.by_identity);
    recorder_.plot(speed_chart(k), series, recall.with_ties, rate(ms));
  }

  // Every device gives the answer of the first, approximate ones too.
  void compare(const std::string& what, const Neighbors& found) {
    const auto [first, is_first] = answers_.try_emplace(what, found);
    if (!is_first && !same_answer(first->second, found))
      recorder_.difference(fmt::format("{} on {}: another answer than on the first device", what, id_));
  }

  const Words& words_;
  const Sweep& sweep_;
  const BenchOptions& options_;
  Recorder& recorder_;
  std::map<std::string, Neighbors>& answers_;
  std::map<std::uint64_t, Neighbors> exact_;
  std::string id_;
};

}  // namespace

void run_words(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  Sweep sweep;
  if (options.quick) sweep = {{16}, {0.05, 0.2}, {2, 4}};
  const Words words = make_words(options, options.quick ? 150 : 10'000, recorder);
  Words few = words;
  few.batch = Strings();
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(words.batch.size(), 500); ++i)
    few.batch.add(words.batch.text(i));
  std::map<std::string, Neighbors> answers;
  std::uint64_t done = 0;
  for (const std::string& id : options.devices) {
    bar.update(done++, options.devices.size());
    on_device(id, recorder, [&](Device& device) {
      // A processor takes minutes over what a GPU does in milliseconds.
      const bool on_host = device.capabilities().runs_on_host;
      Measurement(on_host ? few : words, sweep, options, recorder, answers).run(device);
    });
  }
  recorder.note("d: permutants, 0 for brute force. Recall by identity counts the same words, with ties "
                "every word no farther than the true k-th; device time of a whole batch.");
}

}  // namespace proxel::tool
