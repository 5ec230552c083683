// Feature signatures under the signature quadratic form distance: the passes on memory that
// the case packs itself, and whole searches through proxel::SignatureIndex.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "case.hpp"
#include "guarded_buffer.hpp"
#include "pass_script.hpp"
#include "proxel/passes/signature_distance.h"
#include "proxel/passes/signature_limits.h"
#include "proxel/passes/signature_screen.h"
#include "proxel/passes/signature_terms.h"
#include "signature_oracle.hpp"

namespace proxel::conformance {
namespace {

using passes::signature_block;

// Scaled as proxel/arithmetic/similarity.h says, laid out as types.h does.
struct Packed {
  std::vector<float> coordinates, weights;
  std::vector<std::uint32_t> spans, terms, groups;
  std::uint32_t count() const { return static_cast<std::uint32_t>(spans.size() / 2); }
};

/// @param alignment  of the signatures' first places
Packed pack(const std::vector<std::uint32_t>& lengths, std::uint32_t dimensions, Random& random,
            std::uint32_t alignment = 1) {
  Packed packed;
  std::uint32_t places = 0, begin = 0;
  for (const std::uint32_t length : lengths) {
    if (packed.groups.empty() || places + (length + alignment - 1) / alignment * alignment > begin + signature_block) {
      begin = places = (places + signature_block - 1) / signature_block * signature_block;
      packed.groups.push_back(packed.count());
      // Some groups hold no signature.
      if (random.one_in(5)) packed.groups.push_back(packed.count());
    }
    packed.spans.insert(packed.spans.end(), {places, length});
    const auto exponent = static_cast<std::int32_t>(random.below(9)) - 4;
    packed.terms.insert(packed.terms.end(), {0, 0, static_cast<std::uint32_t>(random.one_in(12) ? -200 : exponent), 0});
    places += (length + alignment - 1) / alignment * alignment;
  }
  packed.groups.push_back(packed.count());
  places = (places + signature_block - 1) / signature_block * signature_block;
  packed.coordinates.resize(std::size_t{places} * dimensions);
  packed.weights.resize(places);
  for (float& value : packed.coordinates) value = 2 * random.unit();
  for (std::uint32_t i = 0; i < packed.count(); ++i)
    for (std::uint32_t c = 0; c < packed.spans[2 * i + 1]; ++c)
      packed.weights[packed.spans[2 * i] + c] =
          random.one_in(10) ? 0
                            : std::floor((1 + random.unit()) * 0x1p30f / static_cast<float>(packed.spans[2 * i + 1]));
  return packed;
}

struct PassCase {
  Similarity kind;
  std::uint32_t objects, queries, dimensions, longest, groups;

