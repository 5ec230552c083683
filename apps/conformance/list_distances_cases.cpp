// Cases of list_distances: all distances at their places, and those that a filter and a place to continue behind leave.
#include <limits>

#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "pass_script.hpp"
#include "proxel/passes/list_distances.h"
#include "random.hpp"
#include "row_filter.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint32_t first_index = 1005;  // in the middle of a word, and of four bits

struct ListCase {
  std::uint32_t queries, columns, workgroup, parts;
  bool listed, continued, largest_first;
  FilterChoice filter;

  std::uint32_t stride() const { return (columns + 3) / 4 * 4 + 4; }
  std::string name() const {
    return fmt::format("pass/list_distances/queries={},columns={},workgroup={},parts={}{}{}{}{}", queries, columns,
                       workgroup, parts, listed ? ",listed" : "", continued ? ",after" : "",
                       largest_first ? ",largest" : "", filter.name());
  }
};

// Few values, many of them equal, now and then NaN or infinite.
std::vector<std::uint32_t> made_keys(const ListCase& c, Random& random) {
  std::vector<std::uint32_t> keys(std::uint64_t{c.queries} * c.stride());
  for (std::uint32_t& key : keys)
    key = random.one_in(20)   ? 0xFFFFFFFFu
          : random.one_in(20) ? distance_key(std::numeric_limits<float>::infinity(), c.largest_first)
                              : distance_key(static_cast<float>(random.below(9)) - 4.0f, c.largest_first);
  return keys;
}

void run_list(PassScript& script, const ListCase& c, const std::vector<std::uint32_t>& keys,
              const std::vector<std::uint64_t>& after, const Matrix<std::uint8_t>& filter) {
  passes::ListDistancesParameters list{};
  list.columns = c.columns;
  list.keys_stride = c.stride();
  list.largest_first = c.largest_first ? 1 : 0;
  if (!c.listed) {
    // At the place of the keys.
    list.keys = list.values = script.output("values", keys);
    list.values_stride = list.keys_stride;
    script.add_pass(passes::make_list_distances(list, c.queries, c.workgroup));
    return;
  }
  list.keys = script.input("keys", keys);
  // Two turns, the second behind what the first listed.
  list.values_stride = 2 * c.stride();
  const std::vector<std::uint32_t> nothing(std::uint64_t{c.queries} * list.values_stride, 0xFFFFFFFFu);
  list.values = script.output("values", nothing);
  list.rows = script.output("rows", nothing);
  // Parts of the least size that is allowed, or larger.
  list.part_columns = (c.columns / c.parts + 3) / 4 * 4 + 4;
  const std::uint32_t parts = (c.columns + list.part_columns - 1) / list.part_columns;
  list.counts_stride = 2 * parts + 1;
  list.counts = script.output("counts", std::vector<std::uint32_t>(std::uint64_t{c.queries} * list.counts_stride, 0));
  list.first_index = first_index;
  if (c.filter.given) {
    list.filter_bits = script.input("filter", words_of(filter, first_index));
    list.filter_stride = c.filter.per_query ? (first_index + c.columns + 31) / 32 : 0;
  }
  if (c.continued) {
    list.after = script.input("after", after);
    list.after_stride = 3;
  }
  for (const std::uint32_t first_part : {0u, parts}) {
    list.first_part = first_part;
    passes::ListDistancesParameters count = list;
    count.values = count.rows = 0;
    script.add_pass(passes::make_list_distances(count, c.queries, c.workgroup));
    script.add_pass(passes::make_list_distances(list, c.queries, c.workgroup));
  }
}

void add(Cases& cases, const ListCase& c, bool quick) {
  cases.push_back({c.name(), quick, [c](const Context& context) {
    Random random(context.seed);
    const std::vector<std::uint32_t> keys = made_keys(c, random);
    std::vector<std::uint64_t> after(std::uint64_t{3} * c.queries);
    for (std::uint64_t& key : after)
      key = std::uint64_t{distance_key(0.0f, c.largest_first)} << 32 | (first_index + c.columns / 2);
    const auto filter = make_filter(c.filter, c.columns, c.queries, context.seed + 1);
    return check_passes(context,
                        [c, keys, after, filter](PassScript& script) { run_list(script, c, keys, after, filter); });
  }});
}

}  // namespace

void add_list_distances_cases(Cases& cases) {
  constexpr struct {
    std::uint32_t queries, columns;
  } shapes[] = {{1, 1},    {2, 3},    {3, 4},    {2, 5},    {130, 63}, {1, 1023},
                {2, 1025}, {1, 8191}, {3, 8192}, {1, 8193}, {2, 20000}};
  std::size_t step = 0;
  for (const auto& shape : shapes)
    for (const std::uint32_t workgroup : {64u, 128u, 512u})
      for (const bool largest_first : {false, true}) {
        add(cases, {shape.queries, shape.columns, workgroup, 1, false, false, largest_first, {}}, step % 11 == 0);
        for (const bool continued : {false, true})
          for (const bool given : {false, true}) {
            const FilterChoice filter{given, all_filter_patterns[step % 6], step % 7 < 3};
            const std::uint32_t parts = step % 3 == 0 ? 1 : 7;
            add(cases, {shape.queries, shape.columns, workgroup, parts, true, continued, largest_first, filter},
                step % 19 == 3);
            ++step;
          }
        ++step;
      }
}

}  // namespace proxel::conformance
