// Cases of the passes of a screened search, each run as one chain. Every pass's output is held against what it promises; the
// results against brute force.
#include <algorithm>

#include <fmt/format.h>

#include "case.hpp"
#include "held_to_bits.hpp"
#include "oracle.hpp"
#include "screen_case.hpp"
#include "screen_judge.hpp"

namespace proxel::conformance {
namespace {

Verdict run_screen(const ScreenCase& c, const Data& data, const Matrix<std::uint8_t>& filter, Device& device) {
  PassScript script(device);
  write_script(script, c, data, filter);
  if (const Support support = script.support(); !support) return Verdict::refuse(support);
  script.run();
  if (std::string damage = script.damage(); !damage.empty()) return Verdict::fail(std::move(damage));
  const ScreenOutputs outputs(script);
  if (bit_identical(c.kind))
    if (std::string wrong = screen_error(c, data, filter, outputs); !wrong.empty())
      return Verdict::fail(std::move(wrong));
  Neighbors answer{Matrix<std::uint32_t>(c.q, c.k), Matrix<float>(c.q, c.k)};
  const auto indices = outputs.get<std::uint32_t>("indices");
  const auto distances = outputs.get<float>("distances");
  std::copy(indices.begin(), indices.end(), answer.indices.data());
  std::copy(distances.begin(), distances.end(), answer.distances.data());
  Question question{data.database.view(), data.queries.view(), c.metric, c.k};
  if (c.filter.given) question.allowed = filter.view();
  std::string wrong =
      held_to_bits(device, c.kind) ? difference(oracle_answer(question), answer) : incompatibility(question, answer);
  return wrong.empty() ? Verdict::pass() : Verdict::fail(std::move(wrong));
}

struct Shape {
  std::uint32_t n, d, q, k;
};

constexpr Metric metrics[] = {Metric::l2sq, Metric::ip, Metric::l2};
constexpr std::uint32_t groups[] = {64, 16, 4};

// At least k groups are sampled.
void sample_groups(ScreenCase& c, std::uint32_t groups_per_tile) {
  c.groups_per_tile = tiles_of(c.n) * groups_per_tile < c.k ? 64 : groups_per_tile;
}

void add_one(Cases& cases, const ScreenCase& c, bool quick) {
  cases.push_back({c.name(), quick, [c](const Context& context) {
    auto data = std::make_shared<Data>(make_data(c.kind, c.n, c.d, c.q, context.seed));
    auto filter = std::make_shared<Matrix<std::uint8_t>>(make_filter(c.filter, c.n, c.q, context.seed + 1));
    return make_check([c, data, filter](Device& device) { return run_screen(c, *data, *filter, device); });
  }});
}

void add_case(Cases& cases, ScreenCase c, bool quick) {
  for (const auto& [arithmetic, queries] : {std::pair{passes::ScreenArithmetic::scalar, 128u},
                                            std::pair{passes::ScreenArithmetic::matrix, c.q <= 32 ? 32u : 128u},
                                            std::pair{passes::ScreenArithmetic::matrix, 256u}}) {
    c.arithmetic = arithmetic;
    c.workgroup_queries = queries;
    add_one(cases, c, quick);
  }
}

// Halves, in both forms, of all kinds of data.
void add_halves(Cases& cases) {
  constexpr Shape shapes[] = {{1, 1, 1, 1},       {5, 3, 2, 2},         {127, 4, 17, 1},     {128, 16, 127, 20},
                              {129, 17, 128, 5},  {255, 64, 129, 64},   {256, 65, 3, 100},   {257, 128, 255, 33},
                              {700, 300, 31, 20}, {1500, 129, 32, 300}, {2500, 33, 257, 12}, {1100, 1, 60, 7}};
  std::size_t step = 0;
  for (std::size_t s = 0; s < std::size(shapes); ++s)
    for (std::size_t m = 0; m < std::size(metrics); ++m)
      for (std::size_t kind = 0; kind < all_kinds.size(); ++kind, ++step) {
        const Shape& shape = shapes[s];
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, metrics[m], all_kinds[kind]};
        c.split = (step + s) % 2 == 0;
        sample_groups(c, groups[(s + m + kind) % 3]);
        c.splits = 1 + static_cast<std::uint32_t>(step % 4);
        if (step % 5 == 3) c.capacity = std::max(shape.k, 24u);
        c.layout = all_layouts[(s + kind) % 3];
        add_case(cases, c, kind == (5 * s + 3 * m) % all_kinds.size());
      }
}

// Queries as few as codes are for and more, around the numbers that share a workgroup.
void add_codes(Cases& cases) {
  constexpr Shape few[] = {{1, 1, 1, 1},      {5, 3, 2, 1},      {127, 4, 5, 3},     {129, 17, 1, 5},
                           {257, 129, 3, 33}, {700, 300, 4, 9},  {1500, 33, 16, 20}, {1200, 65, 17, 128},
                           {513, 6, 15, 7},   {4100, 31, 1, 100}};
  std::size_t step = 0;
  for (std::size_t s = 0; s < std::size(few); ++s)
    for (const Metric metric : {Metric::l1, Metric::l2sq, Metric::linf, Metric::ip, Metric::l2})
      for (std::size_t kind = 0; kind < all_kinds.size(); ++kind, ++step) {
        ScreenCase c{few[s].n, few[s].d, few[s].q, few[s].k, metric, all_kinds[kind]};
        c.codes = true;
        sample_groups(c, groups[step % 3]);
        if (step % 5 == 3) c.capacity = std::max(c.k, 24u);
        c.layout = all_layouts[(s + kind) % 3];
        add_one(cases, c, kind == (5 * s + static_cast<std::size_t>(metric)) % all_kinds.size());
      }
}

// Codes of many queries, around the words of a slice and of what fits sums of 16 bits, and of all kinds of data.
void add_differences(Cases& cases) {
  constexpr Shape shapes[] = {{1, 1, 5, 1},       {5, 3, 6, 2},       {127, 4, 17, 3},    {129, 17, 128, 5},
                              {257, 16, 129, 33}, {300, 33, 64, 20},  {700, 300, 31, 20}, {1500, 129, 33, 128},
                              {513, 31, 257, 12}, {400, 32, 65, 100}, {384, 515, 20, 9},  {260, 1027, 7, 4}};
  std::size_t step = 0;
  for (std::size_t s = 0; s < std::size(shapes); ++s)
    for (const Metric metric : {Metric::l1, Metric::linf})
      for (std::size_t kind = 0; kind < all_kinds.size(); ++kind, ++step) {
        const Shape& shape = shapes[s];
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, metric, all_kinds[kind]};
        c.codes = c.differences = true;
        sample_groups(c, groups[step % 3]);
        c.splits = 1 + static_cast<std::uint32_t>(step % 4);
        if (step % 5 == 3) c.capacity = std::max(shape.k, 24u);
        if (step % 7 == 5) c.rank = shape.k / 2 + 1;
        if (step % 4 == 1) c.filter = {true, FilterPattern::alternating, true, shape.k};
        if (step % 9 == 2) c.filter = {true, FilterPattern::counted, true, shape.k};
        c.layout = all_layouts[(s + kind) % 3];
        add_one(cases, c, kind == (5 * s + static_cast<std::size_t>(metric)) % all_kinds.size());
      }
  // The words of a slice and of two, and the most whose sums by l1 fit 16 bits, by ones.
  for (const std::uint32_t d : {1u, 2u, 5u, 7u, 8u, 9u, 15u, 31u, 32u, 33u, 63u, 64u, 65u, 511u, 512u, 513u, 514u})
    for (const Metric metric : {Metric::l1, Metric::linf}) {
      ScreenCase c{300, d, 130, 5, metric, d < 500 ? Kind::gaussian : Kind::opposite};
      c.codes = c.differences = true;
      sample_groups(c, groups[d % 3]);
      c.splits = 1 + d % 3;
      add_one(cases, c, metric == Metric::l1 && (d == 512 || d == 513));
    }
}

