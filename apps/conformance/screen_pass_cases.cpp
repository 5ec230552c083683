// Cases of the passes of a screened search, each run as one chain: frame, packed
// operands, sampled lower bounds, thresholds, collected rows, refinement, and the
// scan of what is left undecided. Every pass's output is held against what its
// header and docs/proofs/screened.md promise; the results against brute force.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "case.hpp"
#include "held_to_bits.hpp"
#include "layout.hpp"
#include "oracle.hpp"
#include "pass_script.hpp"
#include "proxel/passes/merge_undecided.h"
#include "proxel/passes/scan_undecided.h"
#include "proxel/passes/screen_bound.h"
#include "proxel/passes/screen_code_tiles.h"
#include "proxel/passes/screen_codes.h"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_mask.h"
#include "proxel/passes/screen_origin.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_refine.h"
#include "proxel/passes/screen_threshold.h"
#include "proxel/passes/screen_tiles.h"
#include "row_filter.hpp"
#include "screen_oracle.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint32_t tile = passes::tile_rows;

struct ScreenCase {
  std::uint32_t n, d, q, k;
  Metric metric = Metric::l2sq;
  Kind kind = Kind::uniform;
  passes::ScreenArithmetic arithmetic = passes::ScreenArithmetic::scalar;
  std::uint32_t workgroup_queries = 128;  // a device has kernels for one of the numbers
  bool split = false;
  std::uint32_t groups_per_tile = 64;
  std::uint32_t splits = 1;
  std::uint32_t capacity = 0;  // of one list; 0: every row fits
  Layout layout = Layout::tiles;
  std::uint32_t pool = passes::screen_most_collected;
  bool codes = false;                               // 8-bit codes, not halves
  std::uint32_t element = passes::element_float32;  // another: integers of that kind, not halves
  FilterChoice filter;                              // per query
  // How far the k-th nearest of each query lies is known, or of two in three; and then perhaps nothing else.
  enum class Known { none, some, all, alone } known = Known::none;

  bool integers() const { return element != passes::element_float32; }
  std::uint32_t origin() const { return element == passes::element_uint8 ? 128 : 0; }
  std::uint32_t depth() const { return split ? 3 * d : d; }
  std::uint32_t depth_blocks() const { return integers() ? passes::integer_blocks(d) : (depth() + 63) / 64; }
  std::uint32_t depth_steps() const { return integers() ? (d + 31) / 32 : (depth() + 15) / 16; }
  std::uint32_t list_capacity() const { return capacity != 0 ? capacity : tiles_of(n) * tile; }
  // Every other tile is sampled where enough groups remain.
  std::uint32_t tile_step() const { return (tiles_of(n) + 1) / 2 * groups_per_tile >= k ? 2 : 1; }
  std::uint32_t sampled_tiles() const { return (tiles_of(n) - 1) / tile_step() + 1; }
  std::uint32_t groups() const { return sampled_tiles() * groups_per_tile; }
  bool centred() const { return d % 2 == 0 || metric != Metric::ip; }
  std::string name() const {
    return fmt::format("pass/screen/{}{}/{}/n={},d={},q={},k={},groups={},splits={},capacity={},layout={}{}{}{}/{}",
                       element == passes::element_uint8  ? "uint8-"
                       : element == passes::element_int8 ? "int8-"
                                                         : "",
                       codes                                            ? "codes"
                       : arithmetic == passes::ScreenArithmetic::scalar ? "scalar"
                       : workgroup_queries == 128                       ? "matrix"
                                                                        : "matrix256",
                       to_string(metric), n, d, q, k, groups_per_tile, splits, capacity, to_string(layout),
                       split ? ",split" : "",
                       pool != passes::screen_most_collected ? fmt::format(",pool={}", pool) : "",
                       filter.name() + (known == Known::all     ? ",bounded"
                                        : known == Known::some  ? ",some bounded"
                                        : known == Known::alone ? ",some bounded alone"
                                                                : ""),
                       to_string(kind));
  }
};

void pack(PassScript& script, const ScreenCase& c, const passes::Rows& rows, std::uint64_t frame, bool queries,
          passes::ScreenPackParameters& parameters) {
  const std::uint32_t tiles = tiles_of(rows.count);
  parameters.rows = rows;
  parameters.frame = frame;
  parameters.packed = script.output(queries ? "packed queries" : "packed rows",
                                    std::uint64_t{tiles} * c.depth_blocks() * passes::screen_block_bytes);
  if (!queries) parameters.biases = script.output("biases", std::uint64_t{tiles} * tile * 4);
  parameters.bounds = script.output(queries ? "query bounds" : "row bounds",
                                    queries ? std::uint64_t{rows.count} * 32 : std::uint64_t{tiles} * 16);
  parameters.dimensions = c.d;
  parameters.depth_blocks = c.depth_blocks();
  // Several tiles are packed by two passes.
  const std::uint32_t first = tiles / 2;
  if (first != 0) script.add_pass(passes::make_screen_pack(parameters, c.metric, queries, c.split, first));
  parameters.first_tile = first;
  script.add_pass(passes::make_screen_pack(parameters, c.metric, queries, c.split, tiles - first));
}

