// What is nearest, and within reach, among rows of several ranks.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "distributed/implementation.hpp"
#include "index/check_search.hpp"
#include "proxel/merge.hpp"
#include "search/check.hpp"
#include "session/stopwatch.hpp"

namespace proxel {

using namespace distributed;

namespace {

template <typename T>
Matrix<T> copy_of(const MatrixView<T>& view) {
  Matrix<T> copy(view.rows, view.columns);
  if (view.column_stride == 1) {
    for (std::uint64_t row = 0; row < view.rows; ++row)
      std::copy_n(&view(row, 0), view.columns, copy.data() + row * view.columns);
    return copy;
  }
  for (std::uint64_t row = 0; row < view.rows; ++row)
    for (std::uint64_t column = 0; column < view.columns; ++column) copy(row, column) = view(row, column);
  return copy;
}

Request question(Call call, Step step, const MatrixView<float>& queries, Metric metric, const SearchOptions& with) {
  Request request{.call = call, .step = step, .metric = metric, .ordered = with.ordered};
  request.rows = copy_of(queries);
  if (with.filter.data) request.filter = copy_of(with.filter);
  request.numbers.assign(with.self.begin(), with.self.end());
  return request;
}

}  // namespace

void DistributedIndex::Implementation::search_step(Exchange& exchange, const Request& request) {
  NeighborsParcel mine;
  const auto search = [&] {
    const MatrixView<float> queries = request.rows.view();
    mine.found = {Matrix<std::uint32_t>(queries.rows, 0), Matrix<float>(queries.rows, 0)};
    if (shard)
      mine.found =
          sharding::search_part(*shard, numbers, queries, request.k, request.metric, request.options(),
                                request.behind.empty() ? nullptr : &request.behind, exchange.watching(progress));
    mine.method = mine.found.report.method;
    mine.report.take(mine.found.report, ranks.rank(), ranks.size());
  };
  exchange.gather(mine, search, [&](NeighborsParcel& one, const NeighborsParcel& other) {
    const PartialAnswer both[] = {{one.found}, {other.found}};
    one.found = merge(both, request.k, request.metric);
    if (one.method.empty()) one.method = other.method;
    one.report.add(other.report);
  });
  if (is_root() && !request.ordered) exchange.attempt([&] { finish(mine.found, request.metric); });
  exchange.conclude();
  if (!is_root()) return;
  neighbors = std::move(mine.found);
  neighbors.report = {.method = lasting(mine.method)};
  mine.report.give(neighbors.report);
}

void DistributedIndex::Implementation::range_step(Exchange& exchange, const Request& request) {
  RangeParcel mine;
  const std::uint64_t queries = request.rows.rows();
  const auto search = [&] {
    mine.found.offsets.assign(queries + 1, 0);
    if (shard)
      mine.found = sharding::range_search_part(*shard, numbers, request.rows.view(), request.radius, request.metric,
                                               request.options(), exchange.watching(progress));
    mine.method = mine.found.report.method;
    mine.report.take(mine.found.report, ranks.rank(), ranks.size());
  };
  exchange.gather(mine, search, [&](RangeParcel& one, RangeParcel& other) {
    const RangeNeighbors both[] = {std::move(one.found), std::move(other.found)};
    one.found = sharding::merged(both, queries, request.metric, true);
    if (one.method.empty()) one.method = other.method;
    one.report.add(other.report);
  });
  if (is_root())
    exchange.attempt([&] { matches = sharding::merged({&mine.found, 1}, queries, request.metric, request.ordered); });
  exchange.conclude();
  if (!is_root()) return;
  matches.report.method = lasting(mine.method);
  mine.report.give(matches.report);
}

void DistributedIndex::Implementation::read_step(Exchange& exchange, const Request& request) {
  RowsParcel mine;
  const auto read = [&] {
    if (!shard) return;
    std::vector<std::uint32_t> local;
    for (std::size_t place = 0; place < request.numbers.size(); ++place)
      if (const auto row = numbers.row_of(request.numbers[place])) {
        local.push_back(*row);
        mine.places.push_back(static_cast<std::uint32_t>(place));
      }
    const Matrix<float> found = shard->read_rows(local);
    mine.values.assign(found.data(), found.data() + found.rows() * found.columns());
  };
  exchange.gather(mine, read, [](RowsParcel& one, const RowsParcel& other) {
    one.places.insert(one.places.end(), other.places.begin(), other.places.end());
    one.values.insert(one.values.end(), other.values.begin(), other.values.end());
  });
  exchange.conclude();
  if (is_root()) read_rows = std::move(mine);
}

Matrix<float> DistributedIndex::Implementation::read(Call call, std::span<const std::uint32_t> wanted, bool last) {
  Request request{.call = call, .step = Step::read_rows, .last = last};
  request.numbers.assign(wanted.begin(), wanted.end());
  step(request, call);
  Matrix<float> rows_read(wanted.size(), dimensions);
  for (std::size_t i = 0; i < read_rows.places.size(); ++i)
    std::copy_n(read_rows.values.data() + i * dimensions, dimensions, &rows_read(read_rows.places[i], 0));
  read_rows = {};
  return rows_read;
}

Neighbors DistributedIndex::Implementation::search(Call call, const MatrixView<float>& queries, std::uint64_t k,
                                                   Metric metric, const SearchOptions& with, bool last) {
  sharding::check_divisible(with);
  search::require_metric(metric);
  search::require_range("k", k, 1, search::most_k);
  Request request = question(call, Step::search, queries, metric, with);
  request.k = k;
  request.last = last;
  if (with.after)
    request.behind = sharding::keys_behind(
        with, queries, metric, rows, [&](std::span<const std::uint32_t> wanted) { return read(call, wanted, false); });
  progress = with.progress;
  step(request, call);
  return std::move(neighbors);
}

Neighbors DistributedIndex::Implementation::search_own_rows(Call call, std::uint64_t first, std::uint64_t count,
                                                            std::uint64_t k, Metric metric, const SearchOptions& with) {
  return sharding::search_own_rows(first, count, k, dimensions, with, [&](std::span<const std::uint32_t> wanted) {
    return read(call, wanted, false);
  }, [&](const MatrixView<float>& queries, const SearchOptions& mine, bool last) {
    return search(call, queries, k, metric, mine, last);
  });
}

Neighbors DistributedIndex::Implementation::neighbors_together(Call call, const std::function<Neighbors()>& asks) {
  const InUse::Scope used(in_use, "index");
  const session::Stopwatch stopwatch;
  NeighborsParcel answer;
  together(call, [&] {
    answer.found = asks();
    answer.method = answer.found.report.method;
    answer.report.take(answer.found.report, 0, ranks.size());
    answer.report.ranks = answer.found.report.devices;
  });
  if (options.answers_everywhere) {
    share(answer);
    answer.found.report.method = lasting(answer.method);
    answer.report.give(answer.found.report);
  }
  answer.found.report.times.total_milliseconds = stopwatch.milliseconds();
  return std::move(answer.found);
}

Neighbors DistributedIndex::search(MatrixView<float> queries, std::uint64_t k, Metric metric,
                                   const SearchOptions& options) {
  Implementation& self = *implementation_;
  return self.neighbors_together(Call::search, [&] {
    index::check_queries(queries, self.dimensions);
    index::check_options(options, queries.rows, self.rows);
    return self.search(Call::search, queries, k, metric, options, true);
  });
}

Neighbors DistributedIndex::search_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k, Metric metric,
                                        const SearchOptions& options) {
  Implementation& self = *implementation_;
  return self.neighbors_together(Call::search_rows, [&] {
    index::check_run(first_row, count, self.rows);
    index::check_options(options, count, self.rows);
    return self.search_own_rows(Call::search_rows, first_row, count, k, metric, options);
  });
}

