#include "proxel/index.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "index/each_block.hpp"
#include "index/implementation.hpp"
#include "index/live_filter.hpp"
#include "index/range_search.hpp"
#include "index/queries_at_once.hpp"
#include "index/stopwatch.hpp"
#include "search/check.hpp"

namespace proxel {

using index::PreparedSearch;

namespace {

[[noreturn]] void fail_for_memory(std::uint64_t queries, std::uint64_t k) {
  throw Error(ErrorCode::out_of_memory, "k",
              fmt::format("{} neighbours of {} queries do not fit the host's memory", k, queries));
}

// One pair per query: the last of what was found.
template <typename T>
MatrixView<T> last_column(const Matrix<T>& found, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t k = found.columns();
  return {found.data() + first * k + k - 1, count, 1, k, 1};
}

void check_options(const SearchOptions& options, std::uint64_t queries, std::uint64_t rows) {
  const MatrixView<std::uint32_t>& filter = options.filter;
  const std::uint64_t words = filter_words(rows);
  if (filter.data && (filter.columns != words || (filter.rows != 1 && filter.rows != queries)))
    throw Error(ErrorCode::invalid_argument, "filter",
                fmt::format("{} x {} words were given; 1 x {} or, for one per query, {} x {} are "
                            "allowed", filter.rows, filter.columns, words, queries, words));
  if (!options.after) return;
  const Neighbors& after = *options.after;
  if (after.indices.rows() != queries || after.indices.columns() == 0 ||
      after.distances.rows() != queries || after.distances.columns() != after.indices.columns())
    throw Error(ErrorCode::invalid_argument, "after",
                fmt::format("indices of {} x {} and distances of {} x {} were given for {} queries",
                            after.indices.rows(), after.indices.columns(), after.distances.rows(),
                            after.distances.columns(), queries));
}

void check_queries(const MatrixView<float>& queries, std::uint32_t dimensions) {
  if (queries.rows != 0 && queries.columns != dimensions)
    throw Error(ErrorCode::invalid_argument, "queries",
                fmt::format("have {} dimensions, the database has {}", queries.columns, dimensions));
  if (queries.rows != 0 && !queries.data)
    throw Error(ErrorCode::invalid_argument, "queries", "is a null pointer");
}

Neighbors room_for_neighbors(std::uint64_t queries, std::uint64_t k) {
  try {
    return {Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)};
  } catch (const std::exception&) {
    // bad_alloc, or length_error from a size that no allocation could have
    fail_for_memory(queries, k);
  }
}

}  // namespace

PreparedSearch& Index::Implementation::prepare(Method answering, const SearchDescription& wanted,
                                               PreparedSearch::Source source) {
  if (prepared && prepared->description() == wanted && prepared->source() == source &&
      prepared_for == answering) {
    method = prepared_by;
    return *prepared;
  }
  prepared.reset();  // its memory may be what the next needs
  use_searcher(answering, wanted, [&](index::Searcher& searcher) {
    prepared.emplace(storage, searcher, wanted, source, options.timing);
  });
  prepared_for = answering;
  prepared_by = method;
  return *prepared;
}

index::Pace& Index::Implementation::pace_of(Method answering) {
  const bool on_matrix_units =
      answering == Method::fused || answering == Method::garcia_gemm || answering == Method::komarov;
  return paces.try_emplace(answering, storage.device(), on_matrix_units).first->second;
}

double Index::Implementation::work_per_query(Method answering) const {
  // Of the rows that boxes leave.
  constexpr std::uint64_t in_near_boxes = 8192;
  const std::uint64_t compared = answering == Method::bvh ? std::min(description.rows, in_near_boxes) : description.rows;
  return static_cast<double>(compared) * description.dimensions;
}

Neighbors Index::Implementation::search(std::uint64_t queries, std::uint64_t k, Metric metric,
                                        const SearchOptions& with, PreparedSearch::Source source,
                                        const RunBlock& run) {
  const index::Stopwatch stopwatch;
  check_options(with, queries, description.rows);
  index::LiveFilter filter(live, with.filter);
  const std::uint64_t words = filter.kind() == FilterKind::per_query ? with.filter.columns : 0;
  // A k out of range is refused below.
  const std::uint64_t block = index::queries_at_once(
      (description.dimensions + 2 * std::min(k, search::most_k) + words) * 4);
  SearchDescription wanted =
      describe(static_cast<std::uint32_t>(std::min(queries, block)), k, metric);
  wanted.raw = with.raw;
  wanted.filter = filter.kind();
  wanted.continued = with.after != nullptr;
  const Method answering = checked_method(wanted, index::kind_of(with.filter));
  if (const Support support = searchers.at(answering)->supports_raw(); with.raw && !support)
    throw Error(ErrorCode::unsupported, "raw",
                fmt::format("{} {}", to_string(answering), support.reason));
  times = {};
  Neighbors result = room_for_neighbors(queries, k);
  const auto answer = [&](std::uint64_t first, std::uint64_t count) {
    wanted.queries = static_cast<std::uint32_t>(count);
    PreparedSearch& block_search = prepare(answering, wanted, source);
    if (wanted.filter != FilterKind::none) block_search.set_filter(filter.of(first, count));
    if (with.after)
      block_search.set_after(last_column(with.after->indices, first, count),
                             last_column(with.after->distances, first, count));
    run(block_search, first, result.indices.data() + first * k, result.distances.data() + first * k);
  };
  index::each_block({queries, block, work_per_query(answering)}, pace_of(answering), with.progress, times, answer,
                    [&] { prepared.reset(); });
  times.total_milliseconds = stopwatch.milliseconds();
  return result;
}

