// Lopresti 2013, section 6: figures 3 to 8, tables 1 and 2.

#include <algorithm>

#include <fmt/format.h>

#include "bench/papers/papers.hpp"
#include "bench/papers/real_data.hpp"
#include "bench/papers/rows.hpp"
#include "bench/papers/word_searches.hpp"
#include "bench/peers/sort_peer.hpp"
#include "bench/select_matrix.hpp"
#include "format.hpp"

namespace proxel::tool::papers {
namespace {

constexpr const char* speed_up = "speed-up over one thread";
constexpr const char* throughput = "queries per second";
// The paper's digits of a table, GTX520MX, GTX550Ti and GTX330 by the number of permutants.
struct TableLine {
  double permutants;
  double gpus[3];
};
constexpr const char* gpus[3] = {"GeForce GTX520MX", "GeForce GTX550Ti", "GeForce GTX330"};
constexpr TableLine table_1[] = {{128, {27639.72, 29310.63, 16973.21}}, {100, {28188.86, 28907.35, 16279.76}},
                                 {80, {28921.82, 29621.19, 16828.75}},  {64, {29539.57, 29362.77, 16379.24}},
                                 {32, {29144.71, 29582.42, 16774.19}},  {16, {29255.39, 29248.81, 16464.29}},
                                 {5, {28197.27, 29604.32, 16474.46}}};
constexpr TableLine table_2[] = {{128, {19824.25, 19377.68, 10850.85}}, {100, {18816.38, 19696.23, 10956.71}},
                                 {80, {19771.86, 19203.07, 11051.72}},  {64, {19797.83, 18857.32, 11137.65}},
                                 {32, {19774.12, 19289.62, 10263.80}},  {16, {18785.79, 19645.99, 11237.29}},
                                 {5, {19906.59, 19121.16, 11262.48}}};

struct Shared {
  const std::vector<Speed>& speeds;
  const WordSizes& sizes;
  std::uint64_t largest;
  std::string data;
};

// Figures 3 and 4: speed-up over the number of words.
Exhibit over_words(const Shared& of, bool range) {
  Exhibit exhibit{
      .paper = "lopresti",
      .name = range ? "figure 3" : "figure 4",
      .caption = fmt::format("Speedup of {} search queries on three different GPUs, 4, 29 and 84 thousand words, "
                             "80 queries solved in parallel. The text has no digits of it.",
                             range ? "range" : "k-NN"),
      .data = of.data,
      .x_label = "words",
      .quantities = {{"time", "ms", false}, {speed_up, "×"}, {"speed-up over all threads", "×", false}}};
  for (const Speed& speed : of.speeds)
    if (speed.range == range && speed.queries == of.sizes.parallel.back() &&
        std::ranges::find(of.sizes.permutants, speed.permutants) != of.sizes.permutants.end())
      add_measured(exhibit, speed.role, speed.device, speed.method, permutants_text(speed.permutants),
                   static_cast<double>(speed.words), speed.ms);
  add_ratios(exhibit, {speed_up, "time", Role::one_thread, "", {Role::faithful, Role::best}, ""});
  add_ratios(exhibit, {"speed-up over all threads", "time", Role::all_threads, "", {Role::faithful, Role::best}, ""});
  exhibit.claims = {
      {"the influence of database size is clear … The best results are for the largest database: the "
       "speed-up grows from the smallest to the largest",
       speed_up, Combine::growth, Direction::at_least, 1}};
  return exhibit;
}

// Figures 5 and 6: speed-up over the number of queries solved in parallel.
Exhibit over_queries(const Shared& of, bool range) {
  constexpr const char* by_permutants = "speed-up by that of the fewest permutants";
  Exhibit exhibit{
      .paper = "lopresti",
      .name = range ? "figure 5" : "figure 6",
      .caption = fmt::format("Speedup of {} search queries for different number of parallel queries, the biggest "
                             "database, 5, 64 and 128 permutants. The text has where it is best, no digits.",
                             range ? "range" : "k-NN"),
      .data = of.data,
      .x_label = "queries in parallel",
      .quantities = {{"time", "ms", false}, {speed_up, "×"}, {by_permutants, "×", false}}};
  for (const Speed& speed : of.speeds)
    if (speed.range == range && speed.words == of.largest &&
        std::ranges::find(of.sizes.permutants, speed.permutants) != of.sizes.permutants.end())
      add_measured(exhibit, speed.role, speed.device, speed.method, permutants_text(speed.permutants),
                   static_cast<double>(speed.queries), speed.ms);
  add_ratios(exhibit, {speed_up, "time", Role::one_thread, "", {Role::faithful, Role::best}, ""});
  const std::string fewest = permutants_text(of.sizes.permutants.front());
  std::vector<Row> made;
  for (Row row : exhibit.rows) {
    if (row.quantity != speed_up || row.curve != permutants_text(of.sizes.permutants.back())) continue;
    const auto base = std::ranges::find_if(exhibit.rows, [&](const Row& other) {
      return other.quantity == speed_up && other.curve == fewest && other.x == row.x && other.device == row.device &&
             other.method == row.method;
    });
    row.quantity = by_permutants;
    row.y /= base->y;
    made.push_back(std::move(row));
  }
  exhibit.rows.insert(exhibit.rows.end(), made.begin(), made.end());
  exhibit.claims = {{"the best speedup was obtained when the number of queries is equal to 80: more than of the fewest",
                     speed_up, Combine::growth, Direction::at_least, 1},
                    {"… and the number of permutants is maximum: more than with the fewest permutants", by_permutants,
                     Combine::at_last, Direction::at_least, 1}};
  return exhibit;
}

Exhibit table(const Shared& of, bool range) {
  const auto& lines = range ? table_1 : table_2;
  Exhibit exhibit{
      .paper = "lopresti",
      .name = range ? "table 1" : "table 2",
      .caption = fmt::format("{} search throughput, queries per second, by the number of permutants. All digits "
                             "of the table.",
                             range ? "Range" : "k-NN"),
      .data = fmt::format("{} {} words, {} queries in parallel.", of.data, with_separators(of.largest),
                          of.sizes.parallel.back()),
      .x_label = "permutants",
      .quantities = {{throughput, ""}}};
  double largest = 0, spread = 0;
  for (std::size_t gpu = 0; gpu < std::size(gpus); ++gpu) {
    double least = lines[0].gpus[gpu], most = least;
    for (const TableLine& line : lines) {
      add_paper(exhibit, {true, Role::faithful, Source::digits, gpus[gpu], permutation_index, "", 0, throughput, 0},
                {{line.permutants, line.gpus[gpu]}});
      least = std::min(least, line.gpus[gpu]);
      most = std::max(most, line.gpus[gpu]);
    }
    largest = std::max(largest, most);
    spread = std::max(spread, most / least);
  }
  for (const Speed& speed : of.speeds)
    if (speed.range == range && speed.words == of.largest && speed.queries == of.sizes.parallel.back())
      add_measured(exhibit, speed.role, speed.device, speed.method, "", speed.permutants,
                   1000.0 * static_cast<double>(speed.queries) / speed.ms, throughput);
  exhibit.claims = {
      {"In every case and query kind, the number of queries by second is high: the table's largest number", throughput,
       Combine::largest, Direction::at_least, largest},
      {"for all number of permutants, the throughput is similar, quasi constant: the largest spread of a GPU "
       "in the table",
       throughput, Combine::spread, Direction::at_most, spread}};
  return exhibit;
}

Exhibit figure_7(WordSearches& searches, const Shared& of) {
  Exhibit exhibit{.paper = "lopresti",
                  .name = "figure 7",
                  .caption =
                      "Recall of approximate k-NN and range queries obtained with permutation index, 64 and 128 "
                      "permutants. The text has some of its values.",
                  .data = of.data + " Recall counts the same words as the exact answer has.",
                  .x_label = "share of the database compared, %",
                  .log_x = false,
                  .quantities = {{"recall", "%", true, false}}};
  searches.recalls(exhibit);
  const auto curves = [&](std::initializer_list<const char*> which) {
    std::vector<std::string> names;
    for (const char* what : which)
      for (const std::uint32_t permutants : of.sizes.recall_permutants)
        names.push_back(fmt::format("{}, {}", what, permutants_text(permutants)));
    return names;
  };
  Row like{true, Role::faithful, Source::digits, "the paper's GPUs", permutation_index, "", 0, "recall", 0};
  for (const std::uint32_t permutants : {64U, 128U}) {
    const auto add = [&](const char* what, double x, double y) {
      like.curve = fmt::format("{}, {}", what, permutants_text(permutants));
      add_paper(exhibit, like, {{x, y}});
    };
    add("k = 2", 10, 85);
    add("k = 4", 20, 80);
    add("k = 16", 20, 80);
    add("r = 1", 10, 80);
  }
  exhibit.claims = {{"10% retrieves 85% for 2-NN queries both with 64 and 128 permutants", "recall", Combine::smallest,
                     Direction::at_least, 85, "", curves({"k = 2"}), 10},
                    {"It needs to review 20% to retrieve almost 80% of the exact answer for k = 4 and k = 16", "recall",
                     Combine::smallest, Direction::at_least, 80, "", curves({"k = 4", "k = 16"}), 20},
                    {"For r = 1 the index retrieves almost 80% of relevant objects (at 10 %)", "recall",
                     Combine::smallest, Direction::at_least, 80, "", curves({"r = 1"}), 10}};
  return exhibit;
}

Exhibit figure_8(const WordSizes& sizes, const BenchOptions& options, Recorder& recorder) {
  constexpr const char* over_sort = "speed-up over std::sort, one thread";
  constexpr const char* over_library = "speed-up over the library's sort";
  const std::uint64_t rows = sizes.parallel.back();
  Exhibit exhibit{.paper = "lopresti",
                  .name = "figure 8",
                  .caption =
                      "Speedup of GPU-Qsort and thrust on three different GPUs, four database sizes. The text has "
                      "which is the faster, no digits.",
                  .data = fmt::format("{} rows of values uniform in [0, 1) with their columns, made by seed {}. CUB's "
                                      "segmented sort stands for thrust::sort, which is made of CUB today.",
                                      rows, options.seed),
                  .x_label = "elements",
                  .quantities = {{"time", "ms", false}, {over_sort, "×"}, {over_library, "×", false}}};
  for (const std::uint64_t columns : sizes.sorted) {
    const auto x = static_cast<double>(columns);
    bool host_measured = false;
    for (const std::string& id : options.devices)
      on_device(id, recorder, [&](Device& device) {
        SelectMatrix matrix(device, rows, columns, options.seed);
        const auto add = [&](Role role, const std::string& method, const SelectMatrix::Measured& measured) {
          add_measured(exhibit, role, id, method, "", x, measured.timed.median_ms);
          if (measured.difference)
            recorder.difference(fmt::format("figure 8, {} on {}: {}", method, id, *measured.difference));
        };
        SelectionDescription all{.rows = rows, .columns = columns, .k = columns};
        all.method = SelectionMethod::quick_sort;
        add(Role::faithful, "GPU-Qsort", matrix.measure(all, options.patience));
        all.method = SelectionMethod::automatic;
        add(Role::best, "proxel's selection", matrix.measure(all, options.patience));
        if (const Support support = sort_peers_run_on(device)) {
          const SortPeerMaker& library = sort_peers().front();
          const auto peer = library.make(device.info().index, rows, columns);
          add(Role::rival, library.name, matrix.measure(*peer, options.patience));
        } else if (columns == sizes.sorted.front()) {
          exhibit.absent.push_back(fmt::format("CUB on {}: {}", id, support.reason));
        }
        if (!host_measured)
          add_measured(exhibit, Role::one_thread, host, "std::sort", "", x,
                       matrix.sort_on_host(options.patience).median_ms);
        host_measured = true;
      });
  }
  add_ratios(exhibit, {over_sort, "time", Role::one_thread, "", {Role::faithful, Role::rival, Role::best}, ""});
  add_ratios(exhibit, {over_library, "time", Role::rival, "", {Role::faithful, Role::best}, ""});
  exhibit.claims = {{"our implementation obtains better speedup than the solution using Thrust library", over_library,
                     Combine::smallest, Direction::at_least, 1}};
  return exhibit;
}

}  // namespace

std::vector<Exhibit> lopresti(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const WordSizes sizes = word_sizes(options);
  const NamedWords words = lopresti_words(options);
  if (words.words.size() < 100)
    throw Error(ErrorCode::invalid_argument, "--data", "has too few words: 100 at least are needed");
  WordSearches searches(words, sizes, options, recorder, bar);
  recorder.note(
      "Lopresti: times of whole calls on the host's clock. The paper's sequential index is proxel's on one thread of "
      "the "
      "processor, with the same passes. Searches of speeds are 2-NN and r = 1 with f = 10 %. Every device gives the "
      "answer "
      "of the first.");
  const std::vector<Speed> speeds = searches.speeds();
  const Shared shared{speeds, sizes, searches.largest(),
                      fmt::format("{}, in an order by seed {}, under the Levenshtein distance; {} others are queries.",
                                  words.origin, options.seed, with_separators(searches.held_out()))};
  std::vector<Exhibit> exhibits = {over_words(shared, true), over_words(shared, false),  table(shared, true),
                                   table(shared, false),     over_queries(shared, true), over_queries(shared, false)};
  exhibits.push_back(figure_7(searches, shared));
  exhibits.push_back(figure_8(sizes, options, recorder));
  return exhibits;
}

}  // namespace proxel::tool::papers
