// Cases of the passes of Garcia 2010 beside the product: norms, the distance
// matrix, the modified insertion sort, extraction, re-evaluation, certificate.
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "pass_script.hpp"
#include "proxel/passes/add_row_norms.h"
#include "proxel/passes/certify_expansion.h"
#include "proxel/passes/extract_nearest.h"
#include "proxel/passes/insertion_sort.h"
#include "proxel/passes/pair_distance.h"
#include "proxel/passes/reevaluate.h"
#include "proxel/passes/squared_norms.h"
#include "random.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

struct Size {
  std::uint32_t n, d, q;
};
constexpr Size sizes[] = {{1, 1, 1}, {5, 3, 2}, {127, 7, 17}, {129, 16, 3}, {300, 33, 5}, {1000, 2, 65}, {257, 255, 9}};

// The rows of a case in memory, with room between them where n is odd.
passes::Rows input_rows(PassScript& script, const Matrix<float>& matrix, Layout layout) {
  const MatrixView<float> view = matrix.view();
  const bool loose = view.rows % 2 == 1;
  const auto least =
      static_cast<std::uint32_t>(layout == Layout::column_major ? (view.rows + 3) / 4 * 4 : view.columns);
  const std::uint32_t leading = loose ? least + 3 : least;
  const std::uint32_t skew = loose && layout != Layout::tiles ? 4 : 0;
  const std::uint64_t address = script.input("rows", arranged(view, layout, leading), skew);
  return describe_rows(address, view, layout, leading);
}

std::uint64_t input_queries(PassScript& script, const Matrix<float>& queries, std::uint32_t stride) {
  return script.input("queries", arranged(queries.view(), Layout::row_major, stride));
}

// Every kind and layout in the full tier, a walk through them in the quick one.
template <typename Add>
void for_each_data(const Add& add) {
  std::size_t step = 0;
  for (const Size& size : sizes)
    for (const Layout layout : all_layouts)
      for (const Kind kind : all_kinds) {
        if (!bit_identical(kind)) continue;
        add(size, layout, kind, step++ % 5 == 0);
      }
}

void add_squared_norms(Cases& cases) {
  for_each_data([&](const Size& size, Layout layout, Kind kind, bool quick) {
    cases.push_back(
        {fmt::format("pass/squared_norms/n={},d={},layout={}/{}", size.n, size.d, to_string(layout), to_string(kind)),
         quick, [=](const Context& context) {
      const auto data = std::make_shared<Data>(make_data(kind, size.n, size.d, 1, context.seed));
      return check_passes(context, [=](PassScript& script) {
        passes::SquaredNormsParameters parameters{};
        parameters.rows = input_rows(script, data->database, layout);
        parameters.first_row = size.n / 3;
        parameters.row_count = size.n - parameters.first_row;
        parameters.dimensions = size.d;
        parameters.norms = script.output("norms", std::uint64_t{4} * parameters.row_count);
        if (size.n % 3 != 0) parameters.largest = script.output("largest", std::vector<std::uint32_t>{0});
        script.add_pass(passes::make_squared_norms(parameters));
      });
    }});
  });
}

void add_pair_distance(Cases& cases) {
  std::size_t step = 0;
  for_each_data([&](const Size& size, Layout layout, Kind kind, bool quick) {
    const Metric metric = accumulated_metrics[step++ / 5 % std::size(accumulated_metrics)];
    cases.push_back({fmt::format("pass/pair_distance/{}/n={},d={},q={},layout={}/{}", to_string(metric), size.n, size.d,
                                 size.q, to_string(layout), to_string(kind)),
                     quick, [=](const Context& context) {
      const auto data = std::make_shared<Data>(make_data(kind, size.n, size.d, size.q, context.seed));
      return check_passes(context, [=](PassScript& script) {
        passes::PairDistanceParameters parameters{};
        parameters.rows = input_rows(script, data->database, layout);
        parameters.query_stride = size.d + size.n % 2;
        parameters.queries = input_queries(script, data->queries, parameters.query_stride);
        parameters.dimensions = size.d;
        parameters.query_count = size.q;
        parameters.first_row = size.n / 3;
        parameters.row_count = size.n - parameters.first_row;
        parameters.row_pitch = size.q + 3;
        parameters.keys = script.output("keys", std::uint64_t{4} * parameters.row_count * parameters.row_pitch);
        script.add_pass(passes::make_pair_distance(parameters, metric));
      });
    }});
  });
}

