#include "proxel/signature_index.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "in_use.hpp"
#include "permutation/permutants.hpp"
#include "proxel/error.hpp"
#include "proxel/passes/signature_bounds.h"
#include "search/check.hpp"
#include "signatures/planned_signatures.hpp"
#include "signatures/signature_call.hpp"
#include "signatures/signature_search.hpp"

namespace proxel {

using namespace signatures;

namespace {

template <typename Value, std::size_t count>
Value named(const char* what, const std::array<Value, count>& values, std::string_view name) {
  std::array<std::string_view, count> names;
  for (std::size_t i = 0; i < count; ++i) {
    names[i] = to_string(values[i]);
    if (names[i] == name) return values[i];
  }
  throw Error(ErrorCode::invalid_argument, what,
              fmt::format("'{}' was given; {} are allowed", name, fmt::join(names, ", ")));
}

// Fewer queries are screened without pivots, and among fewer signatures pivots are not tried.
constexpr std::uint64_t fewest_filtered = 16, worth_trying = 4096;

}  // namespace

std::string_view to_string(Similarity similarity) {
  switch (similarity) {
    case Similarity::gaussian:
      return "gaussian";
    case Similarity::minus:
      return "minus";
    case Similarity::heuristic:
      return "heuristic";
  }
  return "unknown";
}

Similarity similarity_from_string(std::string_view name) {
  return named("similarity", std::array{Similarity::gaussian, Similarity::minus, Similarity::heuristic}, name);
}

std::string_view to_string(SignatureMethod method) {
  switch (method) {
    case SignatureMethod::automatic:
      return "auto";
    case SignatureMethod::canonical:
      return "canonical";
    case SignatureMethod::screened:
      return "screened";
    case SignatureMethod::filtered:
      return "filtered";
  }
  return "unknown";
}

SignatureMethod signature_method_from_string(std::string_view name) {
  return named("method",
               std::array{SignatureMethod::automatic, SignatureMethod::canonical, SignatureMethod::screened,
                          SignatureMethod::filtered},
               name);
}

struct SignatureIndex::Implementation {
  InUse in_use;
  Device& device;
  SignatureIndexOptions options;
  session::Stopwatch building;
  StoredSignatures stored;
  ScreenBound bound;
  double build_milliseconds;
  std::optional<StoredPivots> pivots;
  bool pivots_pay = true;
  session::Pace pace{device};

  session::Session<SignatureShape> session;

  Implementation(Device& of, const Signatures& signatures, const SignatureIndexOptions& chosen)
      : device(of),
        options(chosen),
        stored(of, signatures, chosen.similarity),
        bound(signatures, chosen.similarity),
        build_milliseconds(building.milliseconds()),
        session(of, chosen.timing) {}

  // Completes an index, which it searches.
  static void choose_pivots(SignatureIndex& index, const Signatures& signatures);

  // Checks the queries. @param slots  words of results per query
  session::Call<SignatureShape> call(const Signatures& queries, std::uint64_t slots, const SignatureShape& wanted) {
    const auto any_length = static_cast<std::uint32_t>(Signatures::largest_length);
    return SignatureSearcher{stored, bound, [this](const SignatureShape& shape) {
      return shape.all_distances ? plan_distances(shape.description, any_length) : plan(shape.description, any_length);
    }}.call(queries, slots, wanted);
  }

  // What answers so many queries. @param near  objects of an answer, about
  SignatureSearchDescription chosen(std::uint64_t queries, std::uint64_t near) const {
    SignatureSearchDescription description;
    description.scratch_limit = options.scratch_limit;
    // Where most objects are near, screening them first is for nothing.
    const bool worthwhile = options.method == SignatureMethod::screened ||
                            options.method == SignatureMethod::filtered || stored.count >= 64;
    description.screened = options.method != SignatureMethod::canonical && worthwhile && near < stored.count / 4 + 1;
    // A dozen dependent passes are longer than the screen of a few queries; few signatures take no time either way.
    description.filtered =
        description.screened && pivots && pivots_pay && (queries >= fewest_filtered || stored.count < worth_trying);
    return description;
  }

  SignatureSearchDescription wanted(const Signatures& queries, std::uint64_t near) const {
    require_dimensions(queries, stored);
    SignatureSearchDescription description = chosen(queries.size(), near);
    if (description.screened && !bound.serves(queries)) description.screened = description.filtered = false;
    return description;
  }

