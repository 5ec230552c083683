// The system of Krulis et al. 2011: the pass over blocks of signatures, and whole searches by
// proxel::KrulisIndex, with and without pivots, on one device and on several, against the oracle.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "case.hpp"
#include "compiling_device.hpp"
#include "guarded_buffer.hpp"
#include "pass_script.hpp"
#include "proxel/papers/krulis.hpp"
#include "proxel/passes/sqfd_block.h"
#include "random.hpp"
#include "sqfd_oracle.hpp"

namespace proxel::conformance {
namespace {

const char* name_of(SqfdPrecision precision) { return precision == SqfdPrecision::float32 ? "float32" : "float64"; }

// Units in the last place that a sum of some thousand similarities may lose, far less than what
// the library states for the worst case.
double accuracy_of(SqfdPrecision precision) { return precision == SqfdPrecision::float32 ? 1e-5 : 1e-12; }

template <typename T>
std::vector<T> copied(std::span<const T> values) {
  return {values.begin(), values.end()};
}

struct PassCase {
  SqfdData kind;
  SqfdPrecision precision;
  std::uint32_t objects, dimensions;
  double alpha;
  bool numbered;

  std::string name() const {
    return fmt::format("pass/sqfd/{}/objects={},d={},alpha={}{}/{}", name_of(precision), objects, dimensions, alpha,
                       numbered ? ",numbered" : "", to_string(kind));
  }
};

void write_script(PassScript& script, const PassCase& c, std::uint64_t seed) {
  const Signatures database = make_sqfd_data(c.kind, c.objects, c.dimensions, seed);
  const Signatures query = make_sqfd_data(c.kind, 1, c.dimensions, seed + 1);
  passes::SqfdBlockParameters p{};
  p.centroids = script.input("centroids", copied(database.centroids()));
  p.weights = script.input("weights", copied(database.weights()));
  p.offsets = script.input("offsets", std::vector<std::uint32_t>(database.offsets().begin(), database.offsets().end()));
  p.query_centroids = script.input("query centroids", copied(query.centroids()));
  p.query_weights = script.input("query weights", copied(query.weights()));
  p.scale_double = std::bit_cast<std::uint64_t>(c.alpha * std::numbers::log2e);
  p.scale = std::bit_cast<std::uint32_t>(static_cast<float>(c.alpha * std::numbers::log2e));
  p.query_length = static_cast<std::uint32_t>(query.length(0));
  p.dimensions = c.dimensions;
  p.count = c.objects;
  if (c.numbered) {
    // Backwards, the last one twice.
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = c.objects; i > 0; --i) numbers.push_back(i - 1);
    numbers.push_back(c.objects - 1);
    p.count = static_cast<std::uint32_t>(numbers.size());
    p.objects = script.input("objects", numbers);
  } else if (c.objects > 2) {
    p.first_object = 2;
    p.count -= 2;
  }
  p.distances = script.output("distances", std::uint64_t{4} * p.count);
  script.add_pass(passes::make_sqfd_block(p, c.precision));
}

void add_passes(Cases& cases) {
  struct Shape {
    std::uint32_t objects, dimensions;
    double alpha;
  };
  // Some signatures of 64 dimensions and more do not fit shared memory.
  constexpr Shape shapes[] = {{1, 1, 3}, {40, 7, 0.2}, {9, 3, 0.01}, {5, 64, 3}, {2, 2048, 0.01}};
  std::size_t step = 0;
  for (const SqfdData kind : all_sqfd_data)
    for (const Shape& s : shapes)
      for (const SqfdPrecision precision : {SqfdPrecision::float32, SqfdPrecision::float64}) {
        if (kind == SqfdData::lengths && s.dimensions > 64) continue;
        const PassCase c{kind, precision, s.objects, s.dimensions, s.alpha, step % 2 == 1};
        // Float and double in turn; the two cases of a pair are numbered alike.
        const bool quick = (step + (precision == SqfdPrecision::float32 ? 0 : 1)) % 4 == 0;
        cases.push_back({c.name(), quick, [c](const Context& context) {
          return check_passes(context, [c, seed = context.seed](PassScript& script) { write_script(script, c, seed); });
        }});
        if (precision == SqfdPrecision::float64) ++step;
      }
}

struct SearchCase {
  SqfdData kind;
  SqfdPrecision precision;
  double alpha;
  std::uint64_t objects, queries, k;
  float radius;
  std::uint32_t dimensions;
  bool several = false;  ///< devices

