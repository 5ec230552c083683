// The nearest among rows of several devices.
#include <algorithm>
#include <numeric>

#include "index/check_search.hpp"
#include "proxel/merge.hpp"
#include "session/compute_times.hpp"
#include "session/queries_at_once.hpp"
#include "session/room.hpp"
#include "session/stopwatch.hpp"
#include "sharding/implementation.hpp"
#include "sharding/page.hpp"

namespace proxel {

using namespace sharding;

namespace {

template <typename T>
void copy_rows_to(const Matrix<T>& from, std::uint64_t first, Matrix<T>& to) {
  std::copy_n(from.data(), from.rows() * from.columns(), to.data() + first * to.columns());
}

// The page before of some of the queries.
Neighbors slice(const Neighbors& page, std::uint64_t first, std::uint64_t count) {
  Neighbors part = session::neighbors_room(count, 1);
  const std::uint64_t last = page.indices.columns() - 1;
  for (std::uint64_t query = 0; query < count; ++query) {
    part.indices(query, 0) = page.indices(first + query, last);
    part.distances(query, 0) = page.distances(first + query, last);
  }
  return part;
}

// One query's answer becomes another's.
void copy_query(const Neighbors& from, std::uint64_t query, Neighbors& to, std::uint64_t place) {
  const std::uint64_t k = to.indices.columns();
  std::copy_n(from.indices.data() + query * k, k, to.indices.data() + place * k);
  std::copy_n(from.distances.data() + query * k, k, to.distances.data() + place * k);
}

// Rows of the whole index as those of one device; none there is no row to leave out.
std::vector<std::uint32_t> local_rows(const RowNumbers& numbers, std::span<const std::uint32_t> of_all) {
  std::vector<std::uint32_t> rows(of_all.size());
  std::transform(of_all.begin(), of_all.end(), rows.begin(),
                 [&](std::uint32_t number) { return numbers.row_of(number).value_or(no_neighbor); });
  return rows;
}

// Searches one device's rows behind a page. What begins at the first row is asked apart, without one.
Neighbors search_behind(Shard& shard, const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                        const LocalPage& page, SearchOptions with) {
  with.after = &page.after;
  Neighbors found = shard.index->search(queries, k, metric, with);
  with.after = nullptr;
  with.progress = {};
  const MatrixView<std::uint32_t> filter = with.filter;
  const std::span<const std::uint32_t> self = with.self;
  for (std::uint64_t query = 0; query < queries.rows; ++query) {
    if (!page.from_start[query]) continue;
    if (filter.rows > 1) with.filter = filter.slice(query, 1);
    if (!self.empty()) with.self = self.subspan(query, 1);
    copy_query(shard.index->search(queries.slice(query, 1), k, metric, with), 0, found, query);
  }
  return found;
}

}  // namespace

Neighbors ShardedIndex::Implementation::search_by_rows(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                                                       const SearchOptions& with) {
  if (with.raw)
    throw Error(ErrorCode::unsupported, "raw", "what a method's arithmetic loses depends on how rows are divided");
  const IndexOptions& each_has = options.index;
  if (each_has.papers.garcia.distances_only && each_has.method != Method::automatic)
    throw Error(ErrorCode::unsupported, "distances_only",
                "answers of several devices are merged by their rows' numbers");
  Keys keys;
  if (with.after)
    keys = keys_behind(with, queries, metric, rows,
                       [this](std::span<const std::uint32_t> numbers) { return read_rows(numbers); });
  std::vector<Neighbors> found(shards.size());
  each(with.progress, queries.rows, [&](Shard& shard, std::size_t i, const Progress& progress) {
    SearchOptions mine;
    mine.progress = progress;
    mine.ordered = true;
    Matrix<std::uint32_t> filter;
    if (with.filter.data) mine.filter = (filter = shard.numbers.filter(with.filter)).view();
    const std::vector<std::uint32_t> selves = local_rows(shard.numbers, with.self);
    mine.self = selves;
    found[i] = with.after ? search_behind(shard, queries, k, metric, local_page(keys, metric, shard.numbers), mine)
                          : shard.index->search(queries, k, metric, mine);
    shard.numbers.to_numbers({found[i].indices.data(), found[i].indices.rows() * found[i].indices.columns()});
  });
  std::vector<PartialAnswer> parts;
  for (std::size_t i = 0; i < shards.size(); ++i)
    if (shards[i].index) parts.push_back({found[i]});
  Neighbors merged = merge(parts, k, metric);
  if (!with.ordered) finish(merged, metric);
  for (const Neighbors& one : found) merged.report.devices.push_back({1, one.report.times.compute_milliseconds});
  return merged;
}

Neighbors ShardedIndex::Implementation::search_by_queries(std::uint64_t queries, std::uint64_t k,
                                                          const SearchOptions& with, const SearchPartOf& search) {
  Neighbors all = session::neighbors_room(queries, k);
  std::vector<SearchReport> reports(shards.size());
  each_part(queries, with.progress, [&](Shard& shard, std::size_t i, Part part, const Progress& progress) {
    SearchOptions mine = with;
    mine.progress = progress;
    if (with.filter.data && with.filter.rows > 1) mine.filter = with.filter.slice(part.first, part.count);
    if (!with.self.empty()) mine.self = with.self.subspan(part.first, part.count);
    Neighbors after;
    if (with.after) {
      after = slice(*with.after, part.first, part.count);
      mine.after = &after;
    }
    Neighbors found = search(*shard.index, part, mine);
    copy_rows_to(found.indices, part.first, all.indices);
    copy_rows_to(found.distances, part.first, all.distances);
    reports[i] = std::move(found.report);
  });
  for (const SearchReport& report : reports) {
    session::add(all.report, report);
    if (all.report.method.empty()) all.report.method = report.method;
    all.report.devices.push_back({report.method.empty() ? 0u : 1u, report.times.compute_milliseconds});
  }
  return all;
}

Neighbors ShardedIndex::search(MatrixView<float> queries, std::uint64_t k, Metric metric,
                               const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  self.require_whole();
  index::check_queries(queries, self.dimensions);
  index::check_options(options, queries.rows, self.rows);
  const auto search_part = [&](Index& index, Part part, const SearchOptions& with) {
    return index.search(queries.slice(part.first, part.count), k, metric, with);
  };
  Neighbors found = self.by_rows() ? self.search_by_rows(queries, k, metric, options)
                                   : self.search_by_queries(queries.rows, k, options, search_part);
  found.report.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

Neighbors ShardedIndex::Implementation::search_own_rows(Part rows_asked, std::uint64_t k, Metric metric,
                                                        const SearchOptions& with) {
  Neighbors all = session::neighbors_room(rows_asked.count, k);
  const std::uint64_t block = session::queries_at_once(std::uint64_t{dimensions} * 4);
  std::vector<std::uint32_t> numbers;
  // Without rows one search is made all the same: it says what of the call is wrong.
  for (std::uint64_t done = 0; done < rows_asked.count || done == 0; done += block) {
    const std::uint64_t count = std::min(block, rows_asked.count - done);
    numbers.resize(count);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(rows_asked.first + done));
    const Matrix<float> rows_of_block = read_rows(numbers);
    SearchOptions mine = with;
    if (with.progress)
      mine.progress = [&](std::uint64_t reached, std::uint64_t) { with.progress(done + reached, rows_asked.count); };
    if (!with.self.empty()) mine.self = with.self.subspan(done, count);
    if (with.filter.rows > 1) mine.filter = with.filter.slice(done, count);
    const Neighbors page = with.after ? slice(*with.after, done, count) : Neighbors{};
    if (with.after) mine.after = &page;
    Neighbors found = search_by_rows(rows_of_block.view(), k, metric, mine);
    copy_rows_to(found.indices, done, all.indices);
    copy_rows_to(found.distances, done, all.distances);
    session::add(all.report, found.report);
    all.report.method = found.report.method;
    all.report.devices.resize(found.report.devices.size());
    for (std::size_t i = 0; i < all.report.devices.size(); ++i) {
      all.report.devices[i].blocks += found.report.devices[i].blocks;
      all.report.devices[i].milliseconds += found.report.devices[i].milliseconds;
    }
  }
  return all;
}

Neighbors ShardedIndex::search_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k, Metric metric,
                                    const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  self.require_whole();
  index::check_run(first_row, count, self.rows);
  index::check_options(options, count, self.rows);
  const auto search_part = [&](Index& index, Part part, const SearchOptions& with) {
    return index.search_rows(first_row + part.first, part.count, k, metric, with);
  };
  Neighbors found = self.by_rows() ? self.search_own_rows({first_row, count}, k, metric, options)
                                   : self.search_by_queries(count, k, options, search_part);
  found.report.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

}  // namespace proxel
