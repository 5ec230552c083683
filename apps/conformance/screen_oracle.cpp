#include "screen_oracle.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "proxel/passes/screen_codes.h"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_origin.h"
#include "proxel/passes/screen_pack.h"

namespace proxel::conformance {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t tile = passes::tile_rows;

// The nearest binary16 value, ties to even; 0 below the normal numbers, at most 65,504.
double half_value(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  std::frexp(value, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - 11, -24));
  const double rounded = std::nearbyint(value / unit) * unit;
  if (std::fabs(rounded) < 0x1p-14) return 0;
  return std::clamp(rounded, -65504.0, 65504.0);
}

double value_of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double mantissa = bits & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

struct Row {
  std::vector<float> x;  // as a device computes it
  double squared = 0;
  bool screened = true;
};

Row in_frame(const Frame& frame, const MatrixView<float>& values, std::uint64_t row, bool shifted,
             Metric metric = Metric::l2sq) {
  Row result;
  double sum = 0, largest = 0;
  for (std::uint64_t i = 0; i < values.columns; ++i) {
    const float difference = shifted ? values(row, i) - frame.origin[i] : values(row, i);
    const float x = frame.scale * difference;
    result.x.push_back(x);
    result.squared += double{x} * x;
    sum += std::fabs(double{x});
    largest = std::isnan(x) ? x : std::max(largest, std::fabs(double{x}));
  }
  const double norm = metric == Metric::l1 ? sum : metric == Metric::linf ? largest : result.squared;
  result.screened = norm <= double{std::numeric_limits<float>::max()};
  return result;
}

struct Norms {
  double value = 0, residual = 0, low = 0, packed = 0, weighted = 0;
};

}  // namespace

Frame frame_of(const std::vector<float>& words, std::uint64_t dimensions) {
  Frame frame;
  if (words.size() < passes::screen_frame_origin + dimensions) return frame;
  frame.scale = words[0];
  frame.largest_norm = words[1];
  frame.step = words[passes::screen_frame_step];
  const auto origin = words.begin() + passes::screen_frame_origin;
  frame.origin.assign(origin, origin + static_cast<std::ptrdiff_t>(dimensions));
  return frame;
}

std::string frame_error(const Frame& frame, const MatrixView<float>& rows, bool centred) {
  int exponent = 0;
  if (std::frexp(frame.scale, &exponent) != 0.5 || exponent < -59 || exponent > 61)
    return fmt::format("the scale {} is no power of two of -60 … 60", frame.scale);
  // What the scale brings the largest difference to, or up to twice that: squared norms of 9 to 128 dimensions stay below 2^15.
  const double wanted_size = rows.columns <= 8 ? 32 : rows.columns <= 21 ? 16 : 4;
  const std::uint64_t samples = std::min<std::uint64_t>(
      rows.rows, std::clamp<std::uint64_t>(passes::screen_origin_values / rows.columns,
                                           passes::screen_origin_least_samples, passes::screen_origin_most_samples));
  double largest = 0;
  for (std::uint64_t i = 0; i < rows.columns; ++i) {
    double mean = 0;
    double magnitude = 0;
    const auto sample = [&](std::uint64_t s) {
      const double value = rows(s * rows.rows / samples, i);
      return std::isfinite(value) ? value : 0.0;
    };
    for (std::uint64_t s = 0; s < samples; ++s) {
      mean += sample(s) / static_cast<double>(samples);
      magnitude += std::fabs(sample(s)) / static_cast<double>(samples);
    }
    const double wanted = centred && std::fabs(mean) <= 0x1p102 ? mean : 0;
    const double rounding = 0.51 / 1024 * wanted_size / frame.scale;
    if (!(std::fabs(frame.origin[i] - wanted) <= 1e-4 * magnitude + rounding))
      return fmt::format("the origin of dimension {} is {}, the mean {}", i, frame.origin[i], wanted);
    for (std::uint64_t s = 0; s < samples; ++s) largest = std::max(largest, std::fabs(sample(s) - frame.origin[i]));
  }
  const double expected_step = std::max(1.25 / 127 * largest * frame.scale, 0x1p-100);
  // The origin was rounded after the step was chosen, which sets it apart from samples that are all the same.
  const bool same = largest * frame.scale <= 0x1p-5;
  const bool near = std::fabs(frame.step - expected_step) <= 1e-3 * expected_step + 1e-3;
  // Differences that overflow may count or not.
  const bool counted = largest >= 0x1p127 ? frame.step > 0 && std::isfinite(frame.step) : near;
  if (!(counted || (same && frame.step == 0.5f)))
    return fmt::format("the step of codes is {}, expected {}", frame.step, expected_step);
  // Where all samples are the same the scale is 1, and only rounding sets the origin apart.
  if (largest < 1e-37 || (frame.scale == 1.0f && largest <= 0x1p-6)) return {};
  const double scaled = largest * frame.scale;
  // The origin was rounded, by up to 2^-11 of the size, after the scale was chosen.
  const double least = 0.999 * wanted_size, most = 2.001 * wanted_size;
  const bool in_range = scaled >= least && scaled <= most;
  const bool limited = (scaled < most && exponent == 61) || (scaled > least && exponent == -59);
  if (!in_range && !limited)
    return fmt::format("the scale {} brings the largest difference, {}, to {}", frame.scale, largest, scaled);
  return {};
}