// The same of 8-bit codes.
void encode(PassScript& script, const ScreenCase& c, const passes::Rows& rows, std::uint64_t frame, bool queries,
            passes::ScreenPackParameters& parameters) {
  const std::uint32_t tiles = tiles_of(rows.count), words = (c.d + 3) / 4;
  passes::ScreenCodesParameters codes{};
  codes.rows = rows;
  codes.frame = frame;
  codes.codes = parameters.packed = script.output(queries ? "packed queries" : "packed rows",
                                                  std::uint64_t{4} * words * (queries ? rows.count : tiles * tile));
  if (!queries) codes.biases = parameters.biases = script.output("biases", std::uint64_t{tiles} * tile * 4);
  codes.bounds = parameters.bounds = script.output(
      queries ? "query bounds" : "row bounds", queries ? std::uint64_t{rows.count} * 32 : std::uint64_t{tiles} * 16);
  codes.dimensions = c.d;
  // Several tiles are encoded by two passes.
  const std::uint32_t first = tiles / 2;
  if (first != 0) script.add_pass(passes::make_screen_codes(codes, c.metric, queries, first));
  codes.first_tile = first;
  script.add_pass(passes::make_screen_codes(codes, c.metric, queries, tiles - first));
}

// The same of integers.
void pack_integers(PassScript& script, const ScreenCase& c, const passes::Rows& rows, std::uint64_t others,
                   bool queries, passes::ScreenPackParameters& parameters) {
  const std::uint32_t tiles = tiles_of(rows.count);
  passes::ScreenIntegersParameters integers{};
  integers.rows = rows;
  integers.packed = parameters.packed = script.output(
      queries ? "packed queries" : "packed rows", std::uint64_t{tiles} * c.depth_blocks() * passes::screen_block_bytes);
  if (!queries) integers.biases = parameters.biases = script.output("biases", std::uint64_t{tiles} * tile * 4);
  integers.bounds = parameters.bounds = script.output(
      queries ? "query bounds" : "row bounds", queries ? std::uint64_t{rows.count} * 32 : std::uint64_t{tiles} * 16);
  if (!queries) integers.others = others;
  integers.dimensions = c.d;
  integers.origin = c.origin();
  // Several tiles are packed by two passes.
  const std::uint32_t first = tiles / 2;
  if (first != 0) script.add_pass(passes::make_screen_integers(integers, c.metric, queries, first));
  integers.first_tile = first;
  script.add_pass(passes::make_screen_integers(integers, c.metric, queries, tiles - first));
}

Pass compare_codes(const ScreenCase& c, const passes::ScreenTilesParameters& tiles, passes::ScreenPurpose purpose) {
  passes::ScreenCodeTilesParameters codes{};
  codes.rows = tiles.rows;
  codes.biases = tiles.biases;
  codes.row_bounds = tiles.row_bounds;
  codes.queries = tiles.queries;
  codes.query_bounds = tiles.query_bounds;
  codes.thresholds = tiles.thresholds;
  codes.found = tiles.found;
  codes.counts = tiles.counts;
  codes.words = (c.d + 3) / 4;
  codes.query_count = c.q;
  codes.tile_step = tiles.tile_step;
  codes.tile_count = tiles.tile_count;
  codes.groups = tiles.groups;
  codes.capacity = tiles.capacity;
  codes.groups_per_tile = c.groups_per_tile;
  if (c.filter.given) codes.bias_stride = tiles_of(c.n);
  return passes::make_screen_code_tiles(codes, c.metric, purpose, 1 + c.n / 500);
}

Pass compare(const ScreenCase& c, const passes::ScreenTilesParameters& tiles, passes::ScreenPurpose purpose) {
  if (c.codes) return compare_codes(c, tiles, purpose);
  const bool samples = purpose == passes::ScreenPurpose::sample;
  return passes::make_screen_tiles(tiles, c.integers() ? passes::ScreenValues::integers : passes::ScreenValues::halves,
                                   c.arithmetic, purpose, samples ? c.groups_per_tile : 64, c.workgroup_queries);
}

// What a filter of each query's own does to scores: halves look at it, of codes the biases are masked.
void filter_scores(PassScript& script, const ScreenCase& c, std::uint64_t words, passes::ScreenTilesParameters& tiles) {
  if (!c.codes) {
    tiles.filter_bits = words;
    return;
  }
  passes::ScreenMaskParameters mask{};
  mask.biases = tiles.biases;
  mask.filter_bits = words;
  mask.masked = tiles.biases = script.output("masked", std::uint64_t{4} * c.q * tiles_of(c.n) * tile);
  mask.row_count = c.n;
  mask.nothing = passes::screen_nothing;
  script.add_pass(passes::make_screen_mask(mask, c.q));
}

// What is known of how far the k-th nearest lies: as much as there is, of a query with fewer rows and of every third nothing.
std::vector<float> known_distances(const ScreenCase& c, const Data& data, const Matrix<std::uint8_t>& filter) {
  Question question{data.database.view(), data.queries.view(), accumulated(c.metric), c.k};
  if (c.filter.given) question.allowed = filter.view();
  const Neighbors nearest = oracle_answer(question);
  std::vector<float> known(c.q, std::numeric_limits<float>::quiet_NaN());
  for (std::uint32_t query = 0; query < c.q; ++query)
    if (c.known == ScreenCase::Known::all || query % 3 != 1) known[query] = nearest.distances(query, c.k - 1);
  return known;
}

