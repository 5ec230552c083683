#include "signatures/krulis_implementation.hpp"

#include <new>

#include "permutation/permutants.hpp"
#include "session/told.hpp"
#include "signatures/krulis_check.hpp"
#include "signatures/stored_pivots.hpp"

namespace proxel {

using namespace krulis;

namespace {

std::vector<std::uint32_t> chosen_pivots(const KrulisOptions& options, std::uint64_t objects) {
  if (options.filter == SignatureFilter::none) return {};
  if (!options.pivots.empty()) return options.pivots;
  return permutation::random_sample(objects, options.pivot_count, options.seed);
}

Signatures copied(const Signatures& signatures) {
  try {
    return signatures;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "signatures",
                "no room for a copy in the host's memory, which a device with no room for all needs");
  }
}

}  // namespace

KrulisIndex::Implementation::Implementation(std::span<Device* const> of, const Signatures& signatures,
                                            const KrulisOptions& wanted, const Progress& progress)
    : options(wanted),
      dimensions(signatures.dimensions()),
      objects(signatures.size()),
      offsets(signatures.offsets().begin(), signatures.offsets().end()),
      weight_sums(checked_weight_sums("signatures", signatures)),
      pivots(chosen_pivots(wanted, objects)),
      pivot_signatures(signatures::picked(signatures, pivots)),
      division(divide(of, signatures, bytes_of(pivot_signatures, 0, pivots.size()), wanted)),
      queue(of.size(), division.groups.count()),
      slow(std::any_of(of.begin(), of.end(), [](Device* device) { return device->capabilities().runs_on_host; })) {
  if (division.travels()) kept = copied(signatures);
  const BlockDevice::Collection collection{kept ? *kept : signatures, pivot_signatures, division};
  for (std::size_t i = 0; i < of.size(); ++i)
    devices.push_back(std::make_unique<BlockDevice>(*of[i], i, collection, options, queue));
  try {
    for (const auto& device : devices) device->start();
    if (options.filter != SignatureFilter::none) build_table(progress);
  } catch (...) {
    queue.close();
    throw;
  }
}

void KrulisIndex::Implementation::build_table(const Progress& progress) {
  table = PivotTable(pivots, objects);
  std::vector<Query> queries;
  for (std::size_t i = 0; i < pivots.size(); ++i)
    queries.push_back({view_of(pivot_signatures, i), weight_sums[pivots[i]]});
  session::Told told(progress, queries.size());
  const std::size_t together = scanned_together();
  for (std::size_t first = 0; first < queries.size(); first += together) {
    const std::span<const Query> some =
        std::span(queries).subspan(first).first(std::min(together, queries.size() - first));
    scan(some, [&](std::size_t i, std::uint32_t object, float distance) {
      table.set(object, first + i, true_distance(distance, error(some[i], object)));
    });
    told.reached(first + some.size());
  }
}

SearchReport KrulisIndex::Implementation::end(std::uint64_t queries, const session::Stopwatch& stopwatch) const {
  SearchReport report;
  report.method = options.filter == SignatureFilter::none ? "scan" : to_string(options.filter);
  report.compared = queries * objects;
  report.evaluated = steps.distances;
  for (const auto& device : devices) {
    report.devices.push_back({device->blocks(), device->milliseconds()});
    report.times.compute_milliseconds += device->milliseconds();
    report.times.upload_milliseconds += device->bringing_milliseconds();
  }
  report.times.passes = {{"pivots", "", steps.pivots_milliseconds},
                         {"filter", "", steps.filter_milliseconds},
                         {"wait", "", steps.wait_milliseconds},
                         {"answer", "", steps.answer_milliseconds}};
  report.times.total_milliseconds = stopwatch.milliseconds();
  return report;
}

Block KrulisIndex::Implementation::forming(const Query& query, const PivotFilter& filter, std::uint32_t group,
                                           std::uint64_t& object, std::uint32_t most, float within) {
  const session::Stopwatch filtering;
  Block block;
  block.query = query.view;
  block.group = group;
  for (; object < division.groups.end(group) && block.numbers.size() < most; ++object) {
    if (object % objects_between_looks == 0) Watch::glance();
    if (!table.is_pivot(object) && !filter.excludes(object, exclusion_limit(within, error(query, object))))
      block.numbers.push_back(static_cast<std::uint32_t>(object));
  }
  steps.filter_milliseconds += filtering.milliseconds();
  return block;
}

std::vector<Query> KrulisIndex::Implementation::together(const Signatures& queries, const std::vector<double>& sums,
                                                         std::uint64_t first, bool scanned) const {
  const std::uint64_t end = std::min(queries.size(), first + (scanned ? scanned_together() : 1));
  std::vector<Query> some;
  for (std::uint64_t i = first; i < end; ++i) some.push_back({view_of(queries, i), sums[i]});
  return some;
}

}  // namespace proxel
