// Indexes of strings and of signatures over several devices answer as those of one do, to the bit, however divided.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "failing_device.hpp"
#include "proxel/sharded_signatures.hpp"
#include "proxel/sharded_strings.hpp"
#include "refused.hpp"
#include "sharded_support.hpp"

namespace {

using namespace proxel;
using namespace proxel::unit;

// Of any length, past a block of 128 centroids too, and of weights and coordinates of any size; every fifth like one before.
Signatures some_signatures(std::uint64_t count, std::uint32_t seed) {
  Signatures signatures(3);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i % 5 == 4) {
      const std::uint64_t like = random() % i;
      const std::vector<float> centroids(signatures.centroids(like).begin(), signatures.centroids(like).end()),
          weights(signatures.weights(like).begin(), signatures.weights(like).end());
      signatures.add(centroids, weights);
      continue;
    }
    const std::uint64_t length = i % 40 == 7 ? 130 + random() % 40 : 1 + random() % 12;
    const float scale = std::pow(10.0f, static_cast<float>(random() % 4) - 2);
    std::vector<float> centroids(length * 3), weights(length);
    for (float& coordinate : centroids) coordinate = (uniform(random) - 0.5f) * 4;
    for (float& weight : weights) weight = uniform(random) * scale;
    signatures.add(centroids, weights);
  }
  return signatures;
}

struct Split {
  std::vector<double> shares;
  Division division;
};
std::vector<Split> all_splits() {
  std::vector<Split> splits;
  for (const Division division : {Division::rows, Division::queries})
    for (const std::vector<double>& shares :
         {std::vector<double>{1}, {1, 1}, {1, 99}, {0, 1}, {3, 1, 2}, {1, 0, 1}, {0, 0, 5}, {1e-9, 1, 1e-9}})
      splits.push_back({shares, division});
  return splits;
}

constexpr float endless = std::numeric_limits<float>::infinity();

template <typename One, typename Many, typename Objects>
void check_answers(One& one, Many& many, const Objects& queries, std::initializer_list<float> radii) {
  REQUIRE(many.size() == one.size());
  for (const std::uint64_t k : {std::uint64_t{1}, std::uint64_t{6}, one.size() + 3}) {
    CAPTURE(k);
    check_same(many.search(queries, k), one.search(queries, k));
  }
  for (const float radius : radii) {
    CAPTURE(radius);
    check_same(many.range_search(queries, radius), one.range_search(queries, radius));
  }
}

}  // namespace

TEST_CASE("strings over several devices are one index, whatever is added and removed") {
  const Devices devices{"cpu", "cpu:reference", "cpu"};
  std::uint32_t seed = 0;
  for (const Split& split : all_splits())
    for (const StringDistance distance : {StringDistance::levenshtein, StringDistance::hamming}) {
      ++seed;
      CAPTURE(seed);
      std::mt19937 random(seed);
      const Strings words = some_words(seed % 4 == 0 ? 2 : 90, seed), queries = some_words(7, 1000);
      const StringIndexOptions options{.distance = distance};
      StringIndex one(*devices.all.front(), words, options);
      ShardedStringIndex many(std::span(devices.all).first(split.shares.size()), words,
                              {split.division, split.shares, options});
      for (int step = 0; step < 3; ++step) {
        CAPTURE(step);
        check_answers(one, many, queries, {-1.0f, 0.0f, 3.0f, 4.5f, endless});
        const Strings more = some_words(random() % 40, seed + 50);
        CHECK(many.add(more) == one.add(more));
        std::vector<std::uint32_t> gone(random() % 30);
        for (std::uint32_t& number : gone) number = static_cast<std::uint32_t>(random() % words.size());
        CHECK(many.remove(gone) == one.remove(gone));
        for (std::uint32_t number = 0; number < words.size(); ++number) {
          const bool was_removed = std::ranges::count(gone, number) != 0;
          if (was_removed)
            check_refused([&] { many.text(number); }, "string");
          else if (step == 0)
            CHECK(many.text(number) == one.text(number));
        }
      }
      check_answers(one, many, queries, {2.0f});
    }
}

