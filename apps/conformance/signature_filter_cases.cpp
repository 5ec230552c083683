// The passes by which pivots filter signatures: lower bounds, and which signatures they leave. What comes
// of them is judged in whole searches (signature_cases.cpp).
#include <cmath>

#include <fmt/format.h>

#include "case.hpp"
#include "pass_script.hpp"
#include "proxel/passes/signature_bounds.h"
#include "proxel/passes/signature_survivors.h"
#include "random.hpp"

namespace proxel::conformance {
namespace {

using passes::signature_pivots;

std::vector<float> uniform(std::size_t count, Random& random, float most = 2) {
  std::vector<float> values(count);
  for (float& value : values) value = most * random.unit();
  return values;
}

struct FilterCase {
  std::uint32_t objects, queries, pivots, groups;

  std::string name(const char* pass) const {
    return fmt::format("pass/{}/n={},q={},pivots={},groups={}", pass, objects, queries, pivots, groups);
  }
};

void write_bounds(PassScript& script, const FilterCase& c, std::uint64_t seed) {
  Random random(seed);
  passes::SignatureBoundsParameters p{};
  p.pivots = c.pivots;
  p.objects = c.objects;
  p.object_stride = c.objects + 3;
  p.bound_stride = c.objects + 1;
  p.query_distances = script.input("query distances", uniform(std::size_t{c.queries} * signature_pivots, random));
  p.query_errors = script.input("query errors", uniform(c.queries, random, 1e-3f));
  std::vector<float> low = uniform(std::size_t{signature_pivots} * p.object_stride, random), high = low;
  for (float& value : high) value += 1e-3f * random.unit();
  for (std::size_t i = std::size_t{c.pivots} * p.object_stride; i < low.size(); ++i) low[i] = high[i] = 0;
  p.low = script.input("low", low);
  p.high = script.input("high", high);
  std::vector<float> inverse_low = uniform(std::size_t{signature_pivots} * signature_pivots, random, 8);
  std::vector<float> inverse_high = inverse_low;
  for (std::uint32_t i = 0; i < signature_pivots; ++i)
    for (std::uint32_t j = 0; j < signature_pivots; ++j) {
      const std::size_t pair = std::size_t{i} * signature_pivots + j;
      if (i == j || i >= c.pivots || j >= c.pivots) inverse_low[pair] = inverse_high[pair] = 0;
      inverse_high[pair] *= 1.0001f;
    }
  p.inverse_low = script.input("inverse low", inverse_low);
  p.inverse_high = script.input("inverse high", inverse_high);
  p.bounds = script.output("bounds", std::uint64_t{4} * c.queries * p.bound_stride);
  script.add_pass(passes::make_signature_bounds(p, c.groups, c.queries));
}

// The lists have no order: what is compared are their lengths and what has become of the bounds.
void write_survivors(PassScript& script, const FilterCase& c, std::uint64_t seed, bool by_squares) {
  Random random(seed);
  passes::SignatureSurvivorsParameters p{};
  p.objects = c.objects;
  p.bound_stride = c.objects + 1;
  p.k = c.pivots;
  p.bounds = script.output("bounds", uniform(std::size_t{c.queries} * p.bound_stride, random));
  if (by_squares) p.squares = script.input("squares", uniform(std::size_t{c.queries} * p.k, random, 1));
  p.limits = script.input("limits", uniform(c.queries, random, by_squares ? 0.1f : 1.5f));
  p.lists = script.scratch("lists", std::uint64_t{4} * c.queries * p.bound_stride);
  p.counts = script.output("counts", std::vector<std::uint32_t>(c.queries, 0));
  script.add_pass(passes::make_signature_survivors(p, c.groups, c.queries));
}

}  // namespace

void add_signature_filter_cases(Cases& cases) {
  constexpr FilterCase shapes[] = {{1, 1, 1, 1}, {127, 3, 32, 1}, {300, 2, 5, 2}, {1000, 4, 32, 9}, {64, 2, 31, 3}};
  for (const FilterCase& c : shapes) {
    cases.push_back({c.name("signature_bounds"), true, [c](const Context& context) {
      return check_passes(context, [c, seed = context.seed](PassScript& script) { write_bounds(script, c, seed); });
    }});
    for (const bool by_squares : {false, true})
      cases.push_back({c.name("signature_survivors") + (by_squares ? "/squares" : "/limits"), true,
                       [c, by_squares](const Context& context) {
        return check_passes(context, [c, by_squares, seed = context.seed](PassScript& script) {
          write_survivors(script, c, seed, by_squares);
        });
      }});
  }
}

}  // namespace proxel::conformance
