// Cases of the passes that compute distances: scan_select, tile_distance, tile_nearest.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "oracle.hpp"
#include "pass_script.hpp"
#include "proxel/passes/after_keys.h"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/tile_distance.h"
#include "proxel/passes/tile_nearest.h"
#include "random.hpp"
#include "row_filter.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

// Passes promise the same bits for data that the contract does not exempt.
std::vector<Kind> identical_kinds() {
  std::vector<Kind> kinds;
  std::copy_if(all_kinds.begin(), all_kinds.end(), std::back_inserter(kinds), bit_identical);
  return kinds;
}

std::vector<float> flat(const Matrix<float>& matrix, std::uint32_t stride) {
  // What lies between the rows is NaN: it must not be taken for a value.
  return arranged(matrix.view(), Layout::row_major, stride);
}

struct RowsShape {
  std::uint32_t n, d, q, k, groups;
};

// One pass that reads rows: its shape, its metric and where the rows lie.
struct RowsCase {
  RowsShape shape;
  Metric metric;
  Layout layout;
  Kind kind;
  bool continued;           // begins behind a key
  std::uint32_t width = 8;  // of the tile passes; a sixteenth of scan_select's workgroup
  FilterChoice filter = {};
  bool counted = false;  // half of the queries are there; scan_select alone

  // Odd cases get room between rows or columns, and a start off the 16-byte grid.
  bool loose() const { return shape.n % 2 == 1; }
  std::uint32_t leading() const {
    const std::uint32_t least = layout == Layout::column_major ? (shape.n + 3) / 4 * 4 : shape.d;
    return loose() ? least + 3 : least;
  }
  std::uint32_t skew() const { return loose() && layout != Layout::tiles ? 4 : 0; }
  std::uint32_t query_stride() const { return shape.d + (loose() ? 1 : 0); }
};

// One key per query that lies in the middle of what would be found.
std::vector<std::uint64_t> middle_keys(const Data& data, Metric metric, std::uint32_t stride) {
  const Question question{data.database.view(), data.queries.view(), metric, data.database.rows()};
  const Neighbors answer = oracle_answer(question);
  std::vector<std::uint64_t> keys(data.queries.rows() * stride, no_row_key);
  for (std::uint64_t query = 0; query < data.queries.rows(); ++query) {
    const std::uint64_t rank = data.database.rows() / 3;
    keys[query * stride] =
        make_key(distance_key(answer.distances(query, rank), largest_first(metric)), answer.indices(query, rank));
  }
  return keys;
}

constexpr std::uint32_t after_stride = 3;
constexpr std::uint32_t first_index = 1000;
// Rows of a filter that begin in the middle of a word, and of four bits.
constexpr std::uint32_t filtered_first_index = 1005;

// Sets the three members of a pass that filters.
template <typename Parameters>
void add_filter(PassScript& script, const Matrix<std::uint8_t>& filter, Parameters& parameters) {
  if (filter.columns() == 0) return;
  const std::uint64_t words = (parameters.first_index + filter.columns() + 31) / 32;
  parameters.filter_bits = script.input("filter", words_of(filter, parameters.first_index));
  parameters.filter_stride = filter.rows() == 1 ? 0 : static_cast<std::uint32_t>(words);
}

void run_scan_select(PassScript& script, const RowsCase& c, const Data& data, const std::vector<std::uint64_t>& after,
                     const Matrix<std::uint8_t>& filter) {
  passes::ScanSelectParameters parameters{};
  const MatrixView<float> database = data.database.view();
  const std::uint64_t rows = script.input("rows", arranged(database, c.layout, c.leading()), c.skew());
  parameters.rows = describe_rows(rows, database, c.layout, c.leading());
  parameters.queries = script.input("queries", flat(data.queries, c.query_stride()));
  if (c.continued) parameters.after = script.input("after", after);
  parameters.lists = script.output("lists", std::uint64_t{8} * c.shape.q * c.shape.groups * c.shape.k);
  parameters.dimensions = c.shape.d;
  parameters.groups = c.shape.groups;
  parameters.k = c.shape.k;
  parameters.after_stride = after_stride;
  parameters.query_stride = c.query_stride();
  parameters.first_index = c.continued ? 0 : c.filter.given ? filtered_first_index : first_index;
  add_filter(script, filter, parameters);
  if (c.counted) parameters.counted = script.input("counted", std::vector<std::uint32_t>{c.shape.q / 2});
  script.add_pass(passes::make_scan_select(parameters, c.metric, c.shape.q, 16 * c.width));
}

