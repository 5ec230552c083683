// Krulis 2011, section 5: figures 2 and 3. The text has speed-ups and no times.

#include <algorithm>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "bench/host_threads.hpp"
#include "bench/made_views.hpp"
#include "bench/papers/papers.hpp"
#include "bench/papers/rows.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "median.hpp"
#include "proxel/papers/krulis.hpp"
#include "proxel/signature_file.hpp"
#include "proxel/signature_index.hpp"
#include "recall.hpp"

namespace proxel::tool::papers {
namespace {

constexpr std::uint64_t neighbors = 10;
constexpr double alphas[] = {3, 0.2, 0.01};
constexpr double alpha_of_one_thread = 0.2;
const std::vector<Role> both_baselines = {Role::one_thread, Role::all_threads};
constexpr const char* over_one = "speed-up over one thread";
constexpr const char* over_all = "speed-up over all threads";
constexpr const char* of_devices = "speed-up of all GPUs of a kind over one";
constexpr const char* old_gpus = "GeForce GTX 580";

struct Data {
  std::string origin;
  Signatures database{view_dimensions}, queries{view_dimensions};
};

Data make_data(const BenchOptions& options) {
  const std::uint64_t held_out = options.quick ? 3 : 32;
  const std::uint64_t wanted = options.quick ? 600 : 72'000;
  const Signatures all =
      options.data.empty() ? made_views(wanted + held_out, options.seed) : read_signature_file(options.data).signatures;
  if (all.size() < 2 * held_out)
    throw Error(ErrorCode::invalid_argument, "--data",
                fmt::format("has {} signatures; {} are needed", all.size(), 2 * held_out));
  const std::uint64_t count = std::min(wanted, all.size() - held_out);
  Data data{"", signatures_part(all, 0, count), signatures_part(all, count, held_out)};
  data.origin = fmt::format(
      "{} signatures of {} dimensions and {} centroids each on the average, {}; {} others are queries.",
      with_separators(count), all.dimensions(),
      significant(static_cast<double>(data.database.offsets().back()) / static_cast<double>(count)),
      options.data.empty()
          ? fmt::format("made by seed {} as a collection like ALOI has them (a thousand things, 72 views each)",
                        options.seed)
          : options.data,
      held_out);
  return data;
}

class Measurement {
 public:
  Measurement(const Data& data, const BenchOptions& options, Recorder& recorder)
      : data_(data), options_(options), recorder_(recorder) {}

  // A scan or a filtered search on one thread, on all, on each device, and on all devices of a kind together.
  void measure(Exhibit& exhibit, const std::string& method, double x, const KrulisOptions& krulis,
               const std::vector<Role>& baselines) {
    const auto add = [&](Role role, const std::string& id, std::vector<std::unique_ptr<Device>> devices) {
      std::vector<Device*> team;
      for (const auto& device : devices) team.push_back(device.get());
      KrulisIndex index(team, data_.database, krulis);
      const std::string about =
          fmt::format("alpha {}, {}", krulis.alpha, krulis.precision == SqfdPrecision::float32 ? "float" : "double");
      add_measured(exhibit, role, id, method, "", x,
                   time(fmt::format("{} on {}", about, id), about, queries_of(*team.front()),
                        [&](const Signatures& query) { return index.search(query, neighbors); }));
    };
    const auto alone = [](std::unique_ptr<Device> device) {
      std::vector<std::unique_ptr<Device>> devices;
      devices.push_back(std::move(device));
      return devices;
    };
    for (const Role role : baselines)
      add(role, host,
          alone(open_with_threads(role == Role::one_thread ? 1 : std::max(1U, std::thread::hardware_concurrency()))));
    std::map<std::string, std::vector<std::string>> kinds;
    for (const std::string& id : options_.devices) {
      guarded([&] { add(Role::faithful, id, alone(open_checked(id))); });
      if (const std::size_t colon = id.find(':'); colon != std::string::npos) kinds[id.substr(0, colon)].push_back(id);
    }
    for (const auto& [kind, ids] : kinds)
      if (ids.size() > 1)
        guarded([&, &kind = kind, &ids = ids] {
          std::vector<std::unique_ptr<Device>> devices;
          for (const std::string& id : ids) devices.push_back(open_checked(id));
          add(Role::faithful, fmt::format("{}x{}", ids.size(), kind), std::move(devices));
        });
  }

