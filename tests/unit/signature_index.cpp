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
  CHECK(index.distances(Signatures(1)).rows() == 0);
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
  CHECK(index.method() == SignatureMethod::screened);
  CHECK(index.evaluated() >= 6);
  CHECK(index.evaluated() < 40);
  CHECK(index.times().rungs.size() == 1);
  CHECK(index.times().rungs[0].queries == 2);
  CHECK(found.indices(1, 0) == 1);
  CHECK(found.indices(1, 1) == 0);  // as far as 2
  CHECK(found.indices(1, 2) == 2);
  index.distances(on_a_line(2));
  CHECK(index.method() == SignatureMethod::canonical);
  CHECK(index.evaluated() == 800);

  // Squares of such weights leave binary32: all canonical, and right.
  SignatureIndex heavy(*device, [] {
    Signatures signatures(1);
    for (int i = 0; i < 100; ++i)
      signatures.add(std::vector<float>(2000, static_cast<float>(i)), std::vector<float>(2000, 1e15f));
    return signatures;
  }());
  Signatures query(1);
  query.add(std::vector<float>{3}, std::vector<float>{2e18f / 2e3f});
  CHECK(heavy.search(query, 1).indices(0, 0) == 3);
  CHECK(heavy.method() == SignatureMethod::canonical);
}