TEST_CASE("strings of which a device, or each, has lost all are found again when some are added") {
  const Devices devices{"cpu", "cpu"};
  for (const Division division : {Division::rows, Division::queries}) {
    const Strings words = some_words(20, 1), more = some_words(11, 2);
    StringIndex one(*devices.all.front(), words);
    ShardedStringIndex many(devices.all, words, {division, {1, 1}, {}});
    std::vector<std::uint32_t> first_half(10), all(20);
    for (std::uint32_t i = 0; i < 20; ++i) all[i] = first_half[i % 10] = i;
    for (std::uint32_t& number : first_half) number -= 10;
    CHECK(many.remove(first_half) == one.remove(first_half));
    check_answers(one, many, more, {3.0f});
    CHECK(many.remove(all) == 10);
    CHECK(one.remove(all) == 10);
    check_answers(one, many, more, {3.0f});
    CHECK(many.add(more) == 20);
    CHECK(one.add(more) == 20);
    check_answers(one, many, words, {3.0f});
    CHECK(many.shards()[0].rows == (division == Division::rows ? 21 : 31));
  }
}

TEST_CASE("signatures over several devices are one index, by every method and similarity") {
  const Devices devices{"cpu", "cpu:reference", "cpu"};
  const Signatures queries = some_signatures(5, 1000);
  std::uint32_t seed = 0;
  for (const Split& split : all_splits()) {
    ++seed;
    CAPTURE(seed);
    const Signatures images = some_signatures(seed % 3 == 0 ? 2 : 90, seed);
    for (const Similarity similarity : {Similarity::gaussian, Similarity::minus, Similarity::heuristic})
      for (const SignatureMethod method :
           {SignatureMethod::automatic, SignatureMethod::canonical, SignatureMethod::filtered}) {
        if (method == SignatureMethod::filtered && similarity != Similarity::gaussian) continue;
        CAPTURE(to_string(similarity));
        CAPTURE(to_string(method));
        const SignatureIndexOptions options{.similarity = {similarity, 0.7f}, .method = method};
        // The single index evaluates every distance, whatever the parts leave out.
        SignatureIndex one(*devices.all.back(), images,
                           {.similarity = options.similarity, .method = SignatureMethod::canonical});
        ShardedSignatureIndex many(std::span(devices.all).first(split.shares.size()), images,
                                   {split.division, split.shares, options});
        check_answers(one, many, queries, {-1.0f, 0.0f, 1.0f, 50.0f, endless});
        check_same(many.distances(queries), one.distances(queries));
      }
  }
}

TEST_CASE("without queries there are no answers, and the report has each device") {
  const Devices devices{"cpu", "cpu"};
  for (const Division division : {Division::rows, Division::queries}) {
    ShardedStringIndex words(devices.all, some_words(30, 1), {division, {1, 1}, {}});
    ShardedSignatureIndex images(devices.all, some_signatures(30, 1), {division, {1, 1}, {}});
    CHECK(words.search(Strings(), 3).indices.rows() == 0);
    CHECK(words.range_search(Strings(), 3).offsets.size() == 1);
    CHECK(images.search(Signatures(3), 3).indices.rows() == 0);
    CHECK(images.range_search(Signatures(3), 3).offsets.size() == 1);
    CHECK(images.distances(Signatures(3)).values.rows() == 0);
    const SearchReport report = words.search(some_words(8, 2), 3).report;
    CHECK(report.devices.size() == 2);
    for (const DeviceShare& device : report.devices) CHECK(device.blocks == 1);
    CHECK(report.compared == 8 * 30);
    CHECK(images.distances(some_signatures(8, 2)).report.devices.size() == 2);
  }
}

TEST_CASE("shares of strings and signatures that are not given are measured, and add up to 1") {
  const Devices devices{"cpu", "cpu:reference"};
  const auto check = [](const std::vector<ShardInfo>& shards) {
    CHECK(shards[0].share > 0);
    CHECK(shards[1].share > 0);
    CHECK(shards[0].share + shards[1].share == doctest::Approx(1));
    CHECK(shards[0].rows + shards[1].rows == 500);
  };
  check(ShardedStringIndex(devices.all, some_words(500, 1)).shards());
  check(ShardedSignatureIndex(devices.all, some_signatures(500, 1)).shards());
}