std::string PackedOracle::error(const Frame& frame, const MatrixView<float>& values,
                                const std::vector<std::uint16_t>& halves, const std::vector<float>& biases,
                                const std::vector<float>& bounds) const {
  const std::uint64_t d = values.columns;
  const std::uint64_t depth = split ? 3 * d : d;
  const std::uint64_t tiles = (values.rows + tile - 1) / tile;
  const bool shifted = !queries || metric != Metric::ip;
  const auto steps = static_cast<double>((depth + 15) / 16);
  const double kappa = 1.25 * (static_cast<double>(depth) + 2 * steps + 2) * 0x1p-23;
  // What bounds may exceed the truth by: norms are rounded up, and tiny ones are not told from 0.
  const double tiny = 1e-15 * (1 + std::sqrt(static_cast<double>(d)));
  const auto bounded = [&](const char* name, double true_value, double bound) {
    if (bound >= true_value && bound <= 4 * true_value + tiny) return std::string();
    return fmt::format("{} is {:g}, of a true value of {:g}", name, bound, true_value);
  };
  // What a sum of 16 products errs by in half precision.
  const double rounding = sums == 0 && queries ? 0 : 1.25 * 0x1p-11;
  for (std::uint64_t t = 0; t < tiles; ++t) {
    double x = 0, y = 0, z = 0, w = 0;
    for (std::uint64_t in_tile = 0; in_tile < tile; ++in_tile) {
      const std::uint64_t r = t * tile + in_tile;
      const bool exists = r < values.rows;
      const std::string where = fmt::format("{} {}: ", queries ? "query" : "row", r);
      const Row row = exists ? in_frame(frame, values, r, shifted) : Row{};
      Norms squares;
      std::vector<double> wanted(depth_blocks * passes::screen_block_depth, 0.0);
      bool in_range = true;
      if (exists && row.screened)
        for (std::uint64_t i = 0; i < d; ++i) {
          const double high = half_value(row.x[i]);
          const double low = split ? half_value(row.x[i] - high) : 0.0;
          const double exact = (double{values(r, i)} - (shifted ? double{frame.origin[i]} : 0.0)) * double{frame.scale};
          in_range = in_range && std::fabs(row.x[i]) <= 65504.0f;
          wanted[i] = high;
          if (split) {
            wanted[d + i] = queries ? high : low;
            wanted[2 * d + i] = queries ? low : high;
          }
          squares.value += exact * exact;
          squares.residual += (exact - high - low) * (exact - high - low);
          squares.low += low * low;
          squares.packed += (high + low) * (high + low);
          // Once for each product of 16 dimensions behind which a sum in half precision is rounded.
          squares.weighted += static_cast<double>((d + 15) / 16 - i / 16) * high * high;
        }
      for (std::uint64_t i = 0; i < wanted.size(); ++i) {
        const std::uint64_t chunk = i % 64 / 8 ^ in_tile % 8;
        const std::uint64_t at = (t * depth_blocks + i / 64) * 8192 + in_tile * 64 + chunk * 8 + i % 8;
        if (value_of_half(halves[at]) != wanted[i])
          return where + fmt::format("half {} is {}, expected {}", i, value_of_half(halves[at]), wanted[i]);
      }
      const double residual = std::sqrt(squares.residual);
      const double packed = std::sqrt(squares.packed);
      const double norm = std::sqrt(squares.value), weighted = std::sqrt(squares.weighted);
      if (queries) {
        if (!exists) continue;
        const float* own = &bounds[8 * r];
        if (!row.screened) {
          if (own[3] != 0) return where + "is not finite and counts as certifiable";
          continue;
        }
        std::string wrong = bounded("A", packed, own[0]);
        const double missed = residual + (sums == 2 ? rounding * steps * packed : 0);
        if (wrong.empty())
          wrong = own[1] >= missed && own[1] <= 4 * missed + norm * 0x1p-22 + tiny
                      ? ""
                      : fmt::format("B is {:g}, of a residual of {:g}", own[1], missed);
        const double third = split ? std::sqrt(squares.low) : sums == 1 ? weighted : sums == 2 ? packed : 0;
        if (wrong.empty()) wrong = bounded("C", third, own[2]);
        if (!wrong.empty()) return where + wrong;
        const double gamma = 1.01 * (static_cast<double>(d) + 4) * 0x1p-24;
        if (metric == Metric::ip) {
          const double slack = 2 * gamma * norm * frame.largest_norm;
          if (std::isfinite(slack) && !(own[6] >= slack)) return where + "the slack is too small";
          if (!std::isfinite(frame.largest_norm) && own[3] != 0)
            return where + "is certifiable although a row is not screened";
        } else {
          wrong = bounded("half the squared norm", 0.5 * squares.value, own[4]);
          if (wrong.empty()) wrong = bounded("the relative slack", 2 * gamma / (1 - gamma), own[5]);
          if (!wrong.empty()) return where + wrong;
          if ((own[3] != 0) != in_range) return where + fmt::format("certifiable is {}", own[3]);
        }
        continue;
      }
      if (!exists || !row.screened) {
        if (biases[r] != -std::numeric_limits<float>::infinity())
          return where + fmt::format("is not screened, its bias is {}", biases[r]);
        continue;
      }
      const double bias = metric == Metric::ip ? 0 : -0.5 * squares.value;
      if (!(std::fabs(biases[r] - bias) <= 8 * 0x1p-24 * std::fabs(bias) + 1e-37))
        return where + fmt::format("the bias is {}, expected {}", biases[r], bias);
      x = std::max(x, residual + kappa * packed);
      y = std::max(y, norm);
      z = std::max(z, split ? std::sqrt(squares.low) : rounding * weighted);
      w = std::max(w, (kappa + 0x1p-20) * -bias + (metric == Metric::ip ? 0 : 0x1p-22));
    }
    if (queries) continue;
    std::string wrong = bounded("X", x, bounds[4 * t]);
    if (wrong.empty()) wrong = bounded("Y", y, bounds[4 * t + 1]);
    if (wrong.empty()) wrong = bounded("Z", z, bounds[4 * t + 2]);
    if (wrong.empty()) wrong = bounded("W", w, bounds[4 * t + 3]);
    if (!wrong.empty()) return fmt::format("tile {}: {}", t, wrong);
  }
  return {};
}

