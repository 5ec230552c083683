// Feature signatures under the signature quadratic form distance, a collection of the size of
// Krulis 2011, section 5: all distances of one query and of a hundred, screened and canonical,
// 10 nearest neighbours, and the same through permutation indexes.

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "bench/given_signatures.hpp"
#include "bench/made_views.hpp"
#include "bench/signature_permutations.hpp"
#include "bench/suite.hpp"
#include "format.hpp"
#include "proxel/signature_index.hpp"
#include "recall.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint64_t neighbors = 10;

Signatures first_of(const Signatures& all, std::uint64_t count) {
  Signatures taken(all.dimensions());
  for (std::uint64_t i = 0; i < count; ++i) taken.add(all.centroids(i), all.weights(i));
  return taken;
}

// Views of the same things as the database's, which is not among them.
SignatureData make_collection(const BenchOptions& options, Recorder& recorder) {
  const std::uint64_t size = std::min<std::uint64_t>(options.quick ? 600 : 72'000, options.largest_rows);
  const std::uint64_t held_out = options.quick ? 4 : 100;
  const Signatures all = made_views(size + held_out, options.seed);
  SignatureData made{Signatures(view_dimensions), Signatures(view_dimensions)};
  for (std::uint64_t i = 0; i < all.size(); ++i)
    (i < size ? made.database : made.queries).add(all.centroids(i), all.weights(i));
  recorder.note(fmt::format(
      "{} signatures made at random, {} to {} centroids, {:.1f} on the average, of {} dimensions; seed {}.",
      with_separators(size), 8, made.database.longest(),
      static_cast<double>(made.database.offsets().back()) / static_cast<double>(size), view_dimensions, options.seed));
  return made;
}

double time_of(const SearchTimes& times, const std::string& pass) {
  return std::accumulate(times.passes.begin(), times.passes.end(), 0.0, [&](double sum, const PassTime& one) {
    return one.name == pass ? sum + one.milliseconds : sum;
  });
}

class Measurement {
 public:
  Measurement(const SignatureData& collection, const BenchOptions& options, Recorder& recorder,
              std::map<std::string, Neighbors>& answers)
      : collection_(collection), options_(options), recorder_(recorder), answers_(answers) {}

  void run(Device& device) {
    id_ = device.info().id;
    const bool on_host = device.capabilities().runs_on_host;
    for (const float alpha : {3.0f, 0.2f, 0.01f}) {
      alpha_ = alpha;
      SignatureIndex index = make(device, SignatureMethod::screened, Timing::whole);
      SignatureIndex passes = make(device, SignatureMethod::screened, Timing::passes);
      build(index);
      // A processor takes seconds over what a GPU does in milliseconds.
      for (const std::uint64_t queries : {std::uint64_t{1}, on_host ? std::uint64_t{4} : collection_.queries.size()}) {
        asked_ = first_of(collection_.queries, std::min(queries, collection_.queries.size()));
        measure("distances_screened", 0, "",
                [&] { return time_of(passes.search(asked_, neighbors).report.times, "signature_screen"); });
        measure("distances_canonical", 0, "",
                [&] { return index.distances(asked_).report.times.compute_milliseconds; });
        const Neighbors found = index.search(asked_, neighbors);
        compare(fmt::format("alpha {}, {} queries", alpha_, found.indices.rows()), found);
        const double share = static_cast<double>(found.report.evaluated) / static_cast<double>(asked_.size());
        const SearchTimes times = passes.search(asked_, neighbors).report.times;
        const std::string parts = fmt::format(
            ", {:.1f} canonical distances per query; in ms {} of them, {} of screening", share,
            significant(time_of(times, "signature_distance")), significant(time_of(times, "signature_screen")));
        measure("nearest", neighbors, parts,
                [&] { return index.search(asked_, neighbors).report.times.compute_milliseconds; });
        measure("nearest_with_host", neighbors, ", host clock, with upload and read-back",
                [&] { return index.search(asked_, neighbors).report.times.total_milliseconds; });
      }
      const Neighbors found = index.search(asked_, neighbors);
      measure_signature_permutations(device, {collection_.database, asked_, alpha_, found}, options_, recorder_,
                                     [&](const std::string& what, const Neighbors& approximate) {
        compare(fmt::format("{}, {} queries", what, approximate.indices.rows()), approximate);
      });
    }
  }

 private:
  SignatureIndex make(Device& device, SignatureMethod method, Timing timing) const {
    SignatureIndexOptions options;
    options.similarity.alpha = alpha_;
    options.method = method;
    options.timing = timing;
    return {device, collection_.database, options};
  }

  void build(const SignatureIndex& index) {
    BenchRow row;
    row.group = "signatures_build";
    row.name = fmt::format("alpha_{}_{}", alpha_, id_);
    row.metric = "sqfd";
    row.n = index.size();
    row.d = collection_.database.dimensions();
    row.median_ms = row.min_ms = index.build_milliseconds();
    row.remark = "packing, upload and self terms, host clock, once";
    recorder_.add(row);
  }

  template <typename Once>
  void measure(const std::string& what, std::uint64_t k, const std::string& remark, const Once& once) {
    const Timed times = repeat(options_.patience, [&](std::uint32_t) { return once(); });
    BenchRow row;
    row.group = "signatures";
    row.name = fmt::format("{}_alpha_{}_{}", what, alpha_, id_);
    row.metric = "sqfd";
    row.n = collection_.database.size();
    row.q = asked_.size();
    row.d = collection_.database.dimensions();
    row.k = k;
    row.median_ms = times.median_ms;
    row.min_ms = times.min_ms;
    const double pairs = static_cast<double>(row.n) * static_cast<double>(row.q);
    row.remark = fmt::format("{} ns per pair{}", significant(times.median_ms * 1e6 / pairs), remark);
    recorder_.add(row);
  }

  // Every device gives the answer of the first.
  void compare(const std::string& what, const Neighbors& found) {
    const auto [first, is_first] = answers_.try_emplace(what, found);
    if (!is_first && !same_answer(first->second, found))
      recorder_.difference(fmt::format("{} on {}: another answer than on the first device", what, id_));
  }

  const SignatureData& collection_;
  const BenchOptions& options_;
  Recorder& recorder_;
  std::map<std::string, Neighbors>& answers_;
  Signatures asked_{view_dimensions};
  std::string id_;
  float alpha_ = 0;
};

}  // namespace

void run_signatures(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const SignatureData collection = options.data.empty()
                                       ? make_collection(options, recorder)
                                       : read_given_signatures(options, options.quick ? 4 : 100, recorder);
  std::map<std::string, Neighbors> answers;
  std::uint64_t done = 0;
  for (const std::string& id : options.devices) {
    bar.update(done++, options.devices.size());
    on_device(id, recorder, [&](Device& device) { Measurement(collection, options, recorder, answers).run(device); });
  }
  recorder.note(
      "Device time, but for what says host clock. distances_screened: plain binary32, as a search uses them; "
      "distances_canonical: float-float, as they are returned; nearest: screened, and canonical where "
      "that does not exclude them. signature_permutation: SignaturePermutationIndex of so many permutants "
      "that looks at a fraction f, for the larger number of queries.");
}

}  // namespace proxel::tool
