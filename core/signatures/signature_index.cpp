#include "proxel/signature_index.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "in_use.hpp"
#include "index/each_block.hpp"
#include "index/queries_at_once.hpp"
#include "index/run_once.hpp"
#include "permutation/permutants.hpp"
#include "proxel/error.hpp"
#include "search/check.hpp"
#include "signatures/planned_signatures.hpp"
#include "signatures/prepared_signatures.hpp"
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

// Of a filtered search: fewer queries are screened without, and pivots of fewer signatures are not tried.
constexpr std::uint64_t fewest_filtered = 16, worth_trying = 4096;

// Similarities of one submission, so that it ends before a driver loses patience.
constexpr std::uint64_t pairs_at_once = std::uint64_t{1} << 34;

}  // namespace

std::string_view to_string(Similarity similarity) {
  switch (similarity) {
    case Similarity::gaussian: return "gaussian";
    case Similarity::minus: return "minus";
    case Similarity::heuristic: return "heuristic";
  }
  return "unknown";
}

Similarity similarity_from_string(std::string_view name) {
  return named("similarity", std::array{Similarity::gaussian, Similarity::minus, Similarity::heuristic}, name);
}

std::string_view to_string(SignatureMethod method) {
  switch (method) {
    case SignatureMethod::automatic: return "auto";
    case SignatureMethod::canonical: return "canonical";
    case SignatureMethod::screened: return "screened";
    case SignatureMethod::filtered: return "filtered";
  }
  return "unknown";
}

SignatureMethod signature_method_from_string(std::string_view name) {
  return named("method",
               std::array{SignatureMethod::automatic, SignatureMethod::canonical, SignatureMethod::screened,
                          SignatureMethod::filtered}, name);
}

struct SignatureIndex::Implementation {
  InUse in_use;
  Device& device;
  SignatureIndexOptions options;
  index::Stopwatch building;
  StoredSignatures stored;
  ScreenBound bound;
  double build_milliseconds;
  SignatureMethod method = SignatureMethod::canonical;
  SearchTimes times;
  std::uint64_t evaluated = 0;
  index::MatchBlocks matches;
  std::optional<StoredPivots> pivots;
  bool pivots_pay = true;
  std::uint64_t compared = 0;
  std::optional<PreparedSignatures> prepared;
  index::Pace pace{device};

  Implementation(Device& of, const Signatures& signatures, const SignatureIndexOptions& chosen)
      : device(of), options(chosen), stored(of, signatures, chosen.similarity), bound(signatures, chosen.similarity),
        build_milliseconds(building.milliseconds()) {}

  // Checks the queries; returns how many are searched at once.
  // @param slots  words of results per query
  std::uint64_t begin(const Signatures& queries, std::uint64_t slots) {
    if (queries.dimensions() != stored.dimensions)
      throw Error(ErrorCode::invalid_argument, "queries",
                  fmt::format("have {} dimensions, the signatures of the index {}", queries.dimensions(),
                              stored.dimensions));
    times = {};
    evaluated = compared = 0;
    const std::uint64_t longest = std::max<std::uint64_t>(queries.longest(), 1);
    return std::min(index::queries_at_once((longest * (stored.dimensions + 1) + slots + 8) * 4),
                    std::max<std::uint64_t>(pairs_at_once / stored.centroids / longest, 1));
  }

  // What answers so many queries. @param near  objects of an answer, about
  SignatureSearchDescription chosen(std::uint64_t queries, std::uint64_t near) const {
    SignatureSearchDescription description;
    description.scratch_limit = options.scratch_limit;
    // Where most objects are near, screening them first is for nothing.
    const bool worthwhile = options.method == SignatureMethod::screened ||
                            options.method == SignatureMethod::filtered || stored.count >= 64;
    description.screened =
        options.method != SignatureMethod::canonical && worthwhile && near < stored.count / 4 + 1;
    // A dozen dependent passes are longer than the screen of a few queries; few signatures take no time either way.
    description.filtered = description.screened && pivots && pivots_pay &&
                           (queries >= fewest_filtered || stored.count < worth_trying);
    return description;
  }

  SignatureSearchDescription wanted(const Signatures& queries, std::uint64_t near) {
    SignatureSearchDescription description = chosen(queries.size(), near);
    if (description.screened && !bound.serves(queries)) description.screened = description.filtered = false;
    answered_by(method_of(description), queries.size());
    return description;
  }

  void answered_by(SignatureMethod with, std::uint64_t queries) {
    method = with;
    times.rungs = {{std::string(to_string(method)), queries}};
  }

