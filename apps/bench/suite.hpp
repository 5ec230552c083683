#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/recorder.hpp"
#include "bench/timing.hpp"
#include "progress_bar.hpp"
#include "proxel/index.hpp"

namespace proxel::tool {

struct BenchOptions {
  std::vector<std::string> devices;  ///< ids, in full
  bool quick = false;                ///< small sizes, few repeats
  std::uint64_t largest_rows = 7'500'000;
  std::uint64_t seed = 2006;
  // The k-NN suites alone look at these:
  std::vector<Method> methods = {Method::automatic};
  std::vector<std::uint64_t> rows, dimensions;  ///< only these; empty: all
  double float_rate = 0, matrix_rate = 0;       ///< see Rates; 0: not given
  std::string data;                             ///< see --data in main.cpp; empty: made by seed
  std::string queries;                          ///< of words and permutation; empty: held out of the data
  Metric metric = Metric::cosine;               ///< of permutation
  // The suite cliffs alone looks at these:
  std::vector<std::string> only;          ///< points, see cliffs/point.hpp; empty: walks
  std::vector<std::string> walks;         ///< of cliffs; empty: all
  std::uint64_t random_points = 0;        ///< of cliffs, instead of walks; 0: none
  double time = 0;                        ///< seconds for all walks; 0: the suite's own
  std::optional<double> slack_us;         ///< see cliffs::Tolerance; microseconds
  std::uint32_t reductions_per_pass = 1;  ///< of bustos, see BustosOptions
  bool distances_only = false;            ///< garcia-direct is timed returning distances alone too, see GarciaOptions
  Patience patience;
};

/// The sizes and times of one shape of data.
struct Shape {
  std::uint64_t rows = 0;
  std::uint32_t dimensions = 0;
  std::uint32_t queries = 1;

  std::uint64_t bytes() const { return rows * dimensions * 4; }
};

/// Whether --rows, --dimensions or their like want a value: all where nothing is said.
inline bool chosen(const std::vector<std::uint64_t>& wanted, std::uint64_t value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

/// Bustos 2006, figures 3 and 4: time over dimensions, over t, over rows.
void run_bustos(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// One l1 query against the read bandwidth, and a batch of 1,000.
void run_scan(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// A recorded query from submit to result, against an empty submission.
void run_latency(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// Whole calls, of as many queries as the call before and of one more or fewer.
void run_calls(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// Searches that their caller records: with queries that the device counts, and within a radius.
void run_recorded(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// The k smallest of each row of a matrix, by every method (Komarov 2013, figures 4 to 8).
void run_select(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// Sorting whole rows by GPU-Qsort (Lopresti 2013, section 4.2), by selection, by CUB.
void run_sort(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// Garcia 2010, table 1: n points against n queries, k = 20.
void run_garcia(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// k-NN at the sizes that people search.
void run_practical(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// k-NN graphs (Komarov 2013): all rows' nearest among the others.
void run_graph(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// Steps of the layout of a k-NN graph.
void run_layout(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// One search by several devices together.
void run_shards(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// Rows that pass through the device in blocks, beside rows that stay on it and the rate of the link.
void run_streaming(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// The same by ones around the sizes at which its blocks or its copies change.
void run_parts(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// Rows stored in narrower types, beside the same rows as float32.
void run_narrow(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// As many rows of a byte a value as a device holds.
void run_bytes(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// Garcia 2010, section 3.2: SIFT matching, with libraries for processors beside.
void run_sift(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// proxel's cpu device beside libraries for processors, one thread each.
void run_cpu_knn(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// What a filter of each query's own costs fused.
void run_filters(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);
/// What filters cost a search, and rows that are added, removed and taken out.
void run_updates(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// The chosen method beside all others, and steps of one around every limit in the code.
void run_cliffs(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// Nearest words by brute force and through permutation indexes, with their recall.
void run_words(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// Nearest vectors by brute force and through permutation indexes, with their recall.
void run_permutation(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// Krulis 2011, figures 2 and 3: signatures scanned, and filtered by pivots, on one device and several.
void run_krulis(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// Feature signatures made of images, on the host and on every device (Krulis, Lokoc, Skopal 2016).
void run_extraction(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// Nearest feature signatures, and all distances of some queries (Krulis 2011).
void run_signatures(const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// Runs `measure` for one device; what goes wrong there is noted and does not
/// end the suite.
void on_device(const std::string& id, Recorder& recorder, const std::function<void(Device&)>& measure);

/// The largest number of rows of that many bytes that fit the host and, with
/// what a search needs beside them, the device.
std::uint64_t rows_that_fit(std::uint64_t wanted, std::uint64_t row_bytes, const Device& device, Recorder& recorder);

}  // namespace proxel::tool
