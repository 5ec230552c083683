#include "proxel/index.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "index/implementation.hpp"
#include "index/live_filter.hpp"
#include "index/narrow.hpp"
#include "index/plan_search.hpp"
#include "index/range_search.hpp"
#include "index/run_once.hpp"
#include "index/queries_at_once.hpp"
#include "index/stopwatch.hpp"
#include "index/upload.hpp"
#include "passes/elements.hpp"
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

// A planned search that finds no removed rows.
class LiveSearch : public PlannedSearch {
 public:
  LiveSearch(std::unique_ptr<PlannedSearch> search, Device& device,
             const Matrix<std::uint32_t>& words)
      : PlannedSearch(without_filter(search->description())), search_(std::move(search)),
        filter_(device.create_buffer(words.columns() * 4, MemoryKind::device)) {
    const auto staging = device.create_buffer(filter_->bytes(), MemoryKind::upload);
    std::memcpy(staging->mapped(), words.data(), filter_->bytes());
    index::run_once(device, [&](Recording& recording) { recording.copy(*staging, *filter_); });
  }

  std::uint64_t scratch_bytes() const override { return search_->scratch_bytes(); }
  void record(Recording& recording, const SearchBuffers& buffers) const override {
    SearchBuffers with_filter = buffers;
    with_filter.filter = *filter_;
    search_->record(recording, with_filter);
  }
  std::vector<RungCount> rungs() const override { return search_->rungs(); }

 private:
  // The caller gives none.
  static SearchDescription without_filter(SearchDescription description) {
    description.filter = FilterKind::none;
    return description;
  }

  std::unique_ptr<PlannedSearch> search_;
  std::unique_ptr<Buffer> filter_;
};

Neighbors room_for_neighbors(std::uint64_t queries, std::uint64_t k) {
  try {
    return {Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)};
  } catch (const std::exception&) {
    // bad_alloc, or length_error from a size that no allocation could have
    fail_for_memory(queries, k);
  }
}

}  // namespace

SearchDescription Index::Implementation::checked_description(const void* data, std::uint64_t rows,
                                                             std::uint64_t dimensions,
                                                             const IndexOptions& options) {
  if (!data && rows != 0)
    throw Error(ErrorCode::invalid_argument, "database", "is a null pointer");
  SearchDescription description;
  description.rows = rows;
  description.dimensions =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(dimensions, UINT32_MAX));
  description.queries = 1;
  description.scratch_limit = options.scratch_limit;
  search::check(description);
  return description;
}

void Index::Implementation::build(const MatrixView<float>& database, const Progress& progress) {
  const index::Stopwatch stopwatch;
  Device& device = storage.device();
  const bool whole = check_place();
  if (options.storage != ElementType::float32) {
    store([&](std::uint64_t first, std::uint64_t count,
              void* to) { index::narrow(database.slice(first, count), options.storage, first, to); },
          progress);
    return;
  }
  if (!whole) {
    method = Method::scan;
    blocked = index::streamed_scan(device, database, options, memory_limit_of(device, options));
    build_milliseconds = stopwatch.milliseconds();
    return;
  }
  index::RowTarget* target = nullptr;
  for (const Method candidate : index::answering_methods(options.method)) {
    auto searcher = index::entry_of(candidate).make({storage, options});
    target = searcher->own_rows();
    searchers.emplace(candidate, std::move(searcher));
  }
  if (!target) {
    storage.create_tiles();
    target = &storage;
  }
  index::upload_rows(storage.device(), database, *target, progress);
  build_milliseconds = stopwatch.milliseconds();
}

// Whether all rows fit the device. Throws where the options do not allow what follows.
bool Index::Implementation::check_place() const {
  const Device& device = storage.device();
  index::element_of(options.storage);  // refuses what rows cannot be stored in
  const bool whole = fits(device, description.rows, description.dimensions, options);
  const bool narrow = options.storage != ElementType::float32;
  const auto refuse = [&](const char* subject, const std::string& why) {
    throw Error(ErrorCode::unsupported, subject, why);
  };
  if (!whole && narrow)
    refuse("storage", fmt::format("{} x {} values as {} take more than the memory limit of {} "
                                  "bytes, and rows are streamed as float32 alone", description.rows,
                                  description.dimensions, to_string(options.storage),
                                  memory_limit_of(device, options)));
  if ((!whole || narrow) && options.method != Method::scan && options.method != Method::automatic)
    refuse("method", fmt::format("{} search keeps all rows on the device as float32, and these are "
                                 "{}; use the scan", to_string(method),
                                 narrow ? "stored in a narrower type" : "more than fit"));
  return whole;
}

void Index::Implementation::store(const index::StoredBlocks::Fill& fill, const Progress& progress) {
  const index::Stopwatch stopwatch;
  method = Method::scan;
  blocked = index::stored_scan(storage.device(), description.rows, description.dimensions, fill,
                               options, progress);
  build_milliseconds = stopwatch.milliseconds();
}

