// Cases of the passes of a screened search that stand on their own: filters, and
// the canonical rungs for queries that half precision leaves undecided.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "oracle.hpp"
#include "pass_script.hpp"
#include "proxel/passes/divide_undecided.h"
#include "proxel/passes/scan_undecided.h"
#include "proxel/passes/screen_canonical.h"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_mask.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_refine.h"
#include "proxel/passes/screen_sample.h"
#include "proxel/passes/screen_threshold.h"
#include "proxel/passes/screen_tiles.h"
#include "row_filter.hpp"
#include "screen_case.hpp"
#include "screen_oracle.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

// Sizes around a tile and a word of the filter.
void add_mask(Cases& cases) {
  for (const std::uint32_t n : {1u, 31u, 33u, 127u, 128u, 129u, 1000u, 70001u})
    for (const FilterPattern pattern : all_filter_patterns) {
      const std::uint32_t filters = 1 + n % 3;
      cases.push_back({fmt::format("pass/screen_mask/n={},filter={}", n, to_string(pattern)), n != 31 && n != 128,
                       [=](const Context& context) {
        const Matrix<std::uint8_t> filter = make_filter({true, pattern, true}, n, filters, context.seed);
        const Data data = make_data(Kind::gaussian, n, 1, 1, context.seed + 1);
        return check_passes(context, [=](PassScript& script) {
          passes::ScreenMaskParameters parameters{};
          parameters.biases = script.input("biases", contiguous(data.database));
          parameters.filter_bits = script.input("filter", words_of(filter));
          parameters.masked = script.output("masked", std::uint64_t{filters} * tiles_of(n) * passes::tile_rows * 4);
          parameters.row_count = n;
          parameters.nothing = n % 2 == 0 ? passes::screen_nothing : passes::screen_integer_nothing;
          script.add_pass(passes::make_screen_mask(parameters, filters));
        });
      }});
    }
}

// Samples of operands: every share that leaves some rows, tiles that are not full, and rows behind the last whole stratum.
void add_sample(Cases& cases) {
  struct Shape {
    std::uint32_t n, share, depth_blocks;
  };
  constexpr Shape shapes[] = {{1, 1, 1},      {2, 2, 1},         {127, 1, 2},      {128, 1, 1},   {129, 1, 3},
                              {257, 2, 1},    {1000, 7, 2},      {4096, 16, 1},    {4111, 16, 1}, {4112, 16, 2},
                              {70001, 16, 1}, {70001, 69999, 1}, {65537, 65536, 1}};
  for (const auto& [n, share, depth_blocks] : shapes)
    cases.push_back({fmt::format("pass/screen_sample/n={},share={},blocks={}", n, share, depth_blocks),
                     n == 4112 || n == 129, [=](const Context& context) {
      const std::uint32_t tiles = tiles_of(n), sampled = tiles_of(n / share);
      const Data data = make_data(Kind::gaussian, tiles * passes::tile_rows, 32 * depth_blocks + 1, 1, context.seed);
      return check_passes(context, [=](PassScript& script) {
        const std::vector<float> values = contiguous(data.database);
        const auto some = [&](std::size_t count) {
          return std::vector<float>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
        };
        passes::ScreenSampleParameters parameters{};
        parameters.rows =
            script.input("operand", some(std::size_t{tiles} * depth_blocks * passes::screen_block_bytes / 4));
        parameters.biases = script.input("biases", some(std::size_t{tiles} * passes::tile_rows));
        parameters.bounds = script.input("bounds", some(std::size_t{tiles} * 4));
        parameters.sampled =
            script.output("sampled", std::uint64_t{sampled} * depth_blocks * passes::screen_block_bytes);
        parameters.sampled_biases = script.output("sampled biases", std::uint64_t{sampled} * passes::tile_rows * 4);
        parameters.sampled_bounds = script.output("sampled bounds", std::uint64_t{sampled} * 16);
        parameters.depth_blocks = depth_blocks;
        parameters.row_count = n;
        parameters.share = share;
        parameters.nothing = n % 2 == 0 ? passes::screen_nothing : passes::screen_integer_nothing;
        script.add_pass(passes::make_screen_sample(parameters));
      });
    }});
}

