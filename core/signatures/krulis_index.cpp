#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "proxel/papers/krulis.hpp"
#include "session/room.hpp"
#include "session/told.hpp"
#include "signatures/krulis_check.hpp"
#include "signatures/krulis_implementation.hpp"
#include "signatures/nearest_set.hpp"

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
  const bool scanned = self.options.filter == SignatureFilter::none;
  session::Told told(progress, queries.size());
  for (std::uint64_t i = 0; i < queries.size();) {
    const std::vector<krulis::Query> some = self.together(queries, sums, i, scanned);
    std::vector<NearestSet> nearest(some.size(), NearestSet(k));
    const auto take = [&](std::size_t n, std::uint32_t object, float distance) { nearest[n].add(distance, object); };
    if (scanned)
      self.scan(some, take);
    else
      self.filtered(some[0], self.options.knn_block, pending, [&] { return nearest[0].radius(); },
                    [&](std::uint32_t object, float distance) { take(0, object, distance); });
    for (NearestSet& one : nearest) {
      std::uint64_t slot = i++ * k;
      for (const auto& [distance, object] : one.sorted()) {
        found.indices.data()[slot] = object;
        found.distances.data()[slot++] = distance;
      }
    }
    told.reached(i);
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
  const bool scanned = self.options.filter == SignatureFilter::none;
  session::Told told(progress, queries.size());
  for (std::uint64_t i = 0; i < queries.size();) {
    const std::vector<krulis::Query> some = self.together(queries, sums, i, scanned);
    std::vector<std::vector<Neighbor>> within(some.size());
    const auto take = [&](std::size_t n, std::uint32_t object, float distance) {
      if (distance <= radius) within[n].emplace_back(distance, object);
    };
    if (radius >= 0 && scanned)
      self.scan(some, take);
    else if (radius >= 0)
      self.filtered(some[0], self.options.range_block, SIZE_MAX, [&] { return radius; },
                    [&](std::uint32_t object, float distance) { take(0, object, distance); });
    for (std::vector<Neighbor>& one : within) {
      std::sort(one.begin(), one.end());
      for (const auto& [distance, object] : one) {
        found.indices.push_back(object);
        found.distances.push_back(distance);
      }
      found.offsets.push_back(found.indices.size());
    }
    i += some.size();
    told.reached(i);
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
  for (std::uint64_t i = 0; i < queries.size();) {
    const std::vector<krulis::Query> some = self.together(queries, sums, i, true);
    self.scan(some, [&](std::size_t n, std::uint32_t object, float distance) { all.values(i + n, object) = distance; });
    i += some.size();
    told.reached(i);
  }
  all.report = self.end(queries.size(), stopwatch);
  return all;
}

std::uint64_t KrulisIndex::size() const { return implementation_->objects; }
std::uint32_t KrulisIndex::dimensions() const { return implementation_->dimensions; }
std::span<const std::uint32_t> KrulisIndex::pivots() const { return implementation_->pivots; }
double KrulisIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
