#include "bench/given_rows.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "format.hpp"
#include "input.hpp"
#include "proxel/error.hpp"
#include "seeded.hpp"

namespace proxel::tool {

GivenRows read_given_rows(const BenchOptions& options, std::uint64_t queries, Recorder& recorder) {
  const Matrix<float> all = read_rows(options.data, {.max_rows = options.largest_rows}).rows;
  if (all.rows() < 10)
    throw Error(ErrorCode::invalid_argument, "--data",
                fmt::format("{} has {} rows; at least 10 are needed", options.data, all.rows()));
  const std::uint64_t held_out = std::min(queries, all.rows() / 2);
  const std::vector<std::uint64_t> order = shuffled(all.rows(), options.seed);
  GivenRows given{Matrix<float>(all.rows() - held_out, all.columns()), Matrix<float>(held_out, all.columns())};
  for (std::uint64_t i = 0; i < all.rows(); ++i) {
    float* to = i < held_out ? &given.queries(i, 0) : &given.database(i - held_out, 0);
    std::copy_n(&all(order[i], 0), all.columns(), to);
  }
  recorder.note(fmt::format(
      "Data: {}, n = {}, d = {}; {} of its rows, which seed {} chose, are queries and not among the n.", options.data,
      with_separators(given.database.rows()), all.columns(), with_separators(held_out), options.seed));
  return given;
}

Matrix<float> first_rows(const Matrix<float>& all, std::uint64_t rows) {
  Matrix<float> part(std::min(rows, all.rows()), all.columns());
  std::copy_n(all.data(), part.rows() * part.columns(), part.data());
  return part;
}

}  // namespace proxel::tool