// Canonical thresholds on their own: the best of a sample bounds the nearest row,
// and the nearest comes out, bit for bit; for all queries, or for a selection.
void add_canonical(Cases& cases) {
  struct Shape {
    std::uint32_t n, d, q, splits;
  };
  constexpr Shape shapes[] = {{5, 1, 3, 1}, {127, 3, 70, 1}, {300, 17, 129, 2}, {700, 9, 200, 5}};
  constexpr FilterChoice choices[] = {
      {}, {true, FilterPattern::half}, {true, FilterPattern::half, true}, {true, FilterPattern::counted, true, 2}};
  for (const Shape shape : shapes)
    for (const Metric metric : accumulated_metrics)
      for (const bool selects : {false, true})
        for (const FilterChoice& choice : choices)
          cases.push_back({fmt::format("pass/canonical/{}/n={},d={},q={},splits={}{}{}", to_string(metric), shape.n,
                                       shape.d, shape.q, shape.splits, selects ? ",selected" : "", choice.name()),
                           true, [=](const Context& context) {
            const Matrix<std::uint8_t> filter = make_filter(choice, shape.n, shape.q, context.seed + 1);
            const Data data = make_data(Kind::gaussian, shape.n, shape.d, shape.q, context.seed);
            return check_passes(context, [=](PassScript& script) {
              const auto [n, d, q, splits] = shape;
              const MatrixView<float> database = data.database.view();
              // Every other query, from the second entry of the list on.
              std::vector<std::uint32_t> list = {0, 0, 0, 0};
              for (std::uint32_t query = q; query-- > 0;)
                if (query % 2 == 0) list.push_back(query);
              list[0] = static_cast<std::uint32_t>(list.size() - 4);
              const std::uint32_t slots = selects ? list[0] - 1 : q;
              passes::ScreenCanonicalParameters screen{};
              screen.rows =
                  describe_rows(script.input("rows", arranged(database, Layout::tiles, d)), database, Layout::tiles, d);
              screen.queries = script.input("queries", contiguous(data.queries));
              screen.selected = selects ? script.input("selected", list) : 0;
              screen.first_selected = selects ? 1 : 0;
              screen.slots = slots;
              screen.dimensions = screen.query_stride = d;
              if (choice.given) screen.filter_bits = script.input("filter", words_of(filter));
              if (choice.per_query) screen.filter_stride = (n + 31) / 32;
              screen.splits = splits;
              screen.capacity = n;
              screen.tile_step = 2;
              screen.tile_count = (tiles_of(n) + 1) / 2;
              const std::uint32_t groups = screen.tile_count * passes::screen_canonical_groups;
              screen.found = script.scratch("lower bounds", std::uint64_t{4} * slots * groups);
              script.add_pass(
                  passes::make_screen_canonical(screen, metric, passes::ScreenPurpose::sample, 16, selects));
              passes::ScreenThresholdParameters threshold{};
              threshold.lower_bounds = screen.found;
              threshold.thresholds = script.scratch("thresholds", std::uint64_t{4} * slots);
              threshold.selected = screen.selected;
              threshold.first_selected = screen.first_selected;
              threshold.query_count = slots;
              threshold.groups = groups;
              threshold.rank = 1;
              script.add_pass(passes::make_screen_threshold(threshold));

              screen.thresholds = threshold.thresholds;
              screen.tile_step = 1;
              screen.tile_count = tiles_of(n);
              screen.found = script.scratch("found", std::uint64_t{8} * slots * splits * n);
              // How many are collected depends on the threshold, which need only be low enough.
              screen.counts = script.scratch("counts", std::vector<std::uint32_t>(slots * splits, 0));
              script.add_pass(
                  passes::make_screen_canonical(screen, metric, passes::ScreenPurpose::collect, 16, selects));
              passes::ScreenRefineParameters refine{};
              refine.rows = screen.rows;
              refine.queries = screen.queries;
              refine.selected = screen.selected;
              refine.first_selected = screen.first_selected;
              refine.found = screen.found;
              refine.counts = screen.counts;
              refine.indices = script.output("indices", std::vector<std::uint32_t>(q, 0));
              refine.distances = script.output("distances", std::vector<std::uint32_t>(q, 0));
              // A filter that leaves no row leaves its query undecided, in whatever order.
              const std::vector<std::uint32_t> none(4 + q, 0);
              refine.undecided = choice.given ? script.scratch("undecided", none) : script.output("undecided", none);
              refine.dimensions = d;
              refine.splits = splits;
              refine.capacity = screen.capacity;
              refine.k = 1;
              refine.query_count = slots;
              script.add_pass(passes::make_screen_refine(refine, metric, usual_pool, selects));
            });
          }});
}

