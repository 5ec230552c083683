// Groups of signatures, a centroid per lane.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "cpu/machine.hpp"
#include "passes/grids.hpp"
#include "passes/signature_bounds.hpp"
#include "passes/signature_sums.hpp"
#include "proxel/passes/signature_bounds.h"
#include "proxel/passes/signature_distance.h"
#include "proxel/passes/signature_pairs.h"
#include "proxel/passes/signature_screen.h"
#include "proxel/passes/signature_terms.h"

namespace proxel::cpu {
namespace {

using passes::signature_block;
using passes::SignaturesAt;

constexpr std::size_t places_at_a_time = 16;  // every kernel works on a multiple of these
constexpr std::uint64_t groups_at_a_time = 16;

/// What the kernels find of a signature's places, of which some before and behind it are
/// computed in vain.
class SignatureSums {
 public:
  SignatureSums(const passes::SignatureSet& queries, std::uint32_t dimensions, int kind, float factor,
                void (*kernel)(const SignatureRun&))
      : queries_(queries, dimensions), kernel_(kernel) {
    run_.kind = kind;
    run_.factor = factor;
    run_.dimensions = dimensions;
    run_.queries = passes::at<const float>(queries.coordinates);
    run_.weights = passes::at<const float>(queries.weights);
  }

  const SignaturesAt& queries() const { return queries_; }
  void take_query(std::uint64_t query) {
    run_.first_place = queries_.first_place(query);
    run_.length = queries_.length(query);
    known_ = nowhere;
  }

  /// Calls add(high, low, weight) for the signature's places in order.
  template <typename Add>
  void of(const SignaturesAt& objects, std::uint64_t object, const Add& add) {
    const std::uint64_t first = objects.first_place(object), end = first + objects.length(object);
    for (std::uint64_t place = first; place < end; ++place) {
      const std::uint64_t in_run = place % places_at_a_time;
      if (place - in_run != known_) {
        known_ = place - in_run;
        run_.objects = objects.coordinates(known_);
        run_.count = places_at_a_time;
        run_.high = high_.data();
        run_.low = low_.data();
        kernel_(run_);
      }
      add(high_[in_run], low_[in_run], objects.weight(place));
    }
  }

  arithmetic::float_float canonical(const SignaturesAt& objects, std::uint64_t object) {
    arithmetic::float_float cross{0, 0};
    of(objects, object,
       [&](float high, float low, float weight) { cross = arithmetic::sum_with_product(cross, {high, low}, weight); });
    return cross;
  }

 private:
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