// Integers, around the values of a slice, a block and the most that there may be, and where canonical sums begin to round.
void add_integers(Cases& cases) {
  constexpr Shape whole[] = {{1, 1, 1, 1},       {5, 3, 2, 2},        {128, 16, 127, 20},  {129, 31, 128, 5},
                             {257, 32, 129, 64}, {256, 33, 3, 100},   {700, 127, 255, 33}, {513, 128, 257, 12},
                             {384, 129, 40, 20}, {700, 257, 33, 300}, {500, 258, 16, 20},  {400, 259, 66, 9},
                             {300, 512, 31, 7},  {384, 513, 17, 20},  {600, 1023, 32, 20}, {601, 1024, 7, 50}};
  constexpr std::pair<std::uint32_t, Kind> of_bytes[] = {
      {passes::element_uint8, Kind::bytes},   {passes::element_int8, Kind::signed_bytes},
      {passes::element_uint8, Kind::tied},    {passes::element_int8, Kind::zeros},
      {passes::element_int8, Kind::integers}, {passes::element_uint8, Kind::nearly_bytes}};
  std::size_t step = 0;
  for (const Shape& shape : whole)
    for (const Metric metric : metrics)
      for (const auto& [element, kind] : of_bytes) {
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, metric, kind};
        c.element = element;
        sample_groups(c, groups[step % 3]);
        c.splits = 1 + static_cast<std::uint32_t>(step % 4);
        if (step % 7 == 3) c.capacity = std::max(shape.k, 24u);
        c.layout = all_layouts[step % 3];
        if (step % 4 == 1) c.filter = {true, FilterPattern::alternating, true, shape.k};
        add_case(cases, c, step % 11 == 0);
        ++step;
      }
}