std::string CodedOracle::error(const Frame& frame, const MatrixView<float>& values,
                               const std::vector<std::uint8_t>& codes, const std::vector<float>& biases,
                               const std::vector<float>& bounds) const {
  const std::uint64_t d = values.columns, words = (d + 3) / 4;
  const bool products = metric != Metric::l1 && metric != Metric::linf;
  const bool shifted = !queries || metric != Metric::ip;
  const double tiny = 1e-15 * (1 + std::sqrt(static_cast<double>(d)));
  const auto norm_of = [&](double sum, double value) {
    if (metric == Metric::linf) return std::max(sum, std::fabs(value));
    return sum + (products ? value * value : std::fabs(value));
  };
  const auto finished = [&](double sum) { return products ? std::sqrt(sum) : sum; };
  for (std::uint64_t t = 0; t * tile < values.rows; ++t) {
    double x = 0, y = 0;
    for (std::uint64_t r = t * tile; r < std::min(values.rows, (t + 1) * tile); ++r) {
      const std::string where = fmt::format("{} {}: ", queries ? "query" : "row", r);
      const Row row = in_frame(frame, values, r, shifted, metric);
      const float* own = queries ? &bounds[8 * r] : nullptr;
      if (!row.screened) {
        if (queries && own[3] != 0) return where + "is not finite and counts as certifiable";
        if (!queries && biases[r] != -infinity)
          return where + fmt::format("is not screened, its bias is {}", biases[r]);
        continue;
      }
      // A query's step follows from what a sum of codes is multiplied by.
      const double row_step = (metric == Metric::linf ? passes::screen_linf_quarters / 4.0 : 1.0) * frame.step;
      const double step = queries && products ? double{own[2]} / row_step : row_step;
      double whole = 0, coded = 0, lost = 0, squared = 0;
      for (std::uint64_t i = 0; i < d; ++i) {
        const std::uint64_t word = queries ? r * words + i / 4 : (t * words + i / 4) * tile + r % tile;
        const std::uint8_t byte = codes[4 * word + i % 4];
        const double stands_for = step * (products ? static_cast<std::int8_t>(byte) : int{byte} - 128);
        const double exact = (double{values(r, i)} - (shifted ? double{frame.origin[i]} : 0.0)) * double{frame.scale};
        whole = norm_of(whole, exact);
        coded = norm_of(coded, stands_for);
        lost = norm_of(lost, exact - stands_for);
        squared += exact * exact;
      }
      whole = finished(whole), coded = finished(coded), lost = finished(lost);
      // Products with a query's step are rounded once more.
      const double rounding = 1e-6 * (whole + coded) + tiny;
      if (!queries) {
        const double bias = metric == Metric::l1 || metric == Metric::linf || metric == Metric::ip ? 0 : -0.5 * squared;
        if (!(std::fabs(biases[r] - bias) <= 8 * 0x1p-24 * std::fabs(bias) + 1e-37))
          return where + fmt::format("the bias is {}, expected {}", biases[r], bias);
        x = std::max(x, lost);
        y = std::max(y, products ? whole : 1.0);
        continue;
      }
      if (!(own[1] >= lost - rounding && own[1] <= 4 * lost + 4 * rounding))
        return where + fmt::format("B is {:g}, of a residual of {:g}", own[1], lost);
      if (!(own[0] >= (products ? coded - rounding : 1.0) && own[0] <= (products ? 4 * coded + rounding : 1.0)))
        return where + fmt::format("A is {:g}, of codes of {:g}", own[0], coded);
    }
    if (queries) continue;
    if (!(bounds[4 * t] >= x && bounds[4 * t + 1] >= y))
      return fmt::format("tile {}: X and Y are {:g} and {:g}, of true values of {:g} and {:g}", t, bounds[4 * t],
                         bounds[4 * t + 1], x, y);
  }
  return {};
}