  std::string name() const {
    return fmt::format("krulis/{}{}/n={},q={},k={},d={},alpha={}/{}", name_of(precision), several ? ",devices" : "",
                       objects, queries, k, dimensions, alpha, to_string(kind));
  }
};

bool same(const Neighbors& a, const Neighbors& b) { return a.indices == b.indices && a.distances == b.distances; }
bool same(const RangeNeighbors& a, const RangeNeighbors& b) {
  return a.offsets == b.offsets && a.indices == b.indices && a.distances == b.distances;
}

KrulisOptions options_of(const SearchCase& c, SignatureFilter filter) {
  KrulisOptions options;
  options.alpha = c.alpha;
  options.precision = c.precision;
  options.filter = filter;
  options.pivot_count = 8;
  // Small, so that there are several.
  options.scan_block = c.several ? 17 : 0;
  options.range_block = 13;
  options.knn_block = 5;
  return options;
}

// The options under which a device has room for some groups of signatures at a time, beside the pivots.
KrulisOptions traveling(KrulisOptions options, const Signatures& signatures, std::span<const std::uint32_t> pivots,
                        std::uint64_t groups) {
  // Of offsets, one more than there are signatures, of coordinates and of weights.
  const auto bytes = [&](std::uint64_t count, std::uint64_t centroids) {
    return count == 0 ? 0 : 4 * (count + 1 + centroids * (signatures.dimensions() + std::uint64_t{1}));
  };
  options.group = 9;
  std::uint64_t largest = 0, of_pivots = 0;
  for (std::uint64_t first = 0; first < signatures.size(); first += options.group) {
    const std::uint64_t end = std::min(signatures.size(), first + options.group);
    largest = std::max(largest, bytes(end - first, signatures.offsets()[end] - signatures.offsets()[first]));
  }
  for (const std::uint32_t pivot : pivots) of_pivots += signatures.length(pivot);
  options.memory_limit = groups * largest + bytes(pivots.size(), of_pivots);
  return options;
}

Verdict search(const SearchCase& c, std::span<Device* const> devices, const Signatures& database,
               const Signatures& queries, const SquaredDistances& right) {
  Neighbors nearest;
  RangeNeighbors within;
  for (const SignatureFilter filter : {SignatureFilter::none, SignatureFilter::pivots, SignatureFilter::ptolemaic}) {
    KrulisIndex index(devices, database, options_of(c, filter));
    Neighbors found = index.search(queries, c.k);
    RangeNeighbors found_within = index.range_search(queries, c.radius);
    const auto what = [&](const std::string& wrong) {
      return Verdict::fail(fmt::format("filter {}: {}", to_string(filter), wrong));
    };
    if (const std::string wrong = wrong_nearest(right, found); !wrong.empty()) return what(wrong);
    if (const std::string wrong = wrong_within(right, c.radius, found_within); !wrong.empty()) return what(wrong);
    if (filter != SignatureFilter::none && (!same(nearest, found) || !same(within, found_within)))
      return what("another answer than without, to the bit");
    if (!same(found, index.search(queries, c.k))) return what("another answer when asked again");
    const std::uint64_t groups = filter == SignatureFilter::none ? 2 : filter == SignatureFilter::pivots ? 1 : 4;
    KrulisIndex tight(devices, database, traveling(options_of(c, filter), database, index.pivots(), groups));
    if (!same(found, tight.search(queries, c.k)) || !same(found_within, tight.range_search(queries, c.radius)))
      return what(fmt::format("another answer where there is room for {} groups", groups));
    if (filter == SignatureFilter::none && !(index.distances(queries).values == tight.distances(queries).values))
      return what("other distances where there is room for some of the signatures");
    nearest = std::move(found);
    within = std::move(found_within);
  }
  std::vector<std::byte> answer = bytes_of(nearest.indices.data(), c.queries * c.k);
  const std::vector<std::byte> more[] = {bytes_of(nearest.distances.data(), c.queries * c.k), bytes_of(within.indices),
                                         bytes_of(within.distances)};
  for (const std::vector<std::byte>& part : more) answer.insert(answer.end(), part.begin(), part.end());
  return Verdict::pass(std::move(answer));
}

void add_search(Cases& cases, const SearchCase& c, bool quick) {
  cases.push_back({c.name(), quick, [c](const Context& context) {
    // An even seed and the one behind it have signatures in common.
    const std::uint64_t seed = context.seed / 2 * 2;
    auto database = std::make_shared<Signatures>(make_sqfd_data(c.kind, c.objects, c.dimensions, seed));
    auto queries = std::make_shared<Signatures>(make_sqfd_data(c.kind, c.queries, c.dimensions, seed + 1));
    auto right = std::make_shared<SquaredDistances>(
        oracle_squared_distances(*database, *queries, c.alpha, accuracy_of(c.precision)));
    return make_check([=](Device& device) -> Verdict {
      passes::SqfdBlockParameters some{};
      some.count = 1;
      if (const Support support = device.supports(passes::make_sqfd_block(some, c.precision)); !support)
        return Verdict::refuse(support);
      std::vector<Device*> devices = {&device};
      std::vector<std::unique_ptr<Device>> others;
      if (c.several) {
        others.push_back(open_device("cpu"));
        others.push_back(open_again(device));
        for (const auto& other : others) devices.push_back(other.get());
      }
      return search(c, devices, *database, *queries, *right);
    });
  }});
}

void add_searches(Cases& cases) {
  constexpr double alphas[] = {3, 0.2, 0.01};
  std::size_t step = 0;
  for (const SqfdData kind : all_sqfd_data)
    for (const double alpha : alphas)
      for (const SqfdPrecision precision : {SqfdPrecision::float32, SqfdPrecision::float64}) {
        const bool long_ones = kind == SqfdData::lengths;
        const float radius = alpha == 3 ? 0.9f : alpha == 0.2 ? 0.3f : 0.05f;
        const SearchCase c{kind, precision, alpha, long_ones ? 12u : 60u, 2, 4, long_ones ? 40 * radius : radius, 7};
        add_search(cases, c, step % 5 == 0);
        SearchCase several = c;
        several.several = true;
        add_search(cases, several, !long_ones && step % 8 == 1);
        ++step;
      }
  // More neighbours than there are objects; one object; a radius that nothing or everything is within.
  add_search(cases, {SqfdData::clustered, SqfdPrecision::float32, 0.2, 7, 2, 12, 1e30f, 7}, true);
  add_search(cases, {SqfdData::equal, SqfdPrecision::float32, 0.2, 1, 2, 1, -1, 2}, true);
}

}  // namespace

void add_krulis_cases(Cases& cases) {
  add_passes(cases);
  add_searches(cases);
}

}  // namespace proxel::conformance