void write_script(PassScript& script, const ScreenCase& c, const Data& data, const Matrix<std::uint8_t>& filter) {
  const MatrixView<float> database = data.database.view();
  const std::uint32_t leading = c.layout == Layout::column_major ? (c.n + 3) / 4 * 4 : c.d;
  const passes::Rows rows =
      describe_rows(script.input("rows", arranged(database, c.layout, leading)), database, c.layout, leading);
  const std::uint64_t queries = script.input("queries", contiguous(data.queries));

  std::uint64_t frame = 0;
  if (c.integers()) {
    frame = script.output("others", std::vector<std::uint32_t>(1, 0));
  } else {
    passes::ScreenOriginParameters origin{};
    origin.rows = rows;
    origin.frame = frame = script.output("frame", std::uint64_t{4} * (passes::screen_frame_origin + c.d));
    origin.dimensions = c.d;
    script.add_pass(passes::make_screen_origin(origin, c.centred()));
  }
  passes::ScreenPackParameters packed_rows{}, packed_queries{};
  const auto prepare = c.integers() ? pack_integers : c.codes ? encode : pack;
  prepare(script, c, rows, frame, false, packed_rows);
  prepare(script, c, describe_rows(queries, data.queries.view(), Layout::row_major, c.d), frame, true, packed_queries);

  passes::ScreenTilesParameters tiles{};
  tiles.rows = packed_rows.packed;
  tiles.biases = packed_rows.biases;
  tiles.row_bounds = packed_rows.bounds;
  tiles.queries = packed_queries.packed;
  tiles.query_bounds = packed_queries.bounds;
  tiles.depth_blocks = c.depth_blocks();
  tiles.depth_steps = c.depth_steps();
  tiles.row_count = c.n;
  tiles.query_count = c.q;
  tiles.splits = c.splits;
  const std::uint64_t words = c.filter.given ? script.input("filter", words_of(filter)) : 0;
  if (c.filter.given) filter_scores(script, c, words, tiles);
  passes::ScreenTilesParameters sample = tiles;
  sample.tile_step = c.tile_step();
  sample.tile_count = c.sampled_tiles();
  sample.groups = c.groups();
  sample.found = script.output("lower bounds", std::uint64_t{4} * c.q * c.groups());
  script.add_pass(compare(c, sample, passes::ScreenPurpose::sample));
  passes::ScreenThresholdParameters threshold{};
  threshold.lower_bounds = sample.found;
  threshold.query_bounds = packed_queries.bounds;
  threshold.thresholds = script.output("thresholds", std::uint64_t{4} * c.q);
  threshold.query_count = c.q;
  threshold.groups = c.groups();
  threshold.k = c.k;
  script.add_pass(passes::make_screen_threshold(threshold));
  if (c.known != ScreenCase::Known::none) {
    passes::ScreenBoundParameters bound{};
    bound.bounds = script.input("known distances", known_distances(c, data, filter));
    bound.query_bounds = packed_queries.bounds;
    if (!c.integers()) bound.frame = frame;
    bound.thresholds = threshold.thresholds;
    bound.query_count = c.q;
    bound.dimensions = c.d;
    bound.alone = c.known == ScreenCase::Known::alone ? 1 : 0;
    bound.queries = queries;
    bound.origin = c.origin();
    script.add_pass(passes::make_screen_bound(bound, c.metric));
  }

  tiles.thresholds = threshold.thresholds;
  tiles.tile_step = 1;
  tiles.tile_count = tiles_of(c.n);
  tiles.capacity = c.list_capacity();
  tiles.found = script.output("found", std::uint64_t{8} * c.q * c.splits * tiles.capacity);
  tiles.counts = script.output("counts", std::vector<std::uint32_t>(c.q * c.splits, 0));
  script.add_pass(compare(c, tiles, passes::ScreenPurpose::collect));

  passes::ScreenRefineParameters refine{};
  refine.rows = rows;
  if (c.integers()) refine.rows.address = packed_rows.packed;
  refine.queries = queries;
  refine.row_bounds = packed_rows.bounds;
  refine.query_bounds = packed_queries.bounds;
  refine.found = tiles.found;
  refine.counts = tiles.counts;
  refine.indices = script.output("indices", std::uint64_t{4} * c.q * c.k);
  refine.distances = script.output("distances", std::uint64_t{4} * c.q * c.k);
  refine.undecided = script.output("undecided", std::vector<std::uint32_t>(4 + c.q, 0));
  refine.dimensions = c.d;
  refine.splits = c.splits;
  refine.capacity = tiles.capacity;
  refine.k = c.k;
  refine.finish = c.metric == Metric::l2 ? passes::finish_root : passes::finish_none;
  refine.query_count = c.q;
  script.add_pass(passes::make_screen_refine(refine, c.metric, c.pool, false, 128, c.element));

  // Two rounds of at most half of the queries, so that the second has fewer.
  const std::uint32_t lists = c.q / 2 + 1;
  passes::ScanUndecidedParameters scan{};
  scan.rows = rows;
  scan.queries = queries;
  scan.undecided = refine.undecided;
  scan.found = script.output("undecided lists", std::uint64_t{8} * lists * c.k);
  scan.dimensions = c.d;
  scan.query_stride = c.d;
  scan.k = c.k;
  scan.lists = lists;
  scan.most_groups = 3;
  scan.filter_bits = words;
  scan.filter_stride = (c.n + 31) / 32;
  passes::MergeUndecidedParameters merge{};
  merge.undecided = refine.undecided;
  merge.found = scan.found;
  merge.indices = refine.indices;
  merge.distances = refine.distances;
  merge.k = c.k;
  merge.lists = lists;
  merge.most_groups = scan.most_groups;
  merge.largest_first = largest_first(c.metric) ? 1 : 0;
  merge.finish = refine.finish;
  for (const std::uint32_t first : {0u, lists}) {
    scan.first_undecided = merge.first_undecided = first;
    script.add_pass(passes::make_scan_undecided(scan, c.metric, 7));
    script.add_pass(passes::make_merge_undecided(merge));
  }
}