void add_add_row_norms(Cases& cases) {
  for (const Size& size : sizes)
    for (const Kind kind : {Kind::gaussian, Kind::zeros, Kind::nan, Kind::infinity, Kind::overflow})
      cases.push_back({fmt::format("pass/add_row_norms/n={},q={}/{}", size.n, size.q, to_string(kind)), true,
                       [=](const Context& context) {
        // The data's columns are queries here, its queries the norms.
        const Data data = make_data(kind, size.n, size.q, 1, context.seed);
        const Data norms = make_data(kind, 1, size.n, 1, context.seed + 1);
        const std::uint32_t pitch = size.q + 2;
        const std::vector<float> matrix = arranged(data.database.view(), Layout::row_major, pitch);
        const std::vector<float> norm(norms.database.data(), norms.database.data() + size.n);
        return check_passes(context, [=](PassScript& script) {
          passes::AddRowNormsParameters parameters{};
          parameters.matrix = script.output("matrix", matrix);
          parameters.norms = script.input("norms", norm);
          parameters.query_count = size.q;
          parameters.row_count = size.n;
          parameters.row_pitch = pitch;
          script.add_pass(passes::make_add_row_norms(parameters));
        });
      }});
}

std::uint32_t random_distance_key(Random& random, bool ties) {
  if (random.one_in(40)) return 0xFFFFFFFFu;
  return ties ? 0x80000000u + static_cast<std::uint32_t>(random.below(6)) : static_cast<std::uint32_t>(random.bits());
}

void add_insertion_sort(Cases& cases) {
  struct Shape {
    std::uint32_t rows, queries, k, blocks;
  };
  // Few enough rows per block and k that no invocation loops more than 65,535
  // times, where llvmpipe ends it.
  constexpr Shape shapes[] = {{1, 1, 1, 1},      {7, 3, 2, 1},     {100, 65, 1, 3},     {129, 64, 16, 2},
                              {1000, 5, 100, 3}, {50, 130, 50, 4}, {2000, 2, 1000, 40}, {333, 31, 10, 1}};
  for (const Shape& shape : shapes)
    for (const bool ties : {false, true})
      cases.push_back({fmt::format("pass/insertion_sort/rows={},queries={},k={},blocks={}/{}", shape.rows,
                                   shape.queries, shape.k, shape.blocks, ties ? "ties" : "random"),
                       true, [=](const Context& context) {
        Random random(context.seed);
        const std::uint32_t pitch = shape.queries + 5;
        std::vector<std::uint32_t> keys(std::uint64_t{shape.rows} * pitch);
        for (std::uint32_t& key : keys) key = random_distance_key(random, ties);
        return check_passes(context, [=](PassScript& script) {
          passes::InsertionSortParameters parameters{};
          const std::uint64_t matrix = script.input("keys", keys);
          parameters.rank_pitch = shape.queries + 1;
          const std::uint64_t bytes = std::uint64_t{4} * shape.k * parameters.rank_pitch;
          parameters.nearest_keys = script.output("nearest keys", bytes);
          // Distances are sorted alone as well.
          if (!ties || shape.k % 2 == 0) parameters.nearest_indices = script.output("nearest indices", bytes);
          parameters.query_count = shape.queries;
          parameters.row_pitch = pitch;
          parameters.k = shape.k;
          for (std::uint32_t block = 0; block < shape.blocks; ++block) {
            const std::uint32_t first = shape.rows * block / shape.blocks;
            parameters.keys = matrix + std::uint64_t{4} * first * pitch;
            parameters.row_count = shape.rows * (block + 1) / shape.blocks - first;
            parameters.rows_before = first;
            parameters.first_index = 1000 + first;
            if (parameters.row_count != 0) script.add_pass(passes::make_insertion_sort(parameters));
          }
        });
      }});
}