  // Of a search that the caller records, whose queries are expected to weigh what is in the index.
  SignatureSearchDescription planned(SignatureSearchDescription description, std::uint32_t queries,
                                     std::uint32_t longest) const {
    search::require_range("queries", queries, 1, UINT32_MAX);
    search::require_range("query length", longest, 1, Signatures::largest_length);
    if (!bound.serves_own()) description.screened = description.filtered = false;
    description.queries = queries;
    description.places = SignaturePlaces::most(queries, longest, query_alignment);
    return description;
  }
  template <typename Search>
  std::unique_ptr<PlannedSignatureSearch> plan(const SignatureSearchDescription& description, std::uint32_t longest,
                                               Search search, const SignatureRequirements& results,
                                               std::uint64_t distances_apart = 0) const {
    return std::make_unique<PlannedSignatures<Search>>(device, stored, bound, longest, description,
                                                       std::move(search), results, distances_apart);
  }
  const StoredPivots* pivots_of(const SignatureSearchDescription& description) const {
    return description.filtered ? &*pivots : nullptr;
  }

  template <typename Run>
  void each_block(const Signatures& queries, std::uint64_t most, const Progress& progress, const Run& run) {
    const double per_query = static_cast<double>(stored.centroids) * stored.dimensions *
                             static_cast<double>(std::max<std::uint64_t>(queries.longest(), 1));
    index::each_block({queries.size(), most, per_query}, pace, progress, times, run, [&] { prepared.reset(); });
  }

  // Has the queries of a block ready to be submitted.
  PreparedSignatures& prepare(const Signatures& queries, std::uint64_t first, std::uint64_t count,
                              SignatureSearchDescription description, std::uint64_t slots) {
    const index::Stopwatch uploading;
    description.queries = static_cast<std::uint32_t>(count);
    description.places = SignaturePlaces(queries, first, count, query_alignment).places;
    if (!prepared || !prepared->serves(description, slots)) {
      prepared.reset();  // its memory may be what the next needs
      prepared.emplace(device, stored, pivots_of(description), description, slots, options.timing);
    }
    prepared->queries().put(queries, first, bound);
    times.upload_milliseconds += uploading.milliseconds();
    return *prepared;
  }

  // Of the latest submission.
  void count(PreparedSignatures& of, const SignatureSearchDescription& description, std::uint64_t queries) {
    evaluated += of.queries().evaluated();
    compared += description.filtered ? of.queries().survivors() : queries * stored.count;
  }
};

SignatureIndex::SignatureIndex(Device& device, const Signatures& signatures,
                               const SignatureIndexOptions& options, const Progress& progress) {
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
  index::Told told(progress, signatures.size());
  implementation_ = std::make_unique<Implementation>(device, signatures, options);
  if (options.method == SignatureMethod::filtered) choose_pivots(signatures);
  told.reached(signatures.size());
}

void SignatureIndex::choose_pivots(const Signatures& signatures) {
  Implementation& self = *implementation_;
  const index::Stopwatch choosing;
  // Pivots, and of more signatures than that some to try them on.
  constexpr std::uint64_t seed = 2011, tried = fewest_filtered, usual_k = 10;
  const std::vector<std::uint32_t> numbers =
      permutation::random_sample(signatures.size(), passes::signature_pivots + tried, seed);
  const std::vector<std::uint32_t> pivots(
      numbers.begin(), numbers.begin() + std::min<std::ptrdiff_t>(std::ssize(numbers), passes::signature_pivots));
  self.pivots.emplace(self.device, signatures, self.options.similarity, pivots, distances(picked(signatures, pivots)));
  if (signatures.size() >= worth_trying) {
    search(picked(signatures, {numbers.begin() + passes::signature_pivots, numbers.end()}), usual_k);
    // Pairs by lists cost more than the whole row does by groups.
    self.pivots_pay = self.compared < tried * signatures.size() / 4;
    self.prepared.reset();
  }
  self.times = {};
  self.evaluated = self.compared = 0;
  self.build_milliseconds += choosing.milliseconds();
}
SignatureIndex::~SignatureIndex() = default;
SignatureIndex::SignatureIndex(SignatureIndex&&) noexcept = default;
SignatureIndex& SignatureIndex::operator=(SignatureIndex&&) noexcept = default;

