// Cases of matrix_product. Its sums may be taken in any order, so that only data
// whose sums are exact, and not zero, has bits to compare; small integers are
// such data.
#include <algorithm>

#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "pass_script.hpp"
#include "proxel/passes/matrix_product.h"
#include "values.hpp"

namespace proxel::conformance {
namespace {

struct ProductCase {
  std::uint32_t n, d, q, width;
  Layout layout;
  bool rows_first;  // neighbouring elements belong to neighbouring rows

  bool loose() const { return n % 2 == 1; }

  std::string name() const {
    return fmt::format("pass/matrix_product/n={},d={},q={},width={},layout={},{}-first/integers", n, d, q, width,
                       to_string(layout), rows_first ? "rows" : "queries");
  }
};

std::uint32_t to_fours(std::uint32_t count) { return (count + 3) / 4 * 4; }

void run_product(PassScript& script, const ProductCase& c, const Data& data) {
  const MatrixView<float> database = data.database.view();
  const std::uint32_t least = c.layout == Layout::column_major ? to_fours(c.n) : c.d;
  const std::uint32_t leading = c.loose() ? least + 3 : least;
  const std::uint32_t query_stride = c.d + (c.loose() ? 1 : 0);
  passes::MatrixProductParameters parameters{};
  const std::uint32_t skew = c.loose() && c.layout != Layout::tiles ? 4 : 0;
  const std::uint64_t rows = script.input("rows", arranged(database, c.layout, leading), skew);
  parameters.rows = describe_rows(rows, database, c.layout, leading);
  parameters.queries = script.input("queries", arranged(data.queries.view(), Layout::row_major, query_stride));
  // The second tile onwards where there is one; the last row is left out
  // where that leaves any.
  parameters.first_row = c.n > 2 * passes::tile_rows ? passes::tile_rows : 0;
  parameters.row_count = std::max(c.n - parameters.first_row - 1, 1u);
  parameters.query_pitch = c.rows_first ? to_fours(parameters.row_count) + 4 : 1;
  parameters.row_pitch = c.rows_first ? 1 : to_fours(c.q) + 4;
  parameters.matrix = script.output("matrix", std::uint64_t{4} * (c.rows_first ? c.q : parameters.row_count) *
                                                  std::max(parameters.query_pitch, parameters.row_pitch));
  parameters.workspace_bytes = 1u << 16;
  parameters.workspace = script.workspace(parameters.workspace_bytes);
  parameters.dimensions = c.d;
  parameters.query_count = c.q;
  parameters.query_stride = query_stride;
  parameters.alpha = -2;
  script.add_pass(passes::make_matrix_product(parameters, c.width));
}

}  // namespace

void add_product_pass_cases(Cases& cases) {
  constexpr struct {
    std::uint32_t n, d, q;
  } shapes[] = {{1, 1, 1},      {5, 2, 8},      {63, 5, 9},     {128, 15, 64}, {129, 17, 65},
                {257, 32, 128}, {1000, 1, 130}, {513, 65, 129}, {300, 784, 17}};
  std::size_t step = 0;
  for (const auto& shape : shapes)
    for (const Layout layout : all_layouts)
      for (const bool rows_first : {true, false})
        for (const std::uint32_t width : {8u, 16u}) {
          const ProductCase c{shape.n, shape.d, shape.q, width, layout, rows_first};
          cases.push_back({c.name(), step++ % 5 < 2, [c](const Context& context) {
            const auto data = std::make_shared<Data>(make_data(Kind::integers, c.n, c.d, c.q, context.seed));
            // From 1 to 7, with the sign of the query: no sum is zero, whose sign
            // a library chooses.
            for (std::uint64_t i = 0; i < std::uint64_t{c.n} * c.d; ++i) data->database.data()[i] += 4;
            for (std::uint64_t i = 0; i < std::uint64_t{c.q} * c.d; ++i) {
              float& value = data->queries.data()[i];
              value = i / c.d % 2 == 0 ? value + 4 : -value - 4;
            }
            return check_passes(context, [c, data](PassScript& script) { run_product(script, c, *data); });
          }});
        }
}

}  // namespace proxel::conformance
