// Cases of the passes that evaluate some rows per query: each alone, and continued.
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "oracle.hpp"
#include "pass_script.hpp"
#include "proxel/passes/candidate_distance.h"
#include "proxel/passes/reevaluate.h"
#include "random.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint32_t first_index = 100;

struct CandidateCase {
  Metric metric;
  Kind kind;
  Layout layout;
  std::uint32_t n, d, q, count;

  std::string name(const char* pass) const {
    return fmt::format("pass/{}/{}/n={},d={},q={},count={},layout={}/{}", pass, to_string(metric), n, d, q, count,
                       to_string(layout), to_string(kind));
  }
};

// Different rows for each query, with rows of other blocks and none among them.
std::vector<std::uint32_t> some_rows(const CandidateCase& c, Random& random) {
  std::vector<std::uint32_t> order(c.n + 60), candidates;
  std::iota(order.begin(), order.end(), first_index - 30);
  for (std::uint32_t query = 0; query < c.q; ++query) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (std::uint32_t i = 0; i < c.count; ++i) candidates.push_back(i < order.size() ? order[i] : 0xFFFFFFFFu);
  }
  return candidates;
}

// What both passes read.
template <typename Parameters>
Parameters inputs(PassScript& script, const CandidateCase& c, const Data& data,
                  const std::vector<std::uint32_t>& candidates) {
  Parameters parameters{};
  const MatrixView<float> rows = data.database.view();
  const std::uint32_t leading = (c.layout == Layout::column_major ? (c.n + 3) / 4 * 4 : c.d) + c.n % 2 * 3;
  const std::uint64_t address =
      script.input("rows", arranged(rows, c.layout, leading), c.layout == Layout::row_major && c.n % 2 == 1 ? 4 : 0);
  parameters.rows = describe_rows(address, rows, c.layout, leading);
  parameters.query_stride = c.d + c.n % 2;
  parameters.queries =
      script.input("queries", arranged(data.queries.view(), Layout::row_major, parameters.query_stride));
  parameters.candidates = script.input("candidates", candidates);
  parameters.dimensions = c.d;
  parameters.count = c.count;
  parameters.first_index = first_index;
  return parameters;
}

void add_candidate_distance(Cases& cases, const CandidateCase& c, bool quick) {
  cases.push_back({c.name("candidate_distance"), quick, [c](const Context& context) {
    const auto data = std::make_shared<Data>(make_data(c.kind, c.n, c.d, c.q, context.seed));
    Random random(context.seed);
    return check_passes(context, [c, data, candidates = some_rows(c, random)](PassScript& script) {
      auto parameters = inputs<passes::CandidateDistanceParameters>(script, c, *data, candidates);
      parameters.candidate_stride = c.count;
      parameters.keys_stride = c.count + c.n % 2;
      parameters.keys =
          script.output("keys", std::vector<std::uint32_t>(std::uint64_t{c.q} * parameters.keys_stride, 0x12345678u));
      script.add_pass(passes::make_candidate_distance(parameters, c.metric, c.q));
    });
  }});
}

// Behind a key of each query: that of one of its rows, or one between.
void add_reevaluate_continued(Cases& cases, const CandidateCase& c, bool quick) {
  cases.push_back({c.name("reevaluate/continued"), quick, [c](const Context& context) {
    const auto data = std::make_shared<Data>(make_data(c.kind, c.n, c.d, c.q, context.seed));
    Random random(context.seed);
    auto candidates = some_rows(c, random);
    constexpr std::uint32_t k = 7, after_stride = 3;
    return check_passes(context, [c, data, candidates](PassScript& script) {
      auto parameters = inputs<passes::ReevaluateParameters>(script, c, *data, candidates);
      parameters.query_pitch = c.count;
      parameters.rank_pitch = 1;
      parameters.k = k;
      parameters.keys_stride = after_stride * k;
      parameters.keys = script.output("keys", std::uint64_t{8} * c.q * parameters.keys_stride);
      script.add_pass(passes::make_reevaluate(parameters, c.metric, c.q));
      // Twice more, behind the last key of those before.
      parameters.after_stride = parameters.keys_stride;
      for (std::uint32_t round = 0; round < 2; ++round) {
        parameters.after = parameters.keys + 8 * (k - 1);
        parameters.keys += 8 * k;
        script.add_pass(passes::make_reevaluate(parameters, c.metric, c.q));
      }
    });
  }});
}

}  // namespace

void add_candidate_pass_cases(Cases& cases) {
  struct Size {
    std::uint32_t n, d, q, count;
  };
  constexpr Size sizes[] = {{1, 1, 1, 3},    {5, 3, 2, 70},       {127, 7, 17, 40},  {129, 16, 3, 150},
                            {300, 33, 5, 1}, {1000, 20, 65, 129}, {257, 255, 9, 500}};
  constexpr Kind kinds[] = {Kind::integers, Kind::nan, Kind::overflow, Kind::gaussian, Kind::infinity};
  std::size_t step = 0;
  for (const Size& s : sizes)
    for (const Metric metric : accumulated_metrics)
      for (const Layout layout : all_layouts) {
        const CandidateCase c{metric, kinds[step % std::size(kinds)], layout, s.n, s.d, s.q, s.count};
        add_candidate_distance(cases, c, step % 11 == 0);
        add_reevaluate_continued(cases, c, step % 14 == 0);
        ++step;
      }
}

}  // namespace proxel::conformance