// What a run left behind, by name.
class Outputs {
 public:
  explicit Outputs(const PassScript& script) {
    for (auto& [name, bytes] : script.answers()) bytes_[name] = std::move(bytes);
  }
  template <typename T>
  std::vector<T> get(const std::string& name) const {
    const auto found = bytes_.find(name);
    if (found == bytes_.end()) return {};
    std::vector<T> values(found->second.size() / sizeof(T));
    std::memcpy(values.data(), found->second.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  std::map<std::string, std::vector<std::byte>> bytes_;
};

class Judge {
 public:
  Judge(const ScreenCase& c, const Data& data, const Matrix<std::uint8_t>& filter, const Outputs& outputs)
      : c_(c),
        data_(data),
        outputs_(outputs),
        frame_(c.integers() ? Frame{1, 0, 0, std::vector<float>(c.d, static_cast<float>(c.origin()))}
                            : frame_of(outputs.get<float>("frame"), c.d)),
        query_bounds_(outputs.get<float>("query bounds")),
        row_bounds_(outputs.get<float>("row bounds")),
        scores_(true_scores(frame_, data.queries.view(), data.database.view(), c.metric)) {
    if (c.known != ScreenCase::Known::none) known_ = known_distances(c, data, filter);
    // Rows that are left out score as if they were not there.
    for (std::uint64_t i = 0; c.filter.given && i < std::uint64_t{c.q} * c.n; ++i)
      if (filter.data()[i] == 0) scores_.data()[i] = -std::numeric_limits<double>::infinity();
  }

  /// Empty where every promise is kept, or the first that is not.
  std::string error() const {
    std::string wrong = c_.integers() ? std::string() : frame_error(frame_, data_.database.view(), c_.centred());
    if (!wrong.empty()) return "frame: " + wrong;
    wrong = c_.integers() ? integers_error() : c_.codes ? codes_error() : packed_error();
    if (!wrong.empty()) return wrong;
    for (std::uint32_t query = 0; query < c_.q; ++query) {
      // Of a query that is bounded the distance is the threshold, whose worth the rows that are found tell.
      const bool bounded = query_bounds_[8 * query + 3] == passes::screen_bounded;
      if (certifiable(query)) wrong = sampling_error(query);
      if (wrong.empty() && !bounded) wrong = alone() ? infinite_error(query) : threshold_error(query);
      if (wrong.empty() && certifiable(query)) wrong = bounded_error(query);
      if (wrong.empty()) wrong = collecting_error(query);
      if (!wrong.empty()) return fmt::format("query {}: {}", query, wrong);
    }
    return undecided_error();
  }

 private:
  std::string codes_error() const {
    CodedOracle coded{false, accumulated(c_.metric)};
    std::string wrong = coded.error(frame_, data_.database.view(), outputs_.get<std::uint8_t>("packed rows"),
                                    outputs_.get<float>("biases"), row_bounds_);
    if (!wrong.empty()) return "coded rows: " + wrong;
    coded.queries = true;
    wrong = coded.error(frame_, data_.queries.view(), outputs_.get<std::uint8_t>("packed queries"), {}, query_bounds_);
    return wrong.empty() ? wrong : "coded queries: " + wrong;
  }
  std::string integers_error() const {
    if (const std::uint32_t others = outputs_.get<std::uint32_t>("others")[0]; others != 0)
      return fmt::format("{} rows count as no integers", others);
    IntegerOracle integers{false, accumulated(c_.metric), c_.depth_blocks()};
    std::string wrong = integers.error(frame_, data_.database.view(), outputs_.get<std::int8_t>("packed rows"),
                                       outputs_.get<std::int32_t>("biases"), row_bounds_);
    if (!wrong.empty()) return "packed rows: " + wrong;
    integers.queries = true;
    wrong =
        integers.error(frame_, data_.queries.view(), outputs_.get<std::int8_t>("packed queries"), {}, query_bounds_);
    return wrong.empty() ? wrong : "packed queries: " + wrong;
  }
  std::string packed_error() const {
    PackedOracle packed{false, c_.split, c_.metric, c_.depth_blocks()};
    std::string wrong = packed.error(frame_, data_.database.view(), outputs_.get<std::uint16_t>("packed rows"),
                                     outputs_.get<float>("biases"), row_bounds_);
    if (!wrong.empty()) return "packed rows: " + wrong;
    packed.queries = true;
    wrong =
        packed.error(frame_, data_.queries.view(), outputs_.get<std::uint16_t>("packed queries"), {}, query_bounds_);
    return wrong.empty() ? wrong : "packed queries: " + wrong;
  }
  bool alone() const { return c_.known == ScreenCase::Known::alone; }
  // Of a query of which nothing is known nothing is looked for.
  std::string infinite_error(std::uint32_t query) const {
    const float threshold = outputs_.get<float>("thresholds")[query];
    if (threshold == std::numeric_limits<float>::infinity()) return {};
    return fmt::format("the threshold is {}, of a query of which nothing is known", threshold);
  }
  bool certifiable(std::uint32_t query) const { return query_bounds_[8 * query + 3] != 0; }
  double error_of(std::uint32_t query, std::uint64_t row) const {
    return error_bound(query_bounds_, query, row_bounds_, row / tile);
  }

  // Each lower bound is below the true score of another row. So the j-th largest is at most the j-th best
  // score; and the best of a tile is close to it.
  std::string sampling_error(std::uint32_t query) const {
    const std::vector<float> all = outputs_.get<float>("lower bounds");
    const auto first = all.begin() + std::ptrdiff_t{query} * c_.groups();
    std::vector<double> bounds(first, first + c_.groups());
    std::vector<double> sampled;
    for (std::uint32_t i = 0; i < c_.sampled_tiles(); ++i) {
      const std::uint64_t from = std::uint64_t{i} * c_.tile_step() * tile;
      const std::uint64_t to = std::min<std::uint64_t>(from + tile, c_.n);
      double best = -std::numeric_limits<double>::infinity();
      for (std::uint64_t row = from; row < to; ++row) {
        sampled.push_back(scores_(query, row));
        best = std::max(best, scores_(query, row));
      }
      const auto own = first + std::ptrdiff_t{i} * c_.groups_per_tile;
      const double nearest = *std::max_element(own, own + c_.groups_per_tile);
      if (std::isfinite(best) && !(nearest >= best - 2.0001 * error_of(query, from)))
        return fmt::format("sampled tile {}: the best lower bound is {}, the best score {}", i, nearest, best);
    }
    std::sort(bounds.begin(), bounds.end(), std::greater<>());
    std::sort(sampled.begin(), sampled.end(), std::greater<>());
    for (std::size_t j = 0; j < bounds.size(); ++j) {
      const double score = j < sampled.size() ? sampled[j] : -std::numeric_limits<double>::infinity();
      if (!(bounds[j] <= score))
        return fmt::format("lower bound {} is {}, the score of that rank {}", j, bounds[j], score);
    }
    return {};
  }

  std::string threshold_error(std::uint32_t query) const {
    std::vector<float> all = outputs_.get<float>("lower bounds");
    const auto first = all.begin() + std::ptrdiff_t{query} * c_.groups();
    std::sort(first, first + c_.groups(), std::greater<>());
    const double bound = first[c_.k - 1];
    const double threshold = outputs_.get<float>("thresholds")[query];
    const float* own = &query_bounds_[8 * query];
    if (own[3] == 0 || bound < -0x1p120)
      return std::isinf(threshold) && threshold > 0
                 ? ""
                 : fmt::format("the threshold is {}, of an uncertain query", threshold);
    // Groups may count as one: the k-th of them is at least the best k of these.
    const double least = first[std::min(4 * c_.k, c_.groups()) - 1];
    const auto threshold_of = [&](double lower) { return lower - own[5] * std::max(own[4] - lower, 0.0) - own[6]; };
    const double exact = threshold_of(bound);
    // The fixed slack was rounded up by more than its own subtraction rounds.
    // What a device flushes of it is covered by what it has beyond its need, 2^-120.
    const double slack = own[6] * 1e-6 + 0x1p-124;
    const double rounding = (std::max(std::fabs(bound), std::fabs(least)) + own[4]) * 0x1p-18 + slack;
    if (threshold <= exact + slack && (!std::isfinite(least) || threshold >= threshold_of(least) - rounding)) return {};
    return fmt::format("the threshold is {}, expected {} or a little less", threshold, exact);
  }

  // A known distance leaves no threshold lower than it says.
  std::string bounded_error(std::uint32_t query) const {
    if (known_.empty() || !std::isfinite(known_[query])) return {};
    const double least = c_.metric == Metric::ip ? least_of_product(query) : least_of_distance(query);
    const double threshold = outputs_.get<float>("thresholds")[query];
    if (!(least >= -0x1p119) || threshold >= least) return {};
    return fmt::format("the threshold is {}, a known distance of {} makes it {} at least", threshold, known_[query],
                       least);
  }

  double least_of_distance(std::uint32_t query) const {
    const float* own = &query_bounds_[8 * query];
    const double scale = frame_.scale, reach = 0.5 * scale * scale * known_[query];
    double half = 0;
    for (std::uint32_t i = 0; i < c_.d; ++i) {
      const double x = scale * (double{data_.queries(query, i)} - double{frame_.origin[i]});
      half += 0.5 * x * x;
    }
    const double rounding = ((c_.d + 64.0) * 0x1p-21 + 0x1p-18) * (half + reach);
    return half - reach * (1 + 1.01 * own[5]) - 1.01 * own[6] - rounding;
  }

  double least_of_product(std::uint32_t query) const {
    const double scale = frame_.scale, product = scale * scale * known_[query];
    double offset = 0, magnitude = 0;
    for (std::uint32_t i = 0; i < c_.d; ++i) {
      const double both = scale * data_.queries(query, i) * scale * frame_.origin[i];
      offset += both;
      magnitude += std::fabs(both);
    }
    const double rounding =
        ((c_.d + 64.0) * 0x1p-22 + 0x1p-19) * (std::fabs(product) + magnitude) + 1.01 * c_.d * 0x1p-125;
    return product - offset - 1.01 * query_bounds_[8 * query + 6] - rounding;
  }

  // Nothing that must be collected is missing, nothing else is there.
  std::string collecting_error(std::uint32_t query) const {
    const double threshold = outputs_.get<float>("thresholds")[query];
    const auto counts = outputs_.get<std::uint32_t>("counts");
    const auto found = outputs_.get<std::uint32_t>("found");
    std::uint64_t least = 0, most = 0, counted = 0;
    std::set<std::uint32_t> wanted;
    for (std::uint32_t row = 0; row < c_.n; ++row) {
      const double score = scores_(query, row);
      if (certifiable(query) && std::isfinite(score) && score >= threshold) {
        ++least;
        wanted.insert(row);
      }
      if (!(score + 2.0001 * error_of(query, row) < threshold)) ++most;
    }
    std::set<std::uint32_t> rows;
    bool overflowed = false;
    for (std::uint32_t split = 0; split < c_.splits; ++split) {
      const std::uint64_t list = std::uint64_t{query} * c_.splits + split;
      counted += counts[list];
      overflowed = overflowed || counts[list] > c_.list_capacity();
      for (std::uint32_t i = 0; i < std::min(counts[list], c_.list_capacity()); ++i) {
        const std::uint32_t* entry = &found[2 * (list * c_.list_capacity() + i)];
        const std::uint32_t row = entry[1];
        if (row >= c_.n || !rows.insert(row).second) return fmt::format("entry {} of list {} is row {}", i, split, row);
        const double score = std::bit_cast<float>(entry[0]);
        // The threshold less the error is itself rounded.
        const double rounding = (std::fabs(score) + std::fabs(threshold)) * 0x1p-23;
        if (certifiable(query) && (!(std::fabs(score - scores_(query, row)) <= 1.0001 * error_of(query, row)) ||
                                   score + 1.0001 * error_of(query, row) < threshold - rounding))
          return fmt::format("row {} scores {}, truly {} with an error of {}; the threshold is {}", row, score,
                             scores_(query, row), error_of(query, row), threshold);
      }
    }
    if (counted < least || (certifiable(query) && counted > most))
      return fmt::format("the lists count {} rows, {} to {} are to be collected", counted, least, most);
    if (!overflowed && !std::includes(rows.begin(), rows.end(), wanted.begin(), wanted.end()))
      return "a row that scores at least the threshold is missing";
    return {};
  }

  // Well-behaved data with room for its lists is decided without a scan of all rows.
  std::string undecided_error() const {
    const auto undecided = outputs_.get<std::uint32_t>("undecided");
    std::set<std::uint32_t> numbers(undecided.begin() + 4, undecided.begin() + 4 + undecided[0]);
    if (numbers.size() != undecided[0] || (!numbers.empty() && *numbers.rbegin() >= c_.q))
      return "the numbers of the undecided queries are not theirs";
    // The rows of a tile that is not full leave groups empty: this counts those that have a row.
    const std::uint32_t group_rows = tile / c_.groups_per_tile;
    const bool sampled = c_.n > tile || (c_.n + group_rows - 1) / group_rows >= c_.k;
    const bool easy =
        sampled && !alone() &&
        (c_.kind == Kind::uniform || c_.kind == Kind::gaussian || c_.kind == Kind::bytes ||
         c_.kind == Kind::signed_bytes) &&
        c_.k <= c_.n && c_.capacity == 0 && (c_.split || c_.d >= 16) && !c_.codes &&
        // Of two neighbours one is left, so that every group has a row.
        (!c_.filter.given || (c_.filter.pattern == FilterPattern::alternating && c_.n > 2 * tile && 2 * c_.k <= c_.n));
    if (easy && !numbers.empty())
      return fmt::format("{} queries are undecided, the first is {}", numbers.size(), *numbers.begin());
    return {};
  }

  const ScreenCase& c_;
  const Data& data_;
  const Outputs& outputs_;
  Frame frame_;
  std::vector<float> query_bounds_;
  std::vector<float> row_bounds_;
  Matrix<double> scores_;
  std::vector<float> known_;  // of bounded cases
};

Verdict run_screen(const ScreenCase& c, const Data& data, const Matrix<std::uint8_t>& filter, Device& device) {
  PassScript script(device);
  write_script(script, c, data, filter);
  if (const Support support = script.support(); !support) return Verdict::refuse(support);
  script.run();
  if (std::string damage = script.damage(); !damage.empty()) return Verdict::fail(std::move(damage));
  const Outputs outputs(script);
  if (bit_identical(c.kind))
    if (std::string wrong = Judge(c, data, filter, outputs).error(); !wrong.empty())
      return Verdict::fail(std::move(wrong));
  Neighbors answer{Matrix<std::uint32_t>(c.q, c.k), Matrix<float>(c.q, c.k)};
  const auto indices = outputs.get<std::uint32_t>("indices");
  const auto distances = outputs.get<float>("distances");
  std::copy(indices.begin(), indices.end(), answer.indices.data());
  std::copy(distances.begin(), distances.end(), answer.distances.data());
  Question question{data.database.view(), data.queries.view(), c.metric, c.k};
  if (c.filter.given) question.allowed = filter.view();
  std::string wrong =
      held_to_bits(device, c.kind) ? difference(oracle_answer(question), answer) : incompatibility(question, answer);
  return wrong.empty() ? Verdict::pass() : Verdict::fail(std::move(wrong));
}

void add_one(Cases& cases, const ScreenCase& c, bool quick) {
  cases.push_back({c.name(), quick, [c](const Context& context) {
    auto data = std::make_shared<Data>(make_data(c.kind, c.n, c.d, c.q, context.seed));
    auto filter = std::make_shared<Matrix<std::uint8_t>>(make_filter(c.filter, c.n, c.q, context.seed + 1));
    return make_check([c, data, filter](Device& device) { return run_screen(c, *data, *filter, device); });
  }});
}

void add_case(Cases& cases, ScreenCase c, bool quick) {
  for (const auto& [arithmetic, queries] :
       {std::pair{passes::ScreenArithmetic::scalar, 128u}, std::pair{passes::ScreenArithmetic::matrix, 128u},
        std::pair{passes::ScreenArithmetic::matrix, 256u}}) {
    c.arithmetic = arithmetic;
    c.workgroup_queries = queries;
    add_one(cases, c, quick);
  }
}

// Filters of each query's own: all that a pattern leaves, and none, one, k - 1, k and all rows.
void add_filtered(Cases& cases) {
  constexpr FilterPattern patterns[] = {FilterPattern::alternating, FilterPattern::counted, FilterPattern::half,
                                        FilterPattern::sparse};
  constexpr Metric metrics[] = {Metric::l2sq, Metric::ip, Metric::l2};
  constexpr Kind kinds[] = {Kind::gaussian, Kind::integers, Kind::uniform, Kind::nan};
  constexpr std::uint32_t groups[] = {64, 16, 4};
  struct Shape {
    std::uint32_t n, d, q, k;
  };
  constexpr Shape shapes[] = {{1, 3, 2, 1},         {129, 17, 128, 5},   {257, 128, 255, 33}, {700, 300, 9, 20},
                              {1500, 129, 40, 300}, {2501, 33, 257, 12}, {1100, 8, 60, 7}};
  std::size_t step = 0;
  for (const Shape& shape : shapes)
    for (const FilterPattern pattern : patterns)
      for (const Metric metric : metrics) {
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, metric, kinds[step % 4]};
        c.filter = {true, pattern, true, shape.k};
        c.split = step % 2 == 0;
        c.groups_per_tile = groups[step % 3];
        if (tiles_of(shape.n) * c.groups_per_tile < shape.k) c.groups_per_tile = 64;
        c.splits = 1 + static_cast<std::uint32_t>(step % 4);
        add_case(cases, c, step % 5 != 0);
        ++step;
      }
  for (const Shape& shape :
       {Shape{127, 4, 5, 3}, Shape{700, 300, 6, 9}, Shape{1500, 33, 4, 20}, Shape{4100, 31, 1, 100}})
    for (const FilterPattern pattern : patterns)
      for (const Metric metric : {Metric::l1, Metric::l2sq, Metric::linf, Metric::ip}) {
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, metric, kinds[step % 4]};
        c.filter = {true, pattern, true, shape.k};
        c.codes = true;
        c.groups_per_tile = groups[step % 3];
        if (tiles_of(c.n) * c.groups_per_tile < c.k) c.groups_per_tile = 64;
        add_one(cases, c, step % 5 != 0);
        ++step;
      }
}

}  // namespace

