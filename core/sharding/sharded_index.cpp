#include "proxel/sharded_index.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "data/elements.hpp"
#include "index/upload.hpp"
#include "search/check.hpp"
#include "session/stopwatch.hpp"
#include "sharding/implementation.hpp"

namespace proxel {

using namespace sharding;

void ShardedIndex::Implementation::require_whole() const {
  if (!compacted.empty())
    throw Error(ErrorCode::unsupported, "index", "compact() was interrupted; call it again, which finishes it");
  if (!broken.empty()) throw Error(ErrorCode::unsupported, "index", broken);
}

void ShardedIndex::Implementation::each(
    const Progress& progress, std::uint64_t total,
    const std::function<void(Shard& shard, std::size_t i, const Progress& progress)>& work) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < shards.size(); ++i)
    if (shards[i].index)
      jobs.push_back({shards[i].device->info().id, std::max(shards[i].share, 1e-3),
                      [this, i, &work](const Progress& told) { work(shards[i], i, told); }});
  do_all(jobs, progress, total);
}

void ShardedIndex::Implementation::each_part(
    std::uint64_t queries, const Progress& progress,
    const std::function<void(Shard&, std::size_t, Part, const Progress&)>& work) {
  const std::vector<Part> parts = divide(queries, shards, 1);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < shards.size(); ++i)
    // Without queries the first is asked all the same: it says what of the call is wrong.
    if (parts[i].count != 0 || (queries == 0 && i == 0))
      jobs.push_back({shards[i].device->info().id, static_cast<double>(parts[i].count),
                      [this, i, part = parts[i], &work](const Progress& told) { work(shards[i], i, part, told); }});
  do_all(jobs, progress, queries);
}

ShardedIndex::Implementation::Implementation(std::span<Device* const> devices, std::uint64_t row_count,
                                             std::uint64_t columns, const ShardedOptions& with, const Sample& sample,
                                             const MakeIndex& make, const Progress& progress)
    : options(with), rows(row_count), dimensions(static_cast<std::uint32_t>(columns)) {
  const session::Stopwatch building;
  search::require_devices(devices);
  search::require_enumerator("division", with.division, Division::queries);
  search::require_range("rows", row_count, 1, search::most_rows);
  search::require_range("dimensions", columns, 1, search::most_dimensions);
  const std::vector<double> shares = shares_of(devices, rows, sample, options);
  for (std::size_t i = 0; i < devices.size(); ++i) shards.push_back({devices[i], shares[i], std::nullopt, {}});

  std::vector<Part> parts(shards.size(), Part{0, rows});
  if (by_rows()) parts = divide(rows, shards, passes::tile_rows);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const Part part = parts[i];
    if (part.count == 0) continue;
    shards[i].numbers.append(part.first, part.count);
    jobs.push_back(
        {devices[i]->info().id, static_cast<double>(part.count), [this, &make, part, i](const Progress& told) {
      shards[i].index = make(*shards[i].device, part.first, part.count, told);
    }});
  }
  do_all(jobs, progress, rows);
  build_milliseconds = building.milliseconds();
}

ShardedIndex::ShardedIndex(std::span<Device* const> devices, MatrixView<float> database, const ShardedOptions& options,
                           const Progress& progress) {
  if (!database.data) throw Error(ErrorCode::invalid_argument, "database", "is a null pointer");
  const auto sample = [&](std::uint64_t rows) {
    Matrix<float> values(rows, database.columns);
    index::copy_rows(database.slice(0, rows), values.data());
    return values;
  };
  const auto make = [&](Device& device, std::uint64_t first, std::uint64_t count, const Progress& told) {
    return Index(device, database.slice(first, count), options.index, told);
  };
  implementation_ =
      std::make_unique<Implementation>(devices, database.rows, database.columns, options, sample, make, progress);
}

ShardedIndex::ShardedIndex(std::span<Device* const> devices, const ElementsView& database,
                           const ShardedOptions& options, const Progress& progress) {
  if (!database.data) throw Error(ErrorCode::invalid_argument, "database", "is a null pointer");
  const auto sample = [&](std::uint64_t rows) {
    Matrix<float> values(rows, database.columns);
    for (std::uint64_t row = 0; row < rows; ++row)
      data::convert(database.type, std::endian::native == std::endian::big,
                    static_cast<const std::byte*>(database.slice(row, 1).data), database.columns, &values(row, 0));
    return values;
  };
  const auto make = [&](Device& device, std::uint64_t first, std::uint64_t count, const Progress& told) {
    return Index(device, database.slice(first, count), options.index, told);
  };
  implementation_ =
      std::make_unique<Implementation>(devices, database.rows, database.columns, options, sample, make, progress);
}

ShardedIndex::~ShardedIndex() = default;
ShardedIndex::ShardedIndex(ShardedIndex&&) noexcept = default;
ShardedIndex& ShardedIndex::operator=(ShardedIndex&&) noexcept = default;

Matrix<float> ShardedIndex::Implementation::read_rows(std::span<const std::uint32_t> numbers) {
  Matrix<float> read(numbers.size(), dimensions);
  const auto read_those_of = [&](Shard& shard) {
    std::vector<std::uint32_t> mine;
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < numbers.size(); ++place)
      if (const auto row = shard.numbers.row_of(numbers[place])) {
        mine.push_back(*row);
        places.push_back(place);
      }
    const Matrix<float> found = shard.index->read_rows(mine);
    for (std::size_t i = 0; i < places.size(); ++i) std::copy_n(&found(i, 0), dimensions, &read(places[i], 0));
  };
  // Where each device has all rows the first is asked.
  each({}, numbers.size(), [&](Shard& shard, std::size_t i, const Progress&) {
    if (by_rows() || i == 0) read_those_of(shard);
  });
  return read;
}

Matrix<float> ShardedIndex::read_rows(std::span<const std::uint32_t> numbers) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  implementation_->require_whole();
  for (const std::uint32_t number : numbers)
    if (number >= rows())
      throw Error(ErrorCode::invalid_argument, "rows", fmt::format("{} is not one of the {} rows", number, rows()));
  return implementation_->read_rows(numbers);
}

std::uint64_t ShardedIndex::rows() const { return implementation_->rows; }
std::uint32_t ShardedIndex::dimensions() const { return implementation_->dimensions; }
std::uint64_t ShardedIndex::removed_rows() const { return implementation_->removed; }
Division ShardedIndex::division() const { return implementation_->options.division; }
ElementType ShardedIndex::storage() const { return implementation_->options.index.storage; }
double ShardedIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

Support ShardedIndex::supports(Metric metric, std::uint64_t k) const {
  for (const Shard& shard : implementation_->shards)
    if (shard.index)
      if (Support support = shard.index->supports(metric, k); !support) return support;
  return Support::yes();
}

std::vector<ShardInfo> ShardedIndex::shards() const {
  std::vector<ShardInfo> infos;
  for (const Shard& shard : implementation_->shards)
    infos.push_back({shard.device->info().id, shard.share, shard.numbers.size()});
  return infos;
}

}  // namespace proxel
