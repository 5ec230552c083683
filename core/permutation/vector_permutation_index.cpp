#include "proxel/vector_permutation.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "in_use.hpp"
#include "index/answer_block.hpp"
#include "index/each_block.hpp"
#include "index/queries_at_once.hpp"
#include "index/stopwatch.hpp"
#include "index/upload.hpp"
#include "permutation/permutants.hpp"
#include "permutation/permutation_search.hpp"
#include "permutation/smallest_fraction.hpp"
#include "permutation/vector_candidates.hpp"
#include "search/bindings.hpp"

namespace proxel {

using namespace permutation;

namespace {

// Rows of a sample that are kept for choose_fraction().
constexpr std::uint64_t usual_sample = 500;
// Of one submission, so that it ends before a driver loses patience.
constexpr std::uint64_t pairs_at_once = std::uint64_t{1} << 32;

void check(const MatrixView<float>& database, Metric metric, const PermutationOptions& options) {
  if (!database.data && database.rows != 0)
    throw Error(ErrorCode::invalid_argument, "database", "is a null pointer");
  SearchDescription description;
  description.metric = metric;
  description.rows = database.rows;
  description.dimensions = static_cast<std::uint32_t>(std::min<std::uint64_t>(database.columns, UINT32_MAX));
  description.queries = 1;
  description.scratch_limit = options.strings.scratch_limit;
  search::check(description);
}

Matrix<float> rows_at(const MatrixView<float>& database, const std::vector<std::uint32_t>& places) {
  Matrix<float> rows(places.size(), database.columns);
  for (std::size_t i = 0; i < places.size(); ++i)
    index::copy_rows(database.slice(places[i], 1), rows.data() + i * database.columns);
  return rows;
}

// A search of one shape, and queries on their way to it.
class PreparedVectors {
 public:
  PreparedVectors(Device& device, const StoredVectorPermutations& stored,
                  const VectorSearchDescription& description, std::uint64_t matches, Timing timing)
      : description_(description),
        search_(device, stored.permutations, permutation_part(description),
                make_vector_candidates(device, stored, description)),
        incoming_(device.create_buffer(
            std::uint64_t{description.queries} * stored.vectors.dimensions() * 4, MemoryKind::upload)),
        queries_(device.create_buffer(incoming_->bytes(), MemoryKind::device)),
        block_(device, {description.queries, description.k, description.radius}, matches,
               search_.scratch_bytes(), timing,
               [&](Recording& recording, const search::AnswerBuffers& answers) {
                 // Every workgroup reads the queries, so they move next to the rows first.
                 recording.copy(*incoming_, *queries_);
                 recording.barrier();
                 search_.record(recording, {{*queries_, {}}, answers});
               }) {}

  const VectorSearchDescription& description() const { return description_; }
  std::uint64_t slots() const { return block_.slots(); }

  template <typename... To>
  auto run(const MatrixView<float>& queries, SearchTimes& times, To&&... to) {
    const index::Stopwatch uploading;
    index::copy_rows(queries, static_cast<float*>(incoming_->mapped()));
    times.upload_milliseconds += uploading.milliseconds();
    return block_.run(std::forward<To>(to)..., times);
  }

 private:
  VectorSearchDescription description_;
  PermutationSearch search_;
  std::unique_ptr<Buffer> incoming_, queries_;
  index::AnswerBlock block_;
};

// A search that the caller records.
class PlannedVectors final : public PlannedSearch {
 public:
  PlannedVectors(Device& device, const StoredVectorPermutations& stored, const SearchDescription& description,
                 const VectorSearchDescription& wanted)
      : PlannedSearch(description), device_(device),
        search_(device, stored.permutations, permutation_part(wanted), make_vector_candidates(device, stored, wanted)) {}

  std::uint64_t scratch_bytes() const override { return search_.scratch_bytes(); }
  void record(Recording& recording, const SearchBuffers& buffers) const override {
    search::Bindings bindings(recording, device_);
    search::check(bindings, description(), buffers, scratch_bytes());
    search_.record(recording,
                   {{buffers.queries, {}}, {buffers.scratch, buffers.indices, buffers.distances, {}}});
  }

 private:
  const Device& device_;
  PermutationSearch search_;
};

// The same within a radius.
class PlannedVectorRange final : public PlannedRangeSearch {
 public:
  PlannedVectorRange(Device& device, const StoredVectorPermutations& stored, const RangeDescription& description,
                     const VectorSearchDescription& wanted)
      : PlannedRangeSearch(description), device_(device),
        search_(device, stored.permutations, permutation_part(wanted), make_vector_candidates(device, stored, wanted)) {}

