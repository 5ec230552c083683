// An index over several devices answers as one index does, to the bit, however it is divided and whatever is done to it.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <thread>

#include "proxel/sharded_index.hpp"
#include "refused.hpp"
#include "sharded_support.hpp"
#include "support.hpp"

namespace {

using namespace proxel;
using namespace proxel::unit;

Matrix<std::uint32_t> random_filter(std::uint64_t filters, std::uint64_t rows, std::mt19937& random) {
  Matrix<std::uint32_t> words(filters, filter_words(rows));
  for (std::uint64_t i = 0; i < words.rows() * words.columns(); ++i)
    words.data()[i] = static_cast<std::uint32_t>(random()) | static_cast<std::uint32_t>(random());
  return words;
}

// Both indexes are asked the same.
void check_searches(Index& one, ShardedIndex& many, const Matrix<float>& queries, Metric metric, std::mt19937& random) {
  CAPTURE(to_string(metric));
  for (const std::uint64_t k : {std::uint64_t{1}, std::uint64_t{7}, one.rows() + 3}) {
    CAPTURE(k);
    check_same(many.search(queries.view(), k, metric), one.search(queries.view(), k, metric));
    check_same(many.search(queries.view(), k, metric, {.ordered = true}),
               one.search(queries.view(), k, metric, {.ordered = true}));
    for (const std::uint64_t filters : {std::uint64_t{1}, queries.rows()}) {
      const Matrix<std::uint32_t> filter = random_filter(filters, one.rows(), random);
      check_same(many.search(queries.view(), k, metric, {.filter = filter.view()}),
                 one.search(queries.view(), k, metric, {.filter = filter.view()}));
    }
  }
  for (const bool ordered : {false, true}) {
    CAPTURE(ordered);
    Neighbors page = one.search(queries.view(), 3, metric, {.ordered = ordered});
    for (int number = 0; number < 4; ++number) {
      CAPTURE(number);
      const SearchOptions behind{.after = &page, .ordered = ordered};
      Neighbors next = one.search(queries.view(), 5, metric, behind);
      check_same(many.search(queries.view(), 5, metric, behind), next);
      const std::vector<std::uint32_t> self = {0, 1, no_neighbor, 128, 5, static_cast<std::uint32_t>(one.rows() - 1)};
      SearchOptions without = behind;
      without.self = self;
      check_same(many.search(queries.view(), 5, metric, without), one.search(queries.view(), 5, metric, without));
      page = std::move(next);
    }
  }
  for (const float radius : {0.0f, 1.5f, std::numeric_limits<float>::infinity()}) {
    CAPTURE(radius);
    check_same(many.range_search(queries.view(), radius, metric), one.range_search(queries.view(), radius, metric));
    const Matrix<std::uint32_t> filter = random_filter(queries.rows(), one.rows(), random);
    const SearchOptions with{.filter = filter.view(), .ordered = true};
    check_same(many.range_search(queries.view(), radius, metric, with),
               one.range_search(queries.view(), radius, metric, with));
  }
}

// Rows of the index are the queries: some of them, and all as a graph.
void check_own_rows(Index& one, ShardedIndex& many, Metric metric, std::mt19937& random) {
  CAPTURE(to_string(metric));
  const std::uint64_t first = random() % one.rows(), count = random() % (one.rows() - first + 1);
  check_same(many.search_rows(first, count, 4, metric), one.search_rows(first, count, 4, metric));
  if (one.removed_rows() != 0) return;
  for (const bool exclude_self : {false, true})
    check_same(knn_graph(many, 5, metric, {.exclude_self = exclude_self}),
               knn_graph(one, 5, metric, {.exclude_self = exclude_self}));
}

void check_rows(Index& one, ShardedIndex& many, std::mt19937& random) {
  REQUIRE(many.rows() == one.rows());
  REQUIRE(many.removed_rows() == one.removed_rows());
  std::vector<std::uint32_t> numbers(9);
  for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>(random() % one.rows());
  const Matrix<float> found = many.read_rows(numbers), expected = one.read_rows(numbers);
  CHECK(same_bytes(found.data(), expected.data(), expected.rows() * expected.columns()));
}

}  // namespace

TEST_CASE("an index over several devices is one index, whatever is added and removed") {
  const Devices devices{"cpu", "cpu:reference", "cpu", "cpu"};
  std::uint32_t seed = 1;
  for (const Division division : {Division::rows, Division::queries})
    for (const Temper temper : all_tempers)
      for (const std::uint64_t count : {1u, 2u, 4u}) {
        std::mt19937 random(++seed);
        CAPTURE(to_string(division));
        CAPTURE(seed);
        const std::uint64_t rows = count == 2 ? 129 : 600;
        const Matrix<float> database = make_values(rows, 3, temper, seed), queries = make_values(6, 3, temper, 77);
        Index one(*devices.all.front(), database.view());
        ShardedOptions options;
        options.division = division;
        options.shares = std::vector<double>{3, 1, 0, 2};
        options.shares.resize(count);
        ShardedIndex many(std::span(devices.all).first(count), database.view(), options);
        for (int step = 0; step < 5; ++step) {
          CAPTURE(step);
          check_rows(one, many, random);
          const Metric metric = all_metrics[(seed + static_cast<std::uint32_t>(step)) % all_metrics.size()];
          check_searches(one, many, queries, metric, random);
          check_own_rows(one, many, metric, random);
          const Matrix<float> more = make_values(1 + random() % 200, 3, temper, seed + 100);
          CHECK(many.add(more.view()) == one.add(more.view()));
          std::vector<std::uint32_t> gone(random() % 150);
          for (std::uint32_t& number : gone) number = static_cast<std::uint32_t>(random() % one.rows());
          CHECK(many.remove(gone) == one.remove(gone));
          if (step % 2 == 1) CHECK(many.compact() == one.compact());
        }
      }
}