SearchDescription Index::Implementation::describe(std::uint32_t queries, std::uint64_t k,
                                                  Metric metric) const {
  SearchDescription wanted = description;
  wanted.metric = metric;
  wanted.queries = queries;
  wanted.k = k;
  if (live.removed() != 0) wanted.filter = FilterKind::shared;
  return wanted;
}

Support Index::Implementation::find_method(const SearchDescription& wanted, FilterKind given,
                                           Method& found) const {
  const std::uint64_t k = wanted.k;
  if (k == 0 || k > search::most_k)
    return Support::no(fmt::format("{} was given, 1 to {} is allowed", k, search::most_k));
  if (torn) return supports_anything();
  if (blocked)
    return wanted.filter == FilterKind::none && !wanted.continued
               ? Support::yes()
               : Support::no("filters and pages need all rows on the device as float32, and these "
                             "are streamed or narrower");
  Support support;
  SearchDescription asked = wanted;
  asked.filter = given;
  for (const Method candidate : index::answering_methods(options.method)) {
    found = candidate;
    support = searchers.at(candidate)->supports(wanted.metric, k);
    if (support) support = searchers.at(candidate)->supports_narrowing(wanted);
    if (support && (options.method != Method::automatic || searchers.at(candidate)->worthwhile(asked)))
      break;
  }
  if (!support && live.removed() != 0)
    support.reason += "; rows have been removed, which takes a filter until compact() has been called";
  return support;
}

Method Index::Implementation::checked_method(const SearchDescription& wanted,
                                             FilterKind given) const {
  Method found = method;
  if (const Support support = find_method(wanted, given, found); !support) {
    const bool outside = wanted.k == 0 || wanted.k > search::most_k;
    const auto answers = [&](std::uint64_t k) {
      return bool(find_method(describe(1, k, wanted.metric), FilterKind::none, found));
    };
    // At fault is what it would be answered without.
    const char* subject = outside              ? "k"
                          : answers(wanted.k)  ? "options"
                          : answers(1)         ? "k"
                                               : "metric";
    throw Error(outside ? ErrorCode::invalid_argument : ErrorCode::unsupported, subject,
                support.reason);
  }
  return found;
}

void Index::Implementation::use_searcher(Method answering, const SearchDescription& wanted,
                                         const UseSearcher& use) {
  const std::span<const Method> methods = index::answering_methods(options.method);
  for (auto candidate = std::find(methods.begin(), methods.end(), answering);; ++candidate) {
    index::Searcher& searcher = *searchers.at(*candidate);
    // The first has been chosen; the last serves everything.
    if (*candidate != answering && *candidate != methods.back() &&
        (!searcher.supports(wanted.metric, wanted.k) || !searcher.supports_narrowing(wanted)))
      continue;
    try {
      use(searcher);
      method = *candidate;
      return;
    } catch (const Error& error) {
      // Only planning tells whether the device has the shared memory of every pass.
      const bool another_may = error.code() == ErrorCode::out_of_memory ||
                               error.code() == ErrorCode::unsupported;
      if (*candidate == methods.back() || !another_may) throw;
    }
  }
}

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
  for (std::uint64_t first = 0; first < queries; first += block) {
    const std::uint64_t count = std::min(block, queries - first);
    wanted.queries = static_cast<std::uint32_t>(count);
    PreparedSearch& block_search = prepare(answering, wanted, source);
    if (wanted.filter != FilterKind::none) block_search.set_filter(filter.of(first, count));
    if (with.after)
      block_search.set_after(last_column(with.after->indices, first, count),
                             last_column(with.after->distances, first, count));
    run(block_search, first, result.indices.data() + first * k, result.distances.data() + first * k);
    if (with.progress) with.progress(first + count, queries);
  }
  times.total_milliseconds = stopwatch.milliseconds();
  return result;
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

Index::Index(Device& device, MatrixView<float> database, const IndexOptions& options,
             const Progress& progress)
    : implementation_(std::make_unique<Implementation>(device, database.data, database.rows,
                                                       database.columns, options)) {
  implementation_->build(database, progress);
}

Index::Index(Device& device, const ElementsView& database, const IndexOptions& options,
             const Progress& progress)
    : implementation_(std::make_unique<Implementation>(device, database.data, database.rows,
                                                       database.columns, options)) {
  if (database.type != options.storage)
    throw Error(ErrorCode::invalid_argument, "storage",
                fmt::format("{} was given for rows of {}", to_string(options.storage),
                            to_string(database.type)));
  if (database.type == ElementType::float32) {
    implementation_->build({static_cast<const float*>(database.data), database.rows,
                            database.columns, database.row_bytes / sizeof(float), 1},
                           progress);
    return;
  }
  implementation_->check_place();
  const std::uint64_t bytes =
      database.columns * passes::element_bytes(index::element_of(database.type));
  implementation_->store(
      [&](std::uint64_t first, std::uint64_t count, void* to) {
        for (std::uint64_t row = 0; row < count; ++row)
          std::memcpy(static_cast<std::byte*>(to) + row * bytes,
                      database.slice(first + row, 1).data, bytes);
      },
      progress);
}