  // What today's index takes for the same query.
  void measure_best(Exhibit& exhibit, double x, double alpha) {
    for (const std::string& id : options_.devices)
      guarded([&] {
        const auto device = open_checked(id);
        SignatureIndexOptions options;
        options.similarity.alpha = static_cast<float>(alpha);
        SignatureIndex index(*device, data_.database, options);
        add_measured(
            exhibit, Role::best, id, "screened", "", x,
            time(fmt::format("today's index on {}", id), fmt::format("SignatureIndex, alpha {}", alpha),
                 queries_of(*device), [&](const Signatures& query) { return index.search(query, neighbors); }));
      });
  }

 private:
  std::uint64_t queries_of(const Device& device) const {
    return device.capabilities().runs_on_host ? std::min<std::uint64_t>(3, data_.queries.size()) : data_.queries.size();
  }

  // The median time of a query, after one that is not counted. The same question has the same answer everywhere.
  double time(const std::string& who, const std::string& question, std::uint64_t queries,
              const std::function<Neighbors(const Signatures&)>& search) {
    search(signatures_part(data_.queries, 0, 1));
    std::vector<double> times;
    for (std::uint64_t query = 0; query < queries; ++query) {
      const Neighbors found = search(signatures_part(data_.queries, query, 1));
      times.push_back(found.report.times.total_milliseconds);
      const auto [first, is_first] = answers_.try_emplace(fmt::format("{}, query {}", question, query), found);
      if (!is_first && !same_answer(first->second, found))
        recorder_.difference(fmt::format("{}, query {}: another answer than the first", who, query));
    }
    return median(times);
  }

  void guarded(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) return recorder_.failure(error.what());
      recorder_.note(error.what());
    }
  }

  const Data& data_;
  const BenchOptions& options_;
  Recorder& recorder_;
  std::map<std::string, Neighbors> answers_;
};

std::vector<Quantity> quantities() { return {{"time", "ms"}, {over_one, "×"}, {over_all, "×"}}; }

void add_speed_ups(Exhibit& exhibit) {
  add_ratios(exhibit, {over_one, "time", Role::one_thread, "", {Role::faithful, Role::best}, ""});
  add_ratios(exhibit, {over_all, "time", Role::all_threads, "", {Role::faithful, Role::best}, ""});
}

Row paper_row(const char* quantity) {
  return {true, Role::faithful, Source::digits, old_gpus, "groups of 256 threads", "", 0, quantity, 0};
}

Exhibit figure_2(Measurement& measurement, const Data& data) {
  Exhibit exhibit{
      .paper = "krulis",
      .name = "figure 2",
      .caption =
          "Times of sequential scan, 72,000 images, one core, 48 logical cores of a NUMA server, one and two "
          "GPUs, float and double. The text has speed-ups, no times.",
      .data = data.origin,
      .x_label = "precision",
      .categories = {"float", "double"},
      .quantities = quantities()};
  for (const auto& [x, precision] : {std::pair{0.0, SqfdPrecision::float32}, std::pair{1.0, SqfdPrecision::float64}})
    measurement.measure(exhibit, "sequential scan", x, {.alpha = 0.2, .precision = precision}, both_baselines);
  measurement.measure_best(exhibit, 0, 0.2);
  add_speed_ups(exhibit);
  Row like = paper_row(over_all);
  add_paper(exhibit, like, {{0, 5.6}, {1, 3.4}});
  like.quantity = over_one;
  like.source = Source::prose;
  add_paper(exhibit, like, {{0, 100}, {1, 100}});
  exhibit.claims = {
      {"the GPU approach is faster by two orders of magnitude than sequential version", over_one, Combine::mean,
       Direction::at_least, 100},
      {"the GPU is significantly faster (5.6x in float …) than 4-CPU NUMA server with 48 logical cores (all "
       "threads of this machine in their place)",
       over_all,
       Combine::mean,
       Direction::at_least,
       5.6,
       "",
       {},
       0.0},
      {"… and 3.4x in double", over_all, Combine::mean, Direction::at_least, 3.4, "", {}, 1.0}};
  return exhibit;
}

