// k-NN graphs: the nearest rows of every row, with itself and without.

#include <algorithm>

#include <fmt/format.h>

#include "proxel/graph.hpp"
#include "search_check.hpp"

namespace proxel::conformance {
namespace {

struct GraphCase {
  Method method;
  Metric metric;
  Kind kind;
  std::uint64_t n, d, k;
  bool exclude_self = true;
  std::uint64_t scratch_limit = IndexOptions{}.scratch_limit;

  std::string name() const {
    return fmt::format("graph/{}/{}/n={},d={},k={}{}{}/{}", to_string(method), to_string(metric), n, d, k,
                       exclude_self ? "" : ",with-self",
                       scratch_limit == IndexOptions{}.scratch_limit ? "" : ",scratch=1024KiB", to_string(kind));
  }
};

class GraphCheck : public Check {
 public:
  GraphCheck(const GraphCase& c, std::uint64_t seed)
      : case_(c), data_(make_data(c.kind, c.n, c.d, 1, seed)), allowed_(c.n, c.n) {
    std::fill_n(allowed_.data(), c.n * c.n, std::uint8_t{1});
    // A row is known by its index: duplicates of it stay.
    for (std::uint64_t row = 0; c.exclude_self && row < c.n; ++row) allowed_(row, row) = 0;
    expected_ = oracle_answer(question());
  }

  Verdict run(Device& device) override {
    IndexOptions options;
    options.method = case_.method;
    options.scratch_limit = case_.scratch_limit;
    GraphOptions with;
    with.exclude_self = case_.exclude_self;
    // Texels cannot be read back as queries.
    if (case_.method == Method::texel) with.rows = data_.database.view();
    try {
      Index index(device, data_.database.view(), options);
      if (const Support support = index.supports(case_.metric, case_.k + case_.exclude_self); !support)
        return Verdict::refuse(support);
      return judge(device, question(), case_.kind, expected_, knn_graph(index, case_.k, case_.metric, with));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      return Verdict::refuse(error);
    }
  }

 private:
  Question question() const {
    return {data_.database.view(), data_.database.view(), case_.metric, case_.k, allowed_.view()};
  }

  GraphCase case_;
  Data data_;
  Matrix<std::uint8_t> allowed_;
  Neighbors expected_;
};

}  // namespace

void add_graph_cases(Cases& cases) {
  const auto add = [&](const GraphCase& c, bool quick) {
    cases.push_back(
        {c.name(), quick, [c](const Context& context) { return std::make_unique<GraphCheck>(c, context.seed); }});
  };
  constexpr struct {
    std::uint64_t n, d, k;
  } shapes[] = {{1, 1, 1},     {2, 3, 1},     {5, 2, 4},    {64, 3, 63},    {65, 2, 66},
                {255, 1, 10},  {256, 4, 31},  {257, 5, 32}, {300, 17, 33},  {500, 3, 127},
                {600, 33, 16}, {700, 8, 128}, {1000, 3, 7}, {1030, 2, 1023}};
  constexpr Method methods[] = {Method::automatic, Method::scan,        Method::fused, Method::bvh,
                                Method::komarov,   Method::garcia_gemm, Method::texel};
  constexpr Kind kinds[] = {Kind::gaussian, Kind::integers, Kind::duplicates,
                            Kind::constant, Kind::nan,      Kind::infinity};
  std::size_t step = 0;
  for (const Method method : methods)
    for (const Kind kind : kinds)
      for (const Metric metric : {Metric::l2sq, Metric::l2, Metric::l1, Metric::ip, Metric::cosine}) {
        const auto& shape = shapes[step % std::size(shapes)];
        add({method, metric, kind, shape.n, shape.d, shape.k, step % 5 != 4},
            // A device without hardware compiles the passes of `fused` for longer than it searches.
            step % 8 == 0 && method != Method::fused);
        ++step;
      }
  // Several blocks of queries: what is left out is known by the row, not by its place in a block.
  for (const Method method : {Method::scan, Method::garcia_direct, Method::komarov})
    for (const std::uint64_t k : {1, 9})
      add({method, Metric::l2sq, Kind::integers, 1100, 3, k, true, std::uint64_t{1} << 20},
          k != 1 && method != Method::scan);
}

}  // namespace proxel::conformance