// Around every depth that a kernel of matrix units is made for, by ones, for queries of the smaller and the usual workgroups.
void add_depths(Cases& cases) {
  std::size_t step = 0;
  for (const std::uint32_t element : {passes::element_float32, passes::element_uint8})
    for (const std::uint32_t steps : {1u, 2u, 4u, 6u, 8u, 12u, 16u})
      for (const std::uint32_t beyond : {0u, 1u, 2u})
        for (const std::uint32_t q : {20u, 140u}) {
          const bool halves = element == passes::element_float32;
          ScreenCase c{300 + 50 * (static_cast<std::uint32_t>(step) % 3),
                       (halves ? 16 : 32) * steps - 1 + beyond,
                       q,
                       5,
                       metrics[step % 3],
                       halves ? Kind::gaussian : Kind::bytes};
          c.element = element;
          c.arithmetic = passes::ScreenArithmetic::matrix;
          c.workgroup_queries = q <= 32 ? 32 : 128;
          // Both numbers of queries of a depth have all that follows.
          const std::size_t depth = step / 2;
          sample_groups(c, groups[(depth / 3 + depth) % 3]);
          c.splits = 1 + static_cast<std::uint32_t>(depth % 4);
          if (depth % 4 == 1) c.filter = {true, FilterPattern::alternating, true, c.k};
          add_one(cases, c, false);
          ++step;
        }
}

// Sums in half precision, of every depth that they serve by ones and of all kinds of data; norms that they do not serve, too.
void add_half_sums(Cases& cases) {
  std::size_t step = 0;
  for (const Kind kind : all_kinds)
    for (const std::uint32_t d : {1u, 2u, 15u, 16u, 17u, 31u, 32u, 33u, 63u, 64u, 65u, 95u, 96u, 97u, 127u, 128u}) {
      constexpr std::uint32_t queries[] = {1, 20, 64, 128, 129, 300};
      constexpr std::uint32_t neighbours[] = {1, 5, 20, 60};
      ScreenCase c{300 + 170 * static_cast<std::uint32_t>(step % 5), d,   queries[step % 6], neighbours[step % 4],
                   step % 3 == 0 ? Metric::l2 : Metric::l2sq,        kind};
      c.arithmetic = passes::ScreenArithmetic::half_sums;
      c.split = d < 64 && step % 2 == 1;
      sample_groups(c, groups[step % 3]);
      c.splits = 1 + static_cast<std::uint32_t>(step / 2 % 4);
      if (step % 7 == 3) c.capacity = std::max(c.k, 24u);
      if (step % 4 == 1) c.filter = {true, FilterPattern::alternating, true, c.k};
      if (step % 5 == 2) c.rank = c.k / 2 + 1;
      if (step % 11 == 5) c.known = ScreenCase::Known::some;
      c.layout = all_layouts[step % 3];
      for (const std::uint32_t workgroup : {128u, 256u}) {
        c.workgroup_queries = workgroup;
        add_one(cases, c, false);
      }
      ++step;
    }
}

