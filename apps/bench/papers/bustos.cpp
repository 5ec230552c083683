// Bustos 2006, section 3: figures 3 and 4. The text has speed-ups and no times.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bench/papers/papers.hpp"
#include "bench/papers/real_data.hpp"
#include "bench/papers/rows.hpp"
#include "bench/workload.hpp"
#include "format.hpp"
#include "seeded.hpp"

namespace proxel::tool::papers {
namespace {

// "we got the best times using t = 8" (section 3); one 4:1 reduction a pass (section 2).
constexpr BustosOptions paper_form{.dimensions_per_pass = 8, .reductions_per_pass = 1};
constexpr const char* faithful = "texel search, t = 8";
constexpr const char* speed_up = "speed-up over one thread";
constexpr const char* old_gpu = "GeForce 6800 Ultra";
constexpr std::uint64_t random_queries = 32;  // the paper averages over 1,000

std::vector<Quantity> quantities() {
  return {{"time", "ms"}, {speed_up, "×"}, {"speed-up over all threads", "×", false}};
}

Row paper_speed_up(const char* method = "three fragment programs") {
  return {true, Role::faithful, Source::prose, old_gpu, method, "", 0, speed_up, 0};
}

// One workload on the processor and on every device: times of whole calls, as the paper counts upload and download.
void measure(Exhibit& exhibit, double x, const Workload& work, const BenchOptions& options, Recorder& recorder) {
  const Patience& patience = options.patience;
  add_measured(exhibit, Role::one_thread, host, "plain loop", "", x,
               time_plain_loop(work, 1, patience, recorder).median_ms);
  add_measured(exhibit, Role::all_threads, host, "plain loop", "", x,
               time_plain_loop(work, 0, patience, recorder).median_ms);
  for (const std::string& id : options.devices)
    on_device(id, recorder, [&](Device& device) {
      const DeviceTexels texels(device, work.data.view(), paper_form.block_rows, rotation(device, work));
      add_measured(exhibit, Role::faithful, id, faithful, "", x,
                   time_texel(device, work, texels, paper_form, true, patience, recorder).call.median_ms);
      add_measured(exhibit, Role::best, id, "scan", "", x, time_scan(device, work, patience, recorder).call.median_ms);
    });
}

void add_speed_ups(Exhibit& exhibit) {
  const std::vector<Role> ours = {Role::faithful, Role::best};
  add_ratios(exhibit, {speed_up, "time", Role::one_thread, "", ours, ""});
  add_ratios(exhibit, {"speed-up over all threads", "time", Role::all_threads, "", ours, ""});
}

Exhibit over_dimensions(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const std::uint64_t rows = options.quick ? 16'384 : 262'144;
  Exhibit exhibit{.paper = "bustos",
                  .name = "figure 3 (left)",
                  .caption =
                      "Results varying dimensionality, section 3: 262,144 vectors, 16-D to 256-D, 1-NN under the "
                      "Manhattan distance, t = 8. The text has the average alone, which is drawn over all of them.",
                  .data = fmt::format("{} vectors, uniform in [0, 1) as in the paper, made by seed {}; {} queries.",
                                      with_separators(rows), options.seed, random_queries),
                  .x_label = "dimensions"};
  exhibit.quantities = quantities();
  exhibit.quantities.push_back({"time per dimension", "µs", false});
  exhibit.claims = {{"The GPU algorithm achieved an average speed-up factor of 6.4x", speed_up, Combine::mean,
                     Direction::at_least, 6.4},
                    {"… with linear scalability in dimensionality: time per dimension does not grow",
                     "time per dimension", Combine::growth, Direction::at_most, 1}};
  add_paper(exhibit, paper_speed_up(), {{16, 6.4}, {32, 6.4}, {64, 6.4}, {128, 6.4}, {256, 6.4}});
  std::vector<std::uint32_t> dimensions = {16, 32, 64, 128, 256};
  if (options.quick) dimensions = {16, 64, 256};
  std::optional<Workload> kept;
  for (const std::uint32_t count : dimensions)
    measure(exhibit, count, make_workload(kept, {rows, count}, options.seed, bar), options, recorder);
  add_speed_ups(exhibit);
  add_per_x(exhibit, "time per dimension", 1e3);
  return exhibit;
}

Exhibit over_rows(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  constexpr std::uint32_t dimensions = 64;
  Exhibit exhibit{
      .paper = "bustos",
      .name = "figure 3 (right)",
      .caption =
          "Results varying database size, section 3: 1 to 7.5 million vectors in blocks of about a "
          "million. The text has no digits of it; its claim is a sentence.",
      .data = fmt::format("Vectors of {} dimensions (the text does not say how many the paper's had), uniform "
                          "in [0, 1), made by seed {}; {} queries.",
                          dimensions, options.seed, random_queries),
      .x_label = "vectors"};
  exhibit.quantities = quantities();
  exhibit.quantities.push_back({"time per million vectors", "ms", false});
  exhibit.claims = {
      {"Our algorithm also scaled well … linear scalability in … database size: time per vector does not grow",
       "time per million vectors", Combine::growth, Direction::at_most, 1}};
  std::vector<std::uint64_t> counts = {1'000'000, 2'000'000, 4'000'000, 6'000'000, 7'500'000};
  if (options.quick) counts = {25'000, 50'000, 100'000};
  std::optional<Workload> kept;
  for (const std::uint64_t count : counts) {
    BenchOptions fitting = options;
    std::erase_if(fitting.devices, [&](const std::string& id) {
      std::uint64_t fit = 0;
      on_device(id, recorder, [&](Device& device) { fit = rows_that_fit(count, dimensions * 4, device, recorder); });
      return fit != count;
    });
    if (!fitting.devices.empty())
      measure(exhibit, static_cast<double>(count), make_workload(kept, {count, dimensions}, options.seed, bar), fitting,
              recorder);
  }
  add_speed_ups(exhibit);
  add_per_x(exhibit, "time per million vectors", 1e6);
  return exhibit;
}

Exhibit of_real_data(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const std::vector<NamedRows> sets = bustos_data(options);
  Exhibit exhibit{.paper = "bustos",
                  .name = "figure 4 (left)",
                  .caption =
                      "Results using real data sets, section 3: speed-up factors of, respectively, 6.4x, 4.5x and "
                      "4.2x, in the text. 1,000 objects of each set are its queries.",
                  .data = "",
                  .x_label = "data set"};
  exhibit.quantities = quantities();
  exhibit.categories = {"Forest CoverType, 54-D", "Corel image features, 32-D", "3D CAD models, 512-D"};
  Row like = paper_speed_up();
  like.source = Source::digits;
  add_paper(exhibit, like, {{0, 6.4}, {1, 4.5}, {2, 4.2}});
  exhibit.claims = {{"speed-up factors of, respectively, 6.4x, 4.5x, and 4.2x: their average", speed_up, Combine::mean,
                     Direction::at_least, (6.4 + 4.5 + 4.2) / 3}};
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const Matrix<float>& rows = sets[set].rows;
    exhibit.data += fmt::format("{}{}: {}", set == 0 ? "" : " ", exhibit.categories[set], sets[set].origin);
    Matrix<float> queries(random_queries, rows.columns());
    for (std::uint64_t query = 0; query < random_queries; ++query)
      std::copy_n(&rows(random_bits(query, options.seed) % rows.rows(), 0), rows.columns(), &queries(query, 0));
    measure(exhibit, static_cast<double>(set), workload_of(rows, std::move(queries), 1, bar), options, recorder);
  }
  add_speed_ups(exhibit);
  return exhibit;
}

// The devices of the left of figure 3 beside one another, where they are several models.
Exhibit of_generations(const Exhibit& times) {
  constexpr const char* over_slower = "speed-up over the slowest GPU";
  Exhibit exhibit{
      .paper = "bustos",
      .name = "figure 4 (right)",
      .caption =
          "Comparison between two GPUs, section 3: GeForce 6800 Ultra against GeForce FX 5900 of the "
          "generation before. The text has what is to be expected, \"at least twice as fast\", which is drawn.",
      .data = "The times of figure 3 (left), of the devices that are GPUs.",
      .x_label = "dimensions",
      .quantities = {{"time", "ms"}, {over_slower, "×"}}};
  Row like = paper_speed_up();
  like.quantity = over_slower;
  add_paper(exhibit, like, {{16, 2}, {256, 2}});
  exhibit.claims = {{"the GeForce 6800 Ultra should be at least twice as fast as the GeForce FX 5900", over_slower,
                     Combine::mean, Direction::at_least, 2}};
  std::map<std::string, std::string> models;
  for (const DeviceInfo& device : list_devices())
    if (!device.capabilities.runs_on_host) models[device.id] = device.name;
  std::map<double, Row> slowest;
  std::map<std::string, int> measured;
  for (const Row& row : times.rows)
    if (row.role == Role::faithful && row.quantity == "time" && models.contains(row.device)) {
      exhibit.rows.push_back(row);
      ++measured[models[row.device]];
      const auto [place, is_first] = slowest.try_emplace(row.x, row);
      if (!is_first && row.y > place->second.y) place->second = row;
    }
  if (measured.size() < 2) {
    exhibit.absent.push_back(fmt::format("a second model of GPU: {} given", measured.empty() ? "none is" : "one is"));
    return exhibit;
  }
  std::vector<Row> made;
  for (Row row : exhibit.rows) {
    if (row.of_paper || models[row.device] == models[slowest.at(row.x).device]) continue;
    row.y = slowest.at(row.x).y / row.y;
    row.quantity = over_slower;
    row.source = Source::computed;
    made.push_back(std::move(row));
  }
  exhibit.rows.insert(exhibit.rows.end(), made.begin(), made.end());
  return exhibit;
}

}  // namespace

std::vector<Exhibit> bustos(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  recorder.note(
      "Bustos: times of whole calls on the host's clock, from copying a query to having its answer. The processor's "
      "baseline is a plain loop (-O3 -ffast-math, widest vectors); the best of today is proxel's scan. Every answer is "
      "compared with the cpu device's, bit for bit, the loop's up to rounding.");
  std::vector<Exhibit> exhibits;
  bar.update(0, 3);
  exhibits.push_back(over_dimensions(options, recorder, bar));
  bar.update(1, 3);
  exhibits.push_back(over_rows(options, recorder, bar));
  bar.update(2, 3);
  exhibits.push_back(of_real_data(options, recorder, bar));
  exhibits.push_back(of_generations(exhibits.front()));
  return exhibits;
}

}  // namespace proxel::tool::papers