  std::uint64_t scratch_bytes() const override { return search_.scratch_bytes(); }
  void record(Recording& recording, const RangeBuffers& buffers) const override {
    search::Bindings bindings(recording, device_);
    search::check(bindings, description(), buffers, scratch_bytes(), true);
    search_.record(recording, {{buffers.queries, {}},
                               {buffers.scratch, buffers.indices, buffers.distances, buffers.offsets}});
  }

 private:
  const Device& device_;
  PermutationSearch search_;
};

}  // namespace

struct VectorPermutationIndex::Implementation {
  InUse in_use;
  Device& device;
  PermutationOptions options;
  index::Stopwatch building;
  std::vector<std::uint32_t> permutants;
  std::vector<std::uint32_t> sample_places;
  Matrix<float> sample;
  StoredVectorPermutations stored;
  double build_milliseconds;
  SearchTimes times;
  index::MatchBlocks matches;
  index::Pace pace{device};
  // What the latest search used, kept for the next of the same shape.
  std::optional<PreparedVectors> prepared;

  Implementation(Device& of, const MatrixView<float>& database, Metric metric,
                 const PermutationOptions& wanted, const Progress& progress)
      : device(of), options(wanted), permutants(choose_permutants(wanted, database.rows)),
        sample_places(random_sample(database.rows, usual_sample, wanted.seed + 1)),
        sample(rows_at(database, sample_places)),
        stored(of, database, metric, permutants, wanted, progress),
        build_milliseconds(building.milliseconds()) {}

  // @param k  that candidates are at least; 1 within a radius
  VectorSearchDescription describe(std::uint64_t k, double fraction) const {
    VectorSearchDescription wanted;
    wanted.k = k;
    wanted.candidates = candidate_count(stored.vectors.rows(), k, fraction);
    wanted.selection = options.selection;
    wanted.scratch_limit = options.strings.scratch_limit;
    return wanted;
  }
  VectorSearchDescription describe_range(float radius, double fraction) const {
    VectorSearchDescription wanted = describe(1, fraction);
    wanted.radius = radius;
    return wanted;
  }
  // What the caller of a plan sees. @tparam Description  of a search or a range search
  template <typename Description>
  Description seen(std::uint32_t queries) const {
    Description description;
    description.metric = stored.vectors.metric();
    description.rows = stored.vectors.rows();
    description.dimensions = stored.vectors.dimensions();
    description.queries = queries;
    description.scratch_limit = options.strings.scratch_limit;
    return description;
  }

  // Checks the queries; returns how many are searched at once.
  // @param slots  words of results per query
  std::uint64_t begin(const MatrixView<float>& queries, std::uint64_t slots) {
    const std::uint32_t dimensions = stored.vectors.dimensions();
    if (queries.rows != 0 && queries.columns != dimensions)
      throw Error(ErrorCode::invalid_argument, "queries",
                  fmt::format("have {} dimensions, the database has {}", queries.columns, dimensions));
    if (queries.rows != 0 && !queries.data)
      throw Error(ErrorCode::invalid_argument, "queries", "is a null pointer");
    times = {};
    return std::min(index::queries_at_once((dimensions + slots + 1) * 4),
                    std::max<std::uint64_t>(pairs_at_once / stored.vectors.rows(), 1));
  }

  template <typename Run>
  void each_block(std::uint64_t queries, std::uint64_t most, std::uint64_t candidates, const Progress& progress,
                  const Run& run) {
    const double per_query = static_cast<double>(stored.vectors.rows()) * stored.permutations.permutants +
                             static_cast<double>(candidates) * stored.vectors.dimensions();
    index::each_block({queries, most, per_query}, pace, progress, times, run, [&] { prepared.reset(); });
  }

