#include "screen_case.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "oracle.hpp"
#include "proxel/passes/scan_undecided.h"
#include "proxel/passes/screen_bound.h"
#include "proxel/passes/screen_code_tiles.h"
#include "proxel/passes/screen_codes.h"
#include "proxel/passes/screen_difference_tiles.h"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_mask.h"
#include "proxel/passes/screen_origin.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_threshold.h"

namespace proxel::conformance {
namespace {

constexpr std::uint32_t tile = passes::tile_rows;

// What packing queries makes 0: more words than there are invocations for one tile of them.
template <typename Parameters>
void make_zeros(PassScript& script, bool queries, Parameters& parameters) {
  if (!queries) return;
  parameters.zeroed_words = 2117;
  parameters.zeroed = script.output("zeroed", std::uint64_t{4} * parameters.zeroed_words);
}

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
  make_zeros(script, queries, parameters);
  parameters.dimensions = c.d;
  parameters.depth_blocks = c.depth_blocks();
  // Several tiles are packed by two passes.
  const std::uint32_t first = tiles / 2;
  const bool split = queries ? c.splits_queries() : c.split;
  const std::uint32_t sums = queries ? c.sums() : passes::screen_sums_binary32;
  if (first != 0) script.add_pass(passes::make_screen_pack(parameters, c.metric, queries, split, first, sums));
  parameters.first_tile = first;
  script.add_pass(passes::make_screen_pack(parameters, c.metric, queries, split, tiles - first, sums));
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
  make_zeros(script, queries, codes);
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
  make_zeros(script, queries, integers);
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
  if (c.differences) return passes::make_screen_difference_tiles(tiles, c.metric, purpose, c.groups_per_tile);
  if (c.codes) return compare_codes(c, tiles, purpose);
  const bool samples = purpose == passes::ScreenPurpose::sample;
  return passes::make_screen_tiles(tiles, c.integers() ? passes::ScreenValues::integers : passes::ScreenValues::halves,
                                   c.arithmetic, purpose, samples ? c.groups_per_tile : 64, c.workgroup_queries);
}

// What a filter of each query's own does to scores: those of tiles look at it, of codes of few queries the biases are masked.
void filter_scores(PassScript& script, const ScreenCase& c, std::uint64_t words, passes::ScreenTilesParameters& tiles) {
  if (!c.codes || c.differences) {
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

}  // namespace

std::string ScreenCase::name() const {
  return fmt::format(
      "pass/screen/{}{}/{}/n={},d={},q={},k={},groups={},splits={},capacity={},layout={}{}{}{}/{}",
      element == passes::element_uint8  ? "uint8-"
      : element == passes::element_int8 ? "int8-"
                                        : "",
      differences ? "differences"
      : codes     ? "codes"
      : arithmetic == passes::ScreenArithmetic::scalar
          ? "scalar"
          : fmt::format("{}{}", half_sums() ? "half-sums" : "matrix",
                        workgroup_queries == 128 ? "" : std::to_string(workgroup_queries)),
      to_string(metric), n, d, q, k, groups_per_tile, splits, capacity, to_string(layout),
      std::string(padded ? ",padded" : "") + (split ? ",split" : "") + (half_sum_bounds ? ",half sums" : ""),
      pool != usual_pool ? fmt::format(",pool={}", pool) : "",
      (query_workgroup != 128 ? fmt::format(",workgroup={}", query_workgroup) : "") +
          (survivors != 128 ? fmt::format(",survivors={}", survivors) : "") + filter.name() +
          (rank != 0 ? fmt::format(",rank={}", rank) : "") +
          (known == Known::all     ? ",bounded"
           : known == Known::some  ? ",some bounded"
           : known == Known::alone ? ",some bounded alone"
                                   : ""),
      to_string(kind));
}

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
  const std::uint32_t leading = c.layout == Layout::column_major ? (c.n + 3) / 4 * 4
                                : c.padded                       ? (c.d + 3) / 4 * 4
                                                                 : c.d;
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
  tiles.depth_steps = c.differences ? (c.d + 3) / 4 : c.depth_steps();
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
  threshold.rank = c.threshold_rank();
  threshold.estimated = c.rank != 0 ? 1 : 0;
  script.add_pass(passes::make_screen_threshold(threshold, 0, std::min(c.query_workgroup, 128u)));
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
  const std::uint32_t lists = c.scan_lists();
  const std::uint64_t ticket_bytes = passes::undecided_ticket_bytes(lists);
  const std::uint64_t tickets = script.output("undecided", std::vector<std::uint32_t>(ticket_bytes / 4 + 4 + c.q, 0));
  refine.undecided = tickets + ticket_bytes;
  refine.dimensions = c.d;
  refine.splits = c.splits;
  refine.capacity = tiles.capacity;
  refine.k = c.k;
  refine.finish = c.metric == Metric::l2 ? passes::finish_root : passes::finish_none;
  refine.query_count = c.q;
  const std::uint32_t pool = c.pool == usual_pool ? passes::screen_refine_pool(16 * 1024, usual_pool, c.k) : c.pool;
  script.add_pass(passes::make_screen_refine(refine, c.metric, pool, false, c.survivors, c.element, c.query_workgroup));

  passes::ScanUndecidedParameters scan{};
  scan.rows = rows;
  scan.queries = queries;
  scan.tickets = tickets;
  scan.found = script.workspace(std::uint64_t{8} * lists * c.k);
  scan.indices = refine.indices;
  scan.distances = refine.distances;
  scan.dimensions = c.d;
  scan.k = c.k;
  scan.lists = lists;
  scan.finish = refine.finish;
  scan.filter_bits = words;
  scan.filter_stride = (c.n + 31) / 32;
  for (const std::uint32_t first : {0u, lists}) {
    scan.first_undecided = first;
    script.add_pass(passes::make_scan_undecided(scan, c.metric, 7));
  }
}

}  // namespace proxel::conformance