void add_extract_nearest(Cases& cases) {
  for (const Size& size : sizes)
    for (const Kind kind : {Kind::gaussian, Kind::nan, Kind::infinity, Kind::zeros})
      for (const int form : {0, 1, 2, 3}) {
        const bool norms = form % 2 == 1;
        const bool root = form >= 2;
        cases.push_back({fmt::format("pass/extract_nearest/queries={},k={}{}{}/{}", size.n, size.q,
                                     norms ? ",norms" : "", root ? ",root" : "", to_string(kind)),
                         (size.n + form) % 2 == 0, [=](const Context& context) {
          Random random(context.seed);
          const Data data = make_data(kind, size.n, 1, 1, context.seed);
          const std::uint32_t found = size.q - size.q / 3;
          // Ranks apart as insertion_sort leaves them, or queries apart.
          const bool query_rows = form == 1 || form == 2;
          const std::uint32_t pitch = (query_rows ? found : size.n) + 1;
          std::vector<std::uint32_t> keys(std::uint64_t{query_rows ? size.n : found} * pitch);
          for (std::uint32_t& key : keys)
            key = root && !norms ? random_distance_key(random, false) | 0x80000000u
                                 : distance_key(random.symmetric() * 4, false);
          std::vector<std::uint32_t> indices(keys.size());
          std::iota(indices.begin(), indices.end(), 7);
          const std::vector<float> norm(data.database.data(), data.database.data() + size.n);
          return check_passes(context, [=](PassScript& script) {
            passes::ExtractNearestParameters parameters{};
            parameters.nearest_keys = script.input("nearest keys", keys);
            if (size.d % 2 == 1) parameters.nearest_indices = script.input("nearest indices", indices);
            if (norms) parameters.norms = script.input("norms", norm);
            const std::uint64_t bytes = std::uint64_t{4} * size.n * size.q;
            parameters.indices = script.output("indices", bytes);
            parameters.distances = script.output("distances", bytes);
            parameters.query_count = size.n;
            parameters.k = size.q;
            parameters.found = found;
            parameters.rank_pitch = query_rows ? 1 : pitch;
            parameters.query_pitch = query_rows ? pitch : 1;
            parameters.largest_first = form == 0 && size.n % 2 == 0;
            parameters.finish = root                           ? passes::finish_root
                                : form == 0 && size.n % 3 == 0 ? passes::finish_complement
                                                               : passes::finish_none;
            script.add_pass(passes::make_extract_nearest(parameters));
          });
        }});
      }
}

// What a selection of distances left, decoded at its place.
void add_extract_values(Cases& cases) {
  constexpr std::uint32_t finishes[] = {passes::finish_none, passes::finish_root, passes::finish_complement};
  for (const Size& size : sizes)
    for (const std::uint32_t finish : finishes)
      for (const bool largest : {false, true}) {
        if (largest && finish == passes::finish_root) continue;
        cases.push_back({fmt::format("pass/extract_nearest/queries={},k={}/values,finish={}{}", size.n, size.q, finish,
                                     largest ? ",largest" : ""),
                         size.n % 3 == 2, [=](const Context& context) {
          Random random(context.seed);
          std::vector<float> values(std::uint64_t{size.n} * size.q);
          for (float& value : values)
            value = random.one_in(9) ? std::numeric_limits<float>::quiet_NaN() : random.symmetric() * 4;
          std::vector<std::uint32_t> indices(values.size());
          for (std::uint32_t& index : indices)
            index = random.one_in(5) ? UINT32_MAX : static_cast<std::uint32_t>(random.below(1000));
          return check_passes(context, [=](PassScript& script) {
            passes::ExtractNearestParameters parameters{};
            parameters.nearest_keys = parameters.distances = script.output("distances", values);
            parameters.nearest_indices = parameters.indices = script.output("indices", indices);
            parameters.query_count = size.n;
            parameters.k = parameters.found = parameters.query_pitch = size.q;
            parameters.rank_pitch = 1;
            parameters.largest_first = largest ? 1 : 0;
            parameters.finish = finish;
            parameters.values = 1;
            script.add_pass(passes::make_extract_nearest(parameters));
          });
        }});
      }
}

