// Garcia's two searches: their passes by hand, and what their plans promise.

#include <cmath>

#include "proxel/index.hpp"
#include "proxel/papers/garcia.hpp"
#include "proxel/passes/certify_expansion.h"
#include "proxel/passes/insertion_sort.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

std::uint32_t key_of(float value) { return distance_key(value, false); }

// Rows around a common offset: expanding their distances cancels.
Matrix<float> around(float offset, float spread, std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  Matrix<float> values = make_values(rows, columns, Temper::uniform, seed);
  for (std::uint64_t i = 0; i < rows * columns; ++i) values.data()[i] = offset + values.data()[i] * spread;
  return values;
}

Neighbors search(const Matrix<float>& database, const Matrix<float>& queries, std::uint64_t k, Method method,
                 std::uint64_t scratch_limit, bool raw = false) {
  const auto device = open_device("cpu");
  IndexOptions options;
  options.method = method;
  options.scratch_limit = scratch_limit;
  Index index(*device, database.view(), options);
  return index.search(queries.view(), k, Metric::l2sq, {.raw = raw});
}

}  // namespace

TEST_CASE("the insertion sort keeps the k smallest, the earlier of equals first, over two blocks") {
  // Two queries side by side; rows 10 to 14.
  const std::uint32_t first[] = {key_of(5), key_of(1), key_of(3), key_of(1), key_of(3), key_of(1)};
  const std::uint32_t second[] = {key_of(9), key_of(0), key_of(1), key_of(NAN)};
  std::uint32_t keys[3 * 2] = {};
  std::uint32_t indices[3 * 2] = {};
  InsertionSortParameters sort{};
  sort.keys = address_of(first);
  sort.nearest_keys = address_of(keys);
  sort.nearest_indices = address_of(indices);
  sort.query_count = 2;
  sort.row_count = 3;
  sort.row_pitch = 2;
  sort.k = 3;
  sort.rank_pitch = 2;
  sort.first_index = 10;
  reference::run(make_insertion_sort(sort));
  sort.keys = address_of(second);
  sort.row_count = 2;
  sort.rows_before = 3;
  sort.first_index = 13;
  reference::run(make_insertion_sort(sort));
  CHECK(keys[0] == key_of(1));
  CHECK(keys[2] == key_of(3));
  CHECK(keys[4] == key_of(3));
  CHECK(indices[0] == 14);
  CHECK(indices[2] == 11);
  CHECK(indices[4] == 12);
  CHECK(indices[1] == 13);
  CHECK(indices[3] == 10);
  CHECK(indices[5] == 11);
}

TEST_CASE("a query is certified only where the bound leaves a gap") {
  const std::uint64_t farthest = make_key(key_of(1.0f), 0);
  const float norm = 1000;
  const float largest = 1000;
  // d = 8: (8 + 8) * 2^-21 * 2000 is 1/64 and a little more.
  const auto undecided = [&](float screened) {
    const std::uint32_t key = key_of(screened);
    std::uint32_t list[5] = {};
    CertifyExpansionParameters certify{};
    certify.keys = address_of(&farthest);
    certify.screened = address_of(&key);
    certify.norms = address_of(&norm);
    certify.largest = address_of(&largest);
    certify.undecided = address_of(list);
    certify.query_count = 1;
    certify.k = 1;
    certify.keys_stride = 1;
    certify.dimensions = 8;
    certify.first_query = 7;
    reference::run(make_certify_expansion(certify));
    if (list[0] == 1) CHECK(list[4] == 7);
    return list[0] == 1;
  };
  CHECK(undecided(1.0f - 1000));
  CHECK(undecided(1.015f - 1000));
  CHECK_FALSE(undecided(1.017f - 1000));
  CHECK_FALSE(undecided(NAN));
}