std::string IntegerOracle::error(const Frame& frame, const MatrixView<float>& values,
                                 const std::vector<std::int8_t>& integers, const std::vector<std::int32_t>& biases,
                                 const std::vector<float>& bounds) const {
  const std::uint64_t d = values.columns, tiles = (values.rows + tile - 1) / tile;
  // The canonical sums of so few integers are exact: nothing has to be allowed for them.
  const double gamma = d * 255 * 255 < 1 << 24 ? 0 : 1.01 * (static_cast<double>(d) + 4) * 0x1p-24;
  for (std::uint64_t r = 0; r < tiles * tile; ++r) {
    const std::string where = fmt::format("{} {}: ", queries ? "query" : "row", r);
    std::vector<double> x;
    bool holds = r < values.rows;
    for (std::uint64_t i = 0; holds && i < d; ++i) {
      x.push_back(double{values(r, i)} - double{frame.origin[i]});
      holds = x.back() == std::nearbyint(x.back()) && x.back() >= -128 && x.back() <= 127;
    }
    double sum = 0, squares = 0, unshifted = 0;
    for (std::uint64_t i = 0; i < depth_blocks * 128; ++i) {
      const double wanted = holds && i < d ? x[i] : 0;
      const std::uint64_t chunk = i % 128 / 16 ^ r % 8;
      const std::uint64_t at = (r / tile * depth_blocks + i / 128) * 16384 + r % tile * 128 + chunk * 16 + i % 16;
      if (integers[at] != wanted) return where + fmt::format("value {} is {}, expected {}", i, integers[at], wanted);
      sum += wanted;
      squares += wanted * wanted;
      unshifted += i < d ? (wanted + frame.origin[i]) * (wanted + frame.origin[i]) : 0;
    }
    if (!queries) {
      const double bias = metric == Metric::ip ? frame.origin[0] * sum : -std::ceil(squares / 2);
      const double wanted = holds ? bias : -0x1p29;
      if (biases[r] != wanted) return where + fmt::format("the bias is {}, expected {}", biases[r], wanted);
      const float* own = &bounds[r / tile * 4];
      const double least = (metric == Metric::ip ? 0 : 0.5) + (d <= 512 ? 0 : static_cast<double>(d) * 0x1p-9);
      if (own[0] != 0 || own[1] != 0 || own[2] != 0 || own[3] < least || own[3] > 2 * least)
        return where + fmt::format("the bounds of the tile are {}, {}, {} and {}", own[0], own[1], own[2], own[3]);
      continue;
    }
    if (r >= values.rows) continue;
    const float* own = &bounds[8 * r];
    if ((own[3] != 0) != holds) return where + fmt::format("certifiable is {}", own[3]);
    if (!holds) continue;
    if (own[0] != 0 || own[1] != 0 || own[2] != 0) return where + "a score of integers is exact";
    const double slack = 2 * gamma * std::sqrt(unshifted) * 255 * std::sqrt(static_cast<double>(d));
    const bool right = metric == Metric::ip ? own[6] >= slack && own[6] <= 1.1 * slack
                                            : own[4] >= squares / 2 && own[4] <= 1.01 * squares / 2 &&
                                                  own[5] >= 2 * gamma / (1 - gamma) && own[5] <= 2.2 * gamma;
    if (!right) return where + fmt::format("the slacks are {}, {} and {}", own[4], own[5], own[6]);
  }
  return {};
}

