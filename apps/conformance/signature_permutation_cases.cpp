// The permutation index over feature signatures: its candidates worked out from the order in which signatures
// and queries see the permutants, its answers those among the candidates. Canonical distances come from a
// SignatureIndex on the reference device, which the signatures' own cases judge.
#include <algorithm>

#include <fmt/format.h>

#include "case.hpp"
#include "guarded_buffer.hpp"
#include "permutation_oracle.hpp"
#include "proxel/signature_permutation.hpp"
#include "signature_oracle.hpp"

namespace proxel::conformance {
namespace {

using passes::PermutationDistance;

struct SignatureCase {
  SignatureShape shape;
  std::uint64_t queries, k;
  std::uint32_t permutants;
  double fraction;
  Similarity similarity = Similarity::gaussian;
  PermutationDistance distance = PermutationDistance::footrule;
  std::uint32_t prefix = 0;
  bool within = false;  // what is at most as far from query 0 as its k-th
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;

  std::string name() const {
    return fmt::format("signatures/permutation/{}/{}/n={},d={},longest={},q={},k={}{},permutants={},fraction={}{}{}/{}",
                       to_string(similarity), proxel::to_string(distance), shape.count, shape.dimensions, shape.longest,
                       queries, k, within ? ",within" : "", permutants, fraction,
                       prefix == 0 ? "" : fmt::format(",prefix={}", prefix),
                       scratch_limit >> 20 == 256 ? "" : ",scratch=1MiB", to_string(shape.kind));
  }
};

using Found = std::vector<std::pair<float, std::uint32_t>>;

class SignatureCheck : public Check {
 public:
  SignatureCheck(const SignatureCase& c, const Context& context)
      : case_(c),
        seed_(context.seed),
        database_(make_signatures(c.shape, context.seed)),
        queries_(make_signatures(of_queries(c), context.seed + 1)),
        reference_(context.reference),
        function_{c.similarity, 0.5f},
        distances_(distances(database_, queries_)) {
    std::vector<float> of_first(distances_.data(), distances_.data() + c.shape.count);
    std::sort(of_first.begin(), of_first.end());
    radius_ = of_first[std::min<std::uint64_t>(c.k, c.shape.count) - 1];
  }

  Verdict run(Device& device) override {
    PermutationOptions options;
    options.permutants = case_.permutants;
    options.seed = seed_;
    options.distance = case_.distance;
    options.prefix = case_.prefix;
    options.scratch_limit = case_.scratch_limit;
    SignaturePermutationIndex index(device, database_, function_, options);
    const std::vector<Found> right = expected(index.permutants()), found = answers(index);
    std::vector<std::uint32_t> indices;
    for (std::size_t query = 0; query < right.size(); ++query) {
      if (found[query].size() != right[query].size())
        return Verdict::fail(fmt::format("query {}: {} signatures were found, {} is right", query, found[query].size(),
                                         right[query].size()));
      for (std::size_t rank = 0; rank < right[query].size(); ++rank) {
        if (found[query][rank] != right[query][rank])
          return Verdict::fail(fmt::format("query {}, rank {}: signature {} at {} was found, {} at {} is right", query,
                                           rank, found[query][rank].second, found[query][rank].first,
                                           right[query][rank].second, right[query][rank].first));
        indices.push_back(found[query][rank].second);
      }
    }
    return Verdict::pass(bytes_of(indices));
  }

 private:
  static SignatureShape of_queries(const SignatureCase& c) {
    SignatureShape shape = c.shape;
    shape.count = c.queries;
    return shape;
  }

  Matrix<float> distances(const Signatures& objects, const Signatures& of) const {
    SignatureIndexOptions options;
    options.similarity = function_;
    return SignatureIndex(reference_, objects, options).distances(of).values;
  }

  std::vector<Positions> positions(const Signatures& permutants, const Signatures& of) const {
    const Matrix<float> far = distances(permutants, of);
    std::vector<Positions> all;
    std::vector<std::uint32_t> order(permutants.size());
    for (std::uint64_t row = 0; row < of.size(); ++row) {
      for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
      std::stable_sort(order.begin(), order.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return far(row, a) < far(row, b); });
      all.push_back(positions_in(order, case_.prefix));
    }
    return all;
  }

