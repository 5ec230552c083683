// SignatureIndex on the host: what it refuses, and what it does at the edges.
#include "proxel/signature_index.hpp"

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "proxel/error.hpp"

using namespace proxel;

namespace {

// Signatures of one centroid each, on a line.
Signatures on_a_line(std::uint64_t count, float weight = 1) {
  Signatures signatures(1);
  for (std::uint64_t i = 0; i < count; ++i)
    signatures.add(std::vector<float>{static_cast<float>(i)}, std::vector<float>{weight});
  return signatures;
}

template <typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    return error.what();
  }
  return {};
}

bool says(const std::string& message, const char* what) { return message.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("an index of signatures says what it cannot do") {
  const auto device = open_device("cpu");
  CHECK(says(refusal([&] { SignatureIndex(*device, Signatures(3)); }), "signatures"));
  SignatureIndexOptions options;
  options.scratch_limit = 1;
  CHECK(says(refusal([&] { SignatureIndex(*device, on_a_line(3), options); }), "scratch limit"));
  options = {};
  options.similarity.alpha = 0;
  CHECK(says(refusal([&] { SignatureIndex(*device, on_a_line(3), options); }), "1e-15 to 1e15 are allowed"));

  SignatureIndex index(*device, on_a_line(3));
  CHECK(says(refusal([&] { index.search(on_a_line(1), 0); }), "k"));
  CHECK(says(refusal([&] { index.range_search(on_a_line(1), NAN); }), "radius"));
  Signatures others(2);
  others.add(std::vector<float>{1, 2}, std::vector<float>{1});
  CHECK(says(refusal([&] { index.search(others, 1); }), "have 2 dimensions, the signatures of the index 1"));
  // And is still usable.
  CHECK(index.search(on_a_line(2), 1).indices(1, 0) == 1);
  CHECK(says(refusal([] { similarity_from_string("cosine"); }), "gaussian, minus, heuristic are allowed"));
  CHECK(says(refusal([] { signature_method_from_string("fast"); }), "auto, canonical, screened, filtered are allowed"));
  for (const Similarity kind : {Similarity::gaussian, Similarity::minus, Similarity::heuristic})
    CHECK(similarity_from_string(to_string(kind)) == kind);
}

TEST_CASE("an index of signatures answers no queries, and more neighbours than there are") {
  const auto device = open_device("cpu");
  SignatureIndex index(*device, on_a_line(3));
  CHECK(index.size() == 3);
  CHECK(index.dimensions() == 1);
  CHECK(index.search(Signatures(1), 2).indices.rows() == 0);
  CHECK(index.range_search(Signatures(1), 1).offsets == std::vector<std::uint64_t>{0});
  CHECK(index.distances(Signatures(1)).values.rows() == 0);
  const Neighbors found = index.search(on_a_line(1), 5);
  CHECK(found.indices(0, 0) == 0);
  CHECK(found.distances(0, 0) == 0);
  CHECK(found.indices(0, 2) == 2);
  CHECK(found.indices(0, 3) == no_neighbor);
  CHECK(std::isinf(found.distances(0, 4)));
}

TEST_CASE("signatures are screened, and few of their distances canonical") {
  const auto device = open_device("cpu");
  // One every 1: at alpha 0.2 a few are alike.
  SignatureIndex index(*device, on_a_line(400));
  const Neighbors found = index.search(on_a_line(2), 3);
  CHECK(found.report.method == "screened");
  CHECK(found.report.evaluated >= 6);
  CHECK(found.report.evaluated < 40);
  REQUIRE(found.report.rungs.size() == 1);
  CHECK(found.report.rungs[0].queries == 2);
  CHECK(found.indices(1, 0) == 1);
  CHECK(found.indices(1, 1) == 0);  // as far as 2
  CHECK(found.indices(1, 2) == 2);
  const SearchReport all = index.distances(on_a_line(2)).report;
  CHECK(all.method == "canonical");
  CHECK(all.evaluated == 800);

  // Squares of such weights leave binary32: all canonical, and right.
  SignatureIndex heavy(*device, [] {
    Signatures signatures(1);
    for (int i = 0; i < 100; ++i)
      signatures.add(std::vector<float>(2000, static_cast<float>(i)), std::vector<float>(2000, 1e15f));
    return signatures;
  }());
  Signatures query(1);
  query.add(std::vector<float>{3}, std::vector<float>{2e18f / 2e3f});
  const Neighbors nearest = heavy.search(query, 1);
  CHECK(nearest.indices(0, 0) == 3);
  CHECK(nearest.report.method == "canonical");
}

TEST_CASE("what a search counts is of its answer, also where matches were more than there was room for") {
  const auto device = open_device("cpu");
  SignatureIndex index(*device, on_a_line(400), {.method = SignatureMethod::canonical});
  for (int turn = 0; turn < 2; ++turn) {
    const RangeNeighbors found = index.range_search(on_a_line(20), 1e9f);
    CHECK(found.indices.size() == 20 * 400);
    CHECK(found.report.evaluated == 20 * 400);
    CHECK(found.report.compared == 20 * 400);
    REQUIRE(found.report.rungs.size() == 1);
    CHECK(found.report.rungs[0].queries == 20);
  }
}

TEST_CASE("a planned search of signatures says what it cannot do, and packs what was planned") {
  const auto device = open_device("cpu");
  SignatureIndex index(*device, on_a_line(400));
  CHECK(says(refusal([&] { index.plan(0, 1, 1); }), "queries: 0 was given"));
  CHECK(says(refusal([&] { index.plan(1, 0, 1); }), "query length: 0 was given"));
  CHECK(says(refusal([&] { index.plan(1, 1, 0); }), "k: 0 was given"));
  CHECK(says(refusal([&] { index.plan_range(1, 1, NAN); }), "radius"));
  const auto plan = index.plan(2, 3, 4);
  CHECK(plan->method() == SignatureMethod::screened);
  CHECK(plan->requirements().queries.bytes == plan->layout().bytes);
  CHECK(plan->requirements().indices.bytes == 2 * 4 * 4);
  CHECK(plan->requirements().offsets.bytes == 0);
  CHECK(plan->distance_stride() == 0);
  CHECK(index.plan_distances(2, 3)->distance_stride() == 400);
  CHECK(index.plan_range(2, 3, 1)->requirements().offsets.bytes == 3 * 8);

  std::vector<std::byte> memory(plan->layout().bytes);
  CHECK(says(refusal([&] { plan->pack(on_a_line(3), memory); }), "queries: 3 was given, 2 to 2 is allowed"));
  CHECK(says(refusal([&] { plan->pack(on_a_line(2), std::span(memory).first(8)); }), "bytes of packed queries"));
  CHECK(says(refusal([&] { plan->pack(on_a_line(2), {memory.data() + 1, memory.size()}); }), "multiple of 4"));
  Signatures long_ones(1), others(2);
  for (int i = 0; i < 2; ++i) {
    long_ones.add(std::vector<float>(4), std::vector<float>(4, 1.0f));
    others.add(std::vector<float>{1, 2}, std::vector<float>{1});
  }
  CHECK(says(refusal([&] { plan->pack(long_ones, memory); }), "query length: 4 was given, 1 to 3 is allowed"));
  CHECK(says(refusal([&] { plan->pack(others, memory); }), "dimensions of the queries: 2 was given"));
  plan->pack(on_a_line(2), memory);

  // Squares of such weights leave binary32.
  Signatures heavy(1);
  heavy.add(std::vector<float>(1001), std::vector<float>(1001, 1e15f));
  const auto of_heavy = index.plan(1, 1001, 4);
  memory.resize(of_heavy->layout().bytes);
  CHECK_THROWS_WITH_AS(of_heavy->pack(heavy, memory), doctest::Contains("canonical"), Error);
  SignatureIndexOptions canonical;
  canonical.method = SignatureMethod::canonical;
  CHECK(SignatureIndex(*device, on_a_line(400), canonical).plan(2, 3, 4)->method() == SignatureMethod::canonical);
}

TEST_CASE("packed queries lie where the layout says, whatever their lengths") {
  const auto device = open_device("cpu");
  SignatureIndex index(*device, on_a_line(100));
  for (const std::uint32_t longest : {1u, 5u, 64u, 65u, 128u, 129u, 300u}) {
    CAPTURE(longest);
    Signatures queries(1);
    constexpr std::uint32_t count = 9;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t length = i % 3 == 2 ? 1 : longest;
      queries.add(std::vector<float>(length, 1.0f), std::vector<float>(length, 2.0f));
    }
    const auto plan = index.plan(count, longest, 1);
    const PackedSignatureLayout layout = plan->layout();
    std::vector<std::byte> memory(layout.bytes, std::byte{0xEE});
    plan->pack(queries, memory);
    const auto* spans = reinterpret_cast<const std::uint32_t*>(memory.data() + layout.spans);
    const auto* weights = reinterpret_cast<const float*>(memory.data() + layout.weights);
    const auto* counts = reinterpret_cast<const std::uint32_t*>(memory.data() + layout.counts);
    for (std::uint32_t i = 0; i < count; ++i) {
      CHECK(spans[2 * i] % 4 == 0);
      CHECK(spans[2 * i + 1] == queries.length(i));
      REQUIRE(spans[2 * i] + spans[2 * i + 1] <= layout.places);
      for (std::uint32_t c = 0; c < spans[2 * i + 1]; ++c) CHECK(weights[spans[2 * i] + c] > 0);
      CHECK(counts[i] == 0);
      CHECK(counts[count + i] == 0);
    }
  }
}