Neighbors SignatureIndex::search(const Signatures& queries, std::uint64_t k, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  const index::Stopwatch stopwatch;
  Neighbors found = index::neighbors_room(queries.size(), k);
  const std::uint64_t block = self.begin(queries, 2 * k);
  SignatureSearchDescription wanted = self.wanted(queries, k);
  wanted.k = k;
  self.each_block(queries, block, progress, [&](std::uint64_t first, std::uint64_t count) {
    PreparedSignatures& prepared = self.prepare(queries, first, count, wanted, 0);
    prepared.block().run(found.indices.data() + first * k, found.distances.data() + first * k, self.times);
    self.count(prepared, wanted, count);
  });
  self.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

RangeNeighbors SignatureIndex::range_search(const Signatures& queries, float radius, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  const index::Stopwatch stopwatch;
  search::require_radius(radius);
  const std::uint64_t block = self.begin(queries, index::MatchBlocks::usual_matches);
  SignatureSearchDescription wanted = self.wanted(queries, 0);
  wanted.radius = radius;
  RangeNeighbors found;
  found.offsets.push_back(0);
  self.each_block(queries, block, progress, [&](std::uint64_t first, std::uint64_t count) {
    self.matches.answer(first, count, self.stored.count,
                        [&](std::uint64_t from, std::uint64_t some, std::uint64_t slots) {
                          PreparedSignatures& prepared = self.prepare(queries, from, some, wanted, slots);
                          const std::uint64_t matches = prepared.block().run(found, self.times);
                          self.count(prepared, wanted, some);
                          return matches;
                        });
  });
  self.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

Matrix<float> SignatureIndex::distances(const Signatures& queries, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  const index::Stopwatch stopwatch;
  const StoredSignatures& stored = self.stored;
  const std::uint64_t stride = distance_stride(stored);
  const std::uint64_t block = std::min<std::uint64_t>(self.begin(queries, stored.count), largest_grid_extent);
  Matrix<float> found(queries.size(), stored.count);
  self.answered_by(SignatureMethod::canonical, queries.size());
  self.each_block(queries, block, progress, [&](std::uint64_t first, std::uint64_t count) {
    const index::Stopwatch uploading;
    SignatureSearchDescription description;
    description.queries = static_cast<std::uint32_t>(count);
    description.places = SignaturePlaces(queries, first, count, query_alignment).places;
    const AllDistances search(self.device, stored, description);
    UploadedQueries uploaded(self.device, stored, description);
    uploaded.put(queries, first, self.bound);
    self.times.upload_milliseconds += uploading.milliseconds();
    const auto near = self.device.create_buffer(count * stride * 4, MemoryKind::device);
    const auto far = self.device.create_buffer(count * stride * 4, MemoryKind::readback);
    self.times.compute_milliseconds += index::run_once(self.device, [&](Recording& recording) {
      uploaded.record_begin(recording);
      search.record(recording, uploaded.near(), {{}, {}, *near, {}});
      recording.barrier();
      recording.copy(*near, *far);
      uploaded.record_end(recording);
    }, self.options.timing);
    for (std::uint64_t i = 0; i < count; ++i)
      std::memcpy(&found(first + i, 0), static_cast<const float*>(far->mapped()) + i * stride, stored.count * 4);
    self.evaluated += uploaded.evaluated();
    self.compared += count * stored.count;
  });
  self.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

std::unique_ptr<PlannedSignatureSearch> SignatureIndex::plan(std::uint32_t queries, std::uint32_t longest_query,
                                                             std::uint64_t k) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const Implementation& self = *implementation_;
  search::require_range("k", k, 1, search::most_k - 1);
  SignatureSearchDescription wanted = self.planned(self.chosen(queries, k), queries, longest_query);
  wanted.k = k;
  SignatureRequirements results;
  results.indices = results.distances = search::elements_requirement(queries * k);
  return self.plan(wanted, longest_query, SignatureSearch(self.device, self.stored, self.pivots_of(wanted), wanted),
                   results);
}

std::unique_ptr<PlannedSignatureSearch> SignatureIndex::plan_range(std::uint32_t queries, std::uint32_t longest_query,
                                                                   float radius) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const Implementation& self = *implementation_;
  search::require_radius(radius);
  SignatureSearchDescription wanted = self.planned(self.chosen(queries, 0), queries, longest_query);
  wanted.radius = radius;
  SignatureRequirements results;
  results.indices = results.distances = search::elements_requirement(1);
  results.offsets = search::offsets_requirement(queries);
  return self.plan(wanted, longest_query, SignatureSearch(self.device, self.stored, self.pivots_of(wanted), wanted),
                   results);
}

std::unique_ptr<PlannedSignatureSearch> SignatureIndex::plan_distances(std::uint32_t queries,
                                                                       std::uint32_t longest_query) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const Implementation& self = *implementation_;
  const SignatureSearchDescription wanted = self.planned({}, queries, longest_query);
  const std::uint64_t stride = distance_stride(self.stored);
  SignatureRequirements results;
  results.distances = {queries * stride * 4, 16, search::by_kernels};
  return self.plan(wanted, longest_query, AllDistances(self.device, self.stored, wanted), results, stride);
}

std::uint64_t SignatureIndex::size() const { return implementation_->stored.count; }
std::uint32_t SignatureIndex::dimensions() const { return implementation_->stored.dimensions; }
const SimilarityFunction& SignatureIndex::similarity() const { return implementation_->stored.function; }
SignatureMethod SignatureIndex::method() const { return implementation_->method; }
std::uint64_t SignatureIndex::evaluated() const { return implementation_->evaluated; }
std::uint64_t SignatureIndex::compared() const { return implementation_->compared; }
const SearchTimes& SignatureIndex::times() const { return implementation_->times; }
double SignatureIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