TEST_CASE("a share of too few rows for the method is answered by the scan; of all rows there must be enough") {
  const Devices devices{"cpu", "cpu:reference"};
  const Matrix<float> database = make_values(300, 4, Temper::uniform, 3),
                      more = make_values(100, 4, Temper::uniform, 4);
  Index one(*devices.all.front(), database.view(), {.method = Method::fused});
  ShardedOptions options;
  options.index.method = Method::fused;
  options.shares = {2, 1};
  ShardedIndex many(devices.all, database.view(), options);
  REQUIRE(many.shards().back().rows == 44);
  const auto check_k = [&](std::uint64_t k) {
    CAPTURE(k);
    CHECK(many.supports(Metric::l2, k).reason == one.supports(Metric::l2, k).reason);
    if (one.supports(Metric::l2, k))
      check_same(many.search(more.view(), k, Metric::l2), one.search(more.view(), k, Metric::l2));
    else
      check_refused([&] { many.search(more.view(), k, Metric::l2); }, "k", ErrorCode::unsupported);
  };
  for (const std::uint64_t k : {1, 12, 75, 76}) check_k(k);
  CHECK(many.add(more.view()) == one.add(more.view()));
  for (const std::uint64_t k : {76, 100, 101}) check_k(k);
  const std::array gone = {0u, 299u, 399u};
  CHECK(many.remove(gone) == one.remove(gone));
  CHECK(many.compact() == one.compact());
  for (const std::uint64_t k : {99, 100}) check_k(k);
}

TEST_CASE("devices without rows take part again when rows are added") {
  const Devices devices{"cpu", "cpu", "cpu"};
  const Matrix<float> database = make_values(5, 4, Temper::uniform, 3), more = make_values(300, 4, Temper::uniform, 4);
  ShardedIndex many(devices.all, database.view(), {.shares = {1, 1, 1}});
  Index one(*devices.all.front(), database.view());
  CHECK(many.shards().back().rows == 5);  // parts are whole tiles
  for (int i = 0; i < 3; ++i) CHECK(many.add(more.view()) == one.add(more.view()));
  for (const ShardInfo& shard : many.shards()) CHECK(shard.rows >= 300);
  check_same(many.search(more.view(), 9, Metric::cosine), one.search(more.view(), 9, Metric::cosine));
  // Every row of one device goes, and then it has none.
  std::vector<std::uint32_t> gone;
  for (std::uint32_t row = 5; row < 305; ++row) gone.push_back(row);
  CHECK(many.remove(gone) == one.remove(gone));
  CHECK(many.compact() == one.compact());
  check_same(many.search(more.view(), 9, Metric::l2), one.search(more.view(), 9, Metric::l2));
}

TEST_CASE("shares that are not given are measured, and add up to 1") {
  const Devices devices{"cpu", "cpu:reference"};
  const Matrix<float> database = make_values(3000, 8, Temper::uniform, 5);
  const ShardedIndex many(devices.all, database.view());
  double sum = 0;
  std::uint64_t rows = 0;
  for (const ShardInfo& shard : many.shards()) {
    CHECK(shard.share > 0);
    sum += shard.share;
    rows += shard.rows;
  }
  CHECK(sum == doctest::Approx(1));
  CHECK(rows == 3000);
}

TEST_CASE("rows in a narrower type are divided as they are stored, with measured shares") {
  const Devices devices{"cpu", "cpu:reference"};
  std::vector<std::uint8_t> bytes(700 * 5);
  std::mt19937 random(11);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  const ElementsView stored{bytes.data(), ElementType::uint8, 700, 5, 5};
  const IndexOptions options{.storage = ElementType::uint8};
  Index one(*devices.all.front(), stored, options);
  ShardedIndex many(devices.all, stored, {.index = options});
  const Matrix<float> queries = make_values(5, 5, Temper::ties, 3);
  for (const bool removed : {false, true}) {
    for (const Metric metric : all_metrics)
      check_same(many.search(queries.view(), 9, metric), one.search(queries.view(), 9, metric));
    if (removed) break;
    CHECK(many.remove(std::array{3u, 699u}) == 2);
    CHECK(one.remove(std::array{3u, 699u}) == 2);
  }
}

