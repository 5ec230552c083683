// The permutation index over vectors: its candidates worked out from the order in which
// rows and queries see the permutants, its answers those of a search among the candidates
// alone. Both come from the oracle, for cosine and pearson, whose bits the oracle does not
// know, from the scan of an Index on the reference device.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "case.hpp"
#include "guarded_buffer.hpp"
#include "oracle.hpp"
#include "permutation_oracle.hpp"
#include "proxel/vector_permutation.hpp"
#include "row_filter.hpp"
#include "shapes.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

using passes::PermutationDistance;

struct VectorCase {
  Metric metric;
  Kind kind;
  Shape shape;  // k: within a radius, the rank of the row of query 0 whose distance it is
  std::uint32_t permutants;
  double fraction;
  PermutationDistance distance = PermutationDistance::footrule;
  std::uint32_t prefix = 0;
  bool within = false;
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;

  std::string name() const {
    return fmt::format("vectors/permutation/{}/{}/n={},d={},q={},k={}{},permutants={},fraction={}{}{}/{}",
                       to_string(metric), proxel::to_string(distance), shape.n, shape.d, shape.q, shape.k,
                       within ? ",within" : "", permutants, fraction,
                       prefix == 0 ? "" : fmt::format(",prefix={}", prefix),
                       scratch_limit >> 20 == 256 ? "" : ",scratch=1MiB", to_string(kind));
  }
};

// Searches as the contract has them.
class Truth {
 public:
  Truth(Device& reference, Metric metric) : reference_(reference), metric_(metric) {}

  Neighbors nearest(const MatrixView<float>& rows, const MatrixView<float>& queries, std::uint64_t k,
                    const Matrix<std::uint8_t>& allowed) const {
    if (!normalizes(metric_)) return oracle_answer({rows, queries, metric_, k, view_of(allowed)});
    Index index(reference_, rows, {.method = Method::scan});
    const std::vector<std::uint32_t> words = words_of(allowed);
    SearchOptions with;
    if (allowed.rows() != 0) with.filter = {words.data(), allowed.rows(), filter_words(allowed.columns())};
    return index.search(queries, k, metric_, with);
  }

  RangeAnswer within(const MatrixView<float>& rows, const MatrixView<float>& queries, float radius,
                     const Matrix<std::uint8_t>& allowed) const {
    if (!normalizes(metric_)) return oracle_range({rows, queries, metric_, 1, view_of(allowed)}, radius);
    Index index(reference_, rows, {.method = Method::scan});
    const std::vector<std::uint32_t> words = words_of(allowed);
    SearchOptions with;
    with.filter = {words.data(), allowed.rows(), filter_words(allowed.columns())};
    RangeNeighbors found = index.range_search(queries, radius, metric_, with);
    return {std::move(found.offsets), std::move(found.indices), std::move(found.distances)};
  }

 private:
  static MatrixView<std::uint8_t> view_of(const Matrix<std::uint8_t>& allowed) {
    return allowed.rows() == 0 ? MatrixView<std::uint8_t>() : allowed.view();
  }

  Device& reference_;
  Metric metric_;
};

class VectorCheck : public Check {
 public:
  VectorCheck(const VectorCase& c, const Context& context)
      : case_(c),
        seed_(context.seed),
        truth_(context.reference, c.metric),
        data_(make_data(c.kind, c.shape.n, c.shape.d, c.shape.q, context.seed)) {
    if (!c.within) return;
    radius_ = truth_.nearest(data_.database.view(), data_.queries.view(), c.shape.k, {}).distances(0, c.shape.k - 1);
    if (std::isnan(radius_)) radius_ = 1;
  }

  Verdict run(Device& device) override {
    PermutationOptions options;
    options.permutants = case_.permutants;
    options.seed = seed_;
    options.distance = case_.distance;
    options.prefix = case_.prefix;
    options.scratch_limit = case_.scratch_limit;
    VectorPermutationIndex index(device, data_.database.view(), case_.metric, options);
    expect(index.permutants());
    if (case_.within) return judge(index.range_search(data_.queries.view(), radius_, case_.fraction));
    const Neighbors found = index.search(data_.queries.view(), case_.shape.k, case_.fraction);
    if (std::string text = difference(nearest_, found); !text.empty()) return Verdict::fail(std::move(text));
    if (case_.fraction == 1) {
      Index whole(device, data_.database.view());
      const Neighbors exact = whole.search(data_.queries.view(), case_.shape.k, case_.metric);
      if (std::string text = difference(exact, found); !text.empty())
        return Verdict::fail(fmt::format("the whole fraction is not Index::search(): {}", text));
    }
    return Verdict::pass(bytes_of(found.distances.data(), found.distances.rows() * found.distances.columns()));
  }

