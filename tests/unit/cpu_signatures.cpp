// Signatures on the host: the threaded, vectorised passes against the references.
#include <algorithm>
#include <cmath>

#include "proxel/passes/signature_distance.h"
#include "proxel/passes/signature_screen.h"
#include "proxel/passes/signature_terms.h"
#include "signatures/packed_signatures.hpp"
#include "signatures/screen_bound.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::signatures;
using namespace proxel::unit;

namespace {

Signatures make_signatures(std::uint64_t count, std::uint32_t dimensions, std::uint32_t longest, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
  Signatures made(dimensions);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto length = i == count / 2 ? longest : static_cast<std::uint32_t>(1 + generator() % longest);
    std::vector<float> centroids(std::size_t{length} * dimensions), weights(length);
    for (float& value : centroids) value = uniform(generator);
    for (float& weight : weights) weight = generator() % 8 == 0 ? 0 : uniform(generator);
    made.add(centroids, weights);
  }
  return made;
}

// Packed, in memory of exactly the size that it needs.
struct InMemory {
  SignaturePlaces places;
  SignatureLayout layout;
  std::vector<std::uint64_t> memory;

  InMemory(const Signatures& signatures, const SimilarityScale& scale, std::uint64_t alignment)
      : places(signatures, 0, signatures.size(), alignment),
        layout(signatures.size(), places.places, signatures.dimensions(), places.group_count()),
        memory(layout.bytes / 8) {
    pack(signatures, 0, scale, places, layout, reinterpret_cast<std::byte*>(memory.data()));
  }
  passes::SignatureSet set() const { return layout.at(address_of(memory.data())); }
  Pass terms_pass(const SimilarityScale& scale, std::uint32_t dimensions) const {
    passes::SignatureTermsParameters terms{};
    terms.signatures = set();
    terms.groups = address_of(memory.data()) + layout.groups;
    terms.group_count = places.group_count();
    terms.alpha = scale.alpha;
    return passes::make_signature_terms(terms, scale.kind, dimensions);
  }
};

}  // namespace

TEST_CASE("signatures begin groups of at most a block, or are groups of their own") {
  Signatures signatures(1);
  for (const std::size_t length : {100u, 28u, 1u, 127u, 300u, 1u})
    signatures.add(std::vector<float>(length), std::vector<float>(length, 1.0f));
  const SignaturePlaces places(signatures, 0, 6);
  CHECK(places.groups == std::vector<std::uint32_t>{0, 2, 4, 5, 6});
  CHECK(places.spans == std::vector<std::uint32_t>{0, 100, 100, 28, 128, 1, 129, 127, 256, 300, 640, 1});
  CHECK(places.places == 768);
  const SignaturePlaces aligned(signatures, 1, 3, 8);
  CHECK(aligned.spans == std::vector<std::uint32_t>{0, 28, 32, 1, 128, 127});
}

TEST_CASE("passes over signatures are the references to the bit, and screened squares within their bound") {
  for (const Similarity kind : {Similarity::gaussian, Similarity::minus, Similarity::heuristic})
    for (const std::uint32_t dimensions : {1u, 7u, 33u})
      for (const std::uint32_t longest : {1u, 20u, 200u}) {
        CAPTURE(to_string(kind));
        CAPTURE(dimensions);
        CAPTURE(longest);
        const SimilarityFunction function{kind, 0.7f};
        const SimilarityScale scale(function);
        const Signatures objects = make_signatures(9, dimensions, longest, 1);
        const Signatures queries = make_signatures(3, dimensions, longest, 2);
        InMemory packed_objects(objects, scale, 1), packed_queries(queries, scale, 8);
        expect_same(packed_objects.terms_pass(scale, dimensions), packed_objects.memory);
        expect_same(packed_queries.terms_pass(scale, dimensions), packed_queries.memory);

        passes::SignatureDistanceParameters pass{};
        pass.queries = packed_queries.set();
        pass.objects = packed_objects.set();
        pass.groups = address_of(packed_objects.memory.data()) + packed_objects.layout.groups;
        pass.group_count = packed_objects.places.group_count();
        pass.distance_stride = 10;
        pass.alpha = scale.alpha;
        pass.unit = static_cast<std::uint32_t>(scale.unit);
        std::vector<float> distances(30, -1.0f);
        std::vector<std::uint32_t> evaluated(3, 0);
        pass.distances = address_of(distances.data());
        pass.evaluated = address_of(evaluated.data());
        expect_same(passes::make_signature_distance(pass, scale.kind, dimensions, 2, 3), distances);
        const std::vector<float> canonical = distances;

        passes::SignatureScreenParameters screen{};
        screen.queries = pass.queries;
        screen.objects = pass.objects;
        screen.groups = pass.groups;
        screen.distances = address_of(distances.data());
        screen.group_count = pass.group_count;
        screen.distance_stride = pass.distance_stride;
        screen.query_count = 3;
        screen.factor = scale.screen_factor();
        screen.unit = pass.unit;
        const ScreenBound bound(objects, function);
        const auto within = [&] {
          for (std::uint64_t q = 0; q < 3; ++q)
            for (std::uint64_t i = 0; i < objects.size(); ++i) {
              const double screened = distances[q * 10 + i], distance = canonical[q * 10 + i];
              // Squares below 0 have become 0.
              CHECK(std::max(screened, 0.0) <= distance * distance * (1 + 0x1p-22) + bound.of(queries, q));
              CHECK((distance == 0 || screened >= distance * distance * (1 - 0x1p-22) - bound.of(queries, q)));
            }
        };
        const Pass screening = passes::make_signature_screen(screen, scale.kind, dimensions, 2);
        reference::run(screening);
        within();
        run_fast(screening, [&] { std::fill(distances.begin(), distances.end(), NAN); }, within);

        // Those alone that are near enough.
        std::vector<float> limits = {distances[4], -INFINITY, INFINITY};
        pass.limits = address_of(limits.data());
        expect_same(passes::make_signature_distance(pass, scale.kind, dimensions, 2, 3), distances);
        CHECK(distances[4] == canonical[4]);
        CHECK(std::isnan(distances[10]));
        CHECK(distances[20] == canonical[20]);
      }
}

TEST_CASE("coordinates that similarities cannot be computed of are refused") {
  Signatures signatures(1);
  signatures.add(std::vector<float>{1e15f}, std::vector<float>{1.0f});
  CHECK_NOTHROW(InMemory(signatures, SimilarityScale({Similarity::gaussian, 1.0f}), 1));
  CHECK_THROWS_WITH_AS(InMemory(signatures, SimilarityScale({Similarity::gaussian, 4.0f}), 1),
                       doctest::Contains("scales a coordinate of signature 0 to 2e+15"), Error);
  for (const float alpha : {0.0f, -1.0f, NAN, INFINITY, 1e16f})
    CHECK_THROWS_AS(SimilarityScale({Similarity::gaussian, alpha}), Error);
}