// The last rung on its own, bit for bit: more undecided queries than lists, filters, several groups of a query, neighbours found in rounds, more
// steps of rows than there are invocations.
void add_undecided(Cases& cases) {
  struct Shape {
    std::uint32_t n, d, q, k, lists, round, undecided;
  };
  constexpr Shape shapes[] = {{1, 1, 1, 1, 1, 1, 1},       {2000, 3, 5, 1, 12, 1, 3},
                              {3000, 17, 9, 20, 3, 7, 9},  {1500, 33, 4, 300, 12, 300, 2},
                              {2000, 8, 300, 7, 64, 7, 0}, {2000, 40, 300, 64, 130, 33, 300},
                              {140001, 1, 2, 3, 1, 3, 2}};
  for (const Shape& shape : shapes)
    for (const Metric metric : {Metric::l2sq, Metric::l2, Metric::ip})
      for (const bool filtered : {false, true}) {
        cases.push_back(
            {fmt::format("pass/undecided/{}/n={},d={},q={},k={},lists={},undecided={}{}", to_string(metric), shape.n,
                         shape.d, shape.q, shape.k, shape.lists, shape.undecided, filtered ? ",filter" : ""),
             metric == Metric::l2sq && (shape.n < 100000 || filtered), [=](const Context& context) {
          auto data = std::make_shared<Data>(make_data(Kind::integers, shape.n, shape.d, shape.q, context.seed));
          return check_passes(context, [=](PassScript& script) {
            const MatrixView<float> database = data->database.view();
            // Those with a filter are in two lists, of which the first has more than are served.
            const std::uint32_t most_few = filtered ? (shape.undecided + 1) / 2 : 0;
            const auto tickets = static_cast<std::uint32_t>(passes::undecided_ticket_bytes(shape.lists) / 4);
            std::vector<std::uint32_t> few(4 + shape.q, 0), undecided(tickets + 4 + shape.q, 0);
            few[0] = std::min(most_few + 2, shape.q);
            undecided[tickets] = shape.undecided - most_few;
            for (std::uint32_t i = 0; i < shape.undecided; ++i)
              (i < most_few ? few[4 + i] : undecided[tickets + 4 + i - most_few]) = (7 * i + 3) % shape.q;
            constexpr std::uint32_t first_index = 70;
            const std::uint32_t words = (first_index + shape.n) / 32 + 1;
            std::vector<std::uint32_t> filter(std::uint64_t{words} * shape.q);
            for (std::size_t i = 0; i < filter.size(); ++i)
              filter[i] =
                  shape.n < 100000 || i % 97 == 0 ? static_cast<std::uint32_t>(i * 0x9E3779B97F4A7C15ull >> 17) : 0;
            passes::ScanUndecidedParameters scan{};
            scan.rows =
                describe_rows(script.input("rows", arranged(database, Layout::tiles, 0)), database, Layout::tiles, 0);
            scan.queries = script.input("queries", contiguous(data->queries));
            scan.tickets = script.output("undecided", undecided);
            if (filtered) scan.few = script.input("few", few);
            scan.most_few = most_few;
            scan.found = script.workspace(std::uint64_t{8} * shape.lists * shape.round +
                                          (shape.round < shape.k ? passes::undecided_after_bytes(shape.lists) : 0));
            if (shape.d != 3) scan.told = script.output("told", std::uint64_t{12});
            scan.indices = script.output("indices", std::uint64_t{4} * shape.q * shape.k);
            scan.distances = script.output("distances", std::uint64_t{4} * shape.q * shape.k);
            scan.result_stride = shape.k;
            scan.finish = metric == Metric::l2 ? passes::finish_root : passes::finish_none;
            if (filtered) scan.filter_bits = script.input("filter", filter);
            scan.filter_stride = words;
            scan.dimensions = shape.d;
            scan.first_index = first_index;
            scan.lists = shape.lists;
            for (std::uint32_t first = 0; first < std::max(shape.undecided, 1u); first += shape.lists)
              for (std::uint32_t rank = 0; rank < shape.k; rank += shape.round) {
                scan.first_undecided = first;
                scan.first_rank = rank;
                scan.k = std::min(shape.round, shape.k - rank);
                script.add_pass(passes::make_scan_undecided(scan, metric, 5));
              }
          });
        }});
      }
}