TEST_CASE("what is wrong with strings, signatures and their devices is said as by one index") {
  const Devices devices{"cpu", "cpu"};
  const Strings words = some_words(30, 1);
  check_refused([&] { ShardedStringIndex(devices.all, Strings()); }, "strings");
  check_refused([&] { ShardedStringIndex({}, words); }, "devices");
  check_refused([&] { ShardedStringIndex(devices.all, words, {.shares = {1}}); }, "shares");
  check_refused([&] { ShardedStringIndex(devices.all, words, {.index = {.scratch_limit = 1}}); }, "scratch limit");
  ShardedStringIndex many(devices.all, words, {.shares = {1, 1}});
  check_refused([&] { many.search(words, 0); }, "k");
  check_refused([&] { many.range_search(words, NAN); }, "radius");
  check_refused([&] { many.search(Strings(StringUnits::bytes), 1); }, "queries");
  check_refused([&] { many.add(Strings(StringUnits::bytes)); }, "strings");
  check_refused([&] { many.remove(std::array{30u}); }, "string");
  check_refused([&] { many.text(30); }, "string");
  CHECK(many.size() == 30);
  CHECK(many.units() == StringUnits::code_points);
  CHECK(many.division() == Division::rows);

  check_refused([&] { ShardedSignatureIndex(devices.all, Signatures(3)); }, "signatures");
  check_refused([&] {
    ShardedSignatureIndex(devices.all, some_signatures(9, 1), {.index = {.similarity = {Similarity::gaussian, 0}}});
  }, "alpha");
  ShardedSignatureIndex images(devices.all, some_signatures(9, 1), {.shares = {1, 1}});
  check_refused([&] { images.search(some_signatures(2, 1), 0); }, "k");
  check_refused([&] { images.range_search(some_signatures(2, 1), NAN); }, "radius");
  check_refused([&] { images.distances(Signatures(2)); }, "queries");
  CHECK(images.dimensions() == 3);
  CHECK(images.similarity() == SimilarityFunction());
}

TEST_CASE("a signature that cannot be scaled is named by its number among all") {
  const Devices devices{"cpu", "cpu"};
  Signatures images(1);
  for (int i = 0; i < 6; ++i) images.add(std::vector{i == 5 ? 1e15f : 1.0f}, std::vector{1.0f});
  const auto message = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  const SimilarityFunction steep{Similarity::gaussian, 16};
  const auto says = message([&] { ShardedSignatureIndex(devices.all, images, {.index = {.similarity = steep}}); });
  CHECK(says.find("of signature 5") != std::string::npos);
  CHECK(says == message([&] { SignatureIndex(*devices.all[0], images, {.similarity = steep}); }));
  ShardedSignatureIndex plain(devices.all, images.slice(0, 5), {Division::queries, {1, 1}, {.similarity = steep}});
  CHECK(message([&] { plain.search(images, 1); }) == says);
}

TEST_CASE("progress of strings and signatures is told on the calling thread, and ends all") {
  const Devices devices{"cpu", "cpu"};
  struct Enough {};
  const auto check = [&](auto& many, const auto& queries, std::uint64_t total) {
    const auto caller = std::this_thread::get_id();
    std::uint64_t told = 0;
    const auto found = many.search(queries, 3, [&](std::uint64_t done, std::uint64_t of) {
      CHECK(std::this_thread::get_id() == caller);
      CHECK(done >= told);
      CHECK(of == total);
      told = done;
    });
    CHECK(told == total);
    const auto end = [](std::uint64_t, std::uint64_t) { throw Enough(); };
    CHECK_THROWS_AS(many.search(queries, 3, end), Enough);
    CHECK_THROWS_AS(many.range_search(queries, 3, end), Enough);
    check_same(many.search(queries, 3), found);
  };
  for (const Division division : {Division::rows, Division::queries}) {
    ShardedStringIndex words(devices.all, some_words(5000, 1), {division, {1, 1}, {}});
    check(words, some_words(3000, 2), 3000);
    const Signatures all = some_signatures(400, 1);
    std::uint64_t told = 0;
    ShardedSignatureIndex images(devices.all, all, {division, {1, 1}, {}},
                                 [&](std::uint64_t done, std::uint64_t) { told = done; });
    CHECK(told == 400);
    check(images, some_signatures(200, 2), 200);
  }
}

