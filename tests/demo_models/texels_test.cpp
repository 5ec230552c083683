#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "proxel/data.hpp"
#include "proxel/index.hpp"
#include "support.hpp"
#include "texels/playback.hpp"
#include "texels/texel_picture.hpp"
#include "texels/texel_search.hpp"

using namespace demo;
using demo::test::error_of;
using proxel::ErrorCode;
using proxel::Matrix;
using proxel::Metric;

namespace {

std::shared_ptr<TexelData> made_data(std::uint64_t rows, std::uint64_t dimensions) {
  auto data = std::make_shared<TexelData>();
  data->rows = Matrix<float>(rows, dimensions);
  data->queries = Matrix<float>(3, dimensions);
  std::mt19937 generator(3);
  const auto fill = [&](Matrix<float>& matrix) {
    for (std::uint64_t i = 0; i < matrix.rows() * dimensions; ++i)
      matrix.data()[i] = static_cast<float>(generator() % 1000) / 8;
  };
  fill(data->rows);
  fill(data->queries);
  return data;
}

// The distance in the first dimensions alone; exact in binary32 for the data above.
double plain_distance(const TexelData& data, std::uint64_t query, std::uint64_t row, Metric metric,
                      std::uint64_t dimensions) {
  double sum = 0;
  for (std::uint64_t i = 0; i < dimensions; ++i) {
    const double q = data.queries(query, i), r = data.rows(row, i);
    if (metric == Metric::l1) sum += std::abs(q - r);
    if (metric == Metric::linf) sum = std::max(sum, std::abs(q - r));
    if (metric == Metric::ip) sum += q * r;
    if (metric == Metric::l2sq) sum += (q - r) * (q - r);
  }
  return sum;
}

}  // namespace

TEST_CASE("texR fills by t dimensions a pass") {
  const auto data = made_data(37, 21);
  const auto device = proxel::open_device("cpu");
  TexelSearch search(*device, data);
  for (const Metric metric : {Metric::l1, Metric::l2sq, Metric::linf, Metric::ip})
    for (const std::uint32_t t : {1u, 4u, 16u}) {
      const TexelRun run = search.run({.query = 1, .metric = metric, .dimensions_per_pass = t});
      std::uint32_t passes = 0;
      for (const TexelState& state : run.states) {
        if (state.pass != TexelPass::accumulate) break;
        CHECK(state.first_dimension == passes * t);
        CHECK(state.dimension_count == std::min(t, 21 - passes * t));
        for (std::uint64_t row = 0; row < 37; ++row)
          CHECK(std::bit_cast<float>(state.texels[row]) ==
                doctest::Approx(plain_distance(*data, 1, row, metric, state.first_dimension + state.dimension_count)));
        ++passes;
      }
      CHECK(passes == (21 + t - 1) / t);
    }
}

TEST_CASE("minimum and reductions leave the nearest row in the last texel") {
  for (const std::uint64_t rows : {1u, 2u, 5u, 37u, 260u, 1027u}) {
    const auto data = made_data(rows, 6);
    const auto device = proxel::open_device("cpu");
    TexelSearch search(*device, data);
    proxel::Index index(*device, data->rows.view(), {.method = proxel::Method::scan});
    for (const Metric metric : {Metric::l1, Metric::ip}) {
      const TexelRun run = search.run({.query = 2, .metric = metric, .dimensions_per_pass = 4});
      CHECK(run.width * run.height * 4 >= rows);
      CHECK(run.rows == rows);
      std::uint32_t width = run.width, height = run.height;
      for (const TexelState& state : run.states) {
        if (state.pass == TexelPass::reduce) width = (width + 1) / 2, height = (height + 1) / 2;
        CHECK(state.width == width);
        CHECK(state.height == height);
        if (state.pass == TexelPass::accumulate) continue;
        // Every candidate that counts is the best of the rows that came together in it.
        for (std::uint32_t y = 0; y < height; ++y)
          for (std::uint32_t x = 0; x < width; ++x) {
            std::uint32_t best = no_row;
            for (std::uint32_t row = 0; row < rows; ++row) {
              const TexelExtent at = folded(row, {run.width, run.height}, {width, height});
              if (at.width != x || at.height != y) continue;
              const auto distance = [&](std::uint32_t of) { return std::bit_cast<float>(run.distances()[of]); };
              const bool better = best == no_row || (metric == Metric::ip ? distance(row) > distance(best)
                                                                          : distance(row) < distance(best));
              if (better) best = row;
            }
            CHECK(state.texels[(std::size_t{y} * run.width + x) * 4 + 1] == best);
          }
      }
      CHECK(width == 1);
      CHECK(height == 1);
      const auto found = index.search(data->queries.view().slice(2, 1), 1, metric);
      CHECK(run.neighbor == found.indices(0, 0));
      CHECK(run.distance == found.distances(0, 0));
      CHECK(run.states.back().texels[1] == run.neighbor);
    }
  }
}

