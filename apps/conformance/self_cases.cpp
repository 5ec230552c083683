// Searches whose queries are rows of the index and do not find themselves: some of them are, in any order, among
// filters, removed rows and pages, in one search and streamed.

#include <algorithm>

#include <fmt/format.h>

#include "pages.hpp"
#include "proxel/error.hpp"
#include "random.hpp"
#include "row_filter.hpp"
#include "search_check.hpp"

namespace proxel::conformance {
namespace {

struct SelfCase {
  Method method;
  Metric metric;
  Kind kind;
  Shape shape;
  FilterChoice filter = {};
  std::uint32_t pages = 1;
  bool removed = false;
  bool streamed = false;

  std::string name() const {
    return fmt::format("graph/self/{}/{}/n={},d={},q={},k={}{}{}{}{}/{}", to_string(method), to_string(metric), shape.n,
                       shape.d, shape.q, shape.k, pages == 1 ? "" : fmt::format(",pages={}", pages), filter.name(),
                       removed ? ",removed" : "", streamed ? ",streamed" : "", to_string(kind));
  }
};

class SelfCheck : public Check {
 public:
  SelfCheck(const SelfCase& c, std::uint64_t seed)
      : case_(c),
        data_(make_data(c.kind, c.shape.n, c.shape.d, c.shape.q, seed)),
        filter_(make_filter(c.filter, c.shape.n, c.shape.q, seed + 1)),
        allowed_(c.shape.q, c.shape.n) {
    const std::uint64_t n = c.shape.n;
    Random random(seed);
    for (std::uint64_t row = 0; c.removed && row < n; ++row)
      if (random.one_in(4)) removed_.push_back(static_cast<std::uint32_t>(row));
    for (std::uint64_t query = 0; query < c.shape.q; ++query) {
      // Some queries are no row of the index, and some rows ask twice.
      self_.push_back(random.one_in(4) ? no_neighbor : static_cast<std::uint32_t>(random.below(n)));
      for (std::uint64_t row = 0; row < n; ++row)
        allowed_(query, row) = c.filter.given ? filter_(c.filter.per_query ? query : 0, row) : 1;
      for (const std::uint32_t row : removed_) allowed_(query, row) = 0;
      if (self_.back() == no_neighbor) continue;
      allowed_(query, self_.back()) = 0;
      std::copy_n(&data_.database(self_.back(), 0), c.shape.d, &data_.queries(query, 0));
    }
    expected_ = oracle_answer(question());
  }

  Verdict run(Device& device) override {
    IndexOptions options;
    options.method = case_.method;
    // Two tiles of 128 rows at a time.
    if (case_.streamed) options.memory_limit = 2 * 128 * case_.shape.d * 4;
    try {
      Index index(device, data_.database.view(), options);
      if (const Support support = index.supports(case_.metric, case_.shape.k + 1); !support)
        return Verdict::refuse(support);
      if (!removed_.empty()) index.remove(removed_);
      return judge(device, question(), case_.kind, expected_, search(index));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      return Verdict::refuse(error);
    }
  }

 private:
  Question question() const {
    return {data_.database.view(), data_.queries.view(), case_.metric, case_.pages * case_.shape.k, allowed_.view()};
  }

  Neighbors search(Index& index) const {
    Matrix<std::uint32_t> words(filter_.rows(), (case_.shape.n + 31) / 32);
    SearchOptions with;
    with.self = self_;
    if (case_.filter.given) {
      std::ranges::copy(words_of(filter_), words.data());
      with.filter = words.view();
    }
    return joined_pages(index, data_.queries.view(), case_.shape.k, case_.metric, case_.pages, with);
  }

  SelfCase case_;
  Data data_;
  Matrix<std::uint8_t> filter_, allowed_;
  std::vector<std::uint32_t> self_, removed_;
  Neighbors expected_;
};

}  // namespace

void add_self_cases(Cases& cases) {
  constexpr Shape shapes[] = {{1, 3, 2, 1}, {257, 7, 30, 40}, {1000, 5, 70, 9}, {700, 33, 9, 1}, {300, 3, 20, 310}};
  constexpr Kind kinds[] = {Kind::integers, Kind::duplicates, Kind::nan, Kind::constant};
  std::size_t step = 0;
  const auto add = [&](const SelfCase& c) {
    const bool quick = step++ % 5 == 0 && c.method != Method::fused;
    cases.push_back(
        {c.name(), quick, [c](const Context& context) { return std::make_unique<SelfCheck>(c, context.seed); }});
  };
  for (const Method method : {Method::scan, Method::bvh, Method::fused, Method::texel, Method::garcia_direct})
    for (const Shape& shape : shapes)
      for (const Metric metric : {Metric::l2sq, Metric::l1, Metric::l2}) {
        const Kind kind = kinds[step % std::size(kinds)];
        add({method, metric, kind, shape});
        if (method == Method::garcia_direct) continue;
        add({method, metric, kind, shape, {true, all_filter_patterns[step % 6], step % 2 == 0}});
        add({method, metric, kind, shape, {}, 1, true});
        // Thresholds continue behind nothing; textures not behind roots.
        if (method != Method::fused && metric != Metric::l2) add({method, metric, kind, shape, {}, 3});
      }
  for (const Shape& shape : shapes)
    for (const Metric metric : {Metric::l2sq, Metric::ip})
      for (const bool removed : {false, true})
        add({Method::scan, metric, kinds[step % std::size(kinds)], shape, {}, removed ? 1u : 2u, removed, true});
}

}  // namespace proxel::conformance
