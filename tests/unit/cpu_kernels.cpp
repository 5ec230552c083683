#include <algorithm>
#include <cmath>

#include "passes/canonical.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

TEST_CASE("every instruction set adds the canonical steps, for any number of rows and queries") {
  for (const cpu::Kernels& kernels : cpu::usable_kernels())
    for (const Metric metric : accumulated_metrics)
      for (const std::size_t rows : {1, 3, 4, 7, 8, 15, 16, 31, 64, 65, 127, 128, 200})
        for (const std::size_t queries : {1, 2, 3, 4, 5, 9})
          for (const bool from_zero : {true, false}) {
            CAPTURE(kernels.instruction_set);
            CAPTURE(to_string(metric));
            CAPTURE(rows);
            CAPTURE(queries);
            constexpr std::size_t dimensions = 5;
            const auto values = make_values(dimensions, rows, Temper::uniform, 1);
            const auto query_values = make_values(queries, dimensions, Temper::uniform, 2);
            Matrix<float> sums(queries, rows);
            for (std::size_t i = 0; i < queries * rows; ++i) sums.data()[i] = 2.0f;
            cpu::Accumulation a;
            a.metric = metric;
            a.rows = values.data();
            a.dimension_stride = rows;
            a.queries = query_values.data();
            a.query_stride = dimensions;
            a.sums = sums.data();
            a.sums_stride = rows;
            a.row_count = rows;
            a.query_count = queries;
            a.dimensions = dimensions;
            a.from_zero = from_zero;
            kernels.accumulate(a);
            for (std::size_t q = 0; q < queries; ++q)
              for (std::size_t r = 0; r < rows; ++r) {
                float expected = from_zero ? 0.0f : 2.0f;
                for (std::size_t i = 0; i < dimensions; ++i)
                  expected = passes::canonical_step(metric, expected, query_values(q, i), values(i, r));
                REQUIRE(std::memcmp(&sums(q, r), &expected, sizeof expected) == 0);
              }
          }
}

TEST_CASE("no instruction set fuses a product with a sum") {
  const float x = 1 + std::ldexp(1.0f, -12);
  const float square = 1 + std::ldexp(1.0f, -11);
  const std::array<float, 2> query = {-1, x};
  std::vector<float> rows(2 * 128);
  std::fill_n(rows.begin(), 128, square);
  std::fill_n(rows.begin() + 128, 128, x);
  for (const cpu::Kernels& kernels : cpu::usable_kernels()) {
    CAPTURE(kernels.instruction_set);
    std::vector<float> sums(128);
    cpu::Accumulation a;
    a.metric = Metric::ip;
    a.rows = rows.data();
    a.dimension_stride = 128;
    a.queries = query.data();
    a.sums = sums.data();
    a.row_count = 128;
    a.query_count = 1;
    a.dimensions = 2;
    a.from_zero = true;
    kernels.accumulate(a);
    CHECK(sums == std::vector<float>(128, 0.0f));
  }
}

TEST_CASE("every instruction set adds up 8-bit codes, the largest among them, for any number of words") {
  std::mt19937 generator(3);
  constexpr std::size_t rows = passes::tile_rows, most_words = 35;
  std::vector<std::uint32_t> codes(rows * most_words), query(most_words);
  const auto any_code = [&] {
    constexpr std::array<std::uint32_t, 5> edges = {0x7F7F7F7Fu, 0x80808080u, 0x81818181u, 0xFFFFFFFFu, 0u};
    const auto number = static_cast<std::uint32_t>(generator());
    return number % 3 == 0 ? edges[number / 3 % edges.size()] : number;
  };
  std::ranges::generate(codes, any_code);
  std::ranges::generate(query, any_code);
  for (const cpu::Kernels& kernels : cpu::usable_kernels())
    for (const Metric metric : accumulated_metrics)
      for (const std::size_t words : {1, 2, 7, 8, 9, 16, 32, 35}) {
        CAPTURE(kernels.instruction_set);
        CAPTURE(to_string(metric));
        CAPTURE(words);
        std::array<std::int32_t, rows> sums;
        sums.fill(-5);
        kernels.code_sums({metric, codes.data(), query.data(), words, sums.data()});
        for (std::size_t row = 0; row < rows; ++row) {
          std::int32_t expected = 0;
          for (std::size_t i = 0; i < 4 * words; ++i) {
            const auto q = static_cast<std::uint8_t>(query[i / 4] >> i % 4 * 8);
            const auto r = static_cast<std::uint8_t>(codes[i / 4 * rows + row] >> i % 4 * 8);
            const std::int32_t difference = std::abs(int{q} - int{r});
            if (metric == Metric::l1)
              expected += difference;
            else if (metric == Metric::linf)
              expected = std::max(expected, difference);
            else
              expected += static_cast<std::int8_t>(q) * static_cast<std::int8_t>(r);
          }
          REQUIRE(sums[row] == expected);
        }
      }
}

TEST_CASE("every instruction set makes the same keys and finds the same ranges") {
  std::mt19937 generator(1);
  std::vector<float> values(1000);
  for (float& value : values) value = std::bit_cast<float>(static_cast<std::uint32_t>(generator()));
  constexpr std::array<std::uint32_t, 8> specials = {0u,          0x80000000u, 0x7F800000u, 0xFF800000u,
                                                     0x7FC00000u, 0xFFC00000u, 1u,          0x80000001u};
  for (std::size_t i = 0; i < specials.size(); ++i) values[i * 37] = std::bit_cast<float>(specials[i]);
  for (const cpu::Kernels& kernels : cpu::usable_kernels()) {
    CAPTURE(kernels.instruction_set);
    for (const bool largest_first : {false, true})
      for (const std::size_t count : {1, 7, 16, 129, 1000}) {
        std::vector<std::uint32_t> keys(count + 1, 77);
        kernels.distance_keys(values.data(), count, largest_first, keys.data());
        for (std::size_t i = 0; i < count; ++i) REQUIRE(keys[i] == passes::distance_key(values[i], largest_first));
        CHECK(keys[count] == 77);
      }
    for (std::size_t place = 0; place < 37; ++place) {
      std::vector<std::uint32_t> keys(37, 10);
      keys[place] = 0x90000000u;
      CHECK(kernels.any_within(keys.data(), 37, 0x90000000u, 0x90000000u));
      CHECK(kernels.any_within(keys.data(), 37, 11, 0xFFFFFFFFu));
      CHECK_FALSE(kernels.any_within(keys.data(), 37, 11, 0x8FFFFFFFu));
      CHECK_FALSE(kernels.any_within(keys.data(), 37, 0x90000001u, 0xFFFFFFFFu));
      CHECK_FALSE(kernels.any_within(keys.data(), 37, 11, 10));
    }
  }
}
