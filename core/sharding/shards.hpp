#pragma once

// The devices of an index, each with an index of its own, and how they are asked together.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "proxel/division.hpp"
#include "search/check.hpp"
#include "sharding/answers.hpp"
#include "sharding/each_shard.hpp"
#include "sharding/gathered.hpp"
#include "sharding/row_numbers.hpp"
#include "sharding/shares.hpp"

namespace proxel::sharding {

/// A device and what it has.
template <typename IndexOf>
struct ShardOf {
  Device* device = nullptr;
  double share = 0;
  std::optional<IndexOf> index;  // none where it has no rows
  RowNumbers numbers;            // where queries are divided those of all rows
};

/// @tparam IndexOf  of vectors, strings …, whose objects are called rows here
template <typename IndexOf>
class Shards {
 public:
  using Shard = ShardOf<IndexOf>;

  /// @param what  the rows are called where their number is refused
  /// Throws Error(invalid_argument).
  Shards(std::span<Device* const> devices, Division division, const char* what, std::uint64_t rows)
      : division_(division) {
    search::require_devices(devices);
    search::require_enumerator("division", division, Division::queries);
    search::require_range(what, rows, 1, search::most_rows);
    for (Device* device : devices) shards_.push_back({device, 0, std::nullopt, {}});
  }

  /// Makes the index of each device that has rows, at once.
  /// @param shares    that were given; without any the devices are tried
  /// @param multiple  parts begin at multiples of this
  /// @param make      (device, its part, progress) -> IndexOf
  template <typename Make>
  void make(std::uint64_t rows, const std::vector<double>& shares, const Trial& trial, std::uint64_t multiple,
            const Progress& progress, const Make& make) {
    std::vector<Device*> devices;
    for (const Shard& shard : shards_) devices.push_back(shard.device);
    shares_ = shares_of(devices, shares, rows, trial);
    std::vector<Part> parts(shards_.size(), Part{0, rows});
    if (by_rows()) parts = divide(rows, shares_, multiple);
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      Shard& shard = shards_[i];
      shard.share = shares_[i];
      const Part part = parts[i];
      if (part.count == 0) continue;
      shard.numbers.append(part.first, part.count);
      jobs.push_back(
          {shard.device->info().id, static_cast<double>(part.count),
           [&make, &shard, part](const Progress& told) { shard.index.emplace(make(*shard.device, part, told)); }});
    }
    do_all(jobs, progress, rows);
  }

  bool by_rows() const { return division_ == Division::rows; }
  Division division() const { return division_; }
  std::size_t size() const { return shards_.size(); }
  Shard& operator[](std::size_t i) { return shards_[i]; }
  const Shard& operator[](std::size_t i) const { return shards_[i]; }
  auto begin() { return shards_.begin(); }
  auto end() { return shards_.end(); }
  auto begin() const { return shards_.begin(); }
  auto end() const { return shards_.end(); }
  /// An index that has rows.
  const IndexOf& any() const {
    return *std::ranges::find_if(shards_, [](const Shard& shard) { return shard.index.has_value(); })->index;
  }
  std::vector<ShardInfo> infos() const {
    std::vector<ShardInfo> infos;
    for (const Shard& shard : shards_) infos.push_back({shard.device->info().id, shard.share, shard.numbers.size()});
    return infos;
  }

  /// Runs a function on every shard that has rows, at once.
  /// @param work    (shard, its place, progress)
  /// @param beside  what the calling thread does meanwhile; may be empty
  template <typename Work>
  void each(const Progress& progress, std::uint64_t total, const Work& work, const std::function<void()>& beside = {}) {
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < shards_.size(); ++i)
      if (shards_[i].index)
        jobs.push_back({shards_[i].device->info().id, std::max(shards_[i].share, 1e-3),
                        [this, i, &work](const Progress& told) { work(shards_[i], i, told); }});
    do_all(jobs, progress, total, beside);
  }
  /// The same with the queries that each answers: all, or its part of them. @param work  (shard, its place, part, progress)
  template <typename Work>
  void each_asked(std::uint64_t queries, const Progress& progress, const Work& work,
                  const std::function<void()>& beside = {}) {
    if (by_rows())
      return each(progress, queries, [&](Shard& shard, std::size_t i, const Progress& told) {
        work(shard, i, Part{0, queries}, told);
      }, beside);
    const std::vector<Part> parts = divide(queries, shares_, 1);
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < shards_.size(); ++i)
      // Without queries the first is asked all the same: it says what of the call is wrong.
      if (parts[i].count != 0 || (queries == 0 && i == 0))
        jobs.push_back({shards_[i].device->info().id, static_cast<double>(parts[i].count),
                        [this, i, part = parts[i], &work](const Progress& told) { work(shards_[i], i, part, told); }});
    do_all(jobs, progress, queries, beside);
  }

  /// The nearest of all, where rows are divided ordered.
  /// @param ask  (shard, its queries, progress, take) -> SearchReport. It gives its answers, block by block, to
  ///             take(found, first of its queries), where rows are divided ordered, by the numbers of the shard's rows
  template <typename Ask>
  Neighbors nearest(std::uint64_t queries, std::uint64_t k, Metric metric, const Progress& progress, const Ask& ask) {
    Gathered gathered(queries, k, metric, by_rows(), threads_);
    std::vector<SearchReport> reports(size());
    each_asked(queries, progress, [&](Shard& shard, std::size_t i, Part part, const Progress& told) {
      reports[i] = ask(shard, part, told, [&](const search::OrderedRows& found, std::uint64_t first) {
        gathered.add(found, part.first + first, shard.numbers);
      });
    }, [&] { gathered.make_room(); });
    Neighbors all = gathered.take();
    for (const SearchReport& report : reports) add_device(all.report, report);
    return all;
  }
  /// What is within a radius. @param ordered  whether distances of rows that are divided stay as they are
  template <typename Ask>
  RangeNeighbors within(std::uint64_t queries, Metric metric, bool ordered, const Progress& progress, const Ask& ask) {
    std::vector<RangeNeighbors> found(size());
    each_asked(queries, progress, [&](Shard& shard, std::size_t i, Part part, const Progress& told) {
      found[i] = ask(shard, part, told);
    });
    RangeNeighbors all = by_rows() ? merged(found, queries, metric, ordered) : joined(found);
    add_devices(all.report, found);
    return all;
  }

  /// Throws Error(unsupported) where devices have no longer the same rows.
  void require_whole() const {
    if (!broken_.empty()) throw Error(ErrorCode::unsupported, "index", broken_);
  }

  /// From now on there are no more answers. @param why  as a sentence without its full stop
  void broke(std::string why) { broken_ = std::move(why); }

 private:
  Division division_;
  std::vector<double> shares_;
  std::vector<Shard> shards_;
  search::KeptThreads threads_;  // that write answers
  std::string broken_;           // why there will be no more answers, if so
};

}  // namespace proxel::sharding
