// Searches of parts of the rows, merged in any tree, give what one search of all rows gives.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "proxel/index.hpp"
#include "proxel/merge.hpp"
#include "refused.hpp"
#include "support.hpp"

namespace {

using namespace proxel;
using namespace proxel::unit;

bool same_bits(const Neighbors& one, const Neighbors& other) {
  return one.indices == other.indices && one.distances.rows() == other.distances.rows() &&
         std::memcmp(one.distances.data(), other.distances.data(),
                     one.distances.rows() * one.distances.columns() * sizeof(float)) == 0;
}

// Queries that rungs decided.
std::uint64_t decided(const Neighbors& answer) {
  std::uint64_t sum = 0;
  for (const RungCount& rung : answer.report.rungs) sum += rung.queries;
  return sum;
}

// Pairs of parts, in whatever order, until one is left.
Neighbors merged_in_a_tree(std::vector<Neighbors> parts, std::vector<std::uint64_t> first, std::uint64_t k,
                           Metric metric, std::mt19937& generator) {
  while (parts.size() > 1) {
    const std::size_t i = generator() % parts.size();
    std::size_t j = generator() % (parts.size() - 1);
    j += j >= i;
    const PartialAnswer pair[] = {{parts[i], first[i]}, {parts[j], first[j]}};
    parts[i] = merge(pair, k, metric);
    first[i] = 0;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
    first.erase(first.begin() + static_cast<std::ptrdiff_t>(j));
  }
  const PartialAnswer only{parts.front(), first.front()};
  Neighbors whole = merge({&only, 1}, k, metric);
  finish(whole, metric);
  return whole;
}

}  // namespace

TEST_CASE("parts merged in any tree have the bits of one search, by every method and metric") {
  const auto device = open_device("cpu");
  constexpr std::uint64_t rows = 700, queries = 9;
  std::mt19937 generator(17);
  for (const Temper temper : {Temper::uniform, Temper::ties})
    for (const std::uint32_t dimensions : {3u, 20u}) {
      Matrix<float> database = make_values(rows, dimensions, temper, 1);
      database(13, 1) = std::nanf("");
      const Matrix<float> asked = make_values(queries, dimensions, temper, 2);
      for (const std::string& name : method_names()) {
        if (name == "bvh" && dimensions > 8) continue;  // it serves no more
        for (const Metric metric : all_metrics)
          for (const std::uint64_t k : {1, 8, 300}) {
            const IndexOptions options{.method = method_from_string(name)};
            Index all(*device, database.view(), options);
            if (!all.supports(metric, k)) continue;
            CAPTURE(name);
            CAPTURE(to_string(metric));
            CAPTURE(k);
            const Neighbors expected = all.search(asked.view(), k, metric);
            std::vector<Neighbors> parts;
            std::vector<std::uint64_t> first;
            for (std::uint64_t row = 0; row < rows;) {
              const std::uint64_t count = std::min<std::uint64_t>(1 + generator() % 300, rows - row);
              Index part(*device, database.view().slice(row, count), options);
              // A part may be answered by another method, as where it has too few rows for this one.
              if (!part.supports(metric, k))
                part = Index(*device, database.view().slice(row, count), {.method = Method::scan});
              parts.push_back(part.search(asked.view(), k, metric, {.ordered = true}));
              first.push_back(row);
              row += count;
            }
            const Neighbors merged = merged_in_a_tree(parts, first, k, metric, generator);
            CHECK(same_bits(merged, expected));
            std::uint64_t of_parts = 0;
            for (const Neighbors& part : parts) of_parts += decided(part);
            CHECK(decided(merged) == of_parts);
          }
      }
    }
}

