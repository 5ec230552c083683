// Garcia 2010, section 3: table 1, figures 2 and 3.

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "bench/papers/knn_rows.hpp"
#include "bench/papers/papers.hpp"
#include "bench/papers/rows.hpp"
#include "bench/sift_features.hpp"
#include "format.hpp"

namespace proxel::tool::papers {
namespace {

constexpr const char* speed_up = "speed-up over one thread";
constexpr const char* forms = "CUBLAS over CUDA";
constexpr const char* laptop = "Quadro FX 3700M";
constexpr const char* processor = "Core 2 Duo 2.53 GHz";
constexpr std::uint64_t neighbors = 20;

constexpr std::array<double, 9> points = {256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
struct Line {
  std::uint32_t dimensions;
  std::array<double, 9> ann, cuda, cublas;  // seconds
};
constexpr std::array<Line, 5> table = {{
    {1,
     {0.001, 0.002, 0.004, 0.007, 0.015, 0.031, 0.063, 0.132, 0.277},
     {0.042, 0.046, 0.054, 0.063, 0.081, 0.154, 0.480, 2.489, 8.302},
     {0.042, 0.047, 0.055, 0.066, 0.091, 0.213, 0.698, 1.615, 5.694}},
    {4,
     {0.003, 0.005, 0.012, 0.027, 0.059, 0.125, 0.275, 0.591, 1.364},
     {0.042, 0.048, 0.055, 0.066, 0.086, 0.176, 0.561, 2.591, 8.425},
     {0.042, 0.048, 0.057, 0.068, 0.093, 0.220, 0.733, 1.812, 6.076}},
    {16,
     {0.007, 0.028, 0.109, 0.385, 1.421, 5.468, 20.289, 84.503, 378.496},
     {0.043, 0.049, 0.056, 0.070, 0.105, 0.247, 0.805, 2.542, 8.900},
     {0.044, 0.049, 0.056, 0.067, 0.092, 0.203, 0.791, 2.123, 7.225}},
    {64,
     {0.017, 0.073, 0.299, 0.949, 3.279, 13.365, 74.183, 313.527, 1296.367},
     {0.044, 0.050, 0.062, 0.087, 0.176, 0.528, 1.950, 5.518, 20.441},
     {0.044, 0.049, 0.057, 0.069, 0.102, 0.242, 0.904, 3.104, 10.887}},
    {256,
     {0.051, 0.194, 0.742, 2.933, 14.579, 76.454, 334.509, 1053.819, 3559.731},
     {0.045, 0.055, 0.081, 0.159, 0.459, 1.641, 6.910, 19.381, 75.718},
     {0.044, 0.050, 0.060, 0.079, 0.146, 0.405, 2.394, 7.157, 29.480}},
}};

std::string curve_of(std::uint32_t dimensions) { return fmt::format("d = {}", dimensions); }

const std::vector<KnnMethod>& methods() {
  static const std::vector<KnnMethod> all = {{Method::garcia_direct, Role::faithful, "CUDA form"},
                                             {Method::garcia_direct, Role::faithful, "distances alone", true},
                                             {Method::garcia_gemm, Role::faithful, "CUBLAS form"},
                                             {Method::automatic, Role::best, "auto"}};
  return all;
}

// Speed-ups over ANN where it is built in, otherwise over brute force, and of one form over the other.
void add_speed_ups(Exhibit& exhibit) {
  exhibit.quantities = {{"time", "s"}, {speed_up, "×"}, {forms, "×", false}, {"speed-up over all threads", "×", false}};
  const std::vector<Role> ours = {Role::faithful, Role::best};
  const Support ann = ann_is_built_in();
  if (!ann)
    exhibit.absent.push_back(
        fmt::format("ANN, {}; speed-ups are over brute force on one thread in its place", ann.reason));
  add_ratios(exhibit, {speed_up, "time", Role::one_thread, ann ? "ANN" : "", ours, ""});
  add_ratios(exhibit, {"speed-up over all threads", "time", Role::all_threads, "", ours, ""});
  add_ratios(exhibit, {forms, "time", Role::faithful, "CUDA", {Role::faithful}, "CUBLAS"});
}

Row paper_row(Role role, const char* method) {
  return {true, role, Source::digits, role == Role::one_thread ? processor : laptop, method, "", 0, "time", 0};
}

std::string normal_data(const BenchOptions& options) {
  return fmt::format(
      "n points and as many queries of the standard normal distribution, as in the paper, made by seeds "
      "{} and {}; times of whole calls, k = 20.",
      options.seed, options.seed + 1);
}

Exhibit table_1(const std::vector<Row>& rows, const BenchOptions& options) {
  Exhibit exhibit{.paper = "garcia",
                  .name = "table 1",
                  .caption =
                      "Computation times (in seconds) for the kNN search, n points and n queries, k = 20. All "
                      "digits of the table.",
                  .data = normal_data(options),
                  .x_label = "n"};
  for (const Line& line : table)
    for (const auto& [role, method, seconds] :
         {std::tuple{Role::one_thread, "ANN", &line.ann}, std::tuple{Role::faithful, "CUDA", &line.cuda},
          std::tuple{Role::faithful, "CUBLAS", &line.cublas}})
      for (std::size_t column = 0; column < points.size(); ++column) {
        Row like = paper_row(role, method);
        like.curve = curve_of(line.dimensions);
        add_paper(exhibit, like, {{points[column], (*seconds)[column]}});
      }
  for (const Row& row : rows)
    if (std::ranges::any_of(table, [&](const Line& line) { return curve_of(line.dimensions) == row.curve; }))
      exhibit.rows.push_back(row);
  add_speed_ups(exhibit);
  exhibit.claims = {
      {"CUDA and CUBLAS were up to 64X … faster than ANN", speed_up, Combine::largest, Direction::at_least, 64, "CUDA"},
      {"… and 189X faster than ANN, respectively", speed_up, Combine::largest, Direction::at_least, 189, "CUBLAS"},
      {"CUBLAS appears faster than CUDA (up to 4X faster)", forms, Combine::largest, Direction::at_least, 4},
      {"ANN is consistently faster than CUDA and CUBLAS only for small dimensions (d ≤ 4): for these at every n",
       speed_up,
       Combine::largest,
       Direction::at_most,
       1,
       "",
       {"d = 1", "d = 4"}}};
  return exhibit;
}

// The curve of one n over d.
Exhibit figure_2_top(const std::vector<Row>& rows, double n, const BenchOptions& options) {
  Exhibit exhibit{
      .paper = "garcia",
      .name = "figure 2 (top)",
      .caption =
          "Log-computation time as a function of d for k = 20 and n = 16384. The figure's digits are "
          "those that table 1 shares with it.",
      .data = fmt::format("{} Here n = {}.", normal_data(options), with_separators(static_cast<std::uint64_t>(n))),
      .x_label = "d"};
  for (const Line& line : table) {
    const auto x = static_cast<double>(line.dimensions);
    add_paper(exhibit, paper_row(Role::one_thread, "ANN"), {{x, line.ann[6]}});
    add_paper(exhibit, paper_row(Role::faithful, "CUDA"), {{x, line.cuda[6]}});
    add_paper(exhibit, paper_row(Role::faithful, "CUBLAS"), {{x, line.cublas[6]}});
  }
  for (Row row : rows)
    if (row.x == n) {
      row.x = std::stod(row.curve.substr(4));  // behind "d = "
      row.curve.clear();
      exhibit.rows.push_back(row);
    }
  add_speed_ups(exhibit);
  exhibit.claims = {
      {"regarding the dimension, CUBLAS is closer to the full parallel performances (flat curve) than CUDA: "
       "its lead grows from the smallest d to the largest",
       forms, Combine::growth, Direction::at_least, 1}};
  return exhibit;
}

Exhibit figure_2_bottom(const std::vector<Row>& rows, const BenchOptions& options) {
  Exhibit exhibit{.paper = "garcia",
                  .name = "figure 2 (bottom)",
                  .caption =
                      "Log-computation time as a function of n for k = 20 and d = 32. The text has no digits of it: "
                      "computation time increases with n for all three, and parallelization is better achieved in "
                      "terms of the dimension than of the number of points.",
                  .data = normal_data(options),
                  .x_label = "n"};
  for (Row row : rows)
    if (row.curve == curve_of(32)) {
      row.curve.clear();
      exhibit.rows.push_back(row);
    }
  add_speed_ups(exhibit);
  exhibit.claims = {{"The computation time increases with n", "time", Combine::growth, Direction::at_least, 1}};
  return exhibit;
}

std::vector<KnnCase> synthetic_cases(const BenchOptions& options, double n_of_figure_2) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> shapes;
  const double largest = options.quick ? 1024 : 65536;
  for (const double n : points)
    if (n <= largest) {
      for (const Line& line : table)
        if (!options.quick || line.dimensions <= 64) shapes.emplace(static_cast<std::uint32_t>(n), line.dimensions);
      shapes.emplace(static_cast<std::uint32_t>(n), 32);
    }
  for (const std::uint32_t dimensions : {2u, 8u, 32u, 96u})
    shapes.emplace(static_cast<std::uint32_t>(n_of_figure_2), dimensions);
  std::vector<KnnCase> cases;
  for (const auto& [n, dimensions] : shapes) cases.push_back({"garcia_synthetic", {n, dimensions, n}, neighbors});
  return cases;
}

Exhibit figure_3(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  Exhibit exhibit{.paper = "garcia",
                  .name = "figure 3",
                  .caption =
                      "Speed-up between every pair of algorithms as a function of the number of reference SIFT "
                      "features (d = 128, k = 20), 1,024 queries, section 3.2. The text has the largest speed-ups; "
                      "they are drawn at the largest number of features, since they increased with it.",
                  .data = "",
                  .x_label = "reference features"};
  Recorder told(false);
  const SiftImages features = sift_features(options, told);
  exhibit.data = told.notes().front();
  std::vector<KnnCase> cases;
  const auto dimensions = static_cast<std::uint32_t>(features.database.columns());
  for (std::uint64_t rows = 128; rows <= features.database.rows(); rows *= 2)
    cases.push_back({"garcia_sift", {rows, dimensions, sift_queries}, sift_neighbors});
  exhibit.rows = knn_rows(cases, methods(), options, recorder, bar, [&](const KnnCase& one) {
    return make_knn_workload(one, first_rows(features.database, one.shape.rows), features.queries, bar);
  });
  for (Row& row : exhibit.rows) row.curve.clear();
  add_speed_ups(exhibit);
  exhibit.quantities[2].charted = true;
  Row like = paper_row(Role::faithful, "CUDA");
  like.source = Source::prose;
  like.quantity = speed_up;
  add_paper(exhibit, like, {{65536, 25}});
  like.method = "CUBLAS";
  add_paper(exhibit, like, {{65536, 62}});
  like.quantity = forms;
  add_paper(exhibit, like, {{65536, 2.5}});
  exhibit.claims = {
      {"CUDA was up to 25X faster than ANN", speed_up, Combine::largest, Direction::at_least, 25, "CUDA"},
      {"CUBLAS was up to 62X faster than ANN", speed_up, Combine::largest, Direction::at_least, 62, "CUBLAS"},
      {"CUBLAS is up to 2.5X faster than CUDA", forms, Combine::largest, Direction::at_least, 2.5},
      {"The speed-up achieved by CUDA or CUBLAS in comparison with ANN increased significantly with the number of "
       "features",
       speed_up, Combine::growth, Direction::at_least, 1}};
  return exhibit;
}

}  // namespace

std::vector<Exhibit> garcia(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  recorder.note(
      "Garcia: the CUDA form is method garcia-direct and the CUBLAS form garcia-gemm, with the indices of the "
      "neighbours as in the paper; 'distances alone' is the first without them, as the paper's program returns "
      "distances. Every answer of every row is compared with brute force on the same device and, on "
      "queries spread over all, with the plain reference. Baselines are timed over a part of the queries where all "
      "would take long, and their time multiplied.");
  std::vector<Exhibit> exhibits;
  // --data are features: made points do not depend on them.
  if (options.data.empty()) {
    const double n_of_figure_2 = options.quick ? 1024 : 16384;
    const std::vector<Row> rows =
        knn_rows(synthetic_cases(options, n_of_figure_2), methods(), options, recorder, bar,
                 [&](const KnnCase& one) { return normal_workload(one, options, recorder, bar); });
    exhibits = {table_1(rows, options), figure_2_top(rows, n_of_figure_2, options), figure_2_bottom(rows, options)};
  }
  exhibits.push_back(figure_3(options, recorder, bar));
  return exhibits;
}

}  // namespace proxel::tool::papers
