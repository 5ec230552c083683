#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "in_use.hpp"
#include "permutation/permutants.hpp"
#include "proxel/papers/krulis.hpp"
#include "search/check.hpp"
#include "session/room.hpp"
#include "session/stopwatch.hpp"
#include "session/told.hpp"
#include "signatures/krulis_blocks.hpp"
#include "signatures/krulis_check.hpp"
#include "signatures/krulis_device.hpp"
#include "signatures/nearest_set.hpp"
#include "signatures/pivot_table.hpp"

namespace proxel {

using namespace krulis;

std::string_view to_string(SignatureFilter filter) {
  switch (filter) {
    case SignatureFilter::none:
      return "none";
    case SignatureFilter::pivots:
      return "pivots";
    case SignatureFilter::ptolemaic:
      return "ptolemaic";
  }
  return "unknown";
}

SignatureFilter signature_filter_from_string(std::string_view name) {
  for (const SignatureFilter filter : {SignatureFilter::none, SignatureFilter::pivots, SignatureFilter::ptolemaic})
    if (name == to_string(filter)) return filter;
  throw Error(ErrorCode::invalid_argument, "filter",
              fmt::format("'{}' was given; none, pivots and ptolemaic are allowed", name));
}

namespace {

// That are filtered on the host meanwhile.
constexpr std::uint64_t objects_between_looks = 4096;

/// A query and what is known of it.
struct Query {
  SignatureView view;
  double weight_sum = 0;
};

SignatureView view_of(const Signatures& signatures, std::uint64_t i) {
  return {signatures.centroids(i), signatures.weights(i)};
}

}  // namespace

struct KrulisIndex::Implementation {
  InUse in_use;
  KrulisOptions options;
  std::uint32_t dimensions;
  std::uint64_t objects;
  std::vector<std::uint64_t> offsets;
  std::vector<double> weight_sums;
  BlockQueue queue;
  std::vector<std::unique_ptr<BlockDevice>> devices;
  bool slow;  // whether a device is a processor
  PivotTable table;
  // What the search that runs has taken so far.
  struct Steps {
    double pivots_milliseconds = 0, filter_milliseconds = 0, wait_milliseconds = 0, answer_milliseconds = 0;
    std::uint64_t distances = 0;
  } steps;
  double build_milliseconds = 0;

  Implementation(std::span<Device* const> of, const Signatures& signatures, const KrulisOptions& wanted,
                 const Progress& progress)
      : options(wanted),
        dimensions(signatures.dimensions()),
        objects(signatures.size()),
        offsets(signatures.offsets().begin(), signatures.offsets().end()),
        weight_sums(checked_weight_sums("signatures", signatures)),
        queue(of.size()),
        slow(std::any_of(of.begin(), of.end(), [](Device* device) { return device->capabilities().runs_on_host; })) {
    for (Device* device : of)
      devices.push_back(std::make_unique<BlockDevice>(*device, signatures, options.alpha, options.precision, queue));
    try {
      for (const auto& device : devices) device->start();
      if (options.filter != SignatureFilter::none) build_table(signatures, progress);
    } catch (...) {
      queue.close();
      throw;
    }
  }
  ~Implementation() { queue.close(); }

  double error(const Query& query, std::uint64_t object) const {
    return sqfd_error(options.precision, dimensions, query.view.weights.size() + offsets[object + 1] - offsets[object],
                      query.weight_sum + weight_sums[object]);
  }

  void build_table(const Signatures& signatures, const Progress& progress) {
    table = PivotTable(options.pivots.empty() ? permutation::random_sample(objects, options.pivot_count, options.seed)
                                              : options.pivots,
                       objects);
    session::Told told(progress, table.pivots().size());
    for (std::size_t pivot = 0; pivot < table.pivots().size(); ++pivot) {
      const std::uint32_t number = table.pivots()[pivot];
      const Query query{view_of(signatures, number), weight_sums[number]};
      scan(query, [&](std::uint32_t object, float distance) {
        table.set(object, pivot, true_distance(distance, error(query, object)));
      });
      told.reached(pivot + 1);
    }
  }