  std::string name() const {
    return fmt::format("pass/signatures/{}/n={},q={},d={},longest={},groups={}", to_string(kind), objects, queries,
                       dimensions, longest, groups);
  }
};

std::vector<std::uint32_t> some_lengths(std::uint32_t count, std::uint32_t longest, Random& random) {
  std::vector<std::uint32_t> lengths(count);
  for (std::uint32_t& length : lengths) length = static_cast<std::uint32_t>(1 + random.below(longest));
  lengths[count / 2] = longest;
  return lengths;
}

passes::SignatureSet set_of(PassScript& script, const char* name, const Packed& packed) {
  const std::string of = name;
  return {script.input(of + " coordinates", packed.coordinates), script.input(of + " weights", packed.weights),
          script.input(of + " spans", packed.spans), script.output(of + " terms", packed.terms)};
}

void write_script(PassScript& script, const PassCase& c, std::uint64_t seed) {
  Random random(seed);
  const Packed objects = pack(some_lengths(c.objects, c.longest, random), c.dimensions, random);
  const Packed queries = pack(some_lengths(c.queries, c.longest, random), c.dimensions, random);
  const int kind = static_cast<int>(c.kind);
  const auto terms_of = [&](const char* name, const Packed& packed) {
    passes::SignatureTermsParameters terms{};
    terms.signatures = set_of(script, name, packed);
    terms.groups = script.input(std::string(name) + " groups", packed.groups);
    terms.group_count = static_cast<std::uint32_t>(packed.groups.size() - 1);
    terms.alpha = 1.25f;
    script.add_pass(passes::make_signature_terms(terms, kind, c.dimensions));
    return terms;
  };
  const auto of_objects = terms_of("objects", objects);
  passes::SignatureDistanceParameters pass{};
  pass.queries = terms_of("queries", queries).signatures;
  pass.objects = of_objects.signatures;
  pass.groups = of_objects.groups;
  pass.group_count = of_objects.group_count;
  pass.alpha = of_objects.alpha;
  pass.unit = static_cast<std::uint32_t>(-3);
  pass.distance_stride = c.objects + 3;
  const std::vector<float> before(std::size_t{c.queries} * pass.distance_stride, -1.0f);
  pass.distances = script.output("distances", before);
  pass.evaluated = script.output("evaluated", std::vector<std::uint32_t>(c.queries, 7));
  script.add_pass(passes::make_signature_distance(pass, kind, c.dimensions, c.groups, c.queries));
  // Again, but of those alone whose number is small enough.
  std::vector<float> screened = before;
  for (float& value : screened) value = random.one_in(20) ? NAN : random.unit();
  std::vector<float> limits(c.queries);
  for (float& limit : limits) limit = random.unit();
  pass.distances = script.output("distances within limits", screened);
  pass.limits = script.input("limits", limits);
  script.add_pass(passes::make_signature_distance(pass, kind, c.dimensions, c.groups, c.queries));

  passes::SignatureLimitsParameters of_limits{};
  of_limits.k = 1 + c.longest % 3;
  std::vector<float> selected(std::size_t{c.queries} * of_limits.k);
  for (float& value : selected) value = random.symmetric();
  of_limits.selected = script.input("selected", selected);
  of_limits.margins = script.input("margins", limits);
  of_limits.query_count = c.queries;
  of_limits.limits = script.output("limits to be", std::vector<float>(c.queries, -1.0f));
  script.add_pass(passes::make_signature_limits(of_limits));
}

// What rounding in one direction makes the most of.
enum class Temper { spread, far, equal };

struct ScreenCase {
  Similarity kind;
  Temper temper;
  std::uint32_t objects, queries, dimensions, longest;

  std::string name() const {
    constexpr const char* tempers[] = {"spread", "far", "equal"};
    return fmt::format("pass/signature_screen/{}/n={},q={},d={},longest={}/{}", to_string(kind), objects, queries,
                       dimensions, longest, tempers[static_cast<int>(temper)]);
  }
};

// What memory laid out as types.h says holds, evaluated in long double.
struct Real {
  const Packed& packed;
  std::uint32_t dimensions;