Matrix<double> true_scores(const Frame& frame, const MatrixView<float>& queries, const MatrixView<float>& rows,
                           Metric metric) {
  Matrix<double> scores(queries.rows, rows.rows);
  const double scale = frame.scale;
  if (metric == Metric::l1 || metric == Metric::linf) {
    for (std::uint64_t r = 0; r < rows.rows; ++r) {
      const bool screened = in_frame(frame, rows, r, true, metric).screened;
      for (std::uint64_t q = 0; q < queries.rows; ++q) {
        double distance = 0;
        for (std::uint64_t i = 0; i < rows.columns; ++i) {
          const double difference = std::fabs(double{queries(q, i)} - rows(r, i));
          distance = metric == Metric::l1 ? distance + difference : std::max(distance, difference);
          if (std::isnan(difference)) distance = difference;
        }
        scores(q, r) = screened ? -scale * distance : -infinity;
      }
    }
    return scores;
  }
  for (std::uint64_t r = 0; r < rows.rows; ++r) {
    const bool screened = in_frame(frame, rows, r, true).screened;
    for (std::uint64_t q = 0; q < queries.rows; ++q) {
      double product = 0;
      double squared = 0;
      for (std::uint64_t i = 0; i < rows.columns; ++i) {
        const double origin = frame.origin[i];
        const double query = scale * (queries(q, i) - (metric == Metric::ip ? 0.0 : origin));
        const double row = scale * (rows(r, i) - origin);
        product += query * row;
        squared += row * row;
      }
      scores(q, r) = screened ? product - (metric == Metric::ip ? 0 : 0.5 * squared) : -infinity;
    }
  }
  return scores;
}

double error_bound(const std::vector<float>& query_bounds, std::uint64_t query, const std::vector<float>& row_bounds,
                   std::uint64_t t) {
  const float* a = &query_bounds[8 * query];
  const float* x = &row_bounds[4 * t];
  return double{a[0]} * x[0] + double{a[1]} * x[1] + double{a[2]} * x[2] + double{x[3]};
}

}  // namespace proxel::conformance
