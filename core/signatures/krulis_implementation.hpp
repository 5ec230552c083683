#pragma once

// What a KrulisIndex is made of; its members that do not depend on what is taken are in krulis_implementation.cpp.

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "in_use.hpp"
#include "proxel/papers/krulis.hpp"
#include "search/check.hpp"
#include "session/stopwatch.hpp"
#include "signatures/krulis_block.hpp"
#include "signatures/krulis_blocks.hpp"
#include "signatures/krulis_bounds.hpp"
#include "signatures/krulis_device.hpp"
#include "signatures/krulis_groups.hpp"
#include "signatures/pivot_table.hpp"
#include "watch.hpp"

namespace proxel {

namespace krulis {

/// Objects that are filtered on the host between looks at a Watch.
inline constexpr std::uint64_t objects_between_looks = 4096;

/// A query and what is known of it.
struct Query {
  SignatureView view;
  double weight_sum = 0;
};

inline SignatureView view_of(const Signatures& signatures, std::uint64_t i) {
  return {signatures.centroids(i), signatures.weights(i)};
}

}  // namespace krulis

struct KrulisIndex::Implementation {
  using Block = krulis::Block;
  using Query = krulis::Query;
  using PivotFilter = krulis::PivotFilter;

  InUse in_use;
  KrulisOptions options;
  std::uint32_t dimensions;
  std::uint64_t objects;
  std::vector<std::uint64_t> offsets;
  std::vector<double> weight_sums;
  std::vector<std::uint32_t> pivots;
  Signatures pivot_signatures;
  krulis::Division division;
  std::optional<Signatures> kept;  // where a device has no room for all
  krulis::BlockQueue queue;
  std::vector<std::unique_ptr<krulis::BlockDevice>> devices;
  bool slow;  // whether a device is a processor
  krulis::PivotTable table;
  // What the search that runs has taken so far.
  struct Steps {
    double pivots_milliseconds = 0, filter_milliseconds = 0, wait_milliseconds = 0, answer_milliseconds = 0;
    std::uint64_t distances = 0;
  } steps;
  bool backwards = false;  // how the next filtered search takes the groups
  double build_milliseconds = 0;

  Implementation(std::span<Device* const> of, const Signatures& signatures, const KrulisOptions& wanted,
                 const Progress& progress);
  ~Implementation() { queue.close(); }

  double error(const Query& query, std::uint64_t object) const {
    return sqfd_error(options.precision, dimensions, query.view.weights.size() + offsets[object + 1] - offsets[object],
                      query.weight_sum + weight_sums[object]);
  }

  void build_table(const Progress& progress);

  void begin() {
    steps = {};
    for (const auto& device : devices) device->reset();
  }
  SearchReport end(std::uint64_t queries, const session::Stopwatch& stopwatch) const;

  // Queries that one scan answers. Signatures that travel serve as many as they may: no more distances wait than
  // take about 256 MiB.
  std::size_t scanned_together() const {
    constexpr std::uint64_t most = 32, waiting = std::uint64_t{1} << 26;
    return division.travels() ? std::clamp<std::uint64_t>(waiting / objects, 1, most) : 1;
  }

  // `taken` is told of each object whose distance was computed: (object, distance).

  template <typename Take>
  void take(const Block& block, const Take& taken) {
    const session::Stopwatch answering;
    steps.distances += block.count;
    for (std::size_t place = 0; place < block.count; ++place) taken(block.object(place), block.distances[place]);
    steps.answer_milliseconds += answering.milliseconds();
  }

  // Section 4.3.1 without an index: all objects, in blocks as large as may be, of one group after another.
  // `taken` is told of the query's number first.
  template <typename Take>
  void scan(std::span<const Query> queries, const Take& taken) {
    // A block of a processor that poses as a GPU ends before a caller who watches loses patience.
    const std::uint64_t largest_block = std::uint64_t{1} << (Watch::current() && slow ? 13 : 20);
    const std::uint64_t size = options.scan_block != 0
                                   ? options.scan_block
                                   : std::min(largest_block, search::divide_up<std::uint64_t>(objects, devices.size()));
    std::vector<Block> blocks;
    std::vector<std::size_t> numbers;  // of the blocks' queries
    for (std::uint32_t group = 0; group < division.groups.count(); ++group)
      for (std::size_t i = 0; i < queries.size(); ++i)
        for (std::uint64_t first = division.groups.first(group); first < division.groups.end(group); first += size) {
          Block block;
          block.query = queries[i].view;
          block.group = group;
          block.first = static_cast<std::uint32_t>(first);
          block.count = static_cast<std::uint32_t>(std::min(size, division.groups.end(group) - first));
          numbers.push_back(i);
          blocks.push_back(std::move(block));
        }
    // At once, so that devices begin with the groups that they have.
    krulis::PendingBlocks pending(queue, steps.wait_milliseconds);
    pending.push(std::move(blocks));
    for (const std::size_t number : numbers)
      take(pending.pop(), [&](std::uint32_t object, float distance) { taken(number, object, distance); });
  }

  template <typename Take>
  PivotFilter pivot_filter(const Query& query, const Take& taken) {
    Block block;
    block.query = query.view;
    block.group = division.groups.count();
    block.count = static_cast<std::uint32_t>(pivots.size());
    krulis::PendingBlocks pending(queue, steps.pivots_milliseconds);
    pending.push(std::move(block));
    const Block known = pending.pop();
    std::vector<krulis::Interval> distances(pivots.size());
    for (std::size_t i = 0; i < pivots.size(); ++i)
      distances[i] = krulis::true_distance(known.distances[i], error(query, pivots[i]));
    take(known, [&](std::uint32_t pivot, float distance) { taken(pivots[pivot], distance); });
    return {options.filter, table, std::move(distances)};
  }

  // Pivots are answered with the distances that the filter needs of them; the other objects
  // go by it in their order, and what it leaves in blocks. Where `most_pending` blocks wait
  // the first of them is waited for (section 4.3.2), which may make the radius smaller.
  // Groups are taken forwards and backwards in turn: a device begins with those that it has of the search before.
  template <typename Radius, typename Take>
  void filtered(const Query& query, std::uint32_t block_size, std::size_t most_pending, const Radius& radius,
                const Take& taken) {
    const PivotFilter filter = pivot_filter(query, taken);
    krulis::PendingBlocks pending(queue, steps.wait_milliseconds);
    const std::uint32_t groups = division.groups.count();
    for (std::uint32_t i = 0; i < groups; ++i) {
      const std::uint32_t group = backwards ? groups - 1 - i : i;
      for (std::uint64_t object = division.groups.first(group); object < division.groups.end(group);) {
        Block block = forming(query, filter, group, object, block_size, radius());
        if (block.numbers.empty()) break;
        block.count = static_cast<std::uint32_t>(block.numbers.size());
        pending.push(std::move(block));
        while (pending.size() >= most_pending) take(pending.pop(), taken);
      }
    }
    backwards = !backwards && groups > 1;
    while (pending.size() != 0) take(pending.pop(), taken);
  }

  // What the filter leaves of a group from an object on, which becomes the one behind the last that was looked at.
  Block forming(const Query& query, const PivotFilter& filter, std::uint32_t group, std::uint64_t& object,
                std::uint32_t most, float within);

  // The queries from `first` on, as many as one search answers together.
  // @param scanned  whether it takes all objects
  std::vector<Query> together(const Signatures& queries, const std::vector<double>& sums, std::uint64_t first,
                              bool scanned) const;
};

}  // namespace proxel