// Each query by itself, then all of them at once, and scanned: the order in which they are appended is none that could be compared.
void add_division(Cases& cases) {
  constexpr std::uint32_t k = 5, q = 13;
  for (const std::uint32_t n : {1u, 31u, 32u, 33u, 127u, 129u, 4097u, 20001u})
    for (const bool per_query : {true, false})
      for (const std::uint32_t most : {0u, k - 1, k, n})
        cases.push_back(
            {fmt::format("pass/divide_undecided/n={},most={}{}", n, most, per_query ? ",filters" : ",filter"),
             n == 20001 && most == k - 1 && per_query, [=](const Context& context) {
          const Matrix<std::uint8_t> filter = make_filter(
              {true, per_query ? FilterPattern::counted : FilterPattern::half, per_query, k}, n, q, context.seed);
          auto data = std::make_shared<Data>(make_data(Kind::integers, n, 3, q, context.seed + 1));
          return check_passes(context, [=](PassScript& script) {
            const auto list_of = [&](std::uint32_t count) {
              std::vector<std::uint32_t> list(4 + q, 0);
              list[0] = count;
              return list;
            };
            passes::DivideUndecidedParameters divide{};
            divide.filter_bits = script.input("filter", words_of(filter));
            divide.filter_stride = per_query ? (n + 31) / 32 : 0;
            divide.row_count = n;
            divide.most = most;
            for (std::uint32_t query = 0; query <= q; ++query) {
              std::vector<std::uint32_t> undecided = list_of(query < q ? 1 : 0);
              undecided[4] = query < q ? query : 0xFFFFFFFFu;
              divide.undecided = script.input("undecided", undecided);
              divide.sparse = script.output("sparse", list_of(2));
              divide.others = script.output("others", list_of(1));
              script.add_pass(passes::make_divide_undecided(divide, query % 3 + 1));
            }
            std::vector<std::uint32_t> all = list_of(q);
            for (std::uint32_t i = 0; i < q; ++i) all[4 + i] = 7 * i % q;
            const auto tickets = static_cast<std::uint32_t>(passes::undecided_ticket_bytes(q) / 4);
            passes::ScanUndecidedParameters scan{};
            scan.tickets = script.scratch("sparse ones", std::vector<std::uint32_t>(tickets + 4 + q, 0));
            scan.few = script.scratch("other ones", list_of(0));
            divide.undecided = script.input("undecided", all);
            divide.sparse = scan.tickets + std::uint64_t{tickets} * 4;
            divide.others = scan.few;
            script.add_pass(passes::make_divide_undecided(divide, 4));
            scan.rows = describe_rows(script.input("rows", arranged(data->database.view(), Layout::tiles, 0)),
                                      data->database.view(), Layout::tiles, 0);
            scan.queries = script.input("queries", contiguous(data->queries));
            scan.most_few = q;
            scan.found = script.workspace(std::uint64_t{8} * q * k);
            scan.told = script.output("told", std::uint64_t{12});
            scan.indices = script.output("indices", std::uint64_t{4} * q * k);
            scan.distances = script.output("distances", std::uint64_t{4} * q * k);
            scan.filter_bits = divide.filter_bits;
            scan.filter_stride = divide.filter_stride;
            scan.dimensions = 3;
            scan.k = k;
            scan.lists = q;
            script.add_pass(passes::make_scan_undecided(scan, Metric::l2sq, 5));
          });
        }});
}

}  // namespace

void add_screen_rung_cases(Cases& cases) {
  add_mask(cases);
  add_sample(cases);
  add_canonical(cases);
  add_undecided(cases);
  add_division(cases);
}

}  // namespace proxel::conformance