TEST_CASE("what is wrong with devices, shares and calls is said, and changes nothing") {
  const Devices devices{"cpu", "cpu"};
  const Matrix<float> database = make_values(400, 3, Temper::uniform, 5);
  const auto make = [&](std::vector<Device*> of, std::vector<double> shares) {
    return ShardedIndex(of, database.view(), {.shares = std::move(shares)});
  };
  const auto two = devices.all;
  check_refused([&] { make({}, {}); }, "devices");
  check_refused([&] { make({two[0], two[0]}, {}); }, "devices");
  check_refused([&] { make({two[0], nullptr}, {}); }, "devices");
  check_refused([&] { make(two, {1}); }, "shares");
  check_refused([&] { make(two, {0, 0}); }, "shares");
  check_refused([&] { make(two, {1, -1}); }, "shares");
  check_refused([&] { make(two, {1, std::nan("")}); }, "shares");
  check_refused([&] { make(two, {1, INFINITY}); }, "shares");
  check_refused([&] { division_from_string("columns"); }, "division");

  ShardedIndex many = make(two, {1, 1});
  check_refused([&] { many.search(database.view(), 0, Metric::l2); }, "k");
  check_refused([&] { many.search(make_values(2, 4, Temper::ties, 1).view(), 1, Metric::l2); }, "queries");
  check_refused([&] { many.search(database.view(), 1, Metric::l2, {.raw = true}); }, "raw", ErrorCode::unsupported);
  const Matrix<std::uint32_t> filter(1, 3);
  check_refused([&] { many.search(database.view(), 1, Metric::l2, {.filter = filter.view()}); }, "filter");
  check_refused([&] { many.add(make_values(2, 4, Temper::ties, 1).view()); }, "rows");
  const std::uint32_t past[] = {1, 400};
  check_refused([&] { many.remove(past); }, "rows");
  check_refused([&] { many.read_rows(past); }, "rows");
  CHECK(many.removed_rows() == 0);
  CHECK(many.search(MatrixView<float>{database.data(), 0, 3}, 2, Metric::l1).indices.rows() == 0);
  std::vector<std::uint32_t> every(400);
  for (std::uint32_t row = 0; row < 400; ++row) every[row] = row;
  CHECK(many.remove(every) == 400);
  CHECK(many.search(database.view(), 1, Metric::l2).indices(0, 0) == no_neighbor);
  check_refused([&] { many.compact(); }, "compact");
}

TEST_CASE(
    "an index whose adding or compacting is ended at any call of its progress is what it was, or changed completely") {
  struct Enough {};
  for (const Division division : {Division::rows, Division::queries})
    for (const std::uint64_t last : {0u, 300u}) {  // of what is told: ended at once, or when all is done
      CAPTURE(to_string(division));
      CAPTURE(last);
      const Devices devices{"cpu", "cpu"};
      const Matrix<float> database = make_values(400, 3, Temper::ties, 5), more = make_values(300, 3, Temper::ties, 6);
      ShardedIndex many(devices.all, database.view(), {.division = division, .shares = {1, 1}});
      Index one(*devices.all.front(), database.view());
      const auto end = [&](std::uint64_t done, std::uint64_t) {
        if (done >= last) throw Enough();
      };
      CHECK_THROWS_AS(many.add(more.view(), end), Enough);
      if (many.rows() == 700) one.add(more.view());
      if (last == 300) CHECK(many.rows() == 700);
      check_same(many.search(more.view(), 9, Metric::l2), one.search(more.view(), 9, Metric::l2));
      const std::vector<std::uint32_t> gone = {0, 5, 150, 399};
      CHECK(many.remove(gone) == one.remove(gone));
      std::vector<std::uint32_t> numbers;
      try {
        numbers = many.compact([](std::uint64_t, std::uint64_t) { throw Enough(); });
      } catch (const Enough&) {
        if (many.removed_rows() != 0) many.compact();
      }
      one.compact();
      CHECK(many.rows() == one.rows());
      check_same(many.search(more.view(), 9, Metric::l2), one.search(more.view(), 9, Metric::l2));
    }
}

TEST_CASE("progress of several devices is told on the calling thread, never less than before, and ends all") {
  const Devices devices{"cpu", "cpu"};
  const Matrix<float> database = make_values(200000, 16, Temper::uniform, 5);
  ShardedIndex many(devices.all, database.view(), {.shares = {1, 1}});
  const auto queries = database.view().slice(0, 3000);
  std::uint64_t told = 0;
  const auto caller = std::this_thread::get_id();
  const auto found = many.search(queries, 3, Metric::l2sq, {.progress = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(std::this_thread::get_id() == caller);
    CHECK(done >= told);
    CHECK(total == 3000);
    told = done;
  }});
  CHECK(told == 3000);
  struct Enough {};
  CHECK_THROWS_AS(
      many.search(queries, 3, Metric::l2sq, {.progress = [](std::uint64_t, std::uint64_t) { throw Enough(); }}),
      Enough);
  check_same(many.search(queries, 3, Metric::l2sq), found);
}
