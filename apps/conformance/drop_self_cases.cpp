// drop_self: lists of k + 1 with the query's own row at the front, in the middle, last, not there, and in padding.

#include <set>

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
  constexpr Shape shapes[] = {{1, 1},   {2, 1},    {129, 1},  {5, 2},      {64, 3},     {200, 4}, {33, 10},
                              {7, 16},  {9, 63},   {9, 64},   {5, 65},     {3, 127},    {258, 5}, {3, 128},
                              {3, 129}, {2, 1000}, {1, 5000}, {70'001, 8}, {600'000, 1}};
  constexpr std::uint32_t none_counted = ~0u;
  for (const Shape& shape : shapes)
    for (const std::uint32_t there :
         std::set<std::uint32_t>{none_counted, 0u, shape.queries / 2, shape.queries, shape.queries + 5}) {
      const bool counted = there != none_counted;
      const bool quick = shape.queries <= 70'001 && (!counted || shape.k % 2 == 0);
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