void run_tile_nearest(PassScript& script, const RowsCase& c, const Data& data, const Matrix<std::uint8_t>& filter) {
  passes::TileNearestParameters parameters{};
  const MatrixView<float> database = data.database.view();
  const std::uint64_t rows = script.input("rows", arranged(database, c.layout, c.leading()), c.skew());
  parameters.rows = describe_rows(rows, database, c.layout, c.leading());
  parameters.queries = script.input("queries", flat(data.queries, c.query_stride()));
  parameters.lists = script.output("lists", std::uint64_t{8} * c.shape.q * c.shape.groups);
  parameters.dimensions = c.shape.d;
  parameters.query_count = c.shape.q;
  parameters.groups = c.shape.groups;
  parameters.query_stride = c.query_stride();
  parameters.first_index = c.filter.given ? filtered_first_index : first_index;
  add_filter(script, filter, parameters);
  script.add_pass(passes::make_tile_nearest(parameters, c.metric, c.width));
}

void run_tile_distance(PassScript& script, const RowsCase& c, const Data& data) {
  passes::TileDistanceParameters parameters{};
  const MatrixView<float> database = data.database.view();
  const std::uint64_t rows = script.input("rows", arranged(database, c.layout, c.leading()), c.skew());
  parameters.rows = describe_rows(rows, database, c.layout, c.leading());
  parameters.queries = script.input("queries", flat(data.queries, c.query_stride()));
  // The second tile onwards where there is one; the last row is left out
  // where that leaves any.
  parameters.first_row = c.shape.n > 2 * passes::tile_rows ? passes::tile_rows : 0;
  parameters.row_count = std::max(c.shape.n - parameters.first_row - 1, 1u);
  parameters.keys_stride = (parameters.row_count + 3) / 4 * 4 + 4;
  parameters.keys = script.output("keys", std::uint64_t{4} * c.shape.q * parameters.keys_stride);
  parameters.dimensions = c.shape.d;
  parameters.query_count = c.shape.q;
  parameters.query_stride = c.query_stride();
  script.add_pass(passes::make_tile_distance(parameters, c.metric, c.width));
}

std::string describe(const char* pass, const RowsCase& c) {
  return fmt::format("pass/{}/{}/n={},d={},q={},k={},groups={},width={},layout={}{}{}{}/{}", pass, to_string(c.metric),
                     c.shape.n, c.shape.d, c.shape.q, c.shape.k, c.shape.groups, c.width, to_string(c.layout),
                     c.continued ? ",after" : "", c.filter.name(), c.counted ? ",counted" : "", to_string(c.kind));
}

enum class RowsPass { scan_select, tile_distance, tile_nearest };

void add_rows_case(Cases& cases, RowsPass pass, const char* name, const RowsCase& c, bool quick) {
  cases.push_back({describe(name, c), quick, [pass, c](const Context& context) {
    auto data = std::make_shared<Data>(make_data(c.kind, c.shape.n, c.shape.d, c.shape.q, context.seed));
    const auto after = c.continued ? middle_keys(*data, c.metric, after_stride) : std::vector<std::uint64_t>{};
    const auto filter = make_filter(c.filter, c.shape.n, c.shape.q, context.seed + 1);
    return check_passes(context, [pass, c, data, after, filter](PassScript& script) {
      switch (pass) {
        case RowsPass::scan_select:
          run_scan_select(script, c, *data, after, filter);
          break;
        case RowsPass::tile_distance:
          run_tile_distance(script, c, *data);
          break;
        case RowsPass::tile_nearest:
          run_tile_nearest(script, c, *data, filter);
          break;
      }
    });
  }});
}

