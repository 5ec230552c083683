// Permutation indexes over several devices answer as one does, to the bit.
#include <random>

#include "failing_device.hpp"
#include "proxel/sharded_permutation.hpp"
#include "refused.hpp"
#include "sharded_support.hpp"
#include "support.hpp"

namespace {

using namespace proxel;
using namespace proxel::unit;

Signatures some_signatures(std::uint64_t count, std::uint32_t seed) {
  Signatures signatures(2);
  const Matrix<float> centroids = make_values(count, 6, Temper::uniform, seed);
  for (std::uint64_t i = 0; i < count; ++i)
    signatures.add(std::span(&centroids(i, 0), 6), std::vector{1.0f, 0.5f, 0.25f});
  return signatures;
}

const std::vector<std::vector<double>> all_shares = {{1}, {1, 1}, {0, 1}, {3, 0, 1}};

template <typename One, typename Many, typename Objects>
void check_answers(One& one, Many& many, const Objects& queries) {
  REQUIRE(many.size() == one.size());
  CHECK(std::vector(many.permutants().begin(), many.permutants().end()) ==
        std::vector(one.permutants().begin(), one.permutants().end()));
  for (const double fraction : {0.05, 0.3, 1.0}) {
    CAPTURE(fraction);
    CHECK(many.candidates(4, fraction) == one.candidates(4, fraction));
    for (const std::uint64_t k : {std::uint64_t{1}, std::uint64_t{4}, one.size() + 2})
      check_same(many.search(queries, k, fraction), one.search(queries, k, fraction));
    for (const float radius : {0.0f, 1.5f, 100.0f})
      check_same(many.range_search(queries, radius, fraction), one.range_search(queries, radius, fraction));
  }
  const FractionChoice found = many.choose_fraction(0.9, 3, queries), expected = one.choose_fraction(0.9, 3, queries);
  CHECK(found.fraction == expected.fraction);
  CHECK(found.recall == expected.recall);
}

}  // namespace

TEST_CASE("permutations of vectors over several devices are one index") {
  const Devices devices{"cpu", "cpu:reference", "cpu"};
  const Matrix<float> database = make_values(150, 4, Temper::ties, 1), queries = make_values(7, 4, Temper::ties, 2);
  for (const std::vector<double>& shares : all_shares)
    for (const Metric metric : {Metric::l2, Metric::ip, Metric::cosine}) {
      CAPTURE(to_string(metric));
      const PermutationOptions options{.permutants = 9};
      VectorPermutationIndex one(*devices.all[0], database.view(), metric, options);
      ShardedVectorPermutationIndex many(std::span(devices.all).first(shares.size()), database.view(), metric,
                                         {.shares = shares, .index = options});
      CHECK(many.dimensions() == 4);
      check_answers(one, many, queries.view());
    }
}

TEST_CASE("permutations of signatures over several devices are one index") {
  const Devices devices{"cpu", "cpu:reference", "cpu"};
  const Signatures database = some_signatures(90, 1), queries = some_signatures(5, 2);
  for (const std::vector<double>& shares : all_shares) {
    const PermutationOptions options{.permutants = 7};
    SignaturePermutationIndex one(*devices.all[0], database, {}, options);
    ShardedSignaturePermutationIndex many(std::span(devices.all).first(shares.size()), database, {},
                                          {.shares = shares, .index = options});
    check_answers(one, many, queries);
  }
}

TEST_CASE("permutations of strings over several devices are one index, whatever is added and removed") {
  const Devices devices{"cpu", "cpu:reference", "cpu"};
  const Strings words = some_words(120, 1), queries = some_words(6, 2), more = some_words(30, 3);
  for (const std::vector<double>& shares : all_shares) {
    const PermutationOptions options{.permutants = 8};
    PermutationIndex one(*devices.all[0], words, options);
    ShardedPermutationIndex many(std::span(devices.all).first(shares.size()), words,
                                 {.shares = shares, .index = options});
    check_answers(one, many, queries);
    CHECK(many.choose_range_fraction(0.8, 2, queries).fraction == one.choose_range_fraction(0.8, 2, queries).fraction);
    CHECK(many.add(more) == one.add(more));
    const std::vector<std::uint32_t> gone = {3, 4, 120, 149, 3};
    CHECK(many.remove(gone) == one.remove(gone));
    check_answers(one, many, queries);
    CHECK(many.text(5) == one.text(5));
    check_refused([&] { many.text(4); }, "string");
    check_refused([&] { many.remove(std::vector{150u}); }, "string");
    check_refused([&] { many.add(Strings(StringUnits::bytes)); }, "strings");
  }
}

TEST_CASE("permutation indexes divide queries alone, by shares that are given or measured") {
  const Devices devices{"cpu", "cpu:reference"};
  const Matrix<float> database = make_values(300, 4, Temper::uniform, 1);
  check_refused([&] {
    ShardedVectorPermutationIndex(devices.all, database.view(), Metric::l2, {.division = Division::rows});
  }, "division", ErrorCode::unsupported);
  ShardedVectorPermutationIndex many(devices.all, database.view(), Metric::l2);
  CHECK(many.division() == Division::queries);
  const std::vector<ShardInfo> shards = many.shards();
  CHECK(shards[0].share + shards[1].share == doctest::Approx(1));
  for (const ShardInfo& shard : shards) CHECK(shard.rows == 300);
  check_refused([&] { many.search(database.view(), 0, 0.5); }, "k");
  check_refused([&] { many.search(database.view(), 1, 1.5); }, "fraction");
}

TEST_CASE("a device that fails among permutations is named, and answers again when it can") {
  const auto whole = open_device("cpu");
  FailingDevice failing;
  Device* const devices[] = {&failing, whole.get()};
  const Strings words = some_words(60, 1), queries = some_words(6, 2);
  PermutationIndex one(*whole, words);
  ShardedPermutationIndex many(devices, words, {.shares = {1, 1}});
  failing.loses_work = true;
  const auto lost = ErrorCode::device_lost;
  check_refused([&] { many.search(queries, 3, 0.5); }, "cpu:failing", lost);
  check_refused([&] { many.range_search(queries, 3, 0.5); }, "cpu:failing", lost);
  check_refused([&] { many.choose_fraction(0.9, 3, queries); }, "cpu:failing", lost);
  check_refused([&] { ShardedPermutationIndex(devices, words); }, "cpu:failing", lost);
  failing.loses_work = false;
  check_answers(one, many, queries);
}
