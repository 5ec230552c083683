#include "bench/papers/real_data.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "made_words.hpp"
#include "bundled_data.hpp"
#include "format.hpp"
#include "input.hpp"
#include "input_lines.hpp"
#include "seeded.hpp"

namespace proxel::tool::papers {
namespace {

// The rows, as often as they are needed.
Matrix<float> repeated(const Matrix<float>& rows, std::uint64_t columns, std::uint64_t count) {
  Matrix<float> many(count, columns);
  for (std::uint64_t row = 0; row < count; ++row) std::copy_n(&rows(row % rows.rows(), 0), columns, &many(row, 0));
  return many;
}

NamedRows cover_type(const BenchOptions& options, std::uint64_t wanted) {
  constexpr std::uint32_t features = 54;
  if (!options.data.empty()) {
    NamedRows given{"", read_rows(options.data, {.max_rows = wanted}).rows};
    given.origin = fmt::format("{} rows of {} columns of {}.", with_separators(given.rows.rows()), given.rows.columns(),
                               options.data);
    return given;
  }
  const std::filesystem::path bundled = bundled_data() / "covtype_20k.csv.gz";
  if (!std::filesystem::exists(bundled))
    return {fmt::format("made, uniform in [0, 1), {} rows: the data that come with the programs are not installed.",
                        with_separators(wanted)),
            random_matrix(wanted, features, options.seed)};
  // The last column is the class.
  const Matrix<float> rows = read_rows(bundled.string(), {}).rows;
  return {fmt::format("{} real rows, one after the other up to {}, since a scan takes as long over any.",
                      with_separators(rows.rows()), with_separators(wanted)),
          repeated(rows, features, wanted)};
}

// Shares of bins that add up to 1, most of them small: powers of uniform values.
NamedRows made_histograms(std::uint64_t rows, std::uint32_t bins, std::uint64_t seed) {
  NamedRows made{fmt::format("made by seed {}: {} histograms, fourth powers of uniform values that add up to 1.", seed,
                             with_separators(rows)),
                 random_matrix(rows, bins, seed)};
  for (std::uint64_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::uint32_t bin = 0; bin < bins; ++bin) {
      made.rows(row, bin) = std::pow(made.rows(row, bin), 4.0F);
      sum += made.rows(row, bin);
    }
    for (std::uint32_t bin = 0; bin < bins; ++bin)
      made.rows(row, bin) = static_cast<float>(made.rows(row, bin) / std::max(sum, 1e-20));
  }
  return made;
}

}  // namespace

std::vector<NamedRows> bustos_data(const BenchOptions& options) {
  const std::uint64_t part = options.quick ? 10 : 1;
  std::vector<NamedRows> sets;
  sets.push_back(cover_type(options, 250'000 / part));
  sets.push_back(made_histograms(65'000 / part, 32, options.seed));
  sets.push_back(made_histograms(16'000 / part, 512, options.seed + 1));
  return sets;
}

NamedWords lopresti_words(const BenchOptions& options) {
  NamedWords named;
  const std::filesystem::path bundled = bundled_data() / "words.txt.gz";
  if (!options.data.empty()) {
    named = {fmt::format("words of {}", options.data), read_lines(options.data)};
  } else if (std::filesystem::exists(bundled)) {
    named = {"English words, those that come with the programs", read_lines(bundled.string())};
  } else {
    named = {"words made at random: those that come with the programs are not installed",
             made_words(86'000, options.seed)};
  }
  std::vector<std::string>& words = named.words;
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<std::string> mixed;
  for (const std::uint64_t place : shuffled(words.size(), options.seed)) mixed.push_back(std::move(words[place]));
  words = std::move(mixed);
  return named;
}

}  // namespace proxel::tool::papers