// Every combination is in the full tier; the quick tier walks each axis at a
// pace of its own, so that all values of all axes are met.
void add_scan_select(Cases& cases) {
  constexpr RowsShape shapes[] = {{1, 1, 1, 1, 1},    {5, 3, 2, 2, 1},      {127, 7, 1, 5, 1},
                                  {129, 16, 3, 1, 2}, {513, 33, 2, 16, 2},  {1025, 54, 1, 100, 3},
                                  {3000, 9, 7, 1, 4}, {256, 255, 1, 64, 1}, {2000, 64, 1, 1024, 2}};
  const std::vector<Kind> kinds = identical_kinds();
  std::size_t step = 0;
  for (std::size_t s = 0; s < std::size(shapes); ++s)
    for (std::size_t m = 0; m < std::size(accumulated_metrics); ++m, ++step)
      for (std::size_t l = 0; l < std::size(all_layouts); ++l)
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
          for (const std::uint32_t width : {8u, 16u}) {
            const bool on_the_walk = (s + m) % 2 == 0 || s < 3;
            const bool quick = on_the_walk && l == (s + m) % 3 && kind == step % kinds.size();
            const bool continued = (s / 2 + m + l) % 2 == 1;
            add_rows_case(cases, RowsPass::scan_select, "scan_select",
                          {shapes[s], accumulated_metrics[m], all_layouts[l], kinds[kind], continued, width}, quick);
          }
}

void add_tile_passes(Cases& cases, RowsPass pass, const char* name) {
  constexpr RowsShape shapes[] = {{1, 1, 1, 1, 1},       {5, 2, 8, 1, 1},     {63, 5, 9, 1, 1},
                                  {128, 15, 64, 1, 2},   {129, 17, 65, 1, 1}, {257, 32, 128, 1, 3},
                                  {1000, 65, 129, 1, 2}, {513, 9, 300, 1, 5}, {300, 784, 17, 1, 1}};
  const std::vector<Kind> kinds = identical_kinds();
  std::size_t step = 0;
  for (std::size_t s = 0; s < std::size(shapes); ++s)
    for (std::size_t m = 0; m < std::size(accumulated_metrics); ++m)
      for (const std::uint32_t width : {8u, 16u}) {
        ++step;
        for (std::size_t l = 0; l < std::size(all_layouts); ++l)
          for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            const bool quick = (s + m + width / 8) % 2 == 0 && l == (s + m) % 3 && kind == step / 2 % kinds.size();
            add_rows_case(cases, pass, name,
                          {shapes[s], accumulated_metrics[m], all_layouts[l], kinds[kind], false, width}, quick);
          }
      }
}

// Pairs that are rows, of these or of another segment, and pairs that are not.
void run_after_keys(PassScript& script, const RowsCase& c, const Data& data, std::uint64_t seed) {
  Random random(seed);
  const std::uint32_t first = c.shape.n / 3;
  const std::uint32_t held = c.shape.n - first;
  const MatrixView<float> rows = data.database.view().slice(first, held);
  const Neighbors answer =
      oracle_answer({data.database.view(), data.queries.view(), c.metric, data.database.rows() + 1});
  constexpr std::uint32_t stride = 2;
  std::vector<float> distances(c.shape.q * stride);
  std::vector<std::uint32_t> indices(c.shape.q * stride, 7);
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float others[] = {
      0.0f, -0.0f, inf, -inf, 1.0f, 1e-30f, 3e38f, -1.0f, std::numeric_limits<float>::quiet_NaN(), 1.8446743e19f};
  for (std::uint32_t query = 0; query < c.shape.q; ++query) {
    const std::uint64_t rank = random.below(answer.indices.columns());
    const bool is_row = !random.one_in(4);
    distances[query * stride] = is_row ? answer.distances(query, rank) : others[random.below(std::size(others))];
    indices[query * stride] = answer.indices(query, rank);
  }
  passes::AfterKeysParameters parameters{};
  const std::uint64_t address = script.input("rows", arranged(rows, c.layout, c.leading()), c.skew());
  parameters.rows = describe_rows(address, rows, c.layout, c.leading());
  parameters.queries = script.input("queries", flat(data.queries, c.query_stride()));
  parameters.distances = script.input("distances", distances);
  parameters.indices = script.input("indices", indices);
  parameters.keys = script.output("keys", std::uint64_t{8} * c.shape.q);
  parameters.dimensions = c.shape.d;
  parameters.query_count = c.shape.q;
  parameters.query_stride = c.query_stride();
  parameters.pair_stride = stride;
  parameters.first_index = first;
  parameters.others = c.continued ? 0 : 1;
  script.add_pass(passes::make_after_keys(parameters, c.metric));
}