TEST_CASE("garcia-gemm certifies what is easy and scans what cancels, with the scan's answer") {
  for (const std::uint64_t limit : {std::uint64_t{1} << 20, std::uint64_t{64} << 20}) {
    const Matrix<float> easy = make_values(3000, 24, Temper::uniform, 1);
    const Matrix<float> easy_queries = make_values(300, 24, Temper::uniform, 2);
    const Neighbors certified = search(easy, easy_queries, 5, Method::garcia_gemm, limit);
    check_same(certified, search(easy, easy_queries, 5, Method::scan, limit));
    REQUIRE(certified.report.rungs.size() == 2);
    CHECK(certified.report.rungs[0].queries == 300);
    CHECK(certified.report.rungs[1].queries == 0);

    const Matrix<float> hard = around(1000, 0.01f, 3000, 24, 3);
    const Matrix<float> hard_queries = around(1000, 0.01f, 300, 24, 4);
    const Neighbors scanned = search(hard, hard_queries, 5, Method::garcia_gemm, limit);
    check_same(scanned, search(hard, hard_queries, 5, Method::scan, limit));
    REQUIRE(scanned.report.rungs.size() == 2);
    CHECK(scanned.report.rungs[1].queries == 300);
    // Without the certificate the answer would be another.
    const Neighbors raw = search(hard, hard_queries, 5, Method::garcia_gemm, limit, true);
    CHECK_FALSE(raw.indices == scanned.indices);
    CHECK(raw.report.rungs.empty());
  }
}

TEST_CASE("the raw expansion cannot tell 10000 from 10001") {
  Matrix<float> points(2, 1);
  points(0, 0) = 10000;
  points(1, 0) = 10001;
  const Neighbors raw = search(points, points, 2, Method::garcia_gemm, 1u << 20, true);
  CHECK(raw.indices(1, 0) == 0);
  CHECK(raw.distances(1, 0) == 0);
  CHECK(raw.distances(1, 1) == 0);
  const Neighbors exact = search(points, points, 2, Method::garcia_gemm, 1u << 20);
  CHECK(exact.indices(1, 0) == 1);
  CHECK(exact.distances(1, 1) == 1);
  // The distance matrix of pairs is canonical as it stands.
  check_same(search(points, points, 2, Method::garcia_direct, 1u << 20, true), exact);
}

TEST_CASE("what Garcia's searches and the raw arithmetic refuse") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = make_values(100, 3, Temper::uniform, 1);
  const auto refusal = [&](Method method, Metric metric, std::uint64_t k, bool raw) {
    IndexOptions options;
    options.method = method;
    Index index(*device, rows.view(), options);
    try {
      index.search(rows.view(), k, metric, {.raw = raw});
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::unsupported);
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal(Method::garcia_gemm, Metric::l1, 3, false).find("not l1") != std::string::npos);
  CHECK(refusal(Method::garcia_direct, Metric::l1, 1025, false).find("1024") != std::string::npos);
  CHECK(refusal(Method::scan, Metric::l2, 3, true).find("raw") != std::string::npos);
  CHECK(refusal(Method::texel, Metric::l2, 3, true).find("raw") != std::string::npos);
  CHECK(refusal(Method::garcia_direct, Metric::ip, 3, true).empty());
}

TEST_CASE("scratch stays within the limit, whatever is searched") {
  const auto device = open_device("cpu");
  for (const GarciaForm form : {GarciaForm::direct, GarciaForm::gemm})
    for (const std::uint64_t rows : {1ull, 130ull, 70000ull, 5000000ull})
      for (const std::uint32_t queries : {1u, 200u, 100000u})
        for (const std::uint64_t k : {1ull, 20ull, 300ull})
          for (const std::uint64_t limit : {8ull << 20, 256ull << 20}) {
            SearchDescription description;
            description.rows = rows;
            description.dimensions = 16;
            description.queries = queries;
            description.k = k;
            description.scratch_limit = limit;
            const RowsSegment segment{tiled_rows(1u << 20, rows, 16), 0};
            const GarciaPlan plan = GarciaPlan::make(*device, description, {&segment, 1}, form);
            CHECK(plan.scratch_bytes() <= limit);
          }
}