  PreparedVectors& prepare(const VectorSearchDescription& wanted, std::uint64_t slots) {
    if (prepared && prepared->description() == wanted && prepared->slots() >= slots) return *prepared;
    prepared.reset();  // its memory may be what the next needs
    return prepared.emplace(device, stored, wanted, slots, options.strings.timing);
  }
};

VectorPermutationIndex::VectorPermutationIndex(Device& device, MatrixView<float> database, Metric metric,
                                               const PermutationOptions& options, const Progress& progress) {
  check(database, metric, options);
  index::Told told(progress, 2 * database.rows);
  implementation_ = std::make_unique<Implementation>(device, database, metric, options, told.as_progress());
}
VectorPermutationIndex::~VectorPermutationIndex() = default;
VectorPermutationIndex::VectorPermutationIndex(VectorPermutationIndex&&) noexcept = default;
VectorPermutationIndex& VectorPermutationIndex::operator=(VectorPermutationIndex&&) noexcept = default;

Neighbors VectorPermutationIndex::search(MatrixView<float> queries, std::uint64_t k, double fraction,
                                         const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const index::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  VectorSearchDescription wanted = self.describe(k, fraction);
  Neighbors found = index::neighbors_room(queries.rows, k);
  const std::uint64_t block = self.begin(queries, 2 * k);
  self.each_block(queries.rows, block, wanted.candidates, progress, [&](std::uint64_t first, std::uint64_t count) {
    wanted.queries = static_cast<std::uint32_t>(count);
    self.prepare(wanted, 0).run(queries.slice(first, count), self.times, found.indices.data() + first * k,
                                found.distances.data() + first * k);
  });
  self.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

RangeNeighbors VectorPermutationIndex::range_search(MatrixView<float> queries, float radius, double fraction,
                                                    const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const index::Stopwatch stopwatch;
  search::require_radius(radius);
  Implementation& self = *implementation_;
  const VectorSearchDescription wanted = self.describe_range(radius, fraction);
  const std::uint64_t block = self.begin(queries, index::MatchBlocks::usual_matches);
  RangeNeighbors found;
  found.offsets.push_back(0);
  self.each_block(queries.rows, block, wanted.candidates, progress, [&](std::uint64_t first, std::uint64_t count) {
    self.matches.answer(first, count, wanted.candidates,
                        [&](std::uint64_t from, std::uint64_t some, std::uint64_t slots) {
                          VectorSearchDescription of_block = wanted;
                          of_block.queries = static_cast<std::uint32_t>(some);
                          return self.prepare(of_block, slots).run(queries.slice(from, some), self.times, found);
                        });
  });
  self.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

std::unique_ptr<PlannedSearch> VectorPermutationIndex::plan(std::uint32_t queries, std::uint64_t k,
                                                            double fraction) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const Implementation& self = *implementation_;
  auto description = self.seen<SearchDescription>(queries);
  description.k = k;
  search::check(description);
  VectorSearchDescription wanted = self.describe(k, fraction);
  wanted.queries = queries;
  return std::make_unique<PlannedVectors>(self.device, self.stored, description, wanted);
}

std::unique_ptr<PlannedRangeSearch> VectorPermutationIndex::plan_range(std::uint32_t queries, float radius,
                                                                       double fraction) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const Implementation& self = *implementation_;
  auto description = self.seen<RangeDescription>(queries);
  description.radius = radius;
  search::check(description);
  VectorSearchDescription wanted = self.describe_range(radius, fraction);
  wanted.queries = queries;
  return std::make_unique<PlannedVectorRange>(self.device, self.stored, description, wanted);
}

FractionChoice VectorPermutationIndex::choose_fraction(double recall, std::uint64_t k, MatrixView<float> queries,
                                                       const Progress& progress) {
  check_recall(recall);
  search::require_range("k", k, 1, search::most_rows - 1);
  Implementation& self = *implementation_;
  const bool leaves_out = queries.rows == 0;
  const MatrixView<float> sample = leaves_out ? self.sample.view() : queries;
  NearestSample asked{size(), sample.rows, {}, largest_first(metric())};
  if (leaves_out) asked.held_out = self.sample_places;
  return smallest_fraction_of_nearest(
      recall, k, asked, progress,
      [&](std::uint64_t neighbors, double fraction) { return search(sample, neighbors, fraction); });
}

std::uint64_t VectorPermutationIndex::candidates(std::uint64_t k, double fraction) const {
  return candidate_count(size(), k, fraction);
}
std::uint64_t VectorPermutationIndex::size() const { return implementation_->stored.vectors.rows(); }
std::uint32_t VectorPermutationIndex::dimensions() const { return implementation_->stored.vectors.dimensions(); }
Metric VectorPermutationIndex::metric() const { return implementation_->stored.vectors.metric(); }
std::span<const std::uint32_t> VectorPermutationIndex::permutants() const { return implementation_->permutants; }
const SearchTimes& VectorPermutationIndex::times() const { return implementation_->times; }
double VectorPermutationIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