  void begin() {
    steps = {};
    for (const auto& device : devices) device->reset();
  }
  SearchReport end(std::uint64_t queries, const session::Stopwatch& stopwatch) const {
    SearchReport report;
    report.method = options.filter == SignatureFilter::none ? "scan" : to_string(options.filter);
    report.compared = queries * objects;
    report.evaluated = steps.distances;
    for (const auto& device : devices) {
      report.devices.push_back({device->blocks(), device->milliseconds()});
      report.times.compute_milliseconds += device->milliseconds();
    }
    report.times.passes = {{"pivots", "", steps.pivots_milliseconds},
                           {"filter", "", steps.filter_milliseconds},
                           {"wait", "", steps.wait_milliseconds},
                           {"answer", "", steps.answer_milliseconds}};
    report.times.total_milliseconds = stopwatch.milliseconds();
    return report;
  }

  // `taken` is told of each object whose distance was computed: (object, distance).

  template <typename Take>
  void take(const Block& block, const Take& taken) {
    const session::Stopwatch answering;
    steps.distances += block.count;
    for (std::size_t place = 0; place < block.count; ++place) taken(block.object(place), block.distances[place]);
    steps.answer_milliseconds += answering.milliseconds();
  }

  // Section 4.3.1 without an index: all objects, in blocks as large as may be.
  template <typename Take>
  void scan(const Query& query, const Take& taken) {
    // A block of a processor that poses as a GPU ends before a caller who watches loses patience.
    const std::uint64_t largest_block = std::uint64_t{1} << (Watch::current() && slow ? 13 : 20);
    const std::uint64_t size = options.scan_block != 0
                                   ? options.scan_block
                                   : std::min(largest_block, search::divide_up<std::uint64_t>(objects, devices.size()));
    PendingBlocks pending(queue, steps.wait_milliseconds);
    for (std::uint64_t first = 0; first < objects; first += size) {
      Block block;
      block.query = query.view;
      block.first = static_cast<std::uint32_t>(first);
      block.count = static_cast<std::uint32_t>(std::min(size, objects - first));
      pending.push(std::move(block));
    }
    while (pending.size() != 0) take(pending.pop(), taken);
  }

  template <typename Take>
  PivotFilter pivot_filter(const Query& query, const Take& taken) {
    const std::span<const std::uint32_t> pivots = table.pivots();
    Block block;
    block.query = query.view;
    block.numbers.assign(pivots.begin(), pivots.end());
    block.count = static_cast<std::uint32_t>(pivots.size());
    PendingBlocks pending(queue, steps.pivots_milliseconds);
    pending.push(std::move(block));
    const Block known = pending.pop();
    std::vector<Interval> distances(pivots.size());
    for (std::size_t i = 0; i < pivots.size(); ++i)
      distances[i] = true_distance(known.distances[i], error(query, pivots[i]));
    take(known, taken);
    return {options.filter, table, std::move(distances)};
  }

  // Pivots are answered with the distances that the filter needs of them; the other objects
  // go by it in their order, and what it leaves in blocks. Where `most_pending` blocks wait
  // the first of them is waited for (section 4.3.2), which may make the radius smaller.
  template <typename Radius, typename Take>
  void filtered(const Query& query, std::uint32_t block_size, std::size_t most_pending, const Radius& radius,
                const Take& taken) {
    const PivotFilter filter = pivot_filter(query, taken);
    PendingBlocks pending(queue, steps.wait_milliseconds);
    Block forming;
    const auto send = [&] {
      forming.query = query.view;
      forming.count = static_cast<std::uint32_t>(forming.numbers.size());
      pending.push(std::exchange(forming, {}));
    };
    for (std::uint64_t object = 0; object < objects;) {
      const session::Stopwatch filtering;
      const float within = radius();
      for (; object < objects && forming.numbers.size() < block_size; ++object) {
        if (object % objects_between_looks == 0) Watch::glance();
        if (!table.is_pivot(object) && !filter.excludes(object, exclusion_limit(within, error(query, object))))
          forming.numbers.push_back(static_cast<std::uint32_t>(object));
      }
      steps.filter_milliseconds += filtering.milliseconds();
      if (forming.numbers.empty()) break;
      send();
      while (pending.size() >= most_pending) take(pending.pop(), taken);
    }
    while (pending.size() != 0) take(pending.pop(), taken);
  }

