// Komarov 2013, Results: figures 4 to 9, selection alone, of which the text has a few digits, and one product for two
// searches.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bench/papers/komarov_pair.hpp"
#include "bench/papers/papers.hpp"
#include "bench/papers/rows.hpp"
#include "bench/papers/selections.hpp"

namespace proxel::tool::papers {
namespace {

constexpr const char* over_garcia = "speed-up over Garcia's sort";
constexpr const char* over_nth = "speed-up over nth_element, one thread";
constexpr const char* tesla = "Tesla C2050";

using Counts = std::vector<std::uint64_t>;

Counts powers(unsigned first, unsigned last) {
  Counts all;
  for (unsigned exponent = first; exponent <= last; ++exponent) all.push_back(std::uint64_t{1} << exponent);
  return all;
}

std::string data_text(const BenchOptions& options) {
  return fmt::format(
      "A matrix of values uniform in [0, 1), as in the paper, made by seed {}; columns are returned beside "
      "values. Device times of the selection alone.",
      options.seed);
}

Row paper_row(const char* quantity, const std::string& curve) {
  return {true, Role::faithful, Source::digits, tesla, quick_multi_select, curve, 0, quantity, 0};
}

Exhibit figure_4(const BenchOptions& options, Recorder& recorder) {
  const std::uint64_t queries = options.quick ? 256 : 8192;
  Exhibit exhibit{.paper = "komarov",
                  .name = "figure 4",
                  .caption =
                      "Selection alone against the GPU k-NN by Garcia, with varying size of corpus data n, Q = 8192 "
                      "queries. The caption has the digits of its largest point.",
                  .data = fmt::format("{} Here Q = {}.", data_text(options), queries),
                  .x_label = "n",
                  .quantities = {{"time", "ms", false}, {over_garcia, "×"}}};
  const Counts ks = options.quick ? Counts{16, 64} : powers(6, 9);
  Selections figure(exhibit, {.garcia = true, .fewer_queries = true}, options, recorder);
  for (const std::uint64_t n : options.quick ? powers(10, 12) : powers(13, 18))
    figure.measure(static_cast<double>(n), queries, n, ks);
  add_ratios(exhibit, {over_garcia, "time", Role::rival, "", {Role::faithful, Role::best}, ""});
  add_paper(exhibit, paper_row(over_garcia, "k = 512"), {{262144, 350}});
  std::vector<std::string> flat;
  for (const std::uint64_t k : ks)
    if (k < 512) flat.push_back(curve_of_k(k));
  exhibit.claims = {{"We achieved a speedup > 350x for k = 512 and n = 2^18",
                     over_garcia,
                     Combine::at_last,
                     Direction::at_least,
                     350,
                     "",
                     {curve_of_k(ks.back())}},
                    {"Except for k = 512, the speedup remains flat w.r.t. n (read as: within a factor of 1.5)",
                     over_garcia, Combine::spread, Direction::at_most, 1.5, "", flat}};
  return exhibit;
}

Exhibit figure_5(const BenchOptions& options, Recorder& recorder) {
  const std::uint64_t columns = options.quick ? 4096 : 65536;
  Exhibit exhibit{.paper = "komarov",
                  .name = "figure 5",
                  .caption =
                      "Selection alone against the GPU k-NN by Garcia, for different numbers of queries Q, n = "
                      "65536. The caption has the digits of its largest point (the text has 80x at Q = 65536, the "
                      "caption at Q = 2^13: the caption's sizes are run).",
                  .data = fmt::format("{} Here n = {}.", data_text(options), columns),
                  .x_label = "Q",
                  .quantities = {{"time", "ms", false}, {over_garcia, "×"}}};
  const Counts ks = options.quick ? Counts{16, 64} : powers(6, 9);
  Selections figure(exhibit, {.garcia = true}, options, recorder);
  for (const std::uint64_t queries : options.quick ? powers(6, 8) : powers(10, 13))
    figure.measure(static_cast<double>(queries), queries, columns, ks);
  add_ratios(exhibit, {over_garcia, "time", Role::rival, "", {Role::faithful, Role::best}, ""});
  add_paper(exhibit, paper_row(over_garcia, "k = 512"), {{8192, 80}});
  exhibit.claims = {
      {"for the largest number of nearest neighbors (k = 512), our algorithm is 80x faster",
       over_garcia,
       Combine::at_last,
       Direction::at_least,
       80,
       "",
       {curve_of_k(ks.back())}},
      {"speedup falls as the number of queries Q increases", over_garcia, Combine::growth, Direction::at_most, 1}};
  return exhibit;
}

// The times of figures 6 and 7: n * Q stays, n / Q grows.
void measure_ratios(Exhibit& exhibit, const Beside& beside, unsigned product, int first, int last, const Counts& ks,
                    const BenchOptions& options, Recorder& recorder) {
  Selections figure(exhibit, beside, options, recorder);
  for (int ratio = first; ratio <= last; ratio += 2) {
    const auto columns = static_cast<unsigned>(static_cast<int>(product) + ratio) / 2;
    figure.measure(ratio, std::uint64_t{1} << (product - columns), std::uint64_t{1} << columns, ks);
  }
}

// Adds each curve's times divided by its time at one x.
void add_relative(Exhibit& exhibit, const std::string& from, const std::string& quantity, double x) {
  std::vector<Row> made;
  for (const Row& row : exhibit.rows) {
    if (row.quantity != from || row.of_paper) continue;
    const auto base = std::ranges::find_if(exhibit.rows, [&](const Row& other) {
      return other.x == x && other.quantity == from && other.device == row.device && other.method == row.method &&
             other.curve == row.curve;
    });
    if (base == exhibit.rows.end()) continue;
    Row relative = row;
    relative.y = row.y / base->y;
    relative.quantity = quantity;
    relative.source = Source::computed;
    made.push_back(std::move(relative));
  }
  exhibit.rows.insert(exhibit.rows.end(), made.begin(), made.end());
}

// Adds the times of the fastest rival of each place, divided by ours.
void add_over_fastest_rival(Exhibit& exhibit, const std::string& quantity) {
  std::vector<Row> made;
  for (Row row : exhibit.rows) {
    if (row.of_paper || row.quantity != "time" || row.role == Role::rival) continue;
    std::optional<double> fastest;
    for (const Row& rival : exhibit.rows)
      if (rival.role == Role::rival && rival.quantity == "time" && rival.device == row.device &&
          rival.curve == row.curve && rival.x == row.x)
        fastest = std::min(fastest.value_or(rival.y), rival.y);
    if (!fastest) continue;
    row.y = *fastest / row.y;
    row.quantity = quantity;
    row.source = Source::computed;
    made.push_back(std::move(row));
  }
  exhibit.rows.insert(exhibit.rows.end(), made.begin(), made.end());
}

Exhibit figure_6(const BenchOptions& options, Recorder& recorder) {
  constexpr const char* relative = "time by that at log2(n / Q) = 7";
  constexpr const char* over_sismanis = "speed-up over Sismanis";
  Exhibit exhibit{.paper = "komarov",
                  .name = "figure 6",
                  .caption =
                      "Benchmark against work by Sismanis et al. (truncated bitonic sort), values and indices, n Q = "
                      "2^27. The text has where performance peaks and falls, no digits of it.",
                  .data = fmt::format("{}{}", data_text(options), options.quick ? " Here n Q = 2^19." : ""),
                  .x_label = "log2(n / Q)",
                  .log_x = false,
                  .quantities = {{"time", "ms"}, {over_sismanis, "×"}, {relative, "", false}}};
  measure_ratios(exhibit, {.methods = {{SelectionMethod::truncated_bitonic_sort, truncated_sort}}},
                 options.quick ? 19 : 27, -3, options.quick ? 13 : 19,
                 options.quick ? Counts{2, 32} : Counts{2, 32, 512}, options, recorder);
  add_ratios(exhibit, {over_sismanis, "time", Role::rival, truncated_sort, {Role::faithful, Role::best}, ""});
  add_relative(exhibit, "time", relative, 7);
  exhibit.claims = {
      {"Performance … starts falling at log2(n/Q) = 13 … the number of queries Q falling below 128: at the "
       "largest ratio a selection takes longer than at the peak",
       relative, Combine::at_last, Direction::at_least, 1},
      {"The performance advantage grows with k: over Sismanis et al. there is one", over_sismanis, Combine::mean,
       Direction::at_least, 1}};
  return exhibit;
}

Exhibit figure_7(const BenchOptions& options, Recorder& recorder) {
  constexpr const char* over_alabi = "speed-up over Alabi";
  Exhibit exhibit{.paper = "komarov",
                  .name = "figure 7",
                  .caption =
                      "Benchmark against work by Alabi et al. (radix and bucket select of the k-th element), n Q = "
                      "2^28. The caption has the digits of one point, where Alabi's is saturated. Speed-ups are over "
                      "the faster of the two, which here also collect the k values and sort them by radix: theirs "
                      "return the k-th alone, for each query by itself.",
                  .data = fmt::format("{}{}", data_text(options), options.quick ? " Here n Q = 2^20." : ""),
                  .x_label = "log2(n / Q)",
                  .log_x = false,
                  .quantities = {{"time", "ms"}, {over_alabi, "×"}}};
  measure_ratios(
      exhibit,
      {.methods = {{SelectionMethod::radix_select, radix_select}, {SelectionMethod::bucket_select, bucket_select}}},
      options.quick ? 20 : 28, 2, options.quick ? 14 : 22, options.quick ? Counts{2, 32} : Counts{2, 32, 1024}, options,
      recorder);
  add_over_fastest_rival(exhibit, over_alabi);
  add_paper(exhibit, paper_row(over_alabi, "k = 1024"), {{18, 1.8}});
  exhibit.claims = {
      {"Even when Alabi et al. is saturated and our algorithm is significantly underutilizing GPU resources, "
       "we are 1.8x",
       over_alabi, Combine::smallest, Direction::at_least, 1.8}};
  return exhibit;
}

Exhibit figure_8(const BenchOptions& options, Recorder& recorder) {
  constexpr const char* each = "time per query";
  constexpr const char* relative = "time per query by that at Q = 128";
  const std::uint64_t columns = std::uint64_t{1} << (options.quick ? 13 : 20);
  Exhibit exhibit{.paper = "komarov",
                  .name = "figure 8",
                  .caption =
                      "Effect of varying the number of queries Q from 8 to 256, n = 2^20. The caption has no digits "
                      "of its curves, only where they flatten.",
                  .data = fmt::format("{} Here n = {}.", data_text(options), columns),
                  .x_label = "Q",
                  .quantities = {{"time", "ms", false}, {each, "µs"}, {relative, "", false}}};
  Selections figure(exhibit, {}, options, recorder);
  for (const std::uint64_t queries : powers(3, 8))
    figure.measure(static_cast<double>(queries), queries, columns,
                   options.quick ? Counts{16, 64} : Counts{16, 256, 1024});
  add_per_x(exhibit, each, 1e3);
  add_relative(exhibit, each, relative, 128);
  exhibit.claims = {
      {"the time per query decreases with increase in Q", each, Combine::growth, Direction::at_most, 1},
      {"… and roughly flattens out at Q = 128 (read as: twice as many queries take no less than 0.9 of it "
       "each)",
       relative, Combine::at_last, Direction::at_least, 0.9}};
  return exhibit;
}

Exhibit figure_9(const BenchOptions& options, Recorder& recorder) {
  const std::uint64_t queries = options.quick ? 64 : 256;
  Exhibit exhibit{
      .paper = "komarov",
      .name = "figure 9",
      .caption =
          "Benchmark against std::nth_element on a single core, Q = 256, n from 2^16 to 2^20, k from 2 to "
          "1024. The text has the digits of its largest point.",
      .data = fmt::format("{} Here Q = {}. The k first are sorted on the processor too.", data_text(options), queries),
      .x_label = "n",
      .quantities = {{"time", "ms", false}, {over_nth, "×"}}};
  const Counts ks = options.quick ? Counts{2, 64} : Counts{2, 32, 256, 1024};
  Selections figure(exhibit, {.nth_element = true, .fewer_queries = true}, options, recorder);
  for (const std::uint64_t n : options.quick ? powers(12, 14) : powers(16, 20))
    figure.measure(static_cast<double>(n), queries, n, ks);
  add_ratios(exhibit, {over_nth, "time", Role::one_thread, "", {Role::faithful, Role::best}, ""});
  add_paper(exhibit, paper_row(over_nth, "k = 1024"), {{1 << 20, 41}});
  exhibit.claims = {{"we achieved around 41x speedup for the largest k with the largest data sets",
                     over_nth,
                     Combine::at_last,
                     Direction::at_least,
                     41,
                     "",
                     {curve_of_k(ks.back())}},
                    {"The speedup increases with n", over_nth, Combine::growth, Direction::at_least, 1}};
  return exhibit;
}

}  // namespace

std::vector<Exhibit> komarov(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  recorder.note(
      "Komarov: quick multi-select takes a warp per query from 1,024 queries on and a thread block below, as the paper "
      "says. Garcia's insertion sort is proxel's pass of it, over a matrix that lies as his does. Columns of up to 12 "
      "queries of each row are compared with an oracle's.");
  using Measure = Exhibit (*)(const BenchOptions&, Recorder&);
  constexpr Measure figures[] = {figure_4, figure_5, figure_6, figure_7, figure_8, figure_9, komarov_pair};
  std::vector<Exhibit> exhibits;
  for (const Measure figure : figures) {
    bar.update(exhibits.size(), std::size(figures));
    exhibits.push_back(figure(options, recorder));
  }
  return exhibits;
}

}  // namespace proxel::tool::papers
