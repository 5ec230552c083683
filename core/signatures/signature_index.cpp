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
#include "session/queries_at_once.hpp"
#include "session/session.hpp"
#include "signatures/planned_signatures.hpp"
#include "signatures/screen_bound.hpp"

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

// Similarities of one submission, so that it ends before a driver loses patience.
constexpr std::uint64_t pairs_at_once = std::uint64_t{1} << 34;

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

  struct Shape {
    SignatureSearchDescription description;
    bool all_distances = false;

    bool serves(const Shape& wanted) const {
      SignatureSearchDescription with_places = wanted.description;
      with_places.places = description.places;
      return with_places == description && wanted.description.places <= description.places &&
             all_distances == wanted.all_distances;
    }
  };
  session::Session<Shape> session;

  Implementation(Device& of, const Signatures& signatures, const SignatureIndexOptions& chosen)
      : device(of),
        options(chosen),
        stored(of, signatures, chosen.similarity),
        bound(signatures, chosen.similarity),
        build_milliseconds(building.milliseconds()),
        session(of, chosen.timing) {}

  // Completes an index, which it searches.
  static void choose_pivots(SignatureIndex& index, const Signatures& signatures);

  // Checks the queries.
  // @param slots  words of results per query
  // @param wanted  but for what a block says
  session::Call<Shape> call(const Signatures& queries, std::uint64_t slots, const Shape& wanted) {
    const std::uint64_t longest = std::max<std::uint64_t>(queries.longest(), 1);
    session::Call<Shape> call;
    call.work.queries = queries.size();
    call.work.most = std::min(session::queries_at_once((longest * (stored.dimensions + 1) + slots + 8) * 4),
                              std::max<std::uint64_t>(pairs_at_once / stored.centroids / longest, 1));
    call.work.per_query = static_cast<double>(stored.centroids) * stored.dimensions * static_cast<double>(longest);
    call.shape = [&queries, wanted](std::uint64_t first, std::uint64_t count) {
      Shape shape = wanted;
      shape.description.queries = static_cast<std::uint32_t>(count);
      shape.description.places = SignaturePlaces(queries, first, count, query_alignment).places;
      return shape;
    };
    call.plan = [this](const Shape& shape, const session::Prepare& prepare) {
      const auto longest_allowed = static_cast<std::uint32_t>(Signatures::largest_length);
      prepare(shape.all_distances ? plan_distances(shape.description, longest_allowed)
                                  : plan(shape.description, longest_allowed),
              {});
    };
    call.encode = [this, &queries](session::Round& round, const Shape& shape, std::uint64_t first, std::uint64_t) {
      pack_queries(queries, first, shape.description, stored, bound, static_cast<std::byte*>(round.queries()));
    };
    call.answered = [](const session::Round& round, std::uint64_t, SearchReport& report) {
      const auto& plan = static_cast<const SignaturePlan&>(round.plan());
      report.evaluated += plan.evaluated();
      report.compared += plan.compared();
    };
    return call;
  }

  void check(const Signatures& queries) const {
    if (queries.dimensions() != stored.dimensions)
      throw Error(
          ErrorCode::invalid_argument, "queries",
          fmt::format("have {} dimensions, the signatures of the index {}", queries.dimensions(), stored.dimensions));
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
    SignatureSearchDescription description = chosen(queries.size(), near);
    if (description.screened && !bound.serves(queries)) description.screened = description.filtered = false;
    return description;
  }

  // Describes a search that the caller records, whose queries are expected to weigh what is in the index.
  SignatureSearchDescription planned(SignatureSearchDescription description, std::uint32_t queries,
                                     std::uint32_t longest) const {
    search::require_range("queries", queries, 1, UINT32_MAX);
    search::require_range("query length", longest, 1, Signatures::largest_length);
    if (!bound.serves_own()) description.screened = description.filtered = false;
    description.queries = queries;
    description.places = SignaturePlaces::most(queries, longest, query_alignment);
    return description;
  }
  std::unique_ptr<SignaturePlan> plan(const SignatureSearchDescription& description, std::uint32_t longest) {
    SearchRequirements results;
    if (description.radius) {
      results.indices = results.distances = search::elements_requirement(1);
      results.offsets = search::offsets_requirement(description.queries);
    } else {
      results.indices = results.distances = search::elements_requirement(description.queries * description.k);
    }
    const StoredPivots* const by = description.filtered ? &*pivots : nullptr;
    return std::make_unique<PlannedSignatures<SignatureSearch>>(
        device, stored, bound, longest, description, SignatureSearch(device, stored, by, description), results);
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
  self.check(queries);
  SignatureSearchDescription wanted = self.wanted(queries, k);
  wanted.k = k;
  return self.session.nearest(self.call(queries, 2 * k, {wanted}), k, self.pace, progress);
}

RangeNeighbors SignatureIndex::range_search(const Signatures& queries, float radius, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  search::require_radius(radius);
  self.check(queries);
  SignatureSearchDescription wanted = self.wanted(queries, 0);
  wanted.radius = radius;
  return self.session.within(self.call(queries, session::matches_at_first, {wanted}), self.stored.count, self.pace,
                             progress);
}

Distances SignatureIndex::distances(const Signatures& queries, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  self.check(queries);
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