// The bounds of sums in half precision, which every device packs: they are larger than those of sums in binary32.
void add_half_sum_bounds(Cases& cases) {
  std::size_t step = 0;
  for (const Kind kind :
       {Kind::gaussian, Kind::uniform, Kind::duplicates, Kind::integers, Kind::offset, Kind::nan, Kind::overflow})
    for (const std::uint32_t d : {1u, 9u, 16u, 17u, 21u, 33u, 64u, 127u, 128u})
      for (const bool split : {false, true}) {
        if (split && d > 42) continue;
        ScreenCase c{300 + 170 * static_cast<std::uint32_t>(step % 3), d,   40, 10,
                     step % 3 == 0 ? Metric::l2 : Metric::l2sq,        kind};
        c.split = split;
        c.half_sum_bounds = true;
        sample_groups(c, groups[step % 3]);
        if (step % 4 == 1) c.filter = {true, FilterPattern::alternating, true, c.k};
        c.layout = all_layouts[step % 3];
        add_one(cases, c, kind == Kind::gaussian && d == 128);
        ++step;
      }
}

// Known distances, of halves in both forms and of integers.
void add_bounded(Cases& cases) {
  constexpr Shape bounded[] = {{5, 3, 2, 2},       {129, 17, 128, 5},    {385, 128, 255, 33},
                               {700, 300, 30, 20}, {1500, 129, 40, 300}, {2500, 33, 257, 12}};
  std::size_t step = 0;
  for (const Shape& shape : bounded)
    for (const Kind kind : {Kind::gaussian, Kind::integers, Kind::duplicates, Kind::nan, Kind::offset, Kind::overflow,
                            Kind::bytes, Kind::signed_bytes, Kind::nearly_bytes})
      for (const ScreenCase::Known known :
           {ScreenCase::Known::all, ScreenCase::Known::some, ScreenCase::Known::alone}) {
        constexpr Metric in_turn[] = {Metric::l2sq, Metric::ip, Metric::l2sq, Metric::ip, Metric::l2};
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, in_turn[step % 5], kind};
        c.known = known;
        if (kind == Kind::bytes || kind == Kind::nearly_bytes) c.element = passes::element_uint8;
        if (kind == Kind::signed_bytes || kind == Kind::integers) c.element = passes::element_int8;
        c.split = !c.integers() && step % 2 == 0;
        sample_groups(c, groups[step % 3]);
        c.splits = 1 + static_cast<std::uint32_t>(step % 4);
        if (step % 7 == 2) c.filter = {true, FilterPattern::alternating, true, shape.k};
        c.layout = all_layouts[step % 3];
        add_case(cases, c, step % 23 == 0);
        ++step;
      }
}

// Thresholds that are estimates: which fewer than k rows reach, as many, and more. What is wrong with them has to be found out.
void add_estimated(Cases& cases) {
  constexpr Shape shapes[] = {
      {129, 17, 128, 5}, {385, 128, 255, 33}, {700, 300, 30, 20}, {1500, 129, 40, 300}, {2500, 33, 257, 12}};
  std::size_t step = 0;
  for (const Shape& shape : shapes)
    for (const Kind kind : {Kind::gaussian, Kind::integers, Kind::duplicates, Kind::nan, Kind::offset, Kind::overflow,
                            Kind::bytes, Kind::uniform})
      for (const std::uint32_t rank : {1u, shape.k / 2 + 1, shape.k - 1, 2 * shape.k}) {
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, metrics[step % 3], kind};
        c.rank = rank;
        if (kind == Kind::bytes) c.element = passes::element_uint8;
        if (kind == Kind::integers) c.element = passes::element_int8;
        c.split = !c.integers() && step % 2 == 0;
        c.groups_per_tile = tiles_of(c.n) * 16 < 4 * rank ? 64 : groups[1 + step % 2];
        c.splits = 1 + static_cast<std::uint32_t>(step % 4);
        if (step % 5 == 3) c.known = ScreenCase::Known::some;
        c.layout = all_layouts[step % 3];
        add_case(cases, c, step % 37 == 0);
        ++step;
      }
}