Index::~Index() = default;
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;

Neighbors Index::search(MatrixView<float> queries, std::uint64_t k, Metric metric,
                        const SearchOptions& options) {
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

std::unique_ptr<PlannedSearch> Index::plan(std::uint32_t queries, std::uint64_t k, Metric metric,
                                           const PlanOptions& options) {
  Implementation& self = *implementation_;
  SearchDescription wanted = self.describe(queries, k, metric);
  if (options.filter != FilterKind::none && wanted.filter != FilterKind::none)
    throw Error(ErrorCode::unsupported, "filter",
                "rows have been removed, for which the plan brings its own filter; compact() the index "
                "first");
  if (options.filter != FilterKind::none) wanted.filter = options.filter;
  wanted.continued = options.continued;
  wanted.counted = options.counted;
  const Method answering = self.checked_method(wanted, options.filter);
  search::check(wanted);
  if (self.blocked)
    throw Error(ErrorCode::unsupported, "plan",
                "a search in blocks takes the host's part; use search()");
  std::unique_ptr<PlannedSearch> search;
  self.use_searcher(answering, wanted, [&](index::Searcher& searcher) {
    search = index::plan_search(searcher, wanted);
  });
  if (self.live.removed() == 0) return search;
  return std::make_unique<LiveSearch>(std::move(search), self.storage.device(),
                                      self.live.filter({}));
}

RangeNeighbors Index::range_search(MatrixView<float> queries, float radius, Metric metric,
                                   const SearchOptions& options) {
  const index::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  check_queries(queries, dimensions());
  check_options(options, queries.rows, rows());
  if (options.after)
    throw Error(ErrorCode::invalid_argument, "after", "a range search has no pages");
  if (self.blocked)
    throw Error(ErrorCode::unsupported, "range search",
                "needs all rows on the device as float32, and these are streamed or narrower");
  if (self.torn)
    throw Error(ErrorCode::unsupported, "range search", self.supports_anything().reason);
  if (!self.storage.has_tiles())
    throw Error(ErrorCode::unsupported, "range search",
                fmt::format("{} search keeps no tiles of rows to search; use the scan",
                            to_string(self.method)));
  RangeDescription wanted;
  wanted.metric = metric;
  wanted.rows = rows();
  wanted.dimensions = dimensions();
  wanted.radius = radius;
  wanted.scratch_limit = self.options.scratch_limit;
  index::LiveFilter filter(self.live, options.filter);
  wanted.filter = filter.kind();
  if (std::isnan(radius))
    throw Error(ErrorCode::invalid_argument, "radius", "NaN was given, a number is allowed");

  self.times = {};
  self.prepared.reset();  // its memory may be what this search needs
  index::RangeSearch search(self.storage, wanted, self.options.timing);
  RangeNeighbors found;
  found.offsets.push_back(0);
  const std::uint64_t words = wanted.filter == FilterKind::per_query ? options.filter.columns : 0;
  const std::uint64_t block = index::queries_at_once((std::uint64_t{dimensions()} + 2 + words) * 4);
  try {
    for (std::uint64_t first = 0; first < queries.rows; first += block) {
      const std::uint64_t count = std::min(block, queries.rows - first);
      search.run(queries.slice(first, count), filter.of(first, count), found, self.times);
      if (options.progress) options.progress(first + count, queries.rows);
    }
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "radius",
                fmt::format("{} neighbours and more do not fit the host's memory",
                            found.indices.size()));
  }
  self.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

Support Index::supports(Metric metric, std::uint64_t k) const {
  Method found = implementation_->method;
  return implementation_->find_method(implementation_->describe(1, k, metric), FilterKind::none, found);
}

bool Index::fits(const Device& device, std::uint64_t rows, std::uint64_t dimensions,
                 const IndexOptions& options) {
  const std::uint64_t tiles = search::divide_up<std::uint64_t>(rows, passes::tile_rows);
  const std::uint64_t tile_bytes =
      passes::tile_rows * dimensions * passes::element_bytes(index::element_of(options.storage));
  return tile_bytes == 0 || tiles <= memory_limit_of(device, options) / tile_bytes;
}

std::uint64_t Index::block_rows() const {
  return implementation_->blocked ? implementation_->blocked->block_rows() : 0;
}

std::uint64_t Index::rows() const { return implementation_->storage.rows(); }
std::uint32_t Index::dimensions() const { return implementation_->storage.dimensions(); }
Method Index::method() const { return implementation_->method; }
Method Index::method(Metric metric, std::uint64_t k, std::uint32_t queries) const {
  return implementation_->checked_method(implementation_->describe(queries, k, metric));
}
double Index::build_milliseconds() const { return implementation_->build_milliseconds; }
const SearchTimes& Index::times() const { return implementation_->times; }

}  // namespace proxel
