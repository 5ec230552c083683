// Searches of an index whose rows pass through the device in blocks.
#include <new>

#include <fmt/format.h>

#include "index/blocks.hpp"
#include "index/check_search.hpp"
#include "index/live_filter.hpp"
#include "index/readback.hpp"
#include "index/upload.hpp"
#include "proxel/error.hpp"
#include "session/room.hpp"
#include "session/stopwatch.hpp"

namespace proxel {

Index::~Index() = default;
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;

Neighbors Index::Implementation::search_blocked(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                                                const SearchOptions& with) {
  const session::Stopwatch stopwatch;
  index::check_options(with, queries.rows, description.rows);
  SearchDescription wanted = describe(1, with.self.empty() ? k : wider_by_self(k), metric);
  wanted.continued = with.after != nullptr;
  checked_method(wanted, index::kind_of(with.filter));
  if (with.raw)
    throw Error(ErrorCode::unsupported, "raw",
                "what a method's arithmetic loses depends on how rows that are streamed or narrower are divided");
  Neighbors found;
  try {
    found = blocked->nearest(queries, k, metric, with, live,
                             [this](std::span<const std::uint32_t> numbers) { return read_blocked(numbers); });
  } catch (const std::bad_alloc&) {
    session::fail_for_neighbors(queries.rows, k);  // of the keys that a query is merged by
  }
  found.report.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

Neighbors Index::Implementation::search_blocked_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k,
                                                     Metric metric, const SearchOptions& with) {
  Matrix<float> room;
  return search_blocked(blocked->source().rows(first_row, count, room), k, metric, with);
}

RangeNeighbors Index::Implementation::range_search_blocked(const MatrixView<float>& queries, float radius,
                                                           Metric metric, const SearchOptions& with) {
  const session::Stopwatch stopwatch;
  RangeNeighbors found;
  try {
    found = blocked->within(queries, radius, metric, with, live);
  } catch (const std::bad_alloc&) {
    session::fail_for_matches(0);  // of the blocks, or of all of them as one answer
  }
  found.report.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

Matrix<float> Index::Implementation::read_blocked(std::span<const std::uint32_t> numbers) {
  Matrix<float> read(numbers.size(), description.dimensions), room;
  for (std::size_t at = 0, run = 0; at < numbers.size(); at += run) {
    run = index::run_length(numbers.subspan(at));
    index::copy_rows(blocked->source().rows(numbers[at], run, room), &read(at, 0));
  }
  return read;
}

std::uint64_t Index::block_rows() const {
  return implementation_->blocked ? implementation_->blocked->block_rows() : 0;
}

}  // namespace proxel