void add_screen_pass_cases(Cases& cases) {
  struct Shape {
    std::uint32_t n, d, q, k;
  };
  constexpr Shape shapes[] = {{1, 1, 1, 1},      {5, 3, 2, 2},         {127, 4, 5, 1},      {128, 16, 127, 20},
                              {129, 17, 128, 5}, {255, 64, 129, 64},   {256, 65, 3, 100},   {257, 128, 255, 33},
                              {700, 300, 9, 20}, {1500, 129, 40, 300}, {2500, 33, 257, 12}, {1100, 1, 60, 7}};
  constexpr Metric metrics[] = {Metric::l2sq, Metric::ip, Metric::l2};
  constexpr std::uint32_t groups[] = {64, 16, 4};
  std::size_t step = 0;
  for (std::size_t s = 0; s < std::size(shapes); ++s)
    for (std::size_t m = 0; m < std::size(metrics); ++m)
      for (std::size_t kind = 0; kind < all_kinds.size(); ++kind, ++step) {
        const Shape& shape = shapes[s];
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, metrics[m], all_kinds[kind]};
        c.split = (step + s) % 2 == 0;
        c.groups_per_tile = groups[(s + m + kind) % 3];
        // At least k groups are sampled.
        if (tiles_of(shape.n) * c.groups_per_tile < shape.k) c.groups_per_tile = 64;
        c.splits = 1 + static_cast<std::uint32_t>(step % 4);
        if (step % 5 == 3) c.capacity = std::max(shape.k, 24u);
        c.layout = all_layouts[(s + kind) % 3];
        add_case(cases, c, kind == (5 * s + 3 * m) % all_kinds.size());
      }
  // Queries as few as codes are for and more, around the numbers that share a workgroup.
  constexpr Shape few[] = {{1, 1, 1, 1},      {5, 3, 2, 1},      {127, 4, 5, 3},     {129, 17, 1, 5},
                           {257, 129, 3, 33}, {700, 300, 4, 9},  {1500, 33, 16, 20}, {1200, 65, 17, 128},
                           {513, 6, 15, 7},   {4100, 31, 1, 100}};
  step = 0;
  for (std::size_t s = 0; s < std::size(few); ++s)
    for (const Metric metric : {Metric::l1, Metric::l2sq, Metric::linf, Metric::ip, Metric::l2})
      for (std::size_t kind = 0; kind < all_kinds.size(); ++kind, ++step) {
        ScreenCase c{few[s].n, few[s].d, few[s].q, few[s].k, metric, all_kinds[kind]};
        c.codes = true;
        c.groups_per_tile = groups[step % 3];
        if (tiles_of(c.n) * c.groups_per_tile < c.k) c.groups_per_tile = 64;
        if (step % 5 == 3) c.capacity = std::max(c.k, 24u);
        c.layout = all_layouts[(s + kind) % 3];
        add_one(cases, c, kind == (5 * s + static_cast<std::size_t>(metric)) % all_kinds.size());
      }
  // Integers, around the values of a slice, a block and the most that there may be, and where canonical sums begin to round.
  constexpr Shape whole[] = {{1, 1, 1, 1},       {5, 3, 2, 2},        {128, 16, 127, 20},  {129, 31, 128, 5},
                             {257, 32, 129, 64}, {256, 33, 3, 100},   {700, 127, 255, 33}, {513, 128, 257, 12},
                             {384, 129, 40, 20}, {700, 257, 33, 300}, {500, 258, 9, 20},   {400, 259, 66, 9},
                             {300, 512, 5, 7},   {384, 513, 4, 20},   {600, 1023, 9, 20},  {601, 1024, 7, 50}};
  constexpr std::pair<std::uint32_t, Kind> of_bytes[] = {
      {passes::element_uint8, Kind::bytes},   {passes::element_int8, Kind::signed_bytes},
      {passes::element_uint8, Kind::tied},    {passes::element_int8, Kind::zeros},
      {passes::element_int8, Kind::integers}, {passes::element_uint8, Kind::nearly_bytes}};
  step = 0;
  for (const Shape& shape : whole)
    for (const Metric metric : metrics)
      for (const auto& [element, kind] : of_bytes) {
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, metric, kind};
        c.element = element;
        c.groups_per_tile = groups[step % 3];
        if (tiles_of(shape.n) * c.groups_per_tile < shape.k) c.groups_per_tile = 64;
        c.splits = 1 + static_cast<std::uint32_t>(step % 4);
        if (step % 7 == 3) c.capacity = std::max(shape.k, 24u);
        c.layout = all_layouts[step % 3];
        if (step % 4 == 1) c.filter = {true, FilterPattern::alternating, true, shape.k};
        add_case(cases, c, step % 11 == 0);
        ++step;
      }
  // Known distances, of halves in both forms and of integers.
  constexpr Shape bounded[] = {{5, 3, 2, 2},      {129, 17, 128, 5},    {385, 128, 255, 33},
                               {700, 300, 9, 20}, {1500, 129, 40, 300}, {2500, 33, 257, 12}};
  step = 0;
  for (const Shape& shape : bounded)
    for (const Kind kind : {Kind::gaussian, Kind::integers, Kind::duplicates, Kind::nan, Kind::offset, Kind::overflow,
                            Kind::bytes, Kind::signed_bytes, Kind::nearly_bytes})
      for (const ScreenCase::Known known :
           {ScreenCase::Known::all, ScreenCase::Known::some, ScreenCase::Known::alone}) {
        constexpr Metric in_turn[] = {Metric::l2sq, Metric::ip, Metric::l2sq, Metric::ip, Metric::l2};
        ScreenCase c{shape.n, shape.d, shape.q, shape.k, in_turn[step % 5], kind};
        c.known = known;
        if (kind == Kind::bytes || kind == Kind::nearly_bytes) c.element = passes::element_uint8;
        if (kind == Kind::signed_bytes || kind == Kind::integers) c.element = passes::element_int8;
        c.split = !c.integers() && step % 2 == 0;
        c.groups_per_tile = groups[step % 3];
        if (tiles_of(shape.n) * c.groups_per_tile < shape.k) c.groups_per_tile = 64;
        c.splits = 1 + static_cast<std::uint32_t>(step % 4);
        if (step % 7 == 2) c.filter = {true, FilterPattern::alternating, true, shape.k};
        c.layout = all_layouts[step % 3];
        add_case(cases, c, step % 23 == 0);
        ++step;
      }
  add_filtered(cases);
  // More rows than a kernel keeps at hand are collected: that decides as many queries.
  for (const Metric metric : metrics)
    for (const bool split : {false, true})
      for (const std::uint32_t pool : {128u, 256u, 512u}) {
        ScreenCase c{1500, 129, 40, 300, metric, Kind::gaussian};
        c.split = split;
        c.splits = 3;
        c.pool = pool;
        add_case(cases, c, pool == 128 && metric != Metric::l2);
      }
}

}  // namespace proxel::conformance
