#include "proxel/vector_permutation.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "in_use.hpp"
#include "index/upload.hpp"
#include "permutation/permutants.hpp"
#include "permutation/permutation_search.hpp"
#include "permutation/smallest_fraction.hpp"
#include "permutation/vector_candidates.hpp"
#include "search/bindings.hpp"
#include "session/queries_at_once.hpp"
#include "session/session.hpp"
#include "session/told.hpp"

namespace proxel {

using namespace permutation;

namespace {

// Rows of a sample that are kept for choose_fraction().
constexpr std::uint64_t usual_sample = 500;
// A submission with more would not end before a driver loses patience.
constexpr std::uint64_t pairs_at_once = std::uint64_t{1} << 32;

void check(const MatrixView<float>& database, Metric metric, const PermutationOptions& options) {
  if (!database.data && database.rows != 0) throw Error(ErrorCode::invalid_argument, "database", "is a null pointer");
  SearchDescription description;
  description.metric = metric;
  description.rows = database.rows;
  description.dimensions = static_cast<std::uint32_t>(std::min<std::uint64_t>(database.columns, UINT32_MAX));
  description.queries = 1;
  description.scratch_limit = options.scratch_limit;
  search::check(description);
}

Matrix<float> rows_at(const MatrixView<float>& database, const std::vector<std::uint32_t>& places) {
  Matrix<float> rows(places.size(), database.columns);
  for (std::size_t i = 0; i < places.size(); ++i)
    index::copy_rows(database.slice(places[i], 1), rows.data() + i * database.columns);
  return rows;
}

class PlannedVectors final : public Plan {
 public:
  PlannedVectors(Device& device, const StoredVectorPermutations& stored, const VectorSearchDescription& wanted)
      : device_(device),
        stored_(stored),
        wanted_(wanted),
        search_(device, stored.permutations, permutation_part(wanted), make_vector_candidates(device, stored, wanted)) {
  }

  SearchRequirements requirements() const override {
    if (!wanted_.radius) {
      auto description = seen<SearchDescription>();
      description.k = wanted_.k;
      return requirements_of(description, search_.scratch_bytes());
    }
    auto description = seen<RangeDescription>();
    description.radius = *wanted_.radius;
    return requirements_of(description, search_.scratch_bytes());
  }
  PlanInfo info() const override { return {"permutations", 0}; }
  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    search::require_whole(part);
    search::Bindings bindings(recording, device_);
    search::check(bindings, requirements(), buffers);
    search_.record(recording,
                   {{buffers.queries, {}}, {buffers.scratch, buffers.indices, buffers.distances, buffers.offsets}});
  }

 private:
  // As its caller sees it. @tparam Description  of a search or a range search
  template <typename Description>
  Description seen() const {
    Description description;
    description.metric = stored_.vectors.metric();
    description.rows = stored_.vectors.rows();
    description.dimensions = stored_.vectors.dimensions();
    description.queries = wanted_.queries;
    return description;
  }

  const Device& device_;
  const StoredVectorPermutations& stored_;
  VectorSearchDescription wanted_;
  PermutationSearch search_;
};

}  // namespace

struct VectorPermutationIndex::Implementation {
  InUse in_use;
  Device& device;
  PermutationOptions options;
  session::Stopwatch building;
  std::vector<std::uint32_t> permutants;
  std::vector<std::uint32_t> sample_places;
  Matrix<float> sample;
  StoredVectorPermutations stored;
  double build_milliseconds;
  session::Pace pace{device};
  struct Shape {
    VectorSearchDescription wanted;
    bool serves(const Shape& other) const { return wanted == other.wanted; }
  };
  session::Session<Shape> session;

  Implementation(Device& of, const MatrixView<float>& database, Metric metric, const PermutationOptions& wanted,
                 const Progress& progress)
      : device(of),
        options(wanted),
        permutants(choose_permutants(wanted, database.rows)),
        sample_places(random_sample(database.rows, usual_sample, wanted.seed + 1)),
        sample(rows_at(database, sample_places)),
        stored(of, database, metric, permutants, wanted, progress),
        build_milliseconds(building.milliseconds()),
        session(of, wanted.timing) {}

  VectorSearchDescription describe(std::uint64_t k, double fraction) const {
    return permutation::describe<VectorSearchDescription>(options, stored.vectors.rows(), k, fraction);
  }
  VectorSearchDescription describe_range(float radius, double fraction) const {
    return permutation::describe_range<VectorSearchDescription>(options, stored.vectors.rows(), radius, fraction);
  }

