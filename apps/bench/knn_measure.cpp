#include "bench/knn_measure.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bench/knn_check.hpp"
#include "bench/published.hpp"
#include "bench/recorded_search.hpp"
#include "bench/targets.hpp"
#include "format.hpp"
#include "proxel/index.hpp"

namespace proxel::tool {
namespace {

// What a processor is asked for at most: brute force over it takes some seconds.
constexpr std::uint64_t most_terms_on_host = std::uint64_t{1} << 34;
constexpr std::uint64_t most_terms_on_host_quick = std::uint64_t{1} << 28;

std::string text_of(const KnnCase& one) {
  return fmt::format("{} × {}, {} queries, k = {}", with_separators(one.shape.rows), one.shape.dimensions,
                     with_separators(one.shape.queries), one.k);
}

void check(const std::string& who, const KnnWorkload& work, const Neighbors& brute, const Neighbors& found,
           Recorder& recorder) {
  const auto tell = [&](const char* judge, const std::optional<std::string>& difference) {
    if (difference)
      recorder.difference(fmt::format("{}, {}, against {}: {}", who, text_of(work.one), judge, *difference));
  };
  tell("brute force", check_all(brute, found, work.one.shape.rows));
  tell("the reference", check_sample(work.expected, work.sample, found, work.one.shape.rows));
}

Yardsticks yardsticks_of(const Device& device, const KnnCase& one, const Rates& rates) {
  Yardsticks held;
  held.peer = fastest_peer(one.shape, one.k);
  held.same_device = is_published_device(device.info());
  if (held.same_device) held.target_ms = target_ms(device.info().backend, one.shape, one.k);
  held.floors = floors_of(one.shape, rates);
  return held;
}

// @param distances_only  of GarciaOptions: distances alone are compared then
void measure_method(Device& device, Method method, bool distances_only, const KnnWorkload& work, const Neighbors& brute,
                    const Rates& rates, const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const KnnCase& one = work.one;
  const std::string& id = device.info().id;
  Index index(device, work.data.view(), {.method = method, .papers = {.garcia = {.distances_only = distances_only}}},
              bar.callback());
  if (const Support support = index.supports(Metric::l2sq, one.k); !support) {
    recorder.note(fmt::format("{} {}, {}: left out: {}", id, to_string(method), text_of(one), support.reason));
    return;
  }
  const auto plan = index.plan(one.shape.queries, one.k, Metric::l2sq);
  const std::string name = distances_only ? name_of(method, distances_only) : std::string(plan->info().method);
  RecordedSearch search(
      device, one.shape, one.k, work.queries.view(), 1, plan->scratch_bytes(),
      [&](Recording& recording, std::uint32_t, const SearchBuffers& buffers) { plan->record(recording, buffers); });
  const std::string who = fmt::format("{} {}", id, name);
  const auto answers = [&] {
    Neighbors found = search.answers(0);
    if (distances_only) found.indices = brute.indices;
    return found;
  };
  check(who, work, brute, answers(), recorder);

  BenchRow row{one.group,
               fmt::format("proxel_{}_{}", name, id),
               "l2sq",
               one.shape.rows,
               one.shape.queries,
               one.shape.dimensions,
               one.k,
               0,
               0,
               "",
               {}};
  BenchRow call = row;
  const Timed compute = search.compute(options.patience);
  row.median_ms = compute.median_ms;
  row.min_ms = compute.min_ms;
  row.yardsticks = yardsticks_of(device, one, rates);
  row.yardsticks->scratch_bytes = plan->scratch_bytes();
  row.yardsticks->rungs = plan->rungs();
  const Timed whole = search.call(options.patience);
  // Searching again and again must not have worn anything out either.
  check(who + ", afterwards", work, brute, answers(), recorder);
  row.remark = fmt::format("equal: {} to brute force, {} to the reference", with_separators(one.shape.queries),
                           work.sample.size());
  recorder.add(std::move(row));
  call.group += "_call";
  call.median_ms = whole.median_ms;
  call.min_ms = whole.min_ms;
  recorder.add(std::move(call));
}

bool too_long(const Device& device, const KnnCase& one, const BenchOptions& options, Recorder& recorder) {
  if (!device.capabilities().runs_on_host) return false;
  const std::uint64_t terms = one.shape.rows * one.shape.queries * one.shape.dimensions;
  if (terms <= (options.quick ? most_terms_on_host_quick : most_terms_on_host)) return false;
  recorder.note(fmt::format("{} is a processor; {} is left out there", device.info().id, text_of(one)));
  return true;
}

}  // namespace

std::string name_of(Method method, bool distances_only) {
  return std::string(to_string(method)) + (distances_only ? "-distances" : "");
}

Neighbors brute_force(Device& device, const KnnWorkload& work, Recorder& recorder, ProgressBar& bar) {
  Index index(device, work.data.view(), {.method = Method::scan}, bar.callback());
  Neighbors brute = index.search(work.queries.view(), work.one.k, Metric::l2sq, {.progress = bar.callback()});
  if (const auto difference = check_sample(work.expected, work.sample, brute, work.one.shape.rows))
    recorder.difference(
        fmt::format("{} brute force, {}, against the reference: {}", device.info().id, text_of(work.one), *difference));
  return brute;
}

Neighbors measure_knn(Device& device, const KnnWorkload& work, const Rates& rates, const BenchOptions& options,
                      Recorder& recorder, ProgressBar& bar) {
  Neighbors brute = brute_force(device, work, recorder, bar);
  for (const Method method : options.methods)
    for (const bool distances_only : {false, true})
      if (!distances_only || (options.distances_only && method == Method::garcia_direct))
        measure_method(device, method, distances_only, work, brute, rates, options, recorder, bar);
  return brute;
}

void run_knn_cases(const std::vector<KnnCase>& cases, const BenchOptions& options, Recorder& recorder, ProgressBar& bar,
                   const std::function<KnnWorkload(const KnnCase&)>& make,
                   const std::function<void(const KnnWorkload&, const Neighbors&)>& after) {
  note_knn_method(recorder);
  std::vector<Rates> rates(options.devices.size());
  for (std::size_t number = 0; number < options.devices.size(); ++number)
    on_device(options.devices[number], recorder, [&](Device& device) {
      const Bandwidth bandwidth = measure_bandwidth(device, options.patience, options.quick);
      add_ceilings(device.info().id, bandwidth, recorder);
      rates[number] = rates_of(device, bandwidth, options);
    });
  for (std::size_t step = 0; step < cases.size(); ++step) {
    bar.update(step, cases.size());
    const KnnCase& one = cases[step];
    std::optional<KnnWorkload> work;
    std::optional<Neighbors> answers;
    for (std::size_t number = 0; number < options.devices.size(); ++number)
      on_device(options.devices[number], recorder, [&](Device& device) {
        if (too_long(device, one, options, recorder)) return;
        if (rows_that_fit(one.shape.rows, one.shape.dimensions * 4, device, recorder) != one.shape.rows) return;
        if (!work) work.emplace(make(one));
        Neighbors found = measure_knn(device, *work, rates[number], options, recorder, bar);
        if (!answers) answers.emplace(std::move(found));
      });
    if (after && answers) after(*work, *answers);
  }
}

std::vector<KnnCase> chosen_cases(const std::vector<KnnCase>& all, const BenchOptions& options) {
  std::vector<KnnCase> left;
  for (const KnnCase& one : all)
    if (one.shape.rows <= options.largest_rows && chosen(options.rows, one.shape.rows) &&
        chosen(options.dimensions, one.shape.dimensions))
      left.push_back(one);
  if (left.empty())
    throw Error(ErrorCode::invalid_argument, "--rows, --dimensions, --largest-rows", "leave nothing of the suite");
  return left;
}

}  // namespace proxel::tool
