// Krulis 2011, section 5: the sequential scan (figure 2), and 10 nearest neighbours behind pivot tables
// (figure 3), on one core, all cores, each device, and all devices of a kind together.

#include <algorithm>
#include <map>
#include <numeric>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/given_signatures.hpp"
#include "bench/host_threads.hpp"
#include "bench/made_views.hpp"
#include "bench/suite.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "proxel/papers/krulis.hpp"
#include "proxel/signature_index.hpp"
#include "recall.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint64_t neighbors = 10;

// Devices that work together, under one name.
struct Team {
  std::string name;
  std::vector<std::unique_ptr<Device>> devices;
  bool on_host = false;

  std::vector<Device*> pointers() const {
    std::vector<Device*> all;
    for (const auto& device : devices) all.push_back(device.get());
    return all;
  }
};

class Measurement {
 public:
  Measurement(const SignatureData& data, const Patience& patience, Recorder& recorder,
              std::map<std::string, Neighbors>& answers)
      : data_(data), patience_(patience), recorder_(recorder), answers_(answers) {}

  void run(const Team& team) {
    team_ = &team;
    for (const SqfdPrecision precision : {SqfdPrecision::float32, SqfdPrecision::float64}) scan(precision);
    for (const std::uint64_t part : {1, 2, 8}) travel(part);
    for (const double alpha : {3.0, 0.2, 0.01})
      for (const SignatureFilter filter : {SignatureFilter::none, SignatureFilter::pivots, SignatureFilter::ptolemaic})
        if (!team.on_host || filter != SignatureFilter::pivots) index(alpha, filter);
    // A processor takes minutes over the distances to pivots.
    if (team.devices.size() != 1 || (team.on_host && data_.database.size() > 10'000)) return;
    for (const double alpha : {3.0, 0.2, 0.01})
      for (const SignatureMethod method : {SignatureMethod::screened, SignatureMethod::filtered})
        on_device(alpha, method);
  }

 private:
  std::uint64_t query_count(std::uint64_t wanted) const {
    return std::min(team_->on_host ? std::min<std::uint64_t>(wanted, 5) : wanted, data_.queries.size());
  }

  // The time of each query, after one that is not counted.
  void measure(KrulisIndex& index, const std::string& group, const std::string& name, std::uint64_t queries,
               const std::string& compared_as, std::uint64_t k) {
    std::vector<double> times;
    SearchReport sums;
    std::map<std::string, double> steps;
    sums.devices.resize(team_->devices.size());
    index.search(signatures_part(data_.queries, 0, 1), k);
    for (std::uint64_t i = 0; i < queries; ++i) {
      const Neighbors found = index.search(signatures_part(data_.queries, i, 1), k);
      const SearchReport& of_query = found.report;
      times.push_back(of_query.times.total_milliseconds);
      sums.compared += of_query.compared;
      sums.evaluated += of_query.evaluated;
      for (const PassTime& step : of_query.times.passes) steps[step.name] += step.milliseconds;
      for (std::size_t device = 0; device < sums.devices.size(); ++device) {
        sums.devices[device].blocks += of_query.devices[device].blocks;
        sums.devices[device].milliseconds += of_query.devices[device].milliseconds;
      }
      compare(fmt::format("{}, query {}", compared_as, i), name, found);
    }
    const auto each = [&](double sum) { return significant(sum / static_cast<double>(queries)); };
    std::vector<std::string> by_device;
    for (const DeviceShare& device : sums.devices)
      by_device.push_back(
          fmt::format("{} blocks {} ms", each(static_cast<double>(device.blocks)), each(device.milliseconds)));
    const double left_out = 1 - static_cast<double>(sums.evaluated) / static_cast<double>(sums.compared);
    BenchRow row;
    row.group = group;
    row.name = fmt::format("{}_{}", name, team_->name);
    row.metric = "sqfd";
    row.n = data_.database.size();
    row.q = 1;
    row.d = data_.database.dimensions();
    row.k = k;
    row.min_ms = *std::min_element(times.begin(), times.end());
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    row.median_ms = times[times.size() / 2];
    row.remark = fmt::format("mean {}; filtered {:.1f} %; pivots {}, filter {}, wait {}, answer {} ms; {}",
                             significant(mean), 100 * left_out, each(steps["pivots"]), each(steps["filter"]),
                             each(steps["wait"]), each(steps["answer"]), fmt::join(by_device, ", "));
    recorder_.add(row);
  }

  // Figure 2.
  void scan(SqfdPrecision precision) {
    const std::string name = precision == SqfdPrecision::float32 ? "float32" : "float64";
    const auto devices = team_->pointers();
    try {
      KrulisIndex index(devices, data_.database, {.alpha = 0.2, .precision = precision});
      measure(index, "krulis_scan", name, query_count(32), name, neighbors);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      recorder_.note(fmt::format("{}, {}: {}", team_->name, name, error.what()));
    }
  }

  // The same scan where each device has room for a part of the signatures, by single queries and by all of them.
  void travel(std::uint64_t part) {
    const auto devices = team_->pointers();
    const Signatures& all = data_.database;
    const std::uint64_t words = all.offsets().back() * (all.dimensions() + std::uint64_t{1}) + all.size() + 1;
    KrulisIndex index(devices, all, {.alpha = 0.2, .memory_limit = 4 * words / part});
    const std::string name = fmt::format("room_for_1_in_{}", part);
    measure(index, "krulis_travel", name, query_count(20), "float32", neighbors);
    const Signatures asked = signatures_part(data_.queries, 0, query_count(100));
    SearchReport report;
    const Timed timed = repeat_on_host(patience_, [&] { report = index.search(asked, neighbors).report; });
    BenchRow row;
    row.group = "krulis_travel_together";
    row.name = fmt::format("{}_{}", name, team_->name);
    row.metric = "sqfd";
    row.n = all.size();
    row.q = asked.size();
    row.d = all.dimensions();
    row.k = neighbors;
    row.median_ms = timed.median_ms;
    row.min_ms = timed.min_ms;
    row.remark =
        fmt::format("all queries; blocks {} ms, signatures brought {} ms beside no block, of all devices",
                    significant(report.times.compute_milliseconds), significant(report.times.upload_milliseconds));
    recorder_.add(row);
  }

  // Figure 3, with the paper's blocks of 64 and with ever larger ones.
  void index(double alpha, SignatureFilter filter) {
    const auto devices = team_->pointers();
    std::vector<std::uint32_t> blocks = {64, 512, 8000};
    if (filter == SignatureFilter::none || team_->on_host) blocks = {64};
    for (const std::uint32_t block : blocks) {
      KrulisIndex index(devices, data_.database, {.alpha = alpha, .filter = filter, .knn_block = block});
      const std::string name = filter == SignatureFilter::none
                                   ? fmt::format("alpha_{}_none", alpha)
                                   : fmt::format("alpha_{}_{}_block_{}", alpha, to_string(filter), block);
      // Without a filter every alpha takes as long as the scan of figure 2.
      measure(index, "krulis_10nn", name, query_count(filter == SignatureFilter::none ? 20 : 100),
              fmt::format("alpha {}", alpha), neighbors);
    }
  }

  // What today's index makes of the same: bounds, distances and answers on the device.
  void on_device(double alpha, SignatureMethod method) {
    SignatureIndexOptions options;
    options.similarity.alpha = static_cast<float>(alpha);
    options.method = method;
    SignatureIndex index(*team_->devices.front(), data_.database, options);
    for (const std::uint64_t queries : {std::uint64_t{1}, query_count(100)}) {
      const Signatures asked = signatures_part(data_.queries, 0, queries);
      const Timed timed = repeat(
          patience_, [&](std::uint32_t) { return index.search(asked, neighbors).report.times.compute_milliseconds; });
      const std::string name = fmt::format("alpha_{}_{}", alpha, to_string(method));
      const Neighbors found = index.search(asked, neighbors);
      compare(fmt::format("SignatureIndex, alpha {}, {} queries", alpha, queries), name, found);
      BenchRow row;
      row.group = "signature_index";
      row.name = fmt::format("{}_{}", name, team_->name);
      row.metric = "sqfd";
      row.n = data_.database.size();
      row.q = queries;
      row.d = data_.database.dimensions();
      row.k = neighbors;
      row.median_ms = timed.median_ms;
      row.min_ms = timed.min_ms;
      const auto pairs = static_cast<double>(queries * data_.database.size());
      row.remark = fmt::format("device time; {} answered; left out by pivots {:.1f} %; built in {} ms",
                               found.report.method, 100 * (1 - static_cast<double>(found.report.compared) / pairs),
                               significant(index.build_milliseconds()));
      recorder_.add(row);
    }
  }

  // Filters, block sizes and devices change nothing.
  void compare(const std::string& what, const std::string& name, const Neighbors& found) {
    const auto [first, is_first] = answers_.try_emplace(what, found);
    if (!is_first && !same_answer(first->second, found))
      recorder_.difference(fmt::format("{} on {}, {}: another answer than the first", what, team_->name, name));
  }

  const SignatureData& data_;
  const Patience& patience_;
  Recorder& recorder_;
  std::map<std::string, Neighbors>& answers_;
  const Team* team_ = nullptr;
};

// The processor with one thread and with all, every other device alone, and those of a kind together.
std::vector<std::function<Team()>> teams_of(const std::vector<std::string>& ids) {
  std::vector<std::function<Team()>> teams;
  std::map<std::string, std::vector<std::string>> of_kind;
  const auto add = [&](std::string name, std::vector<std::string> members) {
    teams.push_back([name = std::move(name), members = std::move(members)] {
      Team team{name, {}, false};
      for (const std::string& id : members) team.devices.push_back(open_checked(id));
      team.on_host = team.devices.front()->capabilities().runs_on_host;
      return team;
    });
  };
  for (const std::string& id : ids) {
    if (id == "cpu") {
      teams.push_back([] {
        Team team{"cpu_1_core", {}, true};
        team.devices.push_back(open_with_threads(1));
        return team;
      });
    }
    add(id, {id});
    if (const std::size_t colon = id.find(':'); colon != std::string::npos) of_kind[id.substr(0, colon)].push_back(id);
  }
  for (const auto& [kind, members] : of_kind)
    if (members.size() > 1) add(fmt::format("{}x{}", members.size(), kind), members);
  return teams;
}

SignatureData make_data(const BenchOptions& options, Recorder& recorder) {
  const std::uint64_t wanted =
      options.quick ? std::min<std::uint64_t>(options.largest_rows, 600) : options.largest_rows;
  const std::uint64_t held_out = options.quick ? 3 : 100;
  const Signatures all = made_views(wanted + held_out, options.seed);
  SignatureData data{signatures_part(all, 0, wanted), signatures_part(all, wanted, held_out)};
  recorder.note(fmt::format(
      "{} made signatures of {} dimensions and {} centroids, {} on the average; {} queries held out; seed {}.",
      with_separators(wanted), view_dimensions, with_separators(data.database.offsets().back()),
      significant(static_cast<double>(data.database.offsets().back()) / static_cast<double>(wanted)), held_out,
      options.seed));
  return data;
}

}  // namespace

void run_krulis(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const SignatureData data = options.data.empty() ? make_data(options, recorder)
                                                  : read_given_signatures(options, options.quick ? 3 : 100, recorder);
  std::map<std::string, Neighbors> answers;
  std::uint64_t done = 0;
  const auto teams = teams_of(options.devices);
  for (const auto& open : teams) {
    bar.update(done++, teams.size());
    try {
      const Team team = open();
      Measurement(data, options.patience, recorder, answers).run(team);
    } catch (const Error& error) {
      recorder.failure(error.what());
    }
  }
  recorder.note(
      "Times of a whole query on the host's clock, until its answer is there, median over the queries; "
      "d: dimensions. 32 pivots; two blocks per device wait at a time. Every answer was compared, to the bit, with "
      "that of the first device without a filter.");
}

}  // namespace proxel::tool