  Query query(const Signatures& queries, const std::vector<double>& sums, std::uint64_t i) const {
    return {view_of(queries, i), sums[i]};
  }
};

KrulisIndex::KrulisIndex(std::span<Device* const> devices, const Signatures& signatures, const KrulisOptions& options,
                         const Progress& progress) {
  const session::Stopwatch building;
  search::require_devices(devices);
  check_options(options);
  search::require_range("signatures", signatures.size(), 1, search::most_rows);
  search::require_range("centroids of all signatures", signatures.offsets().back(), 1, UINT32_MAX);
  check_pivots(options.pivots, signatures.size());
  implementation_ = std::make_unique<Implementation>(devices, signatures, options, progress);
  implementation_->build_milliseconds = building.milliseconds();
}
KrulisIndex::~KrulisIndex() = default;
KrulisIndex::KrulisIndex(KrulisIndex&&) noexcept = default;
KrulisIndex& KrulisIndex::operator=(KrulisIndex&&) noexcept = default;

namespace {

std::vector<double> checked_queries(const Signatures& queries, std::uint32_t dimensions) {
  search::require_range("queries", queries.size(), 1, search::most_rows);
  search::require_range("dimensions of queries", queries.dimensions(), dimensions, dimensions);
  return checked_weight_sums("queries", queries);
}

}  // namespace

Neighbors KrulisIndex::search(const Signatures& queries, std::uint64_t k, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  const std::vector<double> sums = checked_queries(queries, dimensions());
  search::require_range("k", k, 1, search::most_k);
  Neighbors found = session::neighbors_room(queries.size(), k);
  std::fill_n(found.indices.data(), queries.size() * k, no_neighbor);
  std::fill_n(found.distances.data(), queries.size() * k, std::numeric_limits<float>::infinity());
  self.begin();
  const std::size_t pending = self.options.pending != 0 ? self.options.pending : 2 * self.devices.size();
  session::Told told(progress, queries.size());
  for (std::uint64_t i = 0; i < queries.size(); ++i) {
    NearestSet nearest(k);
    const auto take = [&](std::uint32_t object, float distance) { nearest.add(distance, object); };
    const Query query = self.query(queries, sums, i);
    if (self.options.filter == SignatureFilter::none)
      self.scan(query, take);
    else
      self.filtered(query, self.options.knn_block, pending, [&] { return nearest.radius(); }, take);
    std::uint64_t slot = i * k;
    for (const auto& [distance, object] : nearest.sorted()) {
      found.indices.data()[slot] = object;
      found.distances.data()[slot++] = distance;
    }
    told.reached(i + 1);
  }
  found.report = self.end(queries.size(), stopwatch);
  return found;
}

RangeNeighbors KrulisIndex::range_search(const Signatures& queries, float radius, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  const std::vector<double> sums = checked_queries(queries, dimensions());
  search::require_radius(radius);
  self.begin();
  RangeNeighbors found;
  found.offsets.push_back(0);
  session::Told told(progress, queries.size());
  for (std::uint64_t i = 0; i < queries.size(); ++i) {
    std::vector<Neighbor> within;
    const auto take = [&](std::uint32_t object, float distance) {
      if (distance <= radius) within.emplace_back(distance, object);
    };
    const Query query = self.query(queries, sums, i);
    if (radius >= 0 && self.options.filter == SignatureFilter::none)
      self.scan(query, take);
    else if (radius >= 0)
      self.filtered(query, self.options.range_block, SIZE_MAX, [&] { return radius; }, take);
    std::sort(within.begin(), within.end());
    for (const auto& [distance, object] : within) {
      found.indices.push_back(object);
      found.distances.push_back(distance);
    }
    found.offsets.push_back(found.indices.size());
    told.reached(i + 1);
  }
  found.report = self.end(queries.size(), stopwatch);
  return found;
}

Distances KrulisIndex::distances(const Signatures& queries, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  const std::vector<double> sums = checked_queries(queries, dimensions());
  Distances all{Matrix<float>(queries.size(), self.objects)};
  self.begin();
  session::Told told(progress, queries.size());
  for (std::uint64_t i = 0; i < queries.size(); ++i) {
    self.scan(self.query(queries, sums, i),
              [&](std::uint32_t object, float distance) { all.values(i, object) = distance; });
    told.reached(i + 1);
  }
  all.report = self.end(queries.size(), stopwatch);
  return all;
}

std::uint64_t KrulisIndex::size() const { return implementation_->objects; }
std::uint32_t KrulisIndex::dimensions() const { return implementation_->dimensions; }
std::span<const std::uint32_t> KrulisIndex::pivots() const { return implementation_->table.pivots(); }
double KrulisIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