TEST_CASE("the textures of coordinates hold the rows") {
  const auto data = made_data(50, 5);
  const auto device = proxel::open_device("cpu:reference");
  TexelSearch search(*device, data);
  const std::vector<float> coordinates = search.coordinates();
  const std::size_t layer = std::size_t{4} * search.width() * search.height();
  REQUIRE(coordinates.size() == layer * 5);
  for (std::uint64_t row = 0; row < 50; ++row)
    for (std::uint64_t i = 0; i < 5; ++i) CHECK(coordinates[i * layer + row] == data->rows(row, i));
  for (std::size_t i = 50; i < layer; ++i) CHECK(coordinates[i] == 0);
}

TEST_CASE("devices leave the same states, and a difference would be told") {
  const auto data = made_data(300, 9);
  const auto first = proxel::open_device("cpu");
  const auto second = proxel::open_device("cpu:reference");
  TexelRun a = TexelSearch(*first, data).run({.metric = Metric::l2sq, .dimensions_per_pass = 2});
  const TexelRun b = TexelSearch(*second, data).run({.metric = Metric::l2sq, .dimensions_per_pass = 2});
  CHECK(difference(a, b).empty());
  a.states[3].texels[42] ^= 1;
  CHECK(difference(a, b).find("after pass 4: texel 10, cpu has 0x") == 0);
}

TEST_CASE("a query may be one's own") {
  const auto data = made_data(40, 4);
  const auto device = proxel::open_device("cpu");
  TexelSearch search(*device, data);
  const float* row = &data->rows(23, 0);
  const TexelRun run = search.run({.drawn = {row, row + 4}});
  CHECK(run.neighbor == 23);
  CHECK(run.distance == 0);
}

TEST_CASE("what texels cannot show is refused") {
  const auto device = proxel::open_device("cpu");
  TexelSearch search(*device, made_data(20, 3));
  CHECK(error_of([&] { search.run({.dimensions_per_pass = 0}); }).code() == ErrorCode::invalid_argument);
  CHECK(error_of([&] { search.run({.dimensions_per_pass = 17}); }).code() == ErrorCode::invalid_argument);
  CHECK(error_of([&] { search.run({.query = 3}); }).code() == ErrorCode::invalid_argument);
  CHECK(error_of([&] { search.run({.drawn = {1, 2}}); }).code() == ErrorCode::invalid_argument);
  // 300 passes that leave 256 KiB each.
  auto wide = std::make_shared<TexelData>();
  wide->rows = Matrix<float>(65536, 300);
  wide->queries = Matrix<float>(1, 300);
  CHECK(error_of([&] { TexelSearch(*device, wide).run({.dimensions_per_pass = 1}); }).code() == ErrorCode::unsupported);
}

TEST_CASE("the bundled vectors") {
  const TexelData digits = read_digits(PROXEL_DATA_FOLDER);
  CHECK(digits.rows.rows() == 3823);
  CHECK(digits.rows.columns() == 64);
  CHECK(digits.queries.rows() == 1797);
  CHECK(digits.row_labels.size() == 3823);
  CHECK(digits.pictures());
  for (std::uint64_t i = 0; i < 3823 * 64; ++i)
    REQUIRE((digits.rows.data()[i] >= 0 && digits.rows.data()[i] <= digits.darkest));
  // The nearest digit is the same digit: 98 of 100 times, as its authors found.
  const auto device = proxel::open_device("cpu");
  proxel::Index index(*device, digits.rows.view());
  const auto found = index.search(digits.queries.view(), 1, Metric::l2sq);
  std::uint64_t right = 0;
  for (std::uint64_t i = 0; i < 1797; ++i)
    right += digits.query_labels[i] == digits.row_labels[found.indices(i, 0)] ? 1 : 0;
  CHECK(static_cast<double>(right) / 1797 == doctest::Approx(0.98).epsilon(0.005));

  const TexelData forest = read_covertype(PROXEL_DATA_FOLDER);
  CHECK(forest.rows.rows() == 19800);
  CHECK(forest.rows.columns() == 54);
  CHECK(forest.queries.rows() == 200);
  CHECK(!forest.pictures());
}