  // Describes a search that the caller records, whose queries are expected to weigh what is in the index.
  SignatureSearchDescription planned(SignatureSearchDescription description, std::uint32_t queries,
                                     std::uint32_t longest) const {
    if (!bound.serves_own()) description.screened = description.filtered = false;
    return signatures::planned(description, queries, longest);
  }
  std::unique_ptr<SignaturePlan> plan(const SignatureSearchDescription& description, std::uint32_t longest) {
    const StoredPivots* const by = description.filtered ? &*pivots : nullptr;
    return std::make_unique<PlannedSignatures<SignatureSearch>>(device, stored, bound, longest, description,
                                                                SignatureSearch(device, stored, by, description),
                                                                results_of(description));
  }
  std::unique_ptr<SignaturePlan> plan_distances(const SignatureSearchDescription& description, std::uint32_t longest) {
    const std::uint64_t stride = distance_stride(stored);
    SearchRequirements results;
    results.distances = {description.queries * stride * 4, 16, search::by_kernels};
    return std::make_unique<PlannedSignatures<AllDistances>>(
        device, stored, bound, longest, description, AllDistances(device, stored, description), results, stride);
  }
};

SignatureIndex::SignatureIndex(Device& device, const Signatures& signatures, const SignatureIndexOptions& options,
                               const Progress& progress) {
  search::require_range("scratch limit", options.scratch_limit, std::uint64_t{1} << 20, UINT64_MAX);
  search::require_enumerator("method", options.method, SignatureMethod::filtered);
  search::require_enumerator("similarity", options.similarity.kind, Similarity::heuristic);
  search::require_enumerator("timing", options.timing, Timing::passes);
  search::require_range("signatures", signatures.size(), 1, search::most_rows);
  constexpr std::uint64_t most_filtered = std::uint64_t{1} << 26;
  if (options.method == SignatureMethod::filtered &&
      (options.similarity.kind != Similarity::gaussian || signatures.size() > most_filtered))
    throw Error(ErrorCode::unsupported, "method",
                fmt::format("filtered serves the gaussian similarity and at most {} signatures", most_filtered));
  session::Told told(progress, signatures.size());
  implementation_ = std::make_unique<Implementation>(device, signatures, options);
  if (options.method == SignatureMethod::filtered) Implementation::choose_pivots(*this, signatures);
  told.reached(signatures.size());
}

void SignatureIndex::Implementation::choose_pivots(SignatureIndex& index, const Signatures& signatures) {
  Implementation& self = *index.implementation_;
  const session::Stopwatch choosing;
  // Pivots, and of more signatures than that some to try them on.
  constexpr std::uint64_t seed = 2011, tried = fewest_filtered, usual_k = 10;
  const std::vector<std::uint32_t> numbers =
      permutation::random_sample(signatures.size(), passes::signature_pivots + tried, seed);
  const std::vector<std::uint32_t> pivots(
      numbers.begin(), numbers.begin() + std::min<std::ptrdiff_t>(std::ssize(numbers), passes::signature_pivots));
  self.pivots.emplace(self.device, signatures, self.options.similarity, pivots,
                      index.distances(picked(signatures, pivots)).values);
  if (signatures.size() >= worth_trying) {
    const SearchReport trial =
        index.search(picked(signatures, {numbers.begin() + passes::signature_pivots, numbers.end()}), usual_k).report;
    // Pairs by lists cost more than the whole row does by groups.
    self.pivots_pay = trial.compared < tried * signatures.size() / 4;
    self.session.forget();
  }
  self.build_milliseconds += choosing.milliseconds();
}
SignatureIndex::~SignatureIndex() = default;
SignatureIndex::SignatureIndex(SignatureIndex&&) noexcept = default;
SignatureIndex& SignatureIndex::operator=(SignatureIndex&&) noexcept = default;

Neighbors SignatureIndex::search(const Signatures& queries, std::uint64_t k, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  search::require_range("k", k, 1, search::most_rows);
  SignatureSearchDescription wanted = self.wanted(queries, k);
  wanted.k = k;
  return self.session.nearest(self.call(queries, 2 * k, {wanted}), k, self.pace, progress);
}

RangeNeighbors SignatureIndex::range_search(const Signatures& queries, float radius, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  search::require_radius(radius);
  SignatureSearchDescription wanted = self.wanted(queries, 0);
  wanted.radius = radius;
  return self.session.within(self.call(queries, session::matches_at_first, {wanted}), self.stored.count, self.pace,
                             progress);
}

Distances SignatureIndex::distances(const Signatures& queries, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  auto call = self.call(queries, self.stored.count, {{}, true});
  call.work.most = std::min<std::uint64_t>(call.work.most, largest_grid_extent);
  return self.session.all_distances(call, self.stored.count, distance_stride(self.stored), self.pace, progress);
}

std::unique_ptr<SignaturePlan> SignatureIndex::plan(std::uint32_t queries, std::uint32_t longest_query,
                                                    std::uint64_t k) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  search::require_range("k", k, 1, search::most_rows);
  SignatureSearchDescription wanted = self.planned(self.chosen(queries, k), queries, longest_query);
  wanted.k = k;
  return self.plan(wanted, longest_query);
}

std::unique_ptr<SignaturePlan> SignatureIndex::plan_range(std::uint32_t queries, std::uint32_t longest_query,
                                                          float radius) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  search::require_radius(radius);
  SignatureSearchDescription wanted = self.planned(self.chosen(queries, 0), queries, longest_query);
  wanted.radius = radius;
  return self.plan(wanted, longest_query);
}

std::unique_ptr<SignaturePlan> SignatureIndex::plan_distances(std::uint32_t queries, std::uint32_t longest_query) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  return self.plan_distances(self.planned({}, queries, longest_query), longest_query);
}

std::uint64_t SignatureIndex::size() const { return implementation_->stored.count; }
std::uint32_t SignatureIndex::dimensions() const { return implementation_->stored.dimensions; }
const SimilarityFunction& SignatureIndex::similarity() const { return implementation_->stored.function; }
double SignatureIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
