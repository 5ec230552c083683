// merge_answers: lists with ties, with rows of both, with NaN and infinities, that end early, and that are empty so far.

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "case.hpp"
#include "pass_script.hpp"
#include "layout.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/passes/merge_answers.h"
#include "random.hpp"

namespace proxel::conformance {
namespace {

struct Shape {
  std::uint32_t queries, k, columns;
  bool first = false;  // nothing has been found so far
};

using List = std::vector<std::uint64_t>;  // keys, ascending

// Few distances, so that many are equal; a row has one distance, whichever list it is in.
float distance_of(std::uint32_t row, bool largest_first) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float kinds[] = {std::numeric_limits<float>::quiet_NaN(), infinity, 0.0f, 0x1p-140f, 1.5f, 1.5f, 2.0f, 3e38f};
  const float distance = kinds[row * 2654435761u >> 29];
  return largest_first && row % 2 == 1 ? -distance : distance;
}

// At most `most` of the rows first … end - 1.
List list_of(Random& random, std::uint32_t first, std::uint32_t end, std::uint32_t most, bool largest_first) {
  std::set<std::uint64_t> keys;
  const std::uint64_t wanted = random.one_in(4) ? random.below(most + 1) : most;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const auto row = first + static_cast<std::uint32_t>(random.below(end - first));
    keys.insert(make_key(distance_key(distance_of(row, largest_first), largest_first), row));
  }
  return {keys.begin(), keys.end()};
}

}  // namespace

void add_merge_answers_cases(Cases& cases) {
  std::vector<Shape> shapes = {{1, 1, 1},       {5, 2, 1},           {3, 1, 7},        {129, 10, 10},
                               {257, 33, 64},   {2, 1024, 1024},     {2, 1025, 3},     {2, 5, 1025},
                               {600'000, 1, 1}, {128, 20, 20, true}, {7, 100, 3, true}};
  for (std::uint32_t k = 1; k <= 9; ++k)
    for (std::uint32_t columns = std::max(k, 2u) - 1; columns <= k + 1; ++columns)
      shapes.push_back({131, k, columns, k % 3 == 0});
  for (const Shape& shape : shapes)
    for (const bool largest_first : {false, true})
      cases.push_back({fmt::format("pass/merge_answers/queries={},k={},columns={}{}{}", shape.queries, shape.k,
                                   shape.columns, shape.first ? ",first" : "", largest_first ? ",largest" : ""),
                       shape.queries < 1000 && shape.k % 3 == 0, [=](const Context& context) {
        return check_passes(context, [=](PassScript& script) {
          Random random(context.seed);
          // The lists share some of their rows.
          constexpr std::uint32_t part_begins = 1000;
          const std::uint32_t rows = part_begins + 2 * std::max(shape.k, shape.columns);
          List nearest;
          std::vector<std::uint32_t> indices;
          std::vector<float> distances;
          for (std::uint32_t query = 0; query < shape.queries; ++query) {
            if (!shape.first) {
              List before = list_of(random, 0, part_begins + shape.k, shape.k, largest_first);
              before.resize(shape.k, no_row_key);
              nearest.insert(nearest.end(), before.begin(), before.end());
            }
            List found = list_of(random, part_begins, rows, shape.columns, largest_first);
            found.resize(shape.columns, no_row_key);
            for (const std::uint64_t key : found) {
              const bool there = key != no_row_key;
              indices.push_back(there ? static_cast<std::uint32_t>(key) - part_begins : no_neighbor);
              distances.push_back(there ? distance_of(static_cast<std::uint32_t>(key), largest_first) : 0.0f);
            }
          }
          if (shape.first) nearest.push_back(0);
          passes::MergeAnswersParameters p{};
          p.nearest = script.input("nearest", nearest);
          p.indices = script.input("indices", indices);
          p.distances = script.input("distances", distances);
          p.merged = script.output("merged", std::uint64_t{8} * shape.queries * shape.k);
          if (shape.k % 2 == 0) p.bounds = script.output("bounds", std::uint64_t{4} * shape.queries);
          p.queries = shape.queries;
          p.k = shape.k;
          p.kept = shape.first ? 0 : shape.k;
          p.columns = shape.columns;
          p.first_index = part_begins;
          p.largest_first = largest_first;
          script.add_pass(passes::make_merge_answers(p));
        });
      }});
}

}  // namespace proxel::conformance
