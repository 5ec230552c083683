#include "proxel/sharded_index.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "data/elements.hpp"
#include "index/live_rows.hpp"
#include "index/part_of_more.hpp"
#include "index/upload.hpp"
#include "search/check.hpp"
#include "session/stopwatch.hpp"
#include "sharding/implementation.hpp"

namespace proxel {

using namespace sharding;

void ShardedIndex::Implementation::require_whole() const {
  if (!compacted.empty())
    throw Error(ErrorCode::unsupported, "index", "compact() was interrupted; call it again, which finishes it");
  shards.require_whole();
}

void ShardedIndex::Implementation::tell_rows() {
  if (!by_rows()) return;
  for (Shard& shard : shards)
    if (shard.index) index::PartOfMore::tell(*shard.index, rows);
}

namespace {

Trial trial_of(const Sample& sample, const IndexOptions& options) {
  constexpr std::uint64_t fewest = 4096;
  return {fewest, [sample, options](Device& device, std::uint64_t rows) -> std::function<void()> {
    IndexOptions with;
    with.scratch_limit = options.scratch_limit;
    with.timing = Timing::none;
    const auto values = std::make_shared<const Matrix<float>>(sample(rows));
    const auto index = std::make_shared<Index>(device, values->view(), with);
    return [values, index, queries = std::min(rows, Trial::queries)] {
      index->search(values->view().slice(0, queries), Trial::k, Metric::l2sq);
    };
  }};
}

}  // namespace

ShardedIndex::Implementation::Implementation(std::span<Device* const> devices, std::uint64_t row_count,
                                             std::uint64_t columns, const ShardedOptions& with, const Sample& sample,
                                             const MakeIndex& make, const Progress& progress)
    : options(with),
      shards(devices, with.division, "rows", row_count),
      rows(row_count),
      dimensions(static_cast<std::uint32_t>(columns)) {
  const session::Stopwatch building;
  search::require_range("dimensions", columns, 1, search::most_dimensions);
  shards.make(rows, with.shares, trial_of(sample, with.index), passes::tile_rows, progress, make);
  tell_rows();
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
  const auto make = [&](Device& device, Part part, const Progress& told) {
    return Index(device, database.slice(part.first, part.count), options.index, told);
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
  const auto make = [&](Device& device, Part part, const Progress& told) {
    return Index(device, database.slice(part.first, part.count), options.index, told);
  };
  implementation_ =
      std::make_unique<Implementation>(devices, database.rows, database.columns, options, sample, make, progress);
}

ShardedIndex ShardedIndex::load(std::span<Device* const> devices, const std::string& path,
                                const ShardedOptions& options, const Progress& progress) {
  auto saved = std::make_unique<index::SavedRows>(path);
  const index::IndexFile& file = saved->file();
  saved->check(0, file.rows);
  ShardedOptions with = options;
  with.index.storage = file.storage;
  const auto has_room = [&](Device* device) {
    return device && Index::fits(*device, file.rows, file.dimensions, with.index);
  };
  if (options.index.method == Method::automatic && std::ranges::all_of(devices, has_room)) {
    with.index.method = file.method;
    with.index.papers.komarov.selection = file.row_selection;
  }
  ShardedIndex made(devices, saved->elements(), with, progress);
  const index::LiveRows live(file.rows, file.live);
  std::vector<std::uint32_t> gone;
  for (std::uint32_t row = 0; row < file.rows; ++row)
    if (!live.contains(row)) gone.push_back(row);
  if (!gone.empty()) made.remove(gone);
  made.implementation_->saved = std::move(saved);
  return made;
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
  shards.each({}, numbers.size(), [&](Shard& shard, std::size_t i, const Progress&) {
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
Division ShardedIndex::division() const { return implementation_->shards.division(); }
ElementType ShardedIndex::storage() const { return implementation_->options.index.storage; }
Method ShardedIndex::method() const { return implementation_->options.index.method; }
double ShardedIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

Support ShardedIndex::supports(Metric metric, std::uint64_t k) const {
  for (const Shard& shard : implementation_->shards)
    if (shard.index)
      if (Support support = shard.index->supports(metric, k); !support) return support;
  return Support::yes();
}

std::vector<ShardInfo> ShardedIndex::shards() const { return implementation_->shards.infos(); }

std::uint64_t ShardedIndex::block_rows() const {
  std::uint64_t smallest = 0;
  for (const Shard& shard : implementation_->shards) {
    const std::uint64_t rows = shard.index ? shard.index->block_rows() : 0;
    if (rows != 0 && rows < shard.index->rows()) smallest = smallest == 0 ? rows : std::min(smallest, rows);
  }
  return smallest;
}

}  // namespace proxel