  std::uint32_t place(std::uint32_t signature) const { return packed.spans[2 * signature]; }
  std::uint32_t length(std::uint32_t signature) const { return packed.spans[2 * signature + 1]; }
  float coordinate(std::uint32_t at, std::uint32_t k) const {
    return packed
        .coordinates[(std::size_t{at / signature_block} * dimensions + k) * signature_block + at % signature_block];
  }
  long double weight(std::uint32_t signature, std::uint32_t c) const {
    const int exponent = static_cast<std::int32_t>(packed.terms[4 * signature + 2]);
    return exponent == -200 ? 0.0L
                            : std::ldexp(static_cast<long double>(packed.weights[place(signature) + c]), exponent - 30);
  }
  long double total(std::uint32_t signature) const {
    long double sum = 0;
    for (std::uint32_t c = 0; c < length(signature); ++c) sum += weight(signature, c);
    return sum;
  }
  long double product(std::uint32_t i, const Real& other, std::uint32_t j, Similarity kind, float alpha) const {
    long double sum = 0;
    for (std::uint32_t a = 0; a < length(i); ++a)
      for (std::uint32_t b = 0; b < other.length(j); ++b) {
        long double squared = 0;
        for (std::uint32_t k = 0; k < dimensions; ++k) {
          const long double difference =
              static_cast<long double>(coordinate(place(i) + a, k)) - other.coordinate(other.place(j) + b, k);
          squared += difference * difference;
        }
        sum += weight(i, a) * other.weight(j, b) *
               (kind == Similarity::gaussian ? std::exp(-alpha * squared)
                : kind == Similarity::minus  ? -std::sqrt(squared)
                                             : 1 / (alpha + std::sqrt(squared)));
      }
    return sum;
  }
};

void change(Packed& packed, Temper temper) {
  if (temper == Temper::far)
    for (float& value : packed.coordinates) value += 1000;
  if (temper == Temper::equal) {
    for (float& value : packed.coordinates) value = value > 1 ? 1.1f : 0.3f;
    for (float& weight : packed.weights) weight = weight == 0 ? 0 : 10737418.0f;
  }
}

// Not the same bits on every device, but within the bound of docs/proofs/signatures.md.
Verdict run_screen(const ScreenCase& c, std::uint64_t seed, Device& device) {
  constexpr float alpha = 1.25f;
  Random random(seed);
  Packed objects = pack(some_lengths(c.objects, c.longest, random), c.dimensions, random);
  Packed queries = pack(some_lengths(c.queries, c.longest, random), c.dimensions, random, 4);
  change(objects, c.temper);
  change(queries, c.temper);
  const int kind = static_cast<int>(c.kind);
  PassScript script(device);
  passes::SignatureTermsParameters terms{}, of_queries{};
  const auto add_terms = [&](passes::SignatureTermsParameters& of, const char* name, const Packed& packed) {
    of.signatures = set_of(script, name, packed);
    of.groups = script.input(std::string(name) + " groups", packed.groups);
    of.group_count = static_cast<std::uint32_t>(packed.groups.size() - 1);
    of.alpha = alpha;
    script.add_pass(passes::make_signature_terms(of, kind, c.dimensions));
  };
  add_terms(terms, "objects", objects);
  add_terms(of_queries, "queries", queries);
  passes::SignatureScreenParameters pass{};
  pass.queries = of_queries.signatures;
  pass.objects = terms.signatures;
  pass.groups = terms.groups;
  pass.group_count = terms.group_count;
  pass.distance_stride = c.objects + 1;
  pass.query_count = c.queries;
  pass.factor = c.kind == Similarity::gaussian ? static_cast<float>(-alpha / std::log(2.0)) : alpha;
  constexpr int unit = -3;
  pass.unit = static_cast<std::uint32_t>(unit);
  pass.distances = script.output("squares", std::vector<float>(std::size_t{c.queries} * pass.distance_stride, NAN));
  script.add_pass(passes::make_signature_screen(pass, kind, c.dimensions, 3));
  if (const Support support = script.support(); !support) return Verdict::refuse(support);
  script.run();
  if (const std::string damage = script.damage(); !damage.empty()) return Verdict::fail(damage);
  const std::vector<std::byte> squares = script.answers().back().second;

  constexpr double u = 0x1p-24;
  const Real of{queries, c.dimensions}, to{objects, c.dimensions};
  const double largest = c.kind == Similarity::gaussian ? 1
                         : c.kind == Similarity::minus  ? 2 * std::sqrt(c.dimensions)
                                                        : 1 / alpha;
  for (std::uint32_t i = 0; i < c.queries; ++i)
    for (std::uint32_t j = 0; j < c.objects; ++j) {
      float found;
      std::memcpy(&found, squares.data() + (std::size_t{i} * pass.distance_stride + j) * 4, 4);
      const long double expected = of.product(i, of, i, c.kind, alpha) + to.product(j, to, j, c.kind, alpha) -
                                   2 * of.product(i, to, j, c.kind, alpha);
      const auto a = static_cast<double>(of.total(i)), b = static_cast<double>(to.total(j));
      const double bound = 2 * a * b * largest * (0.5 * c.dimensions + 16 + of.length(i) + to.length(j) + 8) * u +
                           (6 * u + 0x1p-36) * (a + b) * (a + b) * largest + 1e-36;
      const auto error = static_cast<double>(std::fabs(std::ldexp(found, -unit) - expected));
      if (!(error <= bound))
        return Verdict::fail(
            fmt::format("query {}, signature {}: {} is off by {}, the bound is {}", i, j, found, error, bound));
    }
  return Verdict::pass();
}

void add_screens(Cases& cases) {
  struct Shape {
    std::uint32_t objects, queries, dimensions, longest;
  };
  constexpr Shape shapes[] = {{40, 5, 7, 20}, {5, 2, 3, 129}, {9, 3, 20, 70}, {3, 1, 1, 400}, {6, 2, 200, 8}};
  std::size_t step = 0;
  for (const Similarity kind : {Similarity::gaussian, Similarity::minus, Similarity::heuristic})
    for (const Temper temper : {Temper::spread, Temper::far, Temper::equal})
      for (const Shape& s : shapes) {
        const ScreenCase c{kind, temper, s.objects, s.queries, s.dimensions, s.longest};
        cases.push_back({c.name(), step++ % 3 == 0, [c](const Context& context) {
          return make_check([c, seed = context.seed](Device& device) { return run_screen(c, seed, device); });
        }});
      }
}

void add_passes(Cases& cases) {
  struct Shape {
    std::uint32_t objects, queries, dimensions, longest, groups;
  };
  constexpr Shape shapes[] = {{1, 1, 1, 1, 1},   {40, 3, 7, 20, 2}, {5, 2, 3, 129, 9},  {300, 2, 2, 3, 1},
                              {9, 3, 64, 70, 3}, {3, 1, 5, 300, 2}, {12, 2, 33, 64, 40}};
  for (const Similarity kind : {Similarity::gaussian, Similarity::minus, Similarity::heuristic})
    for (const Shape& s : shapes) {
      const PassCase c{kind, s.objects, s.queries, s.dimensions, s.longest, s.groups};
      const bool quick = s.longest < 129 || kind == Similarity::gaussian;
      cases.push_back({c.name(), quick, [c](const Context& context) {
        return check_passes(context, [c, seed = context.seed](PassScript& script) { write_script(script, c, seed); });
      }});
    }
}

struct SearchCase {
  SignatureShape shape;
  std::uint64_t queries;
  SimilarityFunction function;
  SignatureMethod method;
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;