RangeDescription Index::Implementation::describe_range(float radius, Metric metric) const {
  if (blocked)
    throw Error(ErrorCode::unsupported, "range search",
                "needs all rows on the device as float32, and these are streamed or narrower");
  if (torn()) throw Error(ErrorCode::unsupported, "range search", supports_anything().reason);
  if (!storage.has_tiles())
    throw Error(ErrorCode::unsupported, "range search",
                fmt::format("{} search keeps no tiles of rows to search; use the scan", to_string(method)));
  search::require_radius(radius);
  search::require_metric(metric);
  RangeDescription wanted;
  wanted.metric = metric;
  wanted.rows = storage.rows();
  wanted.dimensions = storage.dimensions();
  wanted.radius = radius;
  wanted.scratch_limit = options.scratch_limit;
  return wanted;
}

Neighbors Index::Implementation::search_blocked(const MatrixView<float>& queries,
                                                 std::uint64_t k, Metric metric,
                                                 const SearchOptions& with) {
  const index::Stopwatch stopwatch;
  check_options(with, queries.rows, description.rows);
  SearchDescription wanted = describe(1, k, metric);
  wanted.filter = index::kind_of(with.filter);
  wanted.continued = with.after != nullptr;
  checked_method(wanted);
  times = {};
  Neighbors result = room_for_neighbors(queries.rows, k);
  try {
    blocked->search(queries, k, metric, with.progress, times, result);
  } catch (const std::bad_alloc&) {
    fail_for_memory(queries.rows, k);  // of the keys that blocks are merged by
  }
  times.total_milliseconds = stopwatch.milliseconds();
  return result;
}

Index::~Index() = default;
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;

Neighbors Index::search(MatrixView<float> queries, std::uint64_t k, Metric metric,
                        const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  check_queries(queries, dimensions());
  if (self.blocked) return self.search_blocked(queries, k, metric, options);
  return self.search(queries.rows, k, metric, options, PreparedSearch::Source::host,
                     [&](PreparedSearch& search, std::uint64_t first, std::uint32_t* indices,
                         float* distances) {
                       search.run(queries.slice(first, search.description().queries), indices,
                                  distances, self.times);
                     });
}

Neighbors Index::search_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k,
                             Metric metric, const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  if (first_row > rows() || count > rows() - first_row)
    throw Error(ErrorCode::invalid_argument, "rows",
                fmt::format("{} rows from row {} on were asked for, there are {}", count, first_row,
                            rows()));
  if (self.blocked)
    return self.search_blocked(self.blocked->source().rows(first_row, count), k, metric, options);
  if (!self.storage.has_tiles())
    throw Error(ErrorCode::unsupported, "rows",
                fmt::format("{} search keeps no rows that could be read back as queries; "
                            "give them to search()", to_string(self.method)));
  return self.search(count, k, metric, options, PreparedSearch::Source::rows,
                     [&](PreparedSearch& search, std::uint64_t first, std::uint32_t* indices,
                         float* distances) {
                       search.run(first_row + first, indices, distances, self.times);
                     });
}

RangeNeighbors Index::range_search(MatrixView<float> queries, float radius, Metric metric,
                                   const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const index::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  check_queries(queries, dimensions());
  check_options(options, queries.rows, rows());
  if (options.after)
    throw Error(ErrorCode::invalid_argument, "after", "a range search has no pages");
  RangeDescription wanted = self.describe_range(radius, metric);
  index::LiveFilter filter(self.live, options.filter);
  wanted.filter = filter.kind();

  self.times = {};
  self.prepared.reset();  // its memory may be what this search needs
  index::RangeSearch search(self.storage, wanted, self.options.timing);
  RangeNeighbors found;
  found.offsets.push_back(0);
  const std::uint64_t words = wanted.filter == FilterKind::per_query ? options.filter.columns : 0;
  const std::uint64_t block = index::queries_at_once((std::uint64_t{dimensions()} + 2 + words) * 4);
  try {
    if (!self.range_pace) self.range_pace.emplace(self.storage.device());
    index::each_block({queries.rows, block, self.work_per_query(Method::scan)}, *self.range_pace, options.progress,
                      self.times,
                      [&](std::uint64_t first, std::uint64_t count) {
                        search.run(queries.slice(first, count), filter.of(first, count), found, self.times);
                      },
                      [] {});
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "radius",
                fmt::format("{} neighbours and more do not fit the host's memory",
                            found.indices.size()));
  }
  self.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

std::uint64_t Index::block_rows() const {
  return implementation_->blocked ? implementation_->blocked->block_rows() : 0;
}

std::uint64_t Index::rows() const { return implementation_->storage.rows(); }
std::uint32_t Index::dimensions() const { return implementation_->storage.dimensions(); }
Method Index::method() const { return implementation_->method; }
double Index::build_milliseconds() const { return implementation_->build_milliseconds; }
const SearchTimes& Index::times() const { return implementation_->times; }

}  // namespace proxel