  SignaturesAt queries_;
  void (*kernel_)(const SignatureRun&);
  SignatureRun run_;
  std::uint64_t known_ = nowhere;  // the place at which the run at hand begins
  std::array<float, places_at_a_time> high_{}, low_{};
};

// Calls body(query, first object, end) from several threads.
template <typename Body>
void for_each_part(Machine& machine, std::uint64_t address, std::uint32_t group_count, std::uint32_t queries,
                   const Body& body) {
  const auto* groups = passes::at<const std::uint32_t>(address);
  const std::uint64_t parts = passes::divide_up(group_count, groups_at_a_time);
  machine.workers.for_each(parts * queries, [&](std::uint64_t item) {
    const std::uint64_t first = item % parts * groups_at_a_time;
    body(item / parts, groups[first], groups[std::min<std::uint64_t>(first + groups_at_a_time, group_count)]);
  });
}

}  // namespace

void signature_terms(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::SignatureTermsParameters>();
  const auto constants = pass.constants_as<passes::SignatureTermsConstants>();
  for_each_part(machine, p.groups, p.group_count, 1, [&](std::uint64_t, std::uint64_t first, std::uint64_t end) {
    SignatureSums sums(p.signatures, constants.dimensions, static_cast<int>(constants.similarity), p.alpha,
                       machine.kernels.signature_sums);
    for (std::uint64_t i = first; i < end; ++i) {
      sums.take_query(i);
      const auto own = sums.canonical(sums.queries(), i);
      passes::at<float>(p.signatures.terms)[4 * i] = own.high;
      passes::at<float>(p.signatures.terms)[4 * i + 1] = own.low;
    }
  });
}

void signature_distance(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::SignatureDistanceParameters>();
  const auto constants = pass.constants_as<passes::SignatureDistanceConstants>();
  const SignaturesAt objects(p.objects, constants.dimensions);
  for_each_part(machine, p.groups, p.group_count, pass.grid.y,
                [&](std::uint64_t query, std::uint64_t first, std::uint64_t end) {
    SignatureSums sums(p.queries, constants.dimensions, static_cast<int>(constants.similarity), p.alpha,
                       machine.kernels.signature_sums);
    sums.take_query(query);
    const auto of_query = sums.queries().terms(query);
    float* distances = passes::at<float>(p.distances) + query * p.distance_stride;
    std::uint32_t here = 0;
    for (std::uint64_t object = first; object < end; ++object) {
      if (p.limits != 0 && !(distances[object] <= passes::at<const float>(p.limits)[query])) {
        distances[object] = std::numeric_limits<float>::quiet_NaN();
        continue;
      }
      const auto of_object = objects.terms(object);
      const float square =
          arithmetic::signature_square(of_query, of_object, sums.canonical(objects, object), static_cast<int>(p.unit));
      distances[object] = arithmetic::scaled_root(std::sqrt(square), of_query, of_object);
      ++here;
    }
    std::atomic_ref(passes::at<std::uint32_t>(p.evaluated)[query]) += here;
  });
}

void signature_screen(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::SignatureScreenParameters>();
  const auto constants = pass.constants_as<passes::SignatureScreenConstants>();
  const SignaturesAt objects(p.objects, constants.dimensions);
  for_each_part(machine, p.groups, p.group_count, p.query_count,
                [&](std::uint64_t query, std::uint64_t first, std::uint64_t end) {
    SignatureSums sums(p.queries, constants.dimensions, static_cast<int>(constants.similarity), p.factor,
                       machine.kernels.signature_screen);
    sums.take_query(query);
    for (std::uint64_t object = first; object < end; ++object) {
      float cross = 0;
      sums.of(objects, object, [&](float high, float, float weight) { cross += weight * high; });
      passes::at<float>(p.distances)[query * p.distance_stride + object] = arithmetic::screened_square(
          sums.queries().terms(query), objects.terms(object), cross, static_cast<int>(p.unit));
    }
  });
}

void signature_bounds(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::SignatureBoundsParameters>();
  using passes::signature_pivots;
  // Objects side by side, so that a pair's bounds are vectors.
  constexpr std::uint64_t part = 256;
  const std::uint64_t parts = passes::divide_up(p.objects, part);
  machine.workers.for_each(parts * pass.grid.y, [&](std::uint64_t item) {
    const std::uint64_t query = item / parts, first = item % parts * part;
    const std::uint64_t count = std::min(part, p.objects - first);
    const passes::PivotFactors factors(p, query);
    std::array<float, part> bounds{};
    const auto widen = [&](std::uint64_t i, float bound) { bounds[i] = bound > bounds[i] ? bound : bounds[i]; };
    for (std::uint32_t near = 0; near < signature_pivots; ++near) {
      const float* low = passes::at<const float>(p.low) + near * std::uint64_t{p.object_stride} + first;
      for (std::uint32_t other = 0; other < signature_pivots; ++other) {
        const float* high = passes::at<const float>(p.high) + other * std::uint64_t{p.object_stride} + first;
        const float of_near = factors.of_near[near * signature_pivots + other];
        const float of_other = factors.of_other[near * signature_pivots + other];
        for (std::uint64_t i = 0; i < count; ++i) widen(i, of_near * low[i] - of_other * high[i]);
      }
      const float* high = passes::at<const float>(p.high) + near * std::uint64_t{p.object_stride} + first;
      for (std::uint64_t i = 0; i < count; ++i) widen(i, factors.low[near] - high[i]);
      for (std::uint64_t i = 0; i < count; ++i) widen(i, low[i] - factors.high[near]);
    }
    for (std::uint64_t i = 0; i < count; ++i)
      passes::at<float>(p.bounds)[query * p.bound_stride + first + i] = passes::lowered_square(bounds[i]);
  });
}

void signature_pairs(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::SignaturePairsParameters>();
  const auto constants = pass.constants_as<passes::SignaturePairsConstants>();
  const SignaturesAt objects(p.objects, constants.dimensions);
  // Objects of a list that a thread takes at a time.
  constexpr std::uint64_t part = 64;
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const std::uint64_t count = p.counts == 0 ? p.count : passes::at<const std::uint32_t>(p.counts)[query];
    const auto* list = passes::at<const std::uint32_t>(p.lists) + query * p.list_stride;
    float* squares = passes::at<float>(p.squares) + query * p.square_stride;
    machine.workers.for_each(passes::divide_up(count, part), [&](std::uint64_t item) {
      SignatureSums sums(p.queries, constants.dimensions, static_cast<int>(constants.similarity), p.factor,
                         machine.kernels.signature_screen);
      sums.take_query(query);
      for (std::uint64_t i = item * part; i < std::min(count, (item + 1) * part); ++i) {
        float cross = 0;
        sums.of(objects, list[i], [&](float high, float, float weight) { cross += weight * high; });
        squares[p.counts == 0 ? i : list[i]] = arithmetic::screened_square(
            sums.queries().terms(query), objects.terms(list[i]), cross, static_cast<int>(p.unit));
      }
    });
  }
}

}  // namespace proxel::cpu