  std::string name() const {
    return fmt::format("signatures/{}/{}/n={},q={},d={},length={}-{},alpha={}{}/{}", to_string(method),
                       to_string(function.kind), shape.count, queries, shape.dimensions, shape.shortest, shape.longest,
                       function.alpha, scratch_limit >> 20 == 256 ? "" : ",scratch=1MiB", to_string(shape.kind));
  }
};

// The objects of a row of distances, nearest first.
std::vector<std::uint32_t> order_of(const Matrix<float>& distances, std::uint64_t query) {
  std::vector<std::uint32_t> order(distances.columns());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return distances(query, a) < distances(query, b); });
  return order;
}

std::string neighbors_wrong(const Neighbors& found, const Matrix<float>& distances) {
  for (std::uint64_t i = 0; i < distances.rows(); ++i) {
    const auto order = order_of(distances, i);
    for (std::uint64_t rank = 0; rank < found.indices.columns(); ++rank) {
      const bool there = rank < order.size();
      const std::uint32_t expected = there ? order[rank] : no_neighbor;
      const float distance = there ? distances(i, expected) : INFINITY;
      if (found.indices(i, rank) != expected || found.distances(i, rank) != distance)
        return fmt::format("query {}, rank {}: signature {} at {} was found, {} at {} is right", i, rank,
                           found.indices(i, rank), found.distances(i, rank), expected, distance);
    }
  }
  return {};
}

std::string matches_wrong(const RangeNeighbors& found, const Matrix<float>& distances, float radius) {
  for (std::uint64_t i = 0; i < distances.rows(); ++i) {
    auto order = order_of(distances, i);
    std::erase_if(order, [&](std::uint32_t object) { return !(distances(i, object) <= radius); });
    if (found.count(i) != order.size())
      return fmt::format("query {}: {} matches were found, {} is right", i, found.count(i), order.size());
    for (std::uint64_t rank = 0; rank < order.size(); ++rank)
      if (found.indices[found.offsets[i] + rank] != order[rank] ||
          found.distances[found.offsets[i] + rank] != distances(i, order[rank]))
        return fmt::format("query {}, match {}: signature {} was found, {} is right", i, rank,
                           found.indices[found.offsets[i] + rank], order[rank]);
  }
  return {};
}

struct SearchData {
  Signatures objects, queries;
  Matrix<double> expected;
};

