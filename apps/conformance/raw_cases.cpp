// Searches with SearchOptions::raw: what a paper's own arithmetic gives, uncorrected. Its sums may be taken in any
// order, so that it is held to the bound of its roundings, and to the oracle's bits where all sums are exact.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "compatibility.hpp"
#include "search_check.hpp"

namespace proxel::conformance {
namespace {

struct RawCase {
  Method method;
  Metric metric;
  Kind kind;
  Shape shape;
  IndexOptions options = {};

  std::string name() const {
    SearchCase search{method, metric, kind, shape, options};
    search.family = "raw";
    return search.name();
  }
};

std::vector<double> squared_norms(const MatrixView<float>& rows) {
  std::vector<double> norms(rows.rows);
  for (std::uint64_t row = 0; row < rows.rows; ++row)
    for (std::uint64_t i = 0; i < rows.columns; ++i) norms[row] += double{rows(row, i)} * rows(row, i);
  return norms;
}

// |q|² + |r|² - 2 q·r: each of the three sums has at most d roundings of its terms' magnitudes, of which
// 2 |q·r| <= |q|² + |r|², and a few more join them. The root of a sum that is off by b is off by at most the root of b.
Tolerance tolerance_of_expansion(const Question& question) {
  const double roundings = (static_cast<double>(question.database.columns) + 8) * 0x1p-24;
  const auto root = question.metric == Metric::l2;
  return {[=, of_queries = squared_norms(question.queries), of_rows = squared_norms(question.database)](
              std::uint64_t query, std::uint64_t row, double magnitude) {
    const double bound = 2 * roundings * (of_queries[query] + of_rows[row]);
    return root ? std::sqrt(bound) + 0x1p-23 * magnitude : bound;
  },
          false};
}

// What cancellation made negative has no root: it stands for 0, as far as it is within the tolerance of that.
Neighbors with_roots(Neighbors answer) {
  float* distances = answer.distances.data();
  std::replace_if(distances, distances + answer.distances.rows() * answer.distances.columns(),
                  [](float distance) { return std::isnan(distance); }, 0.0f);
  return answer;
}

Verdict judge_raw(const Device& device, const RawCase& c, const Question& question, const Neighbors& actual) {
  // The direct form has no arithmetic but the canonical one.
  const bool canonical = c.method == Method::garcia_direct;
  const bool exact = c.kind == Kind::integers && (c.metric == Metric::l2sq || c.metric == Metric::l2);
  if (canonical || exact) return judge(device, question, c.kind, oracle_answer(question), actual);
  std::string text;
  if (c.metric == Metric::cosine || c.metric == Metric::pearson)
    text = bounded_difference(oracle_answer(question), actual, question.database.rows,
                              error_bound(c.metric, static_cast<std::uint32_t>(question.database.columns)));
  else
    text =
        disagreement(question, c.metric == Metric::l2 ? with_roots(actual) : actual, tolerance_of_expansion(question));
  return text.empty() ? Verdict::pass() : Verdict::fail(std::move(text));
}

class RawCheck : public Check {
 public:
  RawCheck(const RawCase& c, std::uint64_t seed)
      : case_(c), data_(make_data(c.kind, c.shape.n, c.shape.d, c.shape.q, seed)) {
    case_.options.method = c.method;
  }

  Verdict run(Device& device) override {
    SearchOptions raw;
    raw.raw = true;
    try {
      Index index(device, data_.database.view(), case_.options);
      Neighbors actual = index.search(data_.queries.view(), case_.shape.k, case_.metric, raw);
      const Question question{data_.database.view(), data_.queries.view(), case_.metric, case_.shape.k};
      if (case_.options.papers.garcia.distances_only) {
        const std::uint32_t* indices = actual.indices.data();
        if (!std::all_of(indices, indices + case_.shape.q * case_.shape.k,
                         [](std::uint32_t i) { return i == no_neighbor; }))
          return Verdict::fail("distances alone were asked for, and there are indices");
        actual.indices = oracle_answer(question).indices;
      }
      return judge_raw(device, case_, question, actual);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      return Verdict::refuse(error);
    }
  }

 private:
  RawCase case_;
  Data data_;
};

}  // namespace

void add_raw_cases(Cases& cases) {
  const auto add = [&](const RawCase& c, bool quick) {
    cases.push_back(
        {c.name(), quick, [c](const Context& context) { return std::make_unique<RawCheck>(c, context.seed); }});
  };
  constexpr Shape shapes[] = {{1, 1, 1, 1},     {5, 2, 3, 9},      {64, 3, 65, 5},    {257, 17, 3, 10},
                              {1000, 33, 9, 1}, {300, 64, 16, 20}, {513, 257, 5, 64}, {129, 784, 2, 3}};
  constexpr Kind kinds[] = {Kind::integers,   Kind::gaussian, Kind::uniform,
                            Kind::duplicates, Kind::offset,   Kind::dominated};
  IndexOptions little;  // several blocks of queries and parts of rows
  little.scratch_limit = std::uint64_t{1} << 20;
  std::size_t step = 0;
  for (const auto& [method, metrics] : std::initializer_list<std::pair<Method, std::vector<Metric>>>{
           {Method::garcia_gemm, {Metric::l2sq, Metric::l2}},
           {Method::komarov, {Metric::l2sq, Metric::l2, Metric::cosine, Metric::pearson}},
           {Method::garcia_direct, {all_metrics.begin(), all_metrics.end()}}})
    for (const Metric metric : metrics) {
      for (const Kind kind : kinds)
        for (int repeat = 0; repeat < 2; ++repeat)
          add({method, metric, kind, shapes[step++ % std::size(shapes)]}, step % 8 == 0);
      add({method, metric, Kind::integers, {5000, 4, 129, 10}, little}, metric == Metric::l2);
      add({method, metric, Kind::gaussian, {100003, 16, 40, 30}}, false);
    }
  // More neighbours than there are rows.
  add({Method::garcia_gemm, Metric::l2, Kind::integers, {700, 3, 2, 701}}, true);
  // More than certified searches re-evaluate.
  for (const Metric metric : {Metric::l2sq, Metric::l2, Metric::cosine})
    add({Method::komarov, metric, metric == Metric::cosine ? Kind::gaussian : Kind::integers, {2000, 5, 3, 1300}},
        metric == Metric::l2);
  // Distances alone, of which the oracle's rows are then taken to be.
  IndexOptions alone = little;
  alone.papers.garcia.distances_only = true;
  for (const Metric metric : {Metric::l2, Metric::l1, Metric::ip})
    for (const Shape& shape : {Shape{1, 1, 1, 1}, Shape{700, 3, 65, 9}, Shape{300, 17, 5, 301}}) {
      add({Method::garcia_direct, metric, Kind::integers, shape, alone}, true);
      if (metric == Metric::l2) add({Method::garcia_gemm, metric, Kind::integers, shape, alone}, true);
    }
  // Methods without an arithmetic of their own say so.
  for (const Method method : {Method::scan, Method::texel, Method::fused, Method::bvh})
    add({method, Metric::l2sq, Kind::integers, {257, 3, 3, 5}}, true);
}

}  // namespace proxel::conformance