void add_reevaluate(Cases& cases) {
  std::size_t step = 0;
  for_each_data([&](const Size& size, Layout layout, Kind kind, bool quick) {
    const Metric metric = accumulated_metrics[step / 5 % std::size(accumulated_metrics)];
    const std::uint32_t count = 1 + static_cast<std::uint32_t>(step * 37 % 700);
    const std::uint32_t k = 1 + static_cast<std::uint32_t>(step * 11 % (count + 2));
    const bool transposed = step++ % 2 == 1;
    cases.push_back(
        {fmt::format("pass/reevaluate/{}/n={},d={},q={},count={},k={},layout={}{}/{}", to_string(metric), size.n,
                     size.d, size.q, count, k, to_string(layout), transposed ? ",transposed" : "", to_string(kind)),
         quick, [=](const Context& context) {
      const auto data = std::make_shared<Data>(make_data(kind, size.n, size.d, size.q, context.seed));
      constexpr std::uint32_t first_index = 100;
      const std::uint32_t query_pitch = transposed ? 1 : count + 1;
      const std::uint32_t rank_pitch = transposed ? size.q + 2 : 1;
      std::vector<std::uint32_t> candidates(std::uint64_t{std::max(query_pitch, rank_pitch)} * std::max(size.q, count),
                                            0);
      Random random(context.seed);
      // Different rows for each query, with rows of other blocks and none among them.
      std::vector<std::uint32_t> order(size.n + 60);
      std::iota(order.begin(), order.end(), first_index - 30);
      for (std::uint32_t query = 0; query < size.q; ++query) {
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        for (std::uint32_t i = 0; i < count; ++i)
          candidates[std::uint64_t{query} * query_pitch + std::uint64_t{i} * rank_pitch] =
              i < order.size() ? order[i] : 0xFFFFFFFFu;
      }
      return check_passes(context, [=](PassScript& script) {
        passes::ReevaluateParameters parameters{};
        parameters.rows = input_rows(script, data->database, layout);
        parameters.query_stride = size.d + size.n % 2;
        parameters.queries = input_queries(script, data->queries, parameters.query_stride);
        parameters.candidates = script.input("candidates", candidates);
        parameters.dimensions = size.d;
        parameters.count = count;
        parameters.query_pitch = query_pitch;
        parameters.rank_pitch = rank_pitch;
        parameters.k = k;
        parameters.keys_stride = k + 1;
        parameters.first_index = first_index;
        parameters.keys = script.output("keys", std::uint64_t{8} * size.q * parameters.keys_stride);
        script.add_pass(passes::make_reevaluate(parameters, metric, size.q));
      });
    }});
  });
}

void add_certify_expansion(Cases& cases) {
  // One query per pass, so that the order of the undecided is the same everywhere.
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const float values[] = {0, -1, 1, 1.001f, 2, 100, -100, 1e-30f, 1e30f, 1e38f, infinity, nan};
  for (const float largest : {0.0f, 1.0f, 1e6f, 1e38f, infinity})
    for (const std::uint32_t dimensions : {1u, 128u, 1u << 21}) {
      std::vector<std::array<float, 3>> questions;  // screened, norm, farthest
      for (const float screened : values)
        for (const float norm : {0.0f, 1.0f, 5000.0f, nan})
          for (const float farthest : values)
            if (!(farthest < 0)) questions.push_back({screened, norm, farthest});
      cases.push_back({fmt::format("pass/certify_expansion/largest={},d={}", largest, dimensions), true,
                       [=](const Context& context) {
        return check_passes(context, [=](PassScript& script) {
          const auto count = questions.size();
          std::vector<std::uint64_t> keys;
          std::vector<std::uint32_t> screened;
          std::vector<float> norms;
          for (const auto& [screen, norm, farthest] : questions) {
            // The key before the k-th and the one after are nobody's business.
            keys.insert(keys.end(), {no_row_key, make_key(distance_key(farthest, false), 3), 0});
            screened.push_back(distance_key(screen, false));
            norms.push_back(norm);
          }
          passes::CertifyExpansionParameters parameters{};
          const std::uint64_t first_key = script.input("keys", keys);
          const std::uint64_t first_screened = script.input("screened", screened);
          const std::uint64_t first_norm = script.input("norms", norms);
          parameters.largest = script.input("largest", std::vector<float>{largest});
          parameters.undecided = script.output("undecided", std::vector<std::uint32_t>(4 + count, 0));
          parameters.query_count = 1;
          parameters.k = 2;
          parameters.keys_stride = 3;
          parameters.dimensions = dimensions;
          for (std::uint32_t i = 0; i < count; ++i) {
            parameters.keys = first_key + 24ull * i;
            parameters.screened = first_screened + 4ull * i;
            parameters.norms = first_norm + 4ull * i;
            parameters.first_query = i;
            script.add_pass(passes::make_certify_expansion(parameters));
          }
        });
      }});
    }
}

}  // namespace

void add_garcia_pass_cases(Cases& cases) {
  add_squared_norms(cases);
  add_add_row_norms(cases);
  add_pair_distance(cases);
  add_insertion_sort(cases);
  add_extract_nearest(cases);
  add_extract_values(cases);
  add_reevaluate(cases);
  add_certify_expansion(cases);
}

}  // namespace proxel::conformance
