#include "bench/papers/knn_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bench/host_threads.hpp"
#include "bench/knn_check.hpp"
#include "bench/papers/rows.hpp"
#include "bench/peers/cpu_peer.hpp"
#include "devices.hpp"
#include "format.hpp"

namespace proxel::tool::papers {
namespace {

constexpr std::string_view ann = "ann_kdtree";

// Terms of distances, n · q · d, that a processor is given: as a device, and as a baseline.
std::uint64_t most_terms_of_processor(const BenchOptions& options) {
  return std::uint64_t{1} << (options.quick ? 27 : 30);
}
std::uint64_t most_terms_of_baseline(const BenchOptions& options) {
  return std::uint64_t{1} << (options.quick ? 24 : 29);
}

std::uint64_t terms(const KnnCase& one) { return one.shape.rows * one.shape.queries * one.shape.dimensions; }
std::string curve_of(const Shape& shape) { return fmt::format("d = {}", shape.dimensions); }

// Those of the first queries that the reference answered.
std::optional<std::string> difference(const KnnWorkload& work, const Neighbors& found) {
  const auto asked = static_cast<std::uint64_t>(
      std::ranges::count_if(work.sample, [&](std::uint64_t query) { return query < found.indices.rows(); }));
  const std::uint64_t k = work.one.k;
  Neighbors expected{Matrix<std::uint32_t>(asked, k), Matrix<float>(asked, k)};
  std::copy_n(work.expected.indices.data(), asked * k, expected.indices.data());
  std::copy_n(work.expected.distances.data(), asked * k, expected.distances.data());
  return check_sample(expected, {work.sample.begin(), work.sample.begin() + static_cast<std::ptrdiff_t>(asked)}, found,
                      work.one.shape.rows);
}

class Baselines {
 public:
  Baselines(const KnnWorkload& work, const BenchOptions& options, Recorder& recorder, std::vector<Row>& rows)
      : work_(work), options_(options), recorder_(recorder), rows_(rows) {
    const Shape& shape = work.one.shape;
    part_ =
        std::clamp<std::uint64_t>(most_terms_of_baseline(options) / (shape.rows * shape.dimensions), 1, shape.queries);
  }

  void measure() {
    brute_force(1, Role::one_thread);
    brute_force(thread_counts().back(), Role::all_threads);
    for (const CpuPeerMaker& maker : cpu_peers())
      if (maker.name == ann && maker.built_in && work_.one.k <= work_.one.shape.rows) {
        const auto peer = maker.make(work_.data.view(), 1);
        add(Role::one_thread, "ANN kd-tree", [&] { peer->search(queries(), work_.one.k); });
      }
  }

 private:
  MatrixView<float> queries() const { return work_.queries.view().slice(0, part_); }

  template <typename Once>
  void add(Role role, const std::string& name, const Once& once) {
    const double whole = static_cast<double>(work_.one.shape.queries) / static_cast<double>(part_);
    const Timed timed = repeat_on_host(options_.patience, once);
    rows_.push_back({false, role, Source::measured, host, name, curve_of(work_.one.shape),
                     static_cast<double>(work_.one.shape.rows), "time", whole * timed.median_ms / 1000});
  }

  void brute_force(std::uint32_t threads, Role role) {
    const auto device = open_with_threads(threads);
    Index index(*device, work_.data.view(), {.method = Method::scan});
    Neighbors found;
    add(role, "brute force", [&] { found = index.search(queries(), work_.one.k, Metric::l2sq); });
    if (const auto different = difference(work_, found))
      recorder_.difference(fmt::format("brute force on {} threads: {}", threads, *different));
  }

  const KnnWorkload& work_;
  const BenchOptions& options_;
  Recorder& recorder_;
  std::vector<Row>& rows_;
  std::uint64_t part_ = 1;  // of the queries
};

// What a row's name says: "proxel_METHOD_DEVICE".
Row row_of(const BenchRow& measured, const std::vector<KnnMethod>& methods, const std::vector<std::string>& devices) {
  Row row;
  row.device = *std::ranges::find_if(devices, [&](const std::string& id) { return measured.name.ends_with("_" + id); });
  const std::string name = measured.name.substr(7, measured.name.size() - 8 - row.device.size());
  const auto method = std::ranges::find_if(
      methods, [&](const KnnMethod& one) { return name_of(one.method, one.distances_only) == name; });
  const KnnMethod& of = method != methods.end() ? *method : methods.back();
  row.role = of.role;
  row.method = of.name;
  row.curve = curve_of({measured.n, static_cast<std::uint32_t>(measured.d), 0});
  row.x = static_cast<double>(measured.n);
  row.quantity = "time";
  row.y = measured.median_ms / 1000;
  return row;
}

void measure_devices(const std::vector<KnnCase>& cases, const std::vector<KnnMethod>& methods,
                     const BenchOptions& options, Recorder& recorder, ProgressBar& bar,
                     const std::function<KnnWorkload(const KnnCase&)>& make, std::vector<Row>& rows) {
  if (options.devices.empty() || cases.empty()) return;
  Recorder general(false), inner(false);
  note_knn_method(general);
  run_knn_cases(cases, options, inner, bar, make);
  for (const std::string& note : inner.notes())
    if (std::ranges::find(general.notes(), note) == general.notes().end()) recorder.note(note);
  recorder.take_faults(inner);
  for (const BenchRow& row : inner.rows())
    if (row.group.ends_with("_call")) rows.push_back(row_of(row, methods, options.devices));
}

}  // namespace

Support ann_is_built_in() {
  return std::ranges::find_if(cpu_peers(), [](const CpuPeerMaker& maker) { return maker.name == ann; })->built_in;
}

std::vector<Row> knn_rows(const std::vector<KnnCase>& cases, const std::vector<KnnMethod>& methods,
                          const BenchOptions& options, Recorder& recorder, ProgressBar& bar,
                          const std::function<KnnWorkload(const KnnCase&)>& make) {
  BenchOptions gpus = options;
  gpus.methods.clear();
  for (const KnnMethod& method : methods) {
    gpus.distances_only |= method.distances_only;
    if (!method.distances_only) gpus.methods.push_back(method.method);
  }
  BenchOptions processors = gpus;
  const auto is_processor = [&](const std::string& id) { return open_checked(id)->capabilities().runs_on_host; };
  std::erase_if(gpus.devices, is_processor);
  std::erase_if(processors.devices, [&](const std::string& id) { return !is_processor(id); });
  std::vector<KnnCase> small = cases;
  std::erase_if(small, [&](const KnnCase& one) { return terms(one) > most_terms_of_processor(options); });
  if (small.size() < cases.size() && !processors.devices.empty())
    recorder.note(fmt::format("Devices that are processors are given {} of {} cases of {}, those of at most {} terms.",
                              small.size(), cases.size(), cases.front().group,
                              with_separators(most_terms_of_processor(options))));
  std::vector<Row> rows;
  measure_devices(cases, methods, gpus, recorder, bar, make, rows);
  measure_devices(small, methods, processors, recorder, bar, make, rows);
  for (std::size_t step = 0; step < cases.size(); ++step) {
    bar.update(step, cases.size());
    const KnnWorkload work = make(cases[step]);
    Baselines(work, options, recorder, rows).measure();
  }
  return rows;
}

}  // namespace proxel::tool::papers