TEST_CASE("a device that fails among strings or signatures is named, and answers again when it can") {
  const auto whole = open_device("cpu");
  for (const Division division : {Division::rows, Division::queries}) {
    CAPTURE(to_string(division));
    FailingDevice failing;
    Device* const devices[] = {whole.get(), &failing};
    const auto check = [&](auto& many, auto& one, const auto& queries) {
      failing.loses_work = true;
      check_refused([&] { many.search(queries, 3); }, "cpu:failing", ErrorCode::device_lost);
      check_refused([&] { many.range_search(queries, 3); }, "cpu:failing", ErrorCode::device_lost);
      check_refused([&] { many.search(queries, 3, [](std::uint64_t, std::uint64_t) {}); }, "cpu:failing",
                    ErrorCode::device_lost);
      failing.loses_work = false;
      check_answers(one, many, queries, {3.0f});
    };
    const Strings words = some_words(60, 1), asked = some_words(8, 2), more = some_words(9, 3);
    StringIndex one(*whole, words);
    ShardedStringIndex many(devices, words, {division, {1, 1}, {}});
    check(many, one, asked);
    // What is added reaches a device at the next search, and the search after that where it could not.
    many.add(more), one.add(more);
    many.add(more), one.add(more);
    failing.has_no_memory = true;
    check_refused([&] { many.search(asked, 3); }, "cpu:failing", ErrorCode::out_of_memory);
    failing.has_no_memory = false;
    check_answers(one, many, asked, {3.0f});

    const Signatures images = some_signatures(60, 1), asked_images = some_signatures(8, 2);
    SignatureIndex one_of_images(*whole, images);
    ShardedSignatureIndex many_of_images(devices, images, {division, {1, 1}, {}});
    check(many_of_images, one_of_images, asked_images);
    failing.loses_work = true;
    check_refused([&] { many_of_images.distances(asked_images); }, "cpu:failing", ErrorCode::device_lost);
    check_refused([&] { ShardedSignatureIndex(devices, images, {division, {}, {}}); }, "cpu:failing",
                  ErrorCode::device_lost);
  }
}

TEST_CASE("strings go to another device where the one whose turn it is has no memory") {
  const auto whole = open_device("cpu");
  FailingDevice failing;
  Device* const devices[] = {whole.get(), &failing};
  const Strings words = some_words(1, 1), more = some_words(9, 3);
  ShardedStringIndex many(devices, words, {.shares = {1, 1}});
  StringIndex one(*whole, words);
  const std::size_t empty = many.shards()[0].rows == 0 ? 0 : 1;
  REQUIRE(empty == 1);
  failing.has_no_memory = true;
  CHECK(many.add(more) == one.add(more));
  CHECK(many.shards()[1].rows == 0);
  failing.has_no_memory = false;
  CHECK(many.add(more) == one.add(more));
  CHECK(many.shards()[1].rows == 9);
  check_answers(one, many, more, {3.0f});
}

TEST_CASE("a slice of strings or signatures is some of them") {
  const Strings words = some_words(20, 1);
  const Strings some = words.slice(5, 9);
  REQUIRE(some.size() == 9);
  std::uint64_t longest = 0;
  for (std::uint64_t i = 0; i < 9; ++i) {
    CHECK(some.text(i) == words.text(5 + i));
    longest = std::max<std::uint64_t>(longest, words[5 + i].size());
  }
  CHECK(some.longest() == longest);
  CHECK(words.slice(20, 0).size() == 0);
  check_refused([&] { words.slice(21, 0); }, "first");
  check_refused([&] { words.slice(3, 18); }, "count");
  const Signatures images = some_signatures(20, 1);
  Signatures expected(3);
  for (std::uint64_t i = 5; i < 14; ++i) expected.add(images.centroids(i), images.weights(i));
  CHECK(images.slice(5, 9) == expected);
  check_refused([&] { images.slice(3, 18); }, "count");
}
