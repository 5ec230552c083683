// drop_self: lists of k + 1 with the query's own row at the front, in the middle, last, not there, and in padding.

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "case.hpp"
#include "pass_script.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/passes/drop_self.h"
#include "random.hpp"

namespace proxel::conformance {
namespace {

struct Shape {
  std::uint32_t queries, k;

  auto operator<=>(const Shape&) const = default;
};

struct Lists {
  std::vector<std::uint32_t> indices, distances, self;
};

// Distances are any bits at all, which stay as they are.
Lists make_lists(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t wider = std::uint64_t{shape.k} + 1;
  Lists lists;
  for (std::uint32_t query = 0; query < shape.queries; ++query) {
    // A list that ends early is padded.
    const std::uint64_t there = random.one_in(3) ? random.below(wider + 1) : wider;
    for (std::uint64_t slot = 0; slot < wider; ++slot) {
      lists.indices.push_back(slot < there ? static_cast<std::uint32_t>(1000 + slot * 7) : no_neighbor);
      lists.distances.push_back(static_cast<std::uint32_t>(random.bits()));
    }
    const std::uint64_t places[] = {0, there / 2, shape.k, random.below(wider)};
    const std::uint64_t place = places[random.below(std::size(places))];
    lists.self.push_back(random.one_in(5) ? 3 : lists.indices[query * wider + place]);
    // Slots of padding are alike.
    for (std::uint64_t slot = there; slot < wider; ++slot) lists.distances[query * wider + slot] = 0x7F800000;
  }
  return lists;
}

}  // namespace

void add_drop_self_cases(Cases& cases) {
  // The last three have more blocks than a grid has workgroups: of the most queries, of some, of one.
  std::set<Shape> shapes = {{5, 2}, {64, 3}, {200, 4}, {33, 10}, {1, 5000}, {600'000, 1}, {70'001, 100}, {4'099, 520}};
  // Every k around those where a block has a query less, and around a workgroup's and a block's slots; one query, a
  // block of them, one more or less, and two blocks and one.
  const auto walk = [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t k = first; k <= last; ++k) {
      const std::uint32_t block = std::clamp(passes::drop_self_slots / k, 1u, passes::drop_self_queries);
      shapes.insert({{1, k}, {block, k}, {block + 1, k}, {2 * block + 1, k}});
      if (block > 2) shapes.insert({block - 1, k});
    }
  };
  walk(1, 20);
  walk(127, 130);
  walk(255, 258);
  walk(340, 343);
  walk(510, 514);
  walk(1022, 1026);
  constexpr std::uint32_t none_counted = ~0u;
  for (const Shape& shape : shapes)
    for (const std::uint32_t there :
         std::set<std::uint32_t>{none_counted, 0u, shape.queries / 2, shape.queries, shape.queries + 5}) {
      const bool counted = there != none_counted;
      const std::uint32_t block = std::max(passes::drop_self_slots / shape.k, 1u);
      const bool quick = shape.queries < 300 && shape.queries > block && (!counted || there == shape.queries / 2);
      cases.push_back({fmt::format("pass/drop_self/queries={},k={}{}", shape.queries, shape.k,
                                   counted ? fmt::format(",counted={}", there) : ""),
                       quick, [=](const Context& context) {
        const Lists lists = make_lists(shape, context.seed);
        return check_passes(context, [=](PassScript& script) {
          passes::DropSelfParameters drop{};
          drop.found_indices = script.input("found indices", lists.indices);
          drop.found_distances = script.input("found distances", lists.distances);
          drop.self = script.input("self", lists.self);
          drop.indices = script.output("indices", std::uint64_t{4} * shape.queries * shape.k);
          drop.distances = script.output("distances", std::uint64_t{4} * shape.queries * shape.k);
          if (counted) drop.counted = script.input("count", std::vector{there});
          drop.queries = shape.queries;
          drop.k = shape.k;
          script.add_pass(passes::make_drop_self(drop));
        });
      }});
    }
}

}  // namespace proxel::conformance