Neighbors knn_graph(DistributedIndex& index, std::uint64_t k, Metric metric, const GraphOptions& options) {
  DistributedIndex::Implementation& self = *index.implementation_;
  return self.neighbors_together(Call::knn_graph, [&] {
    search::require_range("k", k, 1, search::most_k - 1);
    if (self.removed != 0)
      throw Error(ErrorCode::unsupported, "index", "has rows that were removed, which would be points of the graph");
    SearchOptions with;
    with.progress = options.progress;
    std::vector<std::uint32_t> selves(options.exclude_self ? self.rows : 0);
    std::iota(selves.begin(), selves.end(), 0u);
    with.self = selves;
    return self.search_own_rows(Call::knn_graph, 0, self.rows, k, metric, with);
  });
}

RangeNeighbors DistributedIndex::range_search(MatrixView<float> queries, float radius, Metric metric,
                                              const SearchOptions& options) {
  Implementation& self = *implementation_;
  const InUse::Scope used(self.in_use, "index");
  const session::Stopwatch stopwatch;
  RangeParcel answer;
  self.together(Call::range_search, [&] {
    index::check_queries(queries, self.dimensions);
    index::check_options(options, queries.rows, self.rows);
    sharding::check_divisible(options);
    search::require_metric(metric);
    if (options.after || !options.self.empty())
      throw Error(ErrorCode::unsupported, options.after ? "after" : "self", "is for searches of the k nearest");
    Request request = question(Call::range_search, Step::range_search, queries, metric, options);
    request.radius = radius;
    self.progress = options.progress;
    self.step(request, Call::range_search);
    answer.found = std::move(self.matches);
    answer.method = answer.found.report.method;
    answer.report.take(answer.found.report, 0, self.ranks.size());
    answer.report.ranks = answer.found.report.devices;
  });
  if (self.options.answers_everywhere) {
    self.share(answer);
    answer.found.report.method = lasting(answer.method);
    answer.report.give(answer.found.report);
  }
  answer.found.report.times.total_milliseconds = stopwatch.milliseconds();
  return std::move(answer.found);
}

Matrix<float> DistributedIndex::read_rows(std::span<const std::uint32_t> wanted) {
  Implementation& self = *implementation_;
  const InUse::Scope used(self.in_use, "index");
  Matrix<float> rows_read;
  self.together(Call::read_rows, [&] {
    for (const std::uint32_t number : wanted)
      if (number >= self.rows)
        throw Error(ErrorCode::invalid_argument, "rows",
                    fmt::format("{} is not one of the {} rows", number, self.rows));
    rows_read = self.read(Call::read_rows, wanted, true);
  });
  return rows_read;
}

}  // namespace proxel