// The distances are judged by the oracle; the neighbours and matches by the distances,
// which leave no choice.
Verdict run_search(const SearchCase& c, const SearchData& data, Device& device) {
  SignatureIndexOptions options;
  options.similarity = c.function;
  options.method = c.method;
  options.scratch_limit = c.scratch_limit;
  SignatureIndex index(device, data.objects, options);
  const Matrix<float> distances = index.distances(data.queries).values;
  double worst = 0;
  if (const auto wrong =
          signature_distances_wrong(distances, data.expected, data.queries, data.objects, c.function, worst);
      !wrong.empty())
    return Verdict::fail(wrong);
  for (const std::uint64_t k : {std::uint64_t{3}, c.shape.count / 2 + 1, c.shape.count + 2})
    // Twice: what was recorded is submitted again.
    for (int turn = 0; turn < 2; ++turn)
      if (const auto wrong = neighbors_wrong(index.search(data.queries, k), distances); !wrong.empty())
        return Verdict::fail(fmt::format("k = {}: {}", k, wrong));
  // A radius that is a distance, one between two, and none.
  const auto order = order_of(distances, 0);
  const float near = distances(0, order[order.size() / 3]);
  for (const float radius : {near, std::nextafter(near, -1.0f), -1.0f, INFINITY})
    if (const auto wrong = matches_wrong(index.range_search(data.queries, radius), distances, radius); !wrong.empty())
      return Verdict::fail(fmt::format("radius {}: {}", radius, wrong));
  Verdict verdict = Verdict::pass(
      bytes_of(std::vector<float>(distances.data(), distances.data() + distances.rows() * distances.columns())));
  verdict.metric = "sqfd";
  verdict.relative_error = worst;
  return verdict;
}

void add_search(Cases& cases, const SearchCase& c, bool quick) {
  cases.push_back({c.name(), quick, [c](const Context& context) {
    SearchData data{make_signatures(c.shape, context.seed), Signatures(c.shape.dimensions), {}};
    SignatureShape asked = c.shape;
    asked.count = c.queries;
    const Signatures others = make_signatures(asked, context.seed + 1);
    // Every other query is one of the signatures.
    for (std::uint64_t i = 0; i < c.queries; ++i) {
      const Signatures& from = i % 2 == 0 ? data.objects : others;
      const std::uint64_t which = i % 2 == 0 ? i * 7919 % data.objects.size() : i;
      data.queries.add(from.centroids(which), from.weights(which));
    }
    data.expected = oracle_signature_distances(data.queries, data.objects, c.function);
    return make_check([c, data = std::move(data)](Device& device) { return run_search(c, data, device); });
  }});
}

void add_searches(Cases& cases) {
  constexpr SignatureMethod methods[] = {SignatureMethod::canonical, SignatureMethod::screened,
                                         SignatureMethod::filtered};
  constexpr SimilarityFunction functions[] = {{Similarity::gaussian, 3},     {Similarity::gaussian, 0.2f},
                                              {Similarity::gaussian, 0.01f}, {Similarity::minus, 1},
                                              {Similarity::heuristic, 0.5f}, {Similarity::gaussian, 1e6f},
                                              {Similarity::heuristic, 1e-4f}};
  constexpr std::uint32_t dimensions[] = {7, 1, 3, 64};
  std::size_t step = 0;
  for (const SignatureMethod method : methods)
    for (const SimilarityFunction& function : functions)
      for (const SignatureKind kind : all_signature_kinds) {
        if (method == SignatureMethod::filtered && function.kind != Similarity::gaussian) continue;
        const std::uint32_t d = dimensions[step % 4];
        add_search(cases, {{kind, 40, d, 2, d == 64 ? 8u : 20u}, 4, function, method}, step % 3 == 0);
        ++step;
      }
  for (const SignatureMethod method : methods) {
    const SimilarityFunction gaussian{Similarity::gaussian, 0.2f};
    constexpr auto clustered = SignatureKind::clustered;
    add_search(cases, {{clustered, 1, 2, 1, 1}, 2, gaussian, method}, true);
    add_search(cases, {{clustered, 130, 3, 1, 2}, 3, gaussian, method}, true);
    add_search(cases, {{clustered, 9, 2, 63, 65}, 3, gaussian, method}, true);
    add_search(cases, {{clustered, 6, 3, 127, 129}, 2, gaussian, method}, true);
    add_search(cases, {{clustered, 5, 2, 255, 257}, 2, gaussian, method}, false);
    add_search(cases, {{clustered, 2, 1, 1024, 1030}, 2, gaussian, method}, false);
    add_search(cases, {{clustered, 6, 2048, 1, 6}, 2, {Similarity::gaussian, 0.01f}, method}, true);
    // Several chunks of queries.
    add_search(cases, {{clustered, 3000, 1, 1, 3}, 60, gaussian, method, std::uint64_t{1} << 20},
               method != SignatureMethod::filtered);
  }
}

}  // namespace

void add_signature_cases(Cases& cases) {
  add_passes(cases);
  add_screens(cases);
  add_searches(cases);
}

}  // namespace proxel::conformance
