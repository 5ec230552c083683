// Filters, pages and range searches through proxel::Index.
#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "pages.hpp"
#include "row_filter.hpp"
#include "search_check.hpp"

namespace proxel::conformance {
namespace {

// Where the rows of the index are.
enum class Place { device, streamed, float16 };

struct NarrowedCase {
  Method method;
  Metric metric;
  Kind kind;
  Shape shape;
  FilterChoice filter;
  std::uint32_t pages;
  Place place = Place::device;

  std::string name() const {
    constexpr const char* places[] = {"", ",streamed", ",float16"};
    return fmt::format("narrowed/{}/{}/n={},d={},q={},k={},pages={}{}{}/{}", to_string(method), to_string(metric),
                       shape.n, shape.d, shape.q, shape.k, pages, filter.name(), places[static_cast<int>(place)],
                       to_string(kind));
  }

  IndexOptions options() const {
    IndexOptions options;
    options.method = method;
    // Two tiles of 128 rows at a time.
    if (place == Place::streamed) options.memory_limit = 2 * 128 * shape.d * 4;
    if (place == Place::float16) options.storage = ElementType::float16;
    return options;
  }
};

// The rows within a radius, out of an answer of all rows.
RangeAnswer cut(const Neighbors& all, Metric metric, float radius) {
  RangeAnswer answer;
  answer.offsets.push_back(0);
  for (std::uint64_t query = 0; query < all.indices.rows(); ++query) {
    for (std::uint64_t rank = 0; rank < all.indices.columns(); ++rank) {
      const float distance = all.distances(query, rank);
      const bool within = metric == Metric::ip ? distance >= radius : distance <= radius;
      if (!within || all.indices(query, rank) == no_neighbor) continue;
      answer.indices.push_back(all.indices(query, rank));
      answer.distances.push_back(distance);
    }
    answer.offsets.push_back(answer.indices.size());
  }
  return answer;
}

// A range search whose radius is the k-th distance of query 0: what the oracle
// says of it or, for bounded metrics, what a search for all rows gives.
Verdict check_range(Index& index, const NarrowedCase& c, const Data& data, Question question,
                    const SearchOptions& options) {
  const Neighbors all =
      normalizes(c.metric) ? index.search(data.queries.view(), c.shape.n, c.metric, options) : oracle_answer(question);
  const float radius = std::isnan(all.distances(0, c.shape.k - 1)) ? 1 : all.distances(0, c.shape.k - 1);
  const RangeAnswer expected = normalizes(c.metric) ? cut(all, c.metric, radius) : oracle_range(question, radius);
  const RangeNeighbors found = index.range_search(data.queries.view(), radius, c.metric, options);
  if (found.offsets != expected.offsets)
    return Verdict::fail(
        fmt::format("within {}: {} neighbours, there are {}", radius, found.indices.size(), expected.indices.size()));
  const auto same = [](float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); };
  if (found.indices != expected.indices || !std::equal(found.distances.begin(), found.distances.end(),
                                                       expected.distances.begin(), expected.distances.end(), same))
    return Verdict::fail(fmt::format("within {}: other neighbours than there are", radius));
  return Verdict::pass();
}

Verdict run_case(Device& device, const NarrowedCase& c, const Data& data, const Matrix<std::uint8_t>& filter) {
  Index index(device, data.database.view(), c.options());
  Question question{data.database.view(), data.queries.view(), c.metric, c.pages * c.shape.k};
  SearchOptions options;
  Matrix<std::uint32_t> words(filter.rows(), (c.shape.n + 31) / 32);
  if (c.filter.given) {
    const std::vector<std::uint32_t> bits = words_of(filter);
    std::copy(bits.begin(), bits.end(), words.data());
    options.filter = words.view();
    question.allowed = filter.view();
  }
  if (const Support support = index.supports(c.metric, c.shape.k); !support) return Verdict::refuse(support);
  Neighbors joined;
  try {
    joined = joined_pages(index, data.queries.view(), c.shape.k, c.metric, c.pages, options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    return Verdict::refuse(error);
  }
  Verdict verdict;
  if (normalizes(c.metric)) {
    const Neighbors whole = index.search(data.queries.view(), question.k, c.metric, options);
    if (std::string text = difference(whole, joined); !text.empty())
      return Verdict::fail("pages and one search: " + text);
  } else {
    verdict = judge(device, question, c.kind, oracle_answer(question), joined);
  }
  if (verdict.outcome != Outcome::passed || c.method != Method::scan) return verdict;
  const Verdict range = check_range(index, c, data, question, options);
  return range.outcome == Outcome::passed ? verdict : range;
}

}  // namespace

void add_narrowing_cases(Cases& cases) {
  constexpr Shape shapes[] = {{1, 3, 2, 1},    {257, 17, 3, 40},   {1000, 5, 70, 9},
                              {700, 33, 9, 1}, {3000, 3, 2, 1100}, {5000, 3, 2, 1100}};
  constexpr Kind kinds[] = {Kind::integers, Kind::gaussian, Kind::nan};
  std::size_t step = 0;
  // Thresholds continue behind nothing.
  const auto pages_of = [](Method method) { return method == Method::fused ? 1u : 3u; };
  const auto filter_of = [&](bool given) {
    return FilterChoice{given, all_filter_patterns[step / 2 % 6], step % 4 == 1};
  };
  const auto add = [&](const NarrowedCase& c, bool quick) {
    cases.push_back({c.name(), quick, [c](const Context& context) {
      auto data = std::make_shared<Data>(make_data(c.kind, c.shape.n, c.shape.d, c.shape.q, context.seed));
      auto filter =
          std::make_shared<Matrix<std::uint8_t>>(make_filter(c.filter, c.shape.n, c.shape.q, context.seed + 1));
      return make_check([c, data, filter](Device& device) { return run_case(device, c, *data, *filter); });
    }});
    ++step;
  };
  for (const Method method : {Method::scan, Method::texel, Method::fused, Method::bvh})
    for (const Shape& shape : shapes)
      for (const Metric metric : all_metrics)
        for (const bool given : {false, true}) {
          if (method == Method::texel && shape.k > 1000) continue;
          if (method == Method::bvh && (shape.d > 8 || shape.k > 1000)) continue;
          const NarrowedCase c{method, metric, kinds[step % 3], shape, filter_of(given), pages_of(method)};
          add(c, step % 5 == 0 || (method == Method::fused && given && !c.filter.per_query));
        }
  // A filter per query that leaves none, one, k - 1, k or all rows, or half of them: few queries and many, on halves and
  // without, for few neighbours, many, and more than a workgroup keeps at hand.
  for (const Method method : {Method::fused, Method::automatic})
    for (const Shape& shape : {Shape{1500, 17, 66, 40}, Shape{700, 33, 300, 12}, Shape{2000, 1, 40, 20},
                               Shape{3000, 3, 4, 30}, Shape{5000, 3, 12, 1100}, Shape{3000, 40, 20, 300}})
      for (const Metric metric : all_metrics)
        add({method, metric, kinds[step % 3], shape, {true, FilterPattern::counted, true, shape.k}, 1},
            method == Method::fused);
  // Rows that pass through the device in blocks. Values of a small range are the same in float16.
  for (const Method method : {Method::scan, Method::fused, Method::bvh})
    for (const Shape& shape : shapes)
      for (const Metric metric : all_metrics)
        for (const Place place : {Place::streamed, Place::float16}) {
          if (method == Method::bvh && (shape.d > 8 || shape.k > 1000)) continue;
          const Kind kind = place == Place::float16 ? Kind::integers : kinds[step % 3];
          add({method, metric, kind, shape, filter_of(step % 2 == 0), pages_of(method), place}, step % 4 == 0);
        }
}

}  // namespace proxel::conformance
