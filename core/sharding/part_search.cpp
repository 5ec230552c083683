#include "sharding/part_search.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "passes/decoded_distance.hpp"
#include "session/compute_times.hpp"
#include "session/queries_at_once.hpp"
#include "session/room.hpp"

namespace proxel::sharding {
namespace {

// One query's answer becomes another's.
void copy_query(const Neighbors& from, std::uint64_t query, Neighbors& to, std::uint64_t place) {
  const std::uint64_t k = to.indices.columns();
  std::copy_n(from.indices.data() + query * k, k, to.indices.data() + place * k);
  std::copy_n(from.distances.data() + query * k, k, to.distances.data() + place * k);
}

// Rows of the whole index as those of one part; none there is no row to leave out.
std::vector<std::uint32_t> local_rows(const RowNumbers& numbers, std::span<const std::uint32_t> of_all) {
  std::vector<std::uint32_t> rows(of_all.size());
  std::transform(of_all.begin(), of_all.end(), rows.begin(),
                 [&](std::uint32_t number) { return numbers.row_of(number).value_or(no_neighbor); });
  return rows;
}

// Searches a part behind a page. What begins at the first row is asked apart, without one.
Neighbors search_behind(Index& part, const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                        const LocalPage& page, SearchOptions with) {
  with.after = &page.after;
  Neighbors found = part.search(queries, k, metric, with);
  with.after = nullptr;
  with.progress = {};
  const MatrixView<std::uint32_t> filter = with.filter;
  const std::span<const std::uint32_t> self = with.self;
  for (std::uint64_t query = 0; query < queries.rows; ++query) {
    if (!page.from_start[query]) continue;
    if (filter.rows > 1) with.filter = filter.slice(query, 1);
    if (!self.empty()) with.self = self.subspan(query, 1);
    copy_query(part.search(queries.slice(query, 1), k, metric, with), 0, found, query);
  }
  return found;
}

}  // namespace

void check_divisible(const SearchOptions& options) {
  if (options.raw)
    throw Error(ErrorCode::unsupported, "raw", "what a method's arithmetic loses depends on how rows are divided");
}

PartOptions::PartOptions(const RowNumbers& numbers, const SearchOptions& of_all, const Progress& progress)
    : selves_(local_rows(numbers, of_all.self)) {
  options_.progress = progress;
  options_.ordered = true;
  if (of_all.filter.data) options_.filter = (filter_ = numbers.filter(of_all.filter)).view();
  options_.self = selves_;
}

Neighbors search_part(Index& part, const RowNumbers& numbers, const MatrixView<float>& queries, std::uint64_t k,
                      Metric metric, const SearchOptions& with, const Keys* behind, const Progress& progress) {
  const PartOptions mine(numbers, with, progress);
  Neighbors found = behind
                        ? search_behind(part, queries, k, metric, local_page(*behind, metric, numbers), mine.options())
                        : part.search(queries, k, metric, mine.options());
  numbers.to_numbers({found.indices.data(), found.indices.rows() * found.indices.columns()});
  return found;
}

SearchReport search_part(Index& part, const RowNumbers& numbers, const MatrixView<float>& queries, std::uint64_t k,
                         Metric metric, const SearchOptions& with, const Keys* behind, const Progress& progress,
                         const index::TakeAnswers& take) {
  const PartOptions mine(numbers, with, progress);
  if (!behind) return index::PartOfMore::search(part, queries, k, metric, mine.options(), take);
  Neighbors found = search_behind(part, queries, k, metric, local_page(*behind, metric, numbers), mine.options());
  take(search::rows_of(found), 0);
  return std::move(found.report);
}

RangeNeighbors range_search_part(Index& part, const RowNumbers& numbers, const MatrixView<float>& queries, float radius,
                                 Metric metric, const SearchOptions& with, const Progress& progress) {
  SearchOptions mine = with;
  mine.progress = progress;
  mine.ordered = true;
  Matrix<std::uint32_t> filter;
  if (with.filter.data) mine.filter = (filter = numbers.filter(with.filter)).view();
  RangeNeighbors found = part.range_search(queries, radius, metric, mine);
  numbers.to_numbers(found.indices);
  return found;
}

SearchOptions options_of(Part queries, const SearchOptions& with, const Progress& progress) {
  SearchOptions mine = with;
  mine.progress = progress;
  if (with.filter.data && with.filter.rows > 1) mine.filter = with.filter.slice(queries.first, queries.count);
  if (!with.self.empty()) mine.self = with.self.subspan(queries.first, queries.count);
  return mine;
}

Neighbors slice(const Neighbors& page, std::uint64_t first, std::uint64_t count) {
  Neighbors part = session::neighbors_room(count, 1);
  const std::uint64_t last = page.indices.columns() - 1;
  for (std::uint64_t query = 0; query < count; ++query) {
    part.indices(query, 0) = page.indices(first + query, last);
    part.distances(query, 0) = page.distances(first + query, last);
  }
  return part;
}

Neighbors search_own_rows(std::uint64_t first_row, std::uint64_t asked, std::uint64_t k, std::uint32_t dimensions,
                          const SearchOptions& with, const ReadRows& read, const SearchBlock& search) {
  Neighbors all = session::neighbors_room(asked, k);
  const std::uint64_t block = session::queries_at_once(std::uint64_t{dimensions} * 4);
  std::vector<std::uint32_t> numbers;
  // Without rows one search is made all the same: it says what of the call is wrong.
  for (std::uint64_t done = 0; done < asked || done == 0; done += block) {
    const std::uint64_t count = std::min(block, asked - done);
    numbers.resize(count);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(first_row + done));
    const Matrix<float> rows_of_block = read(numbers);
    SearchOptions mine = with;
    if (with.progress)
      mine.progress = [&](std::uint64_t reached, std::uint64_t) { with.progress(done + reached, asked); };
    if (!with.self.empty()) mine.self = with.self.subspan(done, count);
    if (with.filter.rows > 1) mine.filter = with.filter.slice(done, count);
    const Neighbors page = with.after ? slice(*with.after, done, count) : Neighbors{};
    if (with.after) mine.after = &page;
    Neighbors found = search(rows_of_block.view(), mine, done + count == asked);
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

}  // namespace proxel::sharding