TEST_CASE("vectors of one's own") {
  const test::Folder folder;
  const auto data = made_data(30, 7);
  proxel::write_matrix(folder.file("mine.npy"), data->rows.view());
  const TexelData read = read_vectors(folder.file("mine.npy"));
  CHECK(read.name == "mine.npy");
  CHECK(read.rows.rows() == 15);
  CHECK(read.queries.rows() == 15);
  CHECK(read.queries(0, 6) == data->rows(15, 6));
  CHECK(read.row_labels.empty());
  CHECK(error_of([&] { read_vectors(folder.write("one.csv", "1,2,3\n")); }).code() == ErrorCode::invalid_argument);
  CHECK(error_of([&] { read_vectors(folder.file("none.npy")); }).code() == ErrorCode::not_found);
  CHECK(error_of([&] { read_digits(folder.file(".")); }).code() == ErrorCode::not_found);
}

TEST_CASE("states are played, stepped through and scrubbed") {
  Playback playback;
  playback.toggle();
  CHECK(!playback.playing());
  playback.resize(5);
  CHECK(playback.position() == 0);
  playback.step(-1);
  CHECK(playback.position() == 0);
  playback.step(1);
  CHECK(playback.position() == 1);
  playback.toggle();
  playback.advance(0.5, 0.375);
  CHECK(playback.position() == 2);
  playback.advance(0.25, 0.375);  // and 0.125 that was left
  CHECK(playback.position() == 3);
  CHECK(playback.playing());
  playback.advance(9, 0.375);
  CHECK(playback.position() == 4);
  CHECK(!playback.playing());
  playback.toggle();  // from the first
  CHECK(playback.position() == 0);
  CHECK(playback.playing());
  playback.show(99);
  CHECK(playback.position() == 4);
  CHECK(!playback.playing());
  playback.resize(3);
  CHECK(playback.position() == 0);
}

TEST_CASE("rows are pixels of their texels' channels") {
  for (std::uint64_t row = 0; row < 60; ++row) CHECK(row_of_pixel(pixel_of_row(row, 5), 5) == row);
  CHECK(pixel_of_row(23, 5).x == 1);  // texel 5 is the first of the second line; alpha is below, right
  CHECK(pixel_of_row(23, 5).y == 3);

  const Rgb background{1, 2, 3};
  const std::vector<float> values{0, 10, NAN, 5, 20, -7, 0, 0};
  const auto image = draw_rows(values, 6, {2, 1}, {0, 10}, background);
  REQUIRE(image.width == 4);
  REQUIRE(image.height == 2);
  const auto pixel = [](const proxel::images::Image& of, std::uint32_t x, std::uint32_t y) {
    return Rgb{of.pixel(x, y)[0], of.pixel(x, y)[1], of.pixel(x, y)[2]};
  };
  CHECK(pixel(image, 0, 0) == colour_of(0));
  CHECK(pixel(image, 1, 0) == colour_of(1));
  CHECK(pixel(image, 0, 1) == background);  // NaN
  CHECK(pixel(image, 1, 1) == colour_of(0.5f));
  CHECK(pixel(image, 2, 0) == colour_of(1));  // above the range
  CHECK(pixel(image, 3, 0) == colour_of(0));
  CHECK(pixel(image, 2, 1) == background);  // row 6 is none

  const auto texels = draw_texels(std::vector<float>{0, 10, 10, NAN}, {2, 2}, {2, 1}, {0, 10}, background);
  CHECK(pixel(texels, 1, 0) == colour_of(1));
  CHECK(pixel(texels, 0, 1) != colour_of(1));
  CHECK(pixel(texels, 1, 1) == background);
  CHECK(ValueRange::of(std::vector<float>{3, NAN, -2, INFINITY}).least == -2);
  CHECK(ValueRange::of(std::vector<float>{3, NAN, -2, INFINITY}).most == 3);
  CHECK(ValueRange::of(std::vector<float>{NAN}).most == 1);
}