// Filters of each query's own: all that a pattern leaves, and none, one, k - 1, k and all rows.
void add_filtered(Cases& cases) {
  constexpr FilterPattern patterns[] = {FilterPattern::alternating, FilterPattern::counted, FilterPattern::half,
                                        FilterPattern::sparse};
  constexpr Kind kinds[] = {Kind::gaussian, Kind::integers, Kind::uniform, Kind::nan};
  constexpr Shape shapes[] = {{1, 3, 2, 1},         {129, 17, 128, 5},   {257, 128, 255, 33}, {700, 300, 29, 20},
                              {1500, 129, 40, 300}, {2501, 33, 257, 12}, {1100, 8, 60, 7}};
  std::size_t step = 0;
  for (const Shape& shape : shapes)
    for (const FilterPattern pattern : patterns)
      for (const Metric metric : metrics) {
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, metric, kinds[step % 4]};
        c.filter = {true, pattern, true, shape.k};
        c.split = step % 2 == 0;
        sample_groups(c, groups[step % 3]);
        c.splits = 1 + static_cast<std::uint32_t>(step % 4);
        add_case(cases, c, step % 5 > 1);
        ++step;
      }
  for (const Shape& shape :
       {Shape{127, 4, 5, 3}, Shape{700, 300, 6, 9}, Shape{1500, 33, 4, 20}, Shape{4100, 31, 1, 100}})
    for (const FilterPattern pattern : patterns)
      for (const Metric metric : {Metric::l1, Metric::l2sq, Metric::linf, Metric::ip}) {
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, metric, kinds[step % 4]};
        c.filter = {true, pattern, true, shape.k};
        c.codes = true;
        sample_groups(c, groups[step % 3]);
        add_one(cases, c, step % 5 > 2);
        ++step;
      }
}

// More rows than a kernel keeps at hand are collected: that decides as many queries.
void add_crowded(Cases& cases) {
  for (const Metric metric : metrics)
    for (const bool split : {false, true})
      for (const std::uint32_t pool : {0u, 128u, 256u, 512u}) {
        ScreenCase c{1500, 129, 40, 300, metric, Kind::gaussian};
        c.split = split;
        c.splits = 3;
        c.pool = pool;
        add_case(cases, c, pool == 128 && metric != Metric::l2);
      }
}

// A query has fewer invocations than usual. Up to 128 rows survive, among them more than invocations.
void add_narrow_workgroups(Cases& cases) {
  for (const Metric metric : metrics)
    for (const std::uint32_t workgroup : {32u, 64u})
      for (const std::uint32_t splits : {1u, 9u, 40u})
        for (const std::uint32_t k : {1u, 20u, 33u, 64u}) {
          ScreenCase c{1500, splits == 9 ? 33u : 40u, 5, k, metric, k == 33 ? Kind::integers : Kind::gaussian};
          c.splits = splits;
          c.query_workgroup = workgroup;
          if (k == 20) c.pool = 128;
          add_case(cases, c, workgroup == 32 && splits == 9 && metric == Metric::l2sq && (k == 20 || k == 33));
        }
  // Lists that are read anew each time, more keys than are put in order by counting, rows that pass through shared memory, thresholds that are
  // estimates, and lists that overflow.
  for (const Metric metric : metrics)
    for (const std::uint32_t workgroup : {32u, 64u}) {
      const bool quick = workgroup == 32 && metric == Metric::l2sq;
      for (const std::uint32_t splits : {1u, 9u, 40u}) {
        ScreenCase c{1500, 40, 5, 20, metric, Kind::gaussian};
        c.query_workgroup = workgroup;
        c.splits = splits;
        c.pool = 0;
        add_case(cases, c, quick && splits == 9);
        c.pool = usual_pool;
        c.capacity = 3;
        add_case(cases, c, false);
      }
      for (const std::uint32_t k : {100u, 300u}) {
        ScreenCase c{1500, 40, 5, k, metric, Kind::gaussian};
        c.query_workgroup = workgroup;
        add_case(cases, c, false);
      }
      ScreenCase c{1500, 129, 40, 20, metric, Kind::gaussian};
      c.query_workgroup = workgroup;
      c.layout = Layout::row_major;
      add_case(cases, c, quick);
      c.rank = 5;
      add_case(cases, c, false);
      c.padded = true;
      add_case(cases, c, false);
    }
  for (const std::uint32_t element : {passes::element_int8, passes::element_uint8}) {
    const Kind kind = element == passes::element_int8 ? Kind::signed_bytes : Kind::bytes;
    ScreenCase c{1500, 40, 5, 20, Metric::l2sq, kind};
    c.element = element;
    c.query_workgroup = 32;
    add_case(cases, c, element == passes::element_uint8);
  }
}

