#include "screen_judge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "proxel/passes/scan_undecided.h"
#include "proxel/passes/screen_bound.h"
#include "proxel/passes/screen_pack.h"
#include "screen_oracle.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint32_t tile = passes::tile_rows;

class Judge {
 public:
  Judge(const ScreenCase& c, const Data& data, const Matrix<std::uint8_t>& filter, const ScreenOutputs& outputs)
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
    packed.split = c_.splits_queries();
    packed.sums = c_.sums();
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
    // Where sums in half precision might overflow.
    const bool unbounded = c_.half_sums() && !(query_bounds_[8 * query] * row_bounds_[4 * (row / tile) + 1] <
                                               passes::screen_half_sum_limit);
    return unbounded ? std::numeric_limits<double>::infinity()
                     : error_bound(query_bounds_, query, row_bounds_, row / tile);
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
      std::uint64_t nearest_row = from;
      for (std::uint64_t row = from; row < to; ++row) {
        sampled.push_back(scores_(query, row));
        if (scores_(query, row) <= best) continue;
        best = scores_(query, row);
        nearest_row = row;
      }
      const auto own = first + std::ptrdiff_t{i} * c_.groups_per_tile;
      const double nearest = *std::max_element(own, own + c_.groups_per_tile);
      const double below = 2.0001 * error_of(query, from) + rounding_beside(nearest_row, std::fabs(best));
      if (std::isfinite(best) && !(nearest >= best - below))
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
    const double bound = first[c_.threshold_rank() - 1];
    const double threshold = outputs_.get<float>("thresholds")[query];
    const float* own = &query_bounds_[8 * query];
    if (own[3] == 0 || bound < -0x1p120)
      return std::isinf(threshold) && threshold > 0
                 ? ""
                 : fmt::format("the threshold is {}, of an uncertain query", threshold);
    // Groups may count as one: the one of that rank is at least the best of as many of these.
    const double least = first[std::min(4 * c_.threshold_rank(), c_.groups()) - 1];
    // So low that nothing would certify it.
    if (std::isinf(threshold) && threshold > 0 && !(least >= -0x1p120)) return {};
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

  // What biases and thresholds lose where sums are in half precision, and scores of a sample.
  double rounding_of(std::uint32_t query, std::uint32_t row, double score) const {
    const double threshold = outputs_.get<float>("thresholds")[query];
    return rounding_beside(row, std::fabs(score) + std::fabs(threshold) + 2 * error_of(query, row));
  }
  double rounding_beside(std::uint64_t row, double magnitudes) const {
    if (!c_.half_sums()) return 0;
    double squared = 0;
    for (std::uint32_t i = 0; i < c_.d; ++i) {
      const double x = double{frame_.scale} * (double{data_.database(row, i)} - double{frame_.origin[i]});
      squared += x * x;
    }
    return (0.5 * squared + magnitudes) * 0x1p-8 + 0x1p-11;
  }

  // Where less is asked than halves are, a list counts as full.
  bool beyond_halves(std::uint32_t query, double least) const {
    const double threshold = outputs_.get<float>("thresholds")[query];
    for (std::uint32_t row = 0; c_.half_sums() && row < c_.n; row += tile)
      if (threshold - error_of(query, row) < least) return true;
    return false;
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
      if (!(score + 2.0001 * error_of(query, row) < threshold - rounding_of(query, row, score))) ++most;
    }
    if (beyond_halves(query, -65500)) {
      bool full = !beyond_halves(query, -65510);
      for (std::uint32_t split = 0; split < c_.splits; ++split)
        full = full || counts[std::uint64_t{query} * c_.splits + split] > c_.list_capacity();
      return full ? "" : "no list counts as full, although less is asked than halves are";
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
        const double rounding = (std::fabs(score) + std::fabs(threshold)) * 0x1p-23 + rounding_of(query, row, score);
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

  // Well-behaved data with room for its lists is decided without a scan of all rows, unless too few of them reach an estimate.
  std::string undecided_error() const {
    const auto undecided = outputs_.get<std::uint32_t>("undecided");
    const auto list =
        undecided.begin() + static_cast<std::ptrdiff_t>(passes::undecided_ticket_bytes(c_.scan_lists()) / 4);
    std::set<std::uint32_t> numbers(list + 4, list + 4 + list[0]);
    if (numbers.size() != list[0] || (!numbers.empty() && *numbers.rbegin() >= c_.q))
      return "the numbers of the undecided queries are not theirs";
    // The rows of a tile that is not full leave groups empty: this counts those that have a row.
    const std::uint32_t group_rows = tile / c_.groups_per_tile;
    const bool sampled = c_.n > tile || (c_.n + group_rows - 1) / group_rows >= c_.k;
    const bool easy =
        sampled && !alone() && (c_.rank == 0 || c_.rank >= 2 * c_.k) &&
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
  const ScreenOutputs& outputs_;
  Frame frame_;
  std::vector<float> query_bounds_;
  std::vector<float> row_bounds_;
  Matrix<double> scores_;
  std::vector<float> known_;  // of bounded cases
};

}  // namespace

std::string screen_error(const ScreenCase& c, const Data& data, const Matrix<std::uint8_t>& filter,
                         const ScreenOutputs& outputs) {
  return Judge(c, data, filter, outputs).error();
}

}  // namespace proxel::conformance