  std::vector<Found> expected(std::span<const std::uint32_t> chosen) const {
    Signatures permutants(database_.dimensions());
    for (const std::uint32_t number : chosen) permutants.add(database_.centroids(number), database_.weights(number));
    const std::vector<Positions> objects = positions(permutants, database_), queries = positions(permutants, queries_);
    const std::uint64_t count = candidates_of(case_.shape.count, case_.within ? 1 : case_.k, case_.fraction);
    std::vector<Found> answer(queries.size());
    for (std::uint64_t query = 0; query < queries.size(); ++query) {
      for (const std::uint32_t number : nearest_permutations(case_.distance, queries[query], objects, count))
        if (!case_.within || distances_(query, number) <= radius_)
          answer[query].emplace_back(distances_(query, number), number);
      std::sort(answer[query].begin(), answer[query].end());
      if (!case_.within) answer[query].resize(std::min<std::uint64_t>(case_.k, count));
    }
    return answer;
  }

  std::vector<Found> answers(SignaturePermutationIndex& index) const {
    std::vector<Found> answer(queries_.size());
    if (case_.within) {
      const RangeNeighbors found = index.range_search(queries_, radius_, case_.fraction);
      for (std::uint64_t query = 0; query < answer.size(); ++query)
        for (std::uint64_t slot = found.offsets[query]; slot < found.offsets[query + 1]; ++slot)
          answer[query].emplace_back(found.distances[slot], found.indices[slot]);
      // Those of strings and signatures within a radius come by index.
      for (Found& one : answer) std::sort(one.begin(), one.end());
      return answer;
    }
    const Neighbors found = index.search(queries_, case_.k, case_.fraction);
    for (std::uint64_t query = 0; query < answer.size(); ++query)
      for (std::uint64_t rank = 0; rank < case_.k; ++rank)
        if (found.indices(query, rank) != no_neighbor)
          answer[query].emplace_back(found.distances(query, rank), found.indices(query, rank));
    return answer;
  }

  SignatureCase case_;
  std::uint64_t seed_;
  Signatures database_, queries_;
  Device& reference_;
  SimilarityFunction function_;
  Matrix<float> distances_;  // [queries x signatures]
  float radius_ = 0;
};

void add_signature_case(Cases& cases, const SignatureCase& c, bool quick) {
  cases.push_back(
      {c.name(), quick, [c](const Context& context) { return std::make_unique<SignatureCheck>(c, context); }});
}

}  // namespace

void add_signature_permutation_cases(Cases& cases) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  std::size_t step = 0;
  for (const SignatureKind kind : all_signature_kinds) {
    // A weight's square may leave binary32 there, which the index refuses.
    if (kind == SignatureKind::weights) continue;
    for (const Similarity similarity : {Similarity::gaussian, Similarity::minus, Similarity::heuristic}) {
      const PermutationDistance distance = all_permutation_distances[step % 3];
      add_signature_case(cases, {{kind, 300, 4, 1, 12}, 7, 5, 16, 0.1, similarity, distance}, step % 3 == 0);
      // All are candidates; more permutants, and more neighbours, than signatures; as many candidates as neighbours.
      add_signature_case(cases, {{kind, 90, 7, 2, 5}, 33, 3, 9, 1, similarity, distance}, step % 4 == 1);
      add_signature_case(cases, {{kind, 20, 3, 1, 40}, 3, 30, 64, 0.01, similarity, distance}, step % 4 == 2);
      add_signature_case(cases, {{kind, 260, 3, 1, 9}, 5, 30, 12, 0.01, similarity, distance, 5}, step % 5 == 0);
      add_signature_case(cases, {{kind, 200, 2, 1, 9}, 5, 20, 12, 0.3, similarity, distance, 0, true}, step % 5 == 2);
      ++step;
    }
  }
  constexpr auto gaussian = Similarity::gaussian;
  constexpr auto footrule = PermutationDistance::footrule;
  add_signature_case(cases, {{SignatureKind::clustered, 1, 5, 3, 3}, 2, 1, 64, 0.5}, true);
  add_signature_case(
      cases, {{SignatureKind::clustered, 3000, 5, 1, 6}, 70, 4, 32, 0.02, gaussian, footrule, 0, false, mebibyte},
      true);
  add_signature_case(
      cases, {{SignatureKind::clustered, 3000, 5, 1, 6}, 70, 9, 32, 0.02, gaussian, footrule, 0, true, mebibyte}, true);
  add_signature_case(cases, {{SignatureKind::near, 600, 5, 1, 6}, 9, 700, 256, 0.5}, false);
  add_signature_case(cases, {{SignatureKind::clustered, 80, 6, 100, 140}, 5, 3, 6, 0.2}, true);
}

}  // namespace proxel::conformance