TEST_CASE("answers of many queries, which threads merge block by block, have the bits of one search") {
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(400, 4, Temper::ties, 1), asked = make_values(701, 4, Temper::ties, 2);
  for (const Metric metric : {Metric::l2, Metric::ip})
    for (const std::uint64_t k : {1, 100, 500}) {
      CAPTURE(k);
      Index all(*device, database.view());
      Index first(*device, database.view().slice(0, 150)), second(*device, database.view().slice(150, 250));
      const Neighbors of_first = first.search(asked.view(), k, metric, {.ordered = true});
      Neighbors of_second = second.search(asked.view(), k, metric, {.ordered = true});
      const PartialAnswer parts[] = {{of_second, 150}, {of_first, 0}};
      Neighbors merged = merge(parts, k, metric);
      finish(merged, metric);
      CHECK(same_bits(merged, all.search(asked.view(), k, metric)));
      // A number that is too large is found in whichever block it is.
      const PartialAnswer far[] = {{of_first, 0}, {of_second, no_neighbor - 1}};
      of_second.indices(700, 0) = 1;
      check_refused([&] { merge(far, k, metric); }, "first index");
    }
}

TEST_CASE("ordered pages continue behind each other, and a plan orders as a search does") {
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(200, 5, Temper::ties, 1), asked = make_values(4, 5, Temper::ties, 2);
  for (const Metric metric : {Metric::l1, Metric::l2, Metric::cosine}) {
    Index index(*device, database.view(), {.method = Method::scan});
    Neighbors whole = index.search(asked.view(), 20, metric, {.ordered = true});
    Neighbors page = index.search(asked.view(), 7, metric, {.ordered = true});
    const Neighbors next = index.search(asked.view(), 13, metric, {.after = &page, .ordered = true});
    for (std::uint64_t query = 0; query < 4; ++query)
      for (std::uint64_t rank = 0; rank < 20; ++rank) {
        const bool first = rank < 7;
        CHECK(whole.indices(query, rank) == (first ? page.indices(query, rank) : next.indices(query, rank - 7)));
        CHECK(whole.distances(query, rank) == (first ? page.distances(query, rank) : next.distances(query, rank - 7)));
      }
    finish(whole, metric);
    CHECK(same_bits(whole, index.search(asked.view(), 20, metric)));
    // What is within reach has the same distances as what is nearest, in the same order.
    const RangeNeighbors within = index.range_search(asked.view(), 1.5f, metric, {.ordered = true});
    const Neighbors every = index.search(asked.view(), 200, metric, {.ordered = true});
    CHECK(within.offsets == index.range_search(asked.view(), 1.5f, metric).offsets);
    for (std::uint64_t query = 0; query < 4; ++query)
      for (std::uint64_t rank = 0; rank < within.count(query); ++rank) {
        CHECK(within.indices[within.offsets[query] + rank] == every.indices(query, rank));
        CHECK(within.distances[within.offsets[query] + rank] == every.distances(query, rank));
      }
  }
}

TEST_CASE("answers that do not belong together are not merged; none give padding") {
  const Neighbors one{Matrix<std::uint32_t>(2, 3), Matrix<float>(2, 3)};
  const Neighbors other{Matrix<std::uint32_t>(1, 3), Matrix<float>(1, 3)};
  const Neighbors torn{Matrix<std::uint32_t>(2, 3), Matrix<float>(2, 2)};
  const PartialAnswer different[] = {{one, 0}, {other, 3}}, uneven[] = {{torn, 0}}, far[] = {{one, 0xFFFFFFFF}};
  check_refused([&] { merge(different, 1, Metric::l1); }, "queries of a part");
  check_refused([&] { merge(uneven, 1, Metric::l1); }, "distances of a part");
  check_refused([&] { merge(far, 1, Metric::l1); }, "first index");
  check_refused([&] { merge({}, 0, Metric::l1); }, "k");
  CHECK(merge({}, 4, Metric::l1).indices.rows() == 0);
  const PartialAnswer single[] = {{one, 7}};
  const Neighbors padded = merge(single, 5, Metric::ip);
  CHECK(padded.indices(0, 0) == 7);
  CHECK(padded.indices(1, 4) == no_neighbor);
  CHECK(padded.distances(1, 4) == -std::numeric_limits<float>::infinity());
}