void add_after_keys(Cases& cases) {
  constexpr RowsShape shapes[] = {{1, 1, 1, 0, 0}, {5, 3, 7, 0, 0}, {300, 17, 65, 0, 0}, {129, 54, 300, 0, 0}};
  constexpr Kind kinds[] = {Kind::integers, Kind::nan, Kind::uniform, Kind::zeros, Kind::overflow};
  std::size_t step = 0;
  for (const RowsShape& shape : shapes)
    for (const Metric metric : all_metrics)
      for (const Layout layout : all_layouts)
        for (const bool others : {true, false}) {
          if (metric != Metric::l2 && !others) continue;  // nothing would be written
          const RowsCase c{shape, metric, layout, kinds[step++ % std::size(kinds)], !others};
          cases.push_back({describe("after_keys", c), metric == Metric::l2, [c](const Context& context) {
            auto data = std::make_shared<Data>(make_data(c.kind, c.shape.n, c.shape.d, c.shape.q, context.seed));
            return check_passes(context, [c, data, seed = context.seed](PassScript& script) {
              run_after_keys(script, c, *data, seed);
            });
          }});
        }
}

// Every pattern, shared and per query, over shapes, metrics and layouts in turn.
void add_filtered(Cases& cases) {
  constexpr RowsShape scans[] = {
      {1, 1, 1, 1, 1}, {129, 16, 3, 1, 2}, {513, 33, 2, 16, 2}, {1025, 54, 1, 100, 3}, {3000, 9, 7, 1, 4}};
  constexpr RowsShape tiles[] = {
      {1, 1, 1, 1, 1}, {129, 17, 65, 1, 1}, {257, 32, 128, 1, 3}, {1000, 65, 9, 1, 2}, {513, 9, 300, 1, 5}};
  constexpr Kind kinds[] = {Kind::nan, Kind::integers, Kind::uniform};
  std::size_t step = 0;
  for (const FilterPattern pattern : all_filter_patterns)
    for (const bool per_query : {false, true})
      for (const std::uint32_t width : {8u, 16u})
        for (std::size_t s = 0; s < std::size(scans); ++s, ++step) {
          const bool quick = step % 3 == 0;
          RowsCase c{scans[s],
                     accumulated_metrics[step % 4],
                     all_layouts[step % 3],
                     kinds[step % std::size(kinds)],
                     step % 7 == 0,
                     width,
                     {true, pattern, per_query},
                     step % 11 == 3};
          add_rows_case(cases, RowsPass::scan_select, "scan_select", c, quick);
          c.counted = false;
          c.shape = tiles[s];
          c.continued = false;
          add_rows_case(cases, RowsPass::tile_nearest, "tile_nearest", c, quick);
        }
}

}  // namespace

void add_distance_pass_cases(Cases& cases) {
  add_scan_select(cases);
  add_tile_passes(cases, RowsPass::tile_distance, "tile_distance");
  add_tile_passes(cases, RowsPass::tile_nearest, "tile_nearest");
  add_filtered(cases);
  add_after_keys(cases);
}

}  // namespace proxel::conformance
