#pragma once

// Small databases of every layout and temper, and a way to run a fast pass
// with every instruction set that this processor has.

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cpu/machine.hpp"
#include "cpu/memory.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/passes/types.h"
#include "proxel/search.hpp"

namespace proxel::unit {

template <typename T>
std::uint64_t address_of(const T* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// What the values of a database are like.
enum class Temper {
  uniform,   ///< between -1 and 1
  ties,      ///< integers from 0 to 2: many equal distances and equal rows
  specials,  ///< a few NaNs of both signs, infinities and negative zeros
};
inline constexpr std::array<Temper, 3> all_tempers = {Temper::uniform, Temper::ties, Temper::specials};

inline Matrix<float> make_values(std::uint64_t rows, std::uint64_t columns, Temper temper, std::uint32_t seed) {
  Matrix<float> values(rows, columns);
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < columns; ++column) {
      float value = uniform(generator);
      const std::uint64_t dice = generator() % (20 * columns);
      if (temper == Temper::ties) value = static_cast<float>(generator() % 3);
      if (temper == Temper::specials) {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        constexpr std::array<float, 5> specials = {nan, -nan, infinity, -infinity, -0.0f};
        if (dice < specials.size()) value = specials[dice];
      }
      values(row, column) = value;
    }
  }
  return values;
}

enum class Layout { tiled, row_major, column_major };
inline constexpr std::array<Layout, 3> all_layouts = {Layout::tiled, Layout::row_major, Layout::column_major};

/// A database in memory of exactly the size that its layout needs, so that a
/// sanitizer sees every read past it.
struct Database {
  std::vector<float> memory;
  passes::Rows rows{};

  Database(const Matrix<float>& values, Layout layout) {
    const std::uint64_t n = values.rows();
    const auto d = static_cast<std::uint32_t>(values.columns());
    constexpr std::uint32_t gap = 3;  // leading dimensions wider than the data
    switch (layout) {
      case Layout::tiled: {
        memory.assign((n + 127) / 128 * 128 * d, 0.0f);
        rows = tiled_rows(address_of(memory.data()), n, d);
        break;
      }
      case Layout::row_major: {
        memory.assign((n - 1) * (d + gap) + d, -7.0f);
        rows = row_major_rows(address_of(memory.data()), n, d + gap);
        break;
      }
      case Layout::column_major: {
        const auto stride = static_cast<std::uint32_t>(n + gap);
        memory.assign((d - 1) * std::uint64_t{stride} + n, -7.0f);
        rows = column_major_rows(address_of(memory.data()), n, stride);
        break;
      }
    }
    for (std::uint64_t row = 0; row < n; ++row)
      for (std::uint32_t i = 0; i < d; ++i)
        memory[row / 128 * rows.tile_stride + std::uint64_t{i} * rows.dimension_stride + row % 128 * rows.row_stride] =
            values(row, i);
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
};

/// Sees the passes of a recording and nothing else.
class PassesAlone : public Recording {
 public:
  void barrier() override {}
  void copy(const BufferView&, const BufferView&) override {}
  void fill(const BufferView&, std::uint8_t) override {}
  void push_label(std::string_view) override {}
  void pop_label() override {}
};

/// Runs the pass once with every instruction set, on several threads.
/// @param check  called after each run with the instruction set's name
inline void run_fast(const Pass& pass, const std::function<void()>& reset, const std::function<void()>& check) {
  static cpu::Workers workers(3);
  const bool is_threaded = pass.kind->threaded != nullptr;
  REQUIRE(is_threaded);
  for (const cpu::Kernels& kernels : cpu::usable_kernels()) {
    CAPTURE(kernels.instruction_set);
    reset();
    cpu::Machine machine{workers, kernels};
    pass.kind->threaded(pass, machine);
    check();
  }
}

/// Compares what the fast pass writes to `output` with what the reference
/// writes; both start from the same contents.
template <typename T>
void expect_same(const Pass& pass, std::vector<T>& output) {
  const std::vector<T> before = output;
  reference::run(pass);
  const std::vector<T> expected = output;
  run_fast(pass, [&] { output = before; }, [&] {
    const bool same = std::memcmp(output.data(), expected.data(), output.size() * sizeof(T)) == 0;
    CHECK(same);
  });
  output = expected;
}

inline std::uint64_t key(float distance, std::uint32_t index, bool largest_first = false) {
  return passes::make_key(passes::distance_key(distance, largest_first), index);
}

template <typename T>
bool same_bytes(const T* one, const T* other, std::uint64_t count) {
  return std::memcmp(one, other, count * sizeof(T)) == 0;
}

inline void check_same(const Neighbors& found, const Neighbors& expected) {
  REQUIRE(found.indices.rows() == expected.indices.rows());
  REQUIRE(found.indices.columns() == expected.indices.columns());
  CHECK(found.indices == expected.indices);
  CHECK(same_bytes(found.distances.data(), expected.distances.data(),
                   expected.distances.rows() * expected.distances.columns()));
}

/// Queries by what decided them, without what decided none: "half precision 20, canonical scan 1".
inline std::string decided(const SearchReport& report) {
  std::string text;
  for (const RungCount& rung : report.rungs)
    if (rung.queries != 0)
      text += (text.empty() ? "" : ", ") + std::string(rung.rung) + " " + std::to_string(rung.queries);
  return text;
}

}  // namespace proxel::unit