// Codes, a query of which has more invocations than usual. Candidates at hand and read anew each time; thresholds that are estimates, which
// fewer rows than are wanted reach, and more.
void add_wide_workgroups(Cases& cases) {
  std::size_t step = 0;
  for (const Metric metric : {Metric::l1, Metric::l2sq, Metric::linf, Metric::ip})
    for (const std::uint32_t workgroup : {256u, passes::screen_most_refine_workgroup})
      for (const std::uint32_t k : {1u, 33u, 100u, 128u, 300u})
        for (const std::uint32_t rank : {0u, k / 2 + 1, 2 * k})
          for (const Kind kind : {Kind::gaussian, Kind::duplicates}) {
            constexpr std::uint32_t dimensions[] = {33, 40, 129, 300};
            ScreenCase c{2500, dimensions[step / 2 % 4], 1 + static_cast<std::uint32_t>(step / 2 % 4), k, metric, kind};
            c.codes = true;
            c.rank = rank;
            c.query_workgroup = workgroup;
            if (step % 3 == 1) c.pool = 0;
            if (step % 4 != 3) c.survivors = 1024;
            if (step % 7 == 3) c.capacity = k;
            c.layout = all_layouts[step % 3];
            sample_groups(c, 16);
            if (rank > k) c.groups_per_tile = 64;
            add_one(cases, c, step == 98 || step == 127);
            ++step;
          }
}

// Rows that pass through shared memory, of which a large workgroup brings as many dimensions at a time as there is room for: one width of
// them and several, whole ones and not, rows that fill it and a few.
void add_wide_rows(Cases& cases) {
  for (const Metric metric : {Metric::l2sq, Metric::ip})
    for (const std::uint32_t workgroup : {256u, passes::screen_most_refine_workgroup})
      for (const std::uint32_t dimensions : {65u, 68u, 127u, 130u, 256u, 259u, 515u})
        for (const std::uint32_t k : {1u, 20u, 64u, 128u})
          for (const std::uint32_t pool : {usual_pool, 1024u}) {
            ScreenCase c{1500, dimensions, 3, k, metric, Kind::gaussian};
            c.query_workgroup = workgroup;
            c.pool = pool;
            c.layout = Layout::row_major;
            c.padded = true;
            add_one(cases, c, workgroup == 256 && metric == Metric::l2sq && dimensions == 259 && k == 20);
          }
}

// Many lists, most of them empty, and some that overflow.
void add_many_lists(Cases& cases) {
  for (const Metric metric : metrics)
    for (const std::uint32_t splits : {8u, 9u, 300u})
      for (const std::uint32_t capacity : {0u, 3u}) {
        ScreenCase c{1500, 40, 5, 20, metric, Kind::gaussian};
        c.splits = splits;
        c.capacity = capacity;
        add_case(cases, c, splits == 300 && metric == Metric::l2sq);
      }
}

}  // namespace

void add_screen_pass_cases(Cases& cases) {
  add_halves(cases);
  add_codes(cases);
  add_differences(cases);
  add_integers(cases);
  add_depths(cases);
  add_half_sums(cases);
  add_half_sum_bounds(cases);
  add_bounded(cases);
  add_estimated(cases);
  add_filtered(cases);
  add_crowded(cases);
  add_many_lists(cases);
  add_narrow_workgroups(cases);
  add_wide_workgroups(cases);
  add_wide_rows(cases);
}

}  // namespace proxel::conformance