 private:
  // The right answer, once: the permutants are the same on every device.
  void expect(std::span<const std::uint32_t> permutants) {
    const std::vector<std::uint32_t> chosen(permutants.begin(), permutants.end());
    if (chosen == permutants_) return;
    permutants_ = chosen;
    const std::uint64_t dimensions = case_.shape.d;
    Matrix<float> rows(chosen.size(), dimensions);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      std::copy_n(data_.database.data() + chosen[i] * dimensions, dimensions, rows.data() + i * dimensions);
    const auto positions = [&](const Matrix<float>& of) {
      const Neighbors order = truth_.nearest(rows.view(), of.view(), chosen.size(), {});
      std::vector<Positions> all;
      for (std::uint64_t row = 0; row < of.rows(); ++row)
        all.push_back(positions_in({order.indices.data() + row * chosen.size(), chosen.size()}, case_.prefix));
      return all;
    };
    const std::vector<Positions> objects = positions(data_.database);
    const std::vector<Positions> queries = positions(data_.queries);
    const std::uint64_t count = candidates_of(case_.shape.n, case_.within ? 1 : case_.shape.k, case_.fraction);
    Matrix<std::uint8_t> allowed(case_.shape.q, case_.shape.n);
    for (std::uint64_t query = 0; query < case_.shape.q; ++query)
      for (const std::uint32_t row : nearest_permutations(case_.distance, queries[query], objects, count))
        allowed(query, row) = 1;
    const MatrixView<float> database = data_.database.view();
    if (case_.within)
      within_ = truth_.within(database, data_.queries.view(), radius_, allowed);
    else
      nearest_ = truth_.nearest(database, data_.queries.view(), case_.shape.k, allowed);
  }

  Verdict judge(const RangeNeighbors& found) const {
    if (found.offsets != within_.offsets)
      return Verdict::fail(fmt::format("{} rows were found, {} are right, or others of a query", found.indices.size(),
                                       within_.indices.size()));
    for (std::size_t slot = 0; slot < found.indices.size(); ++slot)
      if (found.indices[slot] != within_.indices[slot] ||
          bytes_of(&found.distances[slot], 1) != bytes_of(&within_.distances[slot], 1))
        return Verdict::fail(fmt::format("slot {}: row {} at {} was found, {} at {} is right", slot,
                                         found.indices[slot], found.distances[slot], within_.indices[slot],
                                         within_.distances[slot]));
    return Verdict::pass(bytes_of(found.indices));
  }

  VectorCase case_;
  std::uint64_t seed_;
  Truth truth_;
  Data data_;
  float radius_ = 0;
  std::vector<std::uint32_t> permutants_;
  Neighbors nearest_;
  RangeAnswer within_;
};

void add_vector_case(Cases& cases, const VectorCase& c, bool quick) {
  cases.push_back({c.name(), quick, [c](const Context& context) { return std::make_unique<VectorCheck>(c, context); }});
}

}  // namespace

void add_vector_permutation_cases(Cases& cases) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  constexpr Kind kinds[] = {Kind::gaussian, Kind::integers, Kind::duplicates, Kind::nan,   Kind::infinity,
                            Kind::offset,   Kind::overflow, Kind::constant,   Kind::zeros, Kind::dominated};
  constexpr std::uint64_t dimensions[] = {1, 3, 17, 128};
  std::size_t step = 0;
  for (const Metric metric : all_metrics)
    for (const Kind kind : kinds) {
      const std::uint64_t d = dimensions[step % 4];
      const PermutationDistance distance = all_permutation_distances[step % 3];
      add_vector_case(cases, {metric, kind, {400, d, 7, 5}, 16, 0.1, distance}, step % 5 == 0);
      add_vector_case(cases, {metric, kind, {300, d, 40, 3}, 9, 1, distance}, step % 10 == 3);
      // More permutants than rows, and more neighbours.
      add_vector_case(cases, {metric, kind, {20, d, 3, 30}, 64, 0.01, distance}, step % 10 == 6);
      add_vector_case(cases, {metric, kind, {260, d, 9, 20}, 40, 0.3, distance, 6}, step % 10 == 8);
      add_vector_case(cases, {metric, kind, {500, d, 9, 30}, 12, 0.2, distance, 0, true}, step % 10 == 1);
      ++step;
    }
  for (const Metric metric : {Metric::l2, Metric::ip, Metric::cosine}) {
    const auto footrule = PermutationDistance::footrule;
    // More neighbours than a workgroup selects at a time, of all rows and of some.
    add_vector_case(cases, {metric, Kind::nan, {3000, 3, 2, 2500}, 8, 1, footrule}, metric == Metric::ip);
    add_vector_case(cases, {metric, Kind::integers, {2500, 2, 9, 1100}, 8, 0.6, footrule}, metric == Metric::l2);
    // Candidates of few queries shared by workgroups, and chunks of queries.
    add_vector_case(cases, {metric, Kind::gaussian, {20000, 4, 3, 10}, 4, 0.5, footrule}, false);
    add_vector_case(cases, {metric, Kind::gaussian, {9000, 9, 33, 4}, 32, 0.05, footrule, 4, false, mebibyte},
                    metric == Metric::cosine);
    add_vector_case(cases, {metric, Kind::gaussian, {9000, 3, 33, 900}, 32, 0.5, footrule, 0, true, mebibyte},
                    metric == Metric::l2);
    add_vector_case(cases, {metric, Kind::nan, {1, 5, 2, 1}, 64, 0.5, footrule}, metric == Metric::l2);
    add_vector_case(cases, {metric, Kind::gaussian, {2000, 33, 5, 10}, 256, 0.1, footrule}, false);
  }
}

}  // namespace proxel::conformance