  // Checks the queries.
  // @param slots  words of results per query
  session::Call<Shape> call(const MatrixView<float>& queries, std::uint64_t slots,
                            const VectorSearchDescription& wanted) const {
    const std::uint32_t dimensions = stored.vectors.dimensions();
    if (queries.rows != 0 && queries.columns != dimensions)
      throw Error(ErrorCode::invalid_argument, "queries",
                  fmt::format("have {} dimensions, the database has {}", queries.columns, dimensions));
    if (queries.rows != 0 && !queries.data) throw Error(ErrorCode::invalid_argument, "queries", "is a null pointer");
    session::Call<Shape> call;
    call.work.queries = queries.rows;
    call.work.most = std::min(session::queries_at_once((dimensions + slots + 1) * 4),
                              std::max<std::uint64_t>(pairs_at_once / stored.vectors.rows(), 1));
    call.work.per_query = static_cast<double>(stored.vectors.rows()) * stored.permutations.permutants +
                          static_cast<double>(wanted.candidates) * dimensions;
    call.shape = [wanted](std::uint64_t, std::uint64_t count) {
      Shape shape{wanted};
      shape.wanted.queries = static_cast<std::uint32_t>(count);
      return shape;
    };
    call.plan = [this](const Shape& shape, const session::Prepare& prepare) { prepare(plan(shape.wanted), {}); };
    call.encode = [queries](session::Round& round, const Shape&, std::uint64_t first, std::uint64_t count) {
      index::copy_rows(queries.slice(first, count), static_cast<float*>(round.queries()));
    };
    call.answered = [candidates = wanted.candidates](const session::Round&, std::uint64_t count, SearchReport& report) {
      report.evaluated = report.compared += count * candidates;
    };
    return call;
  }
  std::unique_ptr<Plan> plan(const VectorSearchDescription& wanted) const {
    return std::make_unique<PlannedVectors>(device, stored, wanted);
  }
};

VectorPermutationIndex::VectorPermutationIndex(Device& device, MatrixView<float> database, Metric metric,
                                               const PermutationOptions& options, const Progress& progress) {
  check(database, metric, options);
  session::Told told(progress, 2 * database.rows);
  implementation_ = std::make_unique<Implementation>(device, database, metric, options, told.as_progress());
}
VectorPermutationIndex::~VectorPermutationIndex() = default;
VectorPermutationIndex::VectorPermutationIndex(VectorPermutationIndex&&) noexcept = default;
VectorPermutationIndex& VectorPermutationIndex::operator=(VectorPermutationIndex&&) noexcept = default;

Neighbors VectorPermutationIndex::search(MatrixView<float> queries, std::uint64_t k, double fraction,
                                         const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  search::require_range("k", k, 1, search::most_k);
  Implementation& self = *implementation_;
  return self.session.nearest(self.call(queries, 2 * k, self.describe(k, fraction)), k, self.pace, progress);
}

RangeNeighbors VectorPermutationIndex::range_search(MatrixView<float> queries, float radius, double fraction,
                                                    const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  search::require_radius(radius);
  Implementation& self = *implementation_;
  const VectorSearchDescription wanted = self.describe_range(radius, fraction);
  return self.session.within(self.call(queries, session::matches_at_first, wanted), wanted.candidates, self.pace,
                             progress);
}

std::unique_ptr<Plan> VectorPermutationIndex::plan(std::uint32_t queries, std::uint64_t k, double fraction) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  search::require_range("queries", queries, 1, UINT32_MAX);
  search::require_range("k", k, 1, search::most_k);
  VectorSearchDescription wanted = implementation_->describe(k, fraction);
  wanted.queries = queries;
  return implementation_->plan(wanted);
}

std::unique_ptr<Plan> VectorPermutationIndex::plan_range(std::uint32_t queries, float radius, double fraction) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  search::require_range("queries", queries, 1, UINT32_MAX);
  search::require_radius(radius);
  VectorSearchDescription wanted = implementation_->describe_range(radius, fraction);
  wanted.queries = queries;
  return implementation_->plan(wanted);
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
  return smallest_fraction_of_nearest(recall, k, asked, progress, [&](std::uint64_t neighbors, double fraction) {
    return search(sample, neighbors, fraction);
  });
}

std::uint64_t VectorPermutationIndex::candidates(std::uint64_t k, double fraction) const {
  return candidate_count(size(), k, fraction);
}
std::uint64_t VectorPermutationIndex::size() const { return implementation_->stored.vectors.rows(); }
std::uint32_t VectorPermutationIndex::dimensions() const { return implementation_->stored.vectors.dimensions(); }
Metric VectorPermutationIndex::metric() const { return implementation_->stored.vectors.metric(); }
std::span<const std::uint32_t> VectorPermutationIndex::permutants() const { return implementation_->permutants; }
double VectorPermutationIndex::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
