// Rows added to an index, removed from it and taken out of it: every answer is
// what the oracle finds among the rows that are left.
#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "search_check.hpp"

namespace proxel::conformance {
namespace {

struct UpdateCase {
  Method method;
  Metric metric;
  Kind kind;
  std::uint32_t d;

  std::string name() const {
    return fmt::format("updates/{}/{}/d={}/{}", to_string(method), to_string(metric), d, to_string(kind));
  }
};

constexpr std::uint64_t k = 7;
constexpr std::uint64_t queries = 40;
// Sizes of the index as it grows: inside a tile, at its end, several tiles on.
constexpr std::uint64_t sizes[] = {300, 301, 384, 900, 2000};

Verdict run_case(Device& device, const UpdateCase& c, const Data& data, std::uint64_t seed) {
  Index index(device, data.database.view().slice(0, sizes[0]), {.method = c.method});
  if (const Support support = index.supports(c.metric, k); !support) return Verdict::refuse(support);
  Matrix<std::uint8_t> live(1, sizes[0]);
  std::fill_n(live.data(), sizes[0], std::uint8_t{1});
  std::mt19937_64 random(seed);
  Verdict verdict;
  const auto ask = [&](const MatrixView<float>& database) {
    const Neighbors found = index.search(data.queries.view(), k, c.metric);
    const Question question{database, data.queries.view(), c.metric, k, live.view()};
    verdict = judge(device, question, c.kind, oracle_answer(question), found);
    return verdict.outcome == Outcome::passed;
  };
  for (const std::uint64_t size : sizes) {
    const std::uint64_t before = index.rows();
    if (index.add(data.database.view().slice(before, size - before)) != before)
      return Verdict::fail(fmt::format("rows were added at another place than {}", before));
    Matrix<std::uint8_t> grown(1, size);
    std::fill_n(grown.data(), size, std::uint8_t{1});
    std::copy_n(live.data(), before, grown.data());
    live = std::move(grown);
    std::vector<std::uint32_t> removed(size / 20);
    for (std::uint32_t& row : removed) {
      row = static_cast<std::uint32_t>(random() % size);
      live(0, row) = 0;
    }
    index.remove(removed);
    if (!ask(data.database.view().slice(0, size))) return verdict;
  }
  const std::vector<std::uint32_t> numbers = index.compact();
  Matrix<float> left(index.rows(), c.d);
  for (std::uint64_t row = 0; row < numbers.size(); ++row)
    if (numbers[row] != no_neighbor) std::copy_n(&data.database(row, 0), c.d, &left(numbers[row], 0));
  live = Matrix<std::uint8_t>(1, index.rows());
  std::fill_n(live.data(), index.rows(), std::uint8_t{1});
  ask(left.view());
  return verdict;
}

}  // namespace

void add_update_cases(Cases& cases) {
  constexpr Kind kinds[] = {Kind::integers, Kind::gaussian, Kind::nan, Kind::offset};
  std::size_t step = 0;
  for (const Method method : {Method::scan, Method::fused, Method::bvh})
    for (const Metric metric : all_metrics)
      for (const std::uint32_t d : {1u, 5u, 33u, 130u}) {
        if (method == Method::bvh && (d > 8 || largest_first(accumulated(metric)))) continue;
        const UpdateCase c{method, metric, kinds[step % 4], d};
        cases.push_back({c.name(), step++ % 3 == 0, [c](const Context& context) {
          auto data =
              std::make_shared<Data>(make_data(c.kind, sizes[std::size(sizes) - 1], c.d, queries, context.seed));
          // Rows far outside what the first ones span.
          if (c.kind == Kind::gaussian)
            for (std::uint64_t row = sizes[2]; row < data->database.rows(); row += 3)
              for (std::uint32_t i = 0; i < c.d; ++i) data->database(row, i) *= 1e6f;
          return make_check(
              [c, data, seed = context.seed](Device& device) { return run_case(device, c, *data, seed); });
        }});
      }
}

}  // namespace proxel::conformance
