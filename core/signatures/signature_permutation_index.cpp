#include "proxel/signature_permutation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "in_use.hpp"
#include "permutation/permutants.hpp"
#include "permutation/smallest_fraction.hpp"
#include "proxel/error.hpp"
#include "search/check.hpp"
#include "signatures/planned_signatures.hpp"
#include "signatures/signature_call.hpp"
#include "signatures/signature_permutations.hpp"
#include "signatures/signature_search.hpp"
#include "signatures/stored_pivots.hpp"

namespace proxel {

using namespace signatures;

namespace {

// Signatures of a sample that are kept for choose_fraction().
constexpr std::uint64_t usual_sample = 500;

[[noreturn]] void refuse_weights(const char* of) {
  throw Error(
      ErrorCode::unsupported, of,
      "have weights whose squares may leave the range of binary32, which a permutation index of signatures does "
      "not serve; a signature index does");
}

// The bound of signatures, which has to serve them.
ScreenBound serving_bound(const Signatures& signatures, const SimilarityFunction& similarity) {
  ScreenBound bound(signatures, similarity);
  if (!bound.serves_own()) refuse_weights("signatures");
  return bound;
}

}  // namespace

struct SignaturePermutationIndex::Implementation {
  InUse in_use;
  Device& device;
  PermutationOptions options;
  session::Stopwatch building;
  std::vector<std::uint32_t> permutants;
  std::vector<std::uint32_t> sample_places;
  Signatures sample;
  ScreenBound bound;
  StoredSignatures stored;
  SignaturePermutations permutations;
  double build_milliseconds;
  session::Pace pace{device};
  session::Session<SignatureShape> session;

  Implementation(Device& of, const Signatures& signatures, const SimilarityFunction& similarity,
                 const PermutationOptions& wanted, const Progress& progress)
      : device(of),
        options(wanted),
        permutants(permutation::choose_permutants(wanted, signatures.size())),
        sample_places(permutation::random_sample(signatures.size(), usual_sample, wanted.seed + 1)),
        sample(picked(signatures, sample_places)),
        bound(serving_bound(signatures, similarity)),
        stored(of, signatures, similarity),
        permutations(of, signatures, similarity, permutants, wanted, progress),
        build_milliseconds(building.milliseconds()),
        session(of, wanted.timing) {}

  SignatureSearchDescription describe(std::uint64_t k, double fraction) const {
    return screened(permutation::describe<SignatureSearchDescription>(options, stored.count, k, fraction));
  }
  SignatureSearchDescription describe_range(float radius, double fraction) const {
    return screened(permutation::describe_range<SignatureSearchDescription>(options, stored.count, radius, fraction));
  }
  static SignatureSearchDescription screened(SignatureSearchDescription wanted) {
    wanted.screened = true;
    return wanted;
  }

  // Checks the queries. @param slots  words of results per query
  session::Call<SignatureShape> call(const Signatures& queries, std::uint64_t slots,
                                     const SignatureSearchDescription& wanted) {
    const auto any_length = static_cast<std::uint32_t>(Signatures::largest_length);
    session::Call<SignatureShape> call = SignatureSearcher{stored, bound, [this](const SignatureShape& shape) {
      return plan(shape.description, any_length);
    }}.call(queries, slots, {wanted});
    if (!bound.serves(queries)) refuse_weights("queries");
    return call;
  }
  std::unique_ptr<SignaturePlan> plan(const SignatureSearchDescription& description, std::uint32_t longest) {
    return std::make_unique<PlannedSignatures<SignatureSearch>>(
        device, stored, bound, longest, description,
        SignatureSearch(device, stored, nullptr, description, &permutations), results_of(description));
  }
};

SignaturePermutationIndex::SignaturePermutationIndex(Device& device, const Signatures& signatures,
                                                     const SimilarityFunction& similarity,
                                                     const PermutationOptions& options, const Progress& progress) {
  search::require_range("scratch limit", options.scratch_limit, std::uint64_t{1} << 20, UINT64_MAX);
  search::require_enumerator("similarity", similarity.kind, Similarity::heuristic);
  search::require_enumerator("timing", options.timing, Timing::passes);
  search::require_range("signatures", signatures.size(), 1, search::most_rows);
  session::Told told(progress, signatures.size());
  implementation_ = std::make_unique<Implementation>(device, signatures, similarity, options, told.as_progress());
}
SignaturePermutationIndex::~SignaturePermutationIndex() = default;
SignaturePermutationIndex::SignaturePermutationIndex(SignaturePermutationIndex&&) noexcept = default;
SignaturePermutationIndex& SignaturePermutationIndex::operator=(SignaturePermutationIndex&&) noexcept = default;

Neighbors SignaturePermutationIndex::search(const Signatures& queries, std::uint64_t k, double fraction,
                                            const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  search::require_range("k", k, 1, search::most_k);
  Implementation& self = *implementation_;
  return self.session.nearest(self.call(queries, 2 * k, self.describe(k, fraction)), k, self.pace, progress);
}

RangeNeighbors SignaturePermutationIndex::range_search(const Signatures& queries, float radius, double fraction,
                                                       const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  search::require_radius(radius);
  Implementation& self = *implementation_;
  const SignatureSearchDescription wanted = self.describe_range(radius, fraction);
  return self.session.within(self.call(queries, session::matches_at_first, wanted), wanted.candidates, self.pace,
                             progress);
}

std::unique_ptr<SignaturePlan> SignaturePermutationIndex::plan(std::uint32_t queries, std::uint32_t longest_query,
                                                               std::uint64_t k, double fraction) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  search::require_range("k", k, 1, search::most_k);
  return implementation_->plan(planned(implementation_->describe(k, fraction), queries, longest_query), longest_query);
}

std::unique_ptr<SignaturePlan> SignaturePermutationIndex::plan_range(std::uint32_t queries, std::uint32_t longest_query,
                                                                     float radius, double fraction) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  search::require_radius(radius);
  return implementation_->plan(planned(implementation_->describe_range(radius, fraction), queries, longest_query),
                               longest_query);
}

FractionChoice SignaturePermutationIndex::choose_fraction(double recall, std::uint64_t k, const Signatures& queries,
                                                          const Progress& progress) {
  permutation::check_recall(recall);
  search::require_range("k", k, 1, search::most_rows - 1);
  Implementation& self = *implementation_;
  const bool leaves_out = queries.size() == 0;
  const Signatures& sample = leaves_out ? self.sample : queries;
  permutation::NearestSample asked{size(), sample.size()};
  if (leaves_out) asked.held_out = self.sample_places;
  return smallest_fraction_of_nearest(recall, k, asked, progress, [&](std::uint64_t neighbors, double fraction) {
    return search(sample, neighbors, fraction);
  });
}

std::uint64_t SignaturePermutationIndex::candidates(std::uint64_t k, double fraction) const {
  return permutation::candidate_count(size(), k, fraction);
}
std::uint64_t SignaturePermutationIndex::size() const { return implementation_->stored.count; }
std::uint32_t SignaturePermutationIndex::dimensions() const { return implementation_->stored.dimensions; }
const SimilarityFunction& SignaturePermutationIndex::similarity() const { return implementation_->stored.function; }
std::span<const std::uint32_t> SignaturePermutationIndex::permutants() const { return implementation_->permutants; }
double SignaturePermutationIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
