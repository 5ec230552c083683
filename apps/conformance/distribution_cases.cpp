// Keys that workgroups put in order by where their values lie: values that lie evenly, unevenly, too near each other and too far apart.
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "case.hpp"
#include "pass_script.hpp"
#include "proxel/passes/distribution.h"
#include "proxel/passes/screen_runs.h"
#include "random.hpp"
#include "stream_select_case.hpp"

namespace proxel::conformance {
namespace {

struct Spread {
  const char* name;
  float (*value)(Random&, std::uint32_t i);
  bool quick = false;
};

// As many values are equal as a bucket may have, and one more.
float among_equal(Random& random, std::uint32_t i, std::uint32_t equal) {
  return i % 7 == 3 && i / 7 < equal ? 0.0078125F : random.unit();
}

constexpr Spread spreads[] = {
    {"even", [](Random& random, std::uint32_t) { return random.unit(); }, true},
    {"tail", [](Random& random, std::uint32_t) { return random.normal(); }},
    {"full", [](Random& random, std::uint32_t i) { return among_equal(random, i, passes::crowded_bucket); }},
    {"crowded", [](Random& random, std::uint32_t i) { return among_equal(random, i, passes::crowded_bucket + 1); },
     true},
    {"outlier", [](Random& random, std::uint32_t i) { return i == 5 ? -1e6F : random.unit(); }, true},
    {"infinite", [](Random& random, std::uint32_t i) { return i == 5 ? -HUGE_VALF : random.unit(); }},
    {"exponents",
     [](Random& random, std::uint32_t) { return std::ldexp(1.0F, static_cast<int>(random.below(200)) - 120); }},
    {"near", [](Random& random, std::uint32_t) { return 1.0F + static_cast<float>(random.below(64)) * 0x1p-23F; },
     true},
    {"subnormal", [](Random& random, std::uint32_t) { return static_cast<float>(random.below(1u << 20)) * 0x1p-149F; }},
    {"small", [](Random& random, std::uint32_t) { return random.unit() * 2e-30F; }},
    {"far", [](Random& random, std::uint32_t) { return random.symmetric() * std::numeric_limits<float>::max(); }},
    {"zeros", [](Random& random, std::uint32_t i) {
  return i % 40 == 0 ? (i % 80 == 0 ? -0.0F : 0.0F) : random.symmetric() * 1e-3F;
}}};

void add_pools(Cases& cases) {
  constexpr std::uint32_t columns = 4099;
  struct Shape {
    std::uint32_t workgroup, k, capacity;
  };
  // Around the fewest keys that are distributed, and the most that a workgroup's registers hold.
  constexpr Shape shapes[] = {{32, 60, 256},   {32, 95, 512},   {32, 96, 512},   {32, 97, 512},    {64, 300, 1024},
                              {32, 511, 1024}, {32, 512, 1024}, {32, 513, 2048}, {256, 2000, 4096}};
  for (const Shape& shape : shapes)
    for (const Spread& spread : spreads)
      for (const bool largest : {false, true})
        cases.push_back(
            stream_select_case(fmt::format("pass/stream_select/workgroup={},k={},capacity={}{}/{}", shape.workgroup,
                                           shape.k, shape.capacity, largest ? ",largest" : "", spread.name),
                               spread.quick && shape.workgroup == 64 && !largest, shape.workgroup, shape.k, columns,
                               [=](Random& random, std::uint32_t, float* row) {
          for (std::uint32_t i = 0; i < columns; ++i) row[i] = spread.value(random, i);
        }, largest, shape.capacity));
}

// Lists of a few keys, of about as many as are distributed at most, and of more, which are sorted in runs.
void add_runs(Cases& cases) {
  struct Shape {
    std::uint32_t count, k, run, workgroup;
  };
  constexpr Shape shapes[] = {{1, 1, 128, 64},         {2, 1, 128, 64},         {257, 256, 128, 512},
                              {1300, 1024, 2048, 512}, {1300, 1025, 512, 128},  {65534, 9000, 2048, 512},
                              {65535, 300, 2048, 256}, {65536, 300, 2048, 512}, {65537, 9000, 1024, 512}};
  for (const Shape& shape : shapes)
    for (const Spread& spread : spreads)
      cases.push_back({fmt::format("pass/screen_runs/count={},k={},run={},workgroup={}/{}", shape.count, shape.k,
                                   shape.run, shape.workgroup, spread.name),
                       spread.quick && shape.count == 1300, [=](const Context& context) {
        constexpr std::uint32_t queries = 3;
        Random random(context.seed);
        std::vector<std::uint32_t> keys(2 * std::size_t{queries} * shape.count);
        for (std::uint32_t query = 0; query < queries; ++query)
          for (std::uint32_t i = 0; i < shape.count; ++i) {
            // Distances are not negative, and their keys have the highest bit.
            const float distance = std::fabs(spread.value(random, i));
            std::uint32_t* const key = &keys[2 * (std::size_t{query} * shape.count + i)];
            key[0] = (i * 40503u + query) % 65537u;  // no two are equal
            std::memcpy(key + 1, &distance, 4);
            key[1] |= 0x80000000u;
          }
        return check_passes(context, [=](PassScript& script) {
          passes::ScreenRunsParameters parameters{};
          parameters.survivors = script.scratch("survivors", keys);
          const std::vector<std::uint32_t> counts = {shape.count, 0, shape.count};
          parameters.survivor_counts = script.input("counts", counts);
          parameters.spare = script.scratch("spare", 8 * std::uint64_t{queries} * shape.count);
          const std::uint64_t slots = std::uint64_t{queries} * shape.k;
          parameters.indices = script.output("indices", 4 * slots);
          parameters.distances = script.output("distances", 4 * slots);
          parameters.undecided = script.output("undecided", std::vector<std::uint32_t>(4 + queries));
          parameters.room = parameters.spare_stride = shape.count;
          parameters.k = shape.k;
          parameters.query_count = queries;
          script.add_pass(passes::make_screen_runs(parameters, Metric::l2sq, shape.run, shape.workgroup));
        });
      }});
}

}  // namespace

void add_distribution_cases(Cases& cases) {
  add_pools(cases);
  add_runs(cases);
}

}  // namespace proxel::conformance