Exhibit alpha_of_scan(Measurement& measurement, const Data& data) {
  Exhibit exhibit{.paper = "krulis",
                  .name = "section 5.1",
                  .caption = "What alpha does to the sequential scan: a sentence, without a figure of its own.",
                  .data = data.origin,
                  .x_label = "alpha",
                  .quantities = {{"time", "ms"}}};
  for (const double alpha : alphas) measurement.measure(exhibit, "sequential scan", alpha, {.alpha = alpha}, {});
  exhibit.claims = {{"different values of alpha have no effect on the evaluation speed (read as: within a tenth)",
                     "time", Combine::spread, Direction::at_most, 1.1}};
  return exhibit;
}

// How much faster all GPUs of a kind are together than the first of them; named after that one.
void add_of_devices(Exhibit& exhibit, const BenchOptions& options) {
  std::vector<Row> made;
  for (const Row& together : exhibit.rows) {
    const std::size_t times = together.device.find('x');
    if (together.of_paper || together.quantity != "time" || times == std::string::npos) continue;
    const std::string kind = together.device.substr(times + 1) + ":";
    for (const Row& one : exhibit.rows)
      if (!one.of_paper && one.quantity == "time" && one.role == Role::faithful && one.x == together.x &&
          one.device.starts_with(kind)) {
        Row row = one;
        row.quantity = of_devices;
        row.source = Source::computed;
        row.y = one.y / together.y;
        made.push_back(std::move(row));
      }
  }
  exhibit.rows.insert(exhibit.rows.end(), made.begin(), made.end());
  if (made.empty())
    exhibit.absent.push_back(fmt::format("a second GPU of the same kind among {} devices", options.devices.size()));
}

Exhibit figure_3(Measurement& measurement, const Data& data, const BenchOptions& options) {
  Exhibit exhibit{
      .paper = "krulis",
      .name = "figure 3",
      .caption =
          "Times of 10NN with Ptolemaic index, 32 pivots, blocks of 64 (as large as possible for alpha = 3, "
          "footnote 3), float; one thread at alpha = 0.2 alone. The text has the average speed-up, which is drawn over "
          "all alphas.",
      .data = data.origin,
      .x_label = "alpha",
      .categories = {"alpha = 3", "alpha = 0.2", "alpha = 0.01"},
      .quantities = quantities()};
  exhibit.quantities[1].charted = false;  // one thread has one alpha
  exhibit.quantities.push_back({of_devices, "×", false});
  for (std::size_t place = 0; place < std::size(alphas); ++place) {
    const auto x = static_cast<double>(place);
    KrulisOptions krulis{.alpha = alphas[place], .filter = SignatureFilter::ptolemaic};
    krulis.knn_block = alphas[place] == 3 ? 8000 : 64;
    // One thread takes a minute to make a table of pivots for 72,000 signatures.
    measurement.measure(exhibit, "Ptolemaic index", x, krulis,
                        alphas[place] == alpha_of_one_thread ? both_baselines : std::vector{Role::all_threads});
    measurement.measure_best(exhibit, x, alphas[place]);
  }
  add_speed_ups(exhibit);
  add_of_devices(exhibit, options);
  Row like = paper_row(over_all);
  like.source = Source::prose;
  add_paper(exhibit, like, {{0, 2.98}, {1, 2.98}, {2, 2.98}});
  exhibit.claims = {
      {"The average speed-up of a GPU w.r.t. 48 CPU cores (2.98x; all threads of this machine in their place)",
       over_all, Combine::mean, Direction::at_least, 2.98},
      {"the 2-GPU version was slower than one-GPU for alpha = 0.2",
       of_devices,
       Combine::mean,
       Direction::at_most,
       1,
       "",
       {},
       1.0},
      {"… and for alpha = 0.01", of_devices, Combine::mean, Direction::at_most, 1, "", {}, 2.0}};
  return exhibit;
}

}  // namespace

std::vector<Exhibit> krulis(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const Data data = make_data(options);
  recorder.note(
      "Krulis: times of a whole query on the host's clock, until its answer is there, median over the queries (3 on a "
      "processor). The best of today is SignatureIndex, a query at a time. Answers of every device, thread count and "
      "filter are compared with the first.");
  Measurement measurement(data, options, recorder);
  std::vector<Exhibit> exhibits;
  bar.update(0, 3);
  exhibits.push_back(figure_2(measurement, data));
  bar.update(1, 3);
  exhibits.push_back(alpha_of_scan(measurement, data));
  bar.update(2, 3);
  exhibits.push_back(figure_3(measurement, data, options));
  return exhibits;
}

}  // namespace proxel::tool::papers
