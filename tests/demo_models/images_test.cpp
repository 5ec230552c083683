// The tab Images, without a window.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../data/support.hpp"
#include "../images/extractor.hpp"
#include "images/atlas_cells.hpp"
#include "images/collection.hpp"
#include "images/discs.hpp"
#include "images/feature_search.hpp"
#include "images/ranking.hpp"
#include "images/similarity_search.hpp"
#include "images/wall.hpp"

using namespace demo;
namespace images = proxel::images;

namespace {

images::Image plain(std::uint32_t width, std::uint32_t height, std::uint8_t red, std::uint8_t green,
                    std::uint8_t blue) {
  images::Image image{width, height, {}};
  for (std::uint32_t i = 0; i < width * height; ++i) image.rgb.insert(image.rgb.end(), {red, green, blue});
  return image;
}

std::string png(const images::Image& image) {
  const auto bytes = images::encode_png(image);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("a folder becomes thumbnails and signatures; what cannot be read is listed") {
  const proxel::testing::TemporaryFolder folder;
  folder.write("a.png", png(plain(300, 200, 255, 0, 0)));
  const std::string bad = folder.write("b.png", "no image");
  folder.write("c.png", png(plain(20, 40, 0, 0, 255)));
  folder.write("d.txt", "not asked for");
  const Collection collection = read_collection({folder.file("")}, 2, [](std::uint64_t, std::uint64_t) {});
  REQUIRE(collection.size() == 2);
  CHECK(collection.signatures.size() == 2);
  CHECK(collection.thumbnails[0].width == 96);
  CHECK(collection.thumbnails[0].height == 64);
  CHECK(collection.thumbnails[1].height == 40);
  REQUIRE(collection.failures.size() == 1);
  CHECK(collection.failures[0].path == bad);

  struct Cancelled {};
  CHECK_THROWS_AS(read_collection({folder.file("")}, 2, [](std::uint64_t, std::uint64_t) { throw Cancelled(); }),
                  Cancelled);
}

TEST_CASE("thumbnails of very many images are small") {
  CHECK(thumbnail_side(80) == 96);
  // 60,000 of three quarters' height
  const double side = thumbnail_side(60000);
  CHECK(60000 * side * side * 3 * 0.75 < 400e6);
}

TEST_CASE("colours of CIELAB come back as they were") {
  images::SignatureOptions options;
  options.points = 1;
  const proxel::testing::Extractor extractor(options);
  for (int red = 0; red < 256; red += 51)
    for (int green = 0; green < 256; green += 51)
      for (int blue = 0; blue < 256; blue += 51) {
        const std::array<std::uint8_t, 3> colour = {std::uint8_t(red), std::uint8_t(green), std::uint8_t(blue)};
        const auto feature = extractor.features(plain(1, 1, colour[0], colour[1], colour[2])).at(0);
        const auto back = colour_of_lab(100 * feature[2], 100 * feature[3], 100 * feature[4]);
        for (std::size_t channel = 0; channel < 3; ++channel) CHECK(std::abs(back[channel] - colour[channel]) <= 1);
      }
}

TEST_CASE("discs are where the centroids are, as large as their weights") {
  const proxel::testing::Extractor extractor;
  const images::ImageSignature made = extractor.extract(plain(64, 64, 200, 30, 40));
  proxel::Signatures signatures(images::feature_dimensions);
  signatures.add(made.centroids, made.weights);
  const auto discs = discs_of(signatures, 0);
  REQUIRE(discs.size() == made.weights.size());
  double area = 0;
  for (const Disc& disc : discs) {
    area += std::numbers::pi * disc.radius * disc.radius;
    CHECK(std::abs(disc.colour[0] - 200) <= 2);
    CHECK(std::abs(disc.colour[1] - 30) <= 2);
    CHECK(disc.x > 0);
    CHECK(disc.x < 1);
  }
  CHECK(area == doctest::Approx(1).epsilon(1e-4));
  CHECK(std::ranges::is_sorted(discs, std::greater(), &Disc::radius));
}

TEST_CASE("every image has one place, found ones first") {
  proxel::Neighbors found{{1, 4}, {1, 4}};
  const std::uint32_t indices[] = {3, 1, 4, proxel::no_neighbor};
  const float distances[] = {0, 0.5f, 0.75f, INFINITY};
  std::ranges::copy(indices, found.indices.data());
  std::ranges::copy(distances, found.distances.data());
  const Ranking ranking = ranking_of(found, 6);
  CHECK(ranking.order == std::vector<std::uint32_t>{3, 1, 4, 0, 2, 5});
  CHECK(ranking.distances == std::vector<float>{0, 0.5f, 0.75f});
}

TEST_CASE("all images are in the order of their distances, those of one distance as they lie") {
  const float distances[] = {0.5f, 0, 0.75f, 0.5f, 0.25f};
  const Ranking ranking = ranking_of(distances);
  CHECK(ranking.order == std::vector<std::uint32_t>{1, 4, 0, 3, 2});
  CHECK(ranking.distances == std::vector<float>{0, 0.25f, 0.5f, 0.5f, 0.75f});
}

TEST_CASE("the nearest, and then all, are in one order") {
  auto collection = std::make_shared<Collection>();
  const auto device = proxel::open_device("cpu");
  images::SignatureMaker maker(*device, {}, 1500);
  for (std::size_t i = 0; i < 1500; ++i) {
    maker.add(i, plain(8, 8, static_cast<std::uint8_t>(i % 251), static_cast<std::uint8_t>(i % 13 * 19), 60));
    collection->paths.push_back(std::to_string(i));
  }
  for (const auto& made : maker.finish()) collection->signatures.add(made.centroids, made.weights);
  SimilaritySearch search(collection);
  const SimilaritySearch::Wanted wanted{"cpu", {proxel::Similarity::gaussian, 3}};
  const Ranking nearest = ranking_of(search.search(*device, wanted, 700, true), collection->size());
  const Ranking all = search.all(*device, wanted, 700);
  REQUIRE(nearest.distances.size() == nearest_first);
  REQUIRE(all.distances.size() == 1500);
  CHECK(std::ranges::equal(nearest.distances, std::span(all.distances).first(nearest_first)));
  CHECK(std::ranges::equal(std::span(nearest.order).first(nearest_first), std::span(all.order).first(nearest_first)));
  CHECK(std::ranges::is_sorted(all.distances));
}

TEST_CASE("Krulis' system orders images as an index of signatures does") {
  auto collection = std::make_shared<Collection>();
  const proxel::testing::Extractor extractor;
  for (std::uint8_t i = 0; i < 40; ++i) {
    const auto made = extractor.extract(plain(16, 16, static_cast<std::uint8_t>(6 * i), 60, 60));
    collection->signatures.add(made.centroids, made.weights);
    collection->paths.push_back(std::to_string(i));
  }
  const auto device = proxel::open_device("cpu");
  SimilaritySearch search(collection);
  SimilaritySearch::Wanted wanted{"cpu", {proxel::Similarity::gaussian, 3}};
  const Ranking right = ranking_of(search.search(*device, wanted, 7, true), 40);
  for (const SimilarityMethod method :
       {SimilarityMethod::krulis, SimilarityMethod::krulis_pivots, SimilarityMethod::krulis_ptolemaic}) {
    CAPTURE(to_string(method));
    CHECK(similarity_method_from_string(to_string(method)) == method);
    wanted.method = method;
    for (const bool keeps : {false, true}) {
      const proxel::Neighbors found = search.search(*device, wanted, 7, keeps);
      CHECK(found.report.method == (method == SimilarityMethod::krulis ? "scan" : to_string(*krulis_filter(method))));
      CHECK(ranking_of(found, 40).order == right.order);
    }
    CHECK(search.all(*device, wanted, 7).order == right.order);
    SimilaritySearch::Wanted minus = wanted;
    minus.similarity.kind = proxel::Similarity::minus;
    CHECK_THROWS_WITH_AS(search.search(*device, minus, 7, false), doctest::Contains("gaussian"), proxel::Error);
  }
  CHECK_THROWS_AS(similarity_method_from_string("none"), proxel::Error);
}

TEST_CASE("an image is most similar to itself, and to those of its colour before others") {
  const proxel::testing::Extractor extractor;
  proxel::Signatures signatures(images::feature_dimensions);
  for (const int red : {250, 20, 240, 30}) {
    const auto made = extractor.extract(plain(40, 40, static_cast<std::uint8_t>(red), 60, 60));
    signatures.add(made.centroids, made.weights);
  }
  const auto device = proxel::open_device("cpu");
  proxel::SignatureIndex index(*device, signatures);
  const Ranking ranking = ranking_of(index.search(signature_of(signatures, 3), 4), 4);
  CHECK(ranking.order == std::vector<std::uint32_t>{3, 1, 2, 0});
  CHECK(ranking.distances[0] == 0);
}

TEST_CASE("the wall moves its images from one order to the next") {
  Wall wall;
  std::vector<std::uint32_t> order(10);
  std::iota(order.begin(), order.end(), 0u);
  wall.arrange(order, true);
  CHECK_FALSE(wall.moving());  // new images do not come from anywhere
  wall.set_columns(4);
  CHECK(wall.rows() == 3);
  CHECK(wall.spot(9).column == 1);
  CHECK(wall.spot(9).row == 2);

  std::ranges::reverse(order);
  wall.arrange(order, true);
  REQUIRE(wall.moving());
  CHECK(wall.spot(9).row == 2);  // still
  wall.advance(Wall::seconds_to_move / 2);
  CHECK(wall.spot(9).row == doctest::Approx(1));
  CHECK(wall.visible(0, 3).size() == 10);
  wall.advance(Wall::seconds_to_move);
  CHECK_FALSE(wall.moving());
  CHECK(wall.spot(9).row == 0);
  CHECK(wall.place(0) == 9);
  const auto shown = wall.visible(1.5f, 2.0f);  // the second row is still seen
  REQUIRE(shown.size() == 4);
  CHECK(shown[0].image == 5);

  wall.arrange(order, true);
  CHECK_FALSE(wall.moving());  // nothing changes
  std::ranges::sort(order);
  wall.arrange(order, false);
  CHECK_FALSE(wall.moving());
  CHECK(wall.spot(9).row == 2);
}

TEST_CASE("of very many images only the rows that are seen are looked at") {
  Wall wall;
  std::vector<std::uint32_t> order(60000);
  std::iota(order.begin(), order.end(), 0u);
  wall.arrange(order, false);
  wall.set_columns(10);
  const auto shown = wall.visible(3000, 3006);
  REQUIRE(shown.size() == 60);
  CHECK(shown.front().image == 30000);
}

TEST_CASE("the cells of an atlas go to what is seen") {
  AtlasCells cells(3);
  for (std::uint32_t image = 0; image < 3; ++image) {
    const auto cell = cells.cell_of(image);
    REQUIRE(cell);
    CHECK(cell->fresh);
    CHECK(cell->number == image);
  }
  CHECK_FALSE(cells.cell_of(3));  // all are seen in this frame
  cells.next_frame();
  CHECK_FALSE(cells.cell_of(0)->fresh);
  CHECK_FALSE(cells.cell_of(2)->fresh);
  const auto moved = cells.cell_of(3);
  REQUIRE(moved);
  CHECK(moved->fresh);
  CHECK(moved->number == 1);  // image 1 was not seen
  cells.next_frame();
  CHECK(cells.cell_of(1)->fresh);
  cells.clear();
  CHECK(cells.cell_of(3)->fresh);
}

TEST_CASE("local features find a picture that was turned, and lines lead to the same places") {
  if (!images::local_features_supported()) return;
  const std::string pictures = std::string(PROXEL_DATA_FOLDER) + "/pictures";
  const auto files = images::find_images({pictures}, [] {});
  const proxel::testing::TemporaryFolder folder;
  for (std::size_t i = 0; i < 10; ++i)
    folder.write("picture" + std::to_string(i) + ".png", png(images::read_image(files.paths.at(i))));
  // That of the most features, after a quarter turn to the right.
  const auto features_of = [&](std::uint32_t number) {
    return images::local_features(images::read_image(files.paths.at(number)), 300).keypoints.size();
  };
  std::uint32_t chosen = 0;
  for (std::uint32_t i = 1; i < 10; ++i)
    if (features_of(i) > features_of(chosen)) chosen = i;
  const images::Image upright = images::read_image(files.paths.at(chosen));
  images::Image turned{upright.height, upright.width, {}};
  for (std::uint32_t y = 0; y < turned.height; ++y)
    for (std::uint32_t x = 0; x < turned.width; ++x) {
      const std::uint8_t* pixel = upright.pixel(y, upright.height - 1 - x);
      turned.rgb.insert(turned.rgb.end(), pixel, pixel + 3);
    }
  folder.write("turned.png", png(turned));
  const auto nothing = [](std::uint64_t, std::uint64_t) {};
  const auto collection = std::make_shared<const Collection>(read_collection({folder.file("")}, 2, nothing));
  REQUIRE(collection->size() == 11);
  const auto device = proxel::open_device("cpu");
  FeatureSearch search(collection);
  const SimilaritySearch::Wanted wanted{"cpu", {proxel::Similarity::gaussian, 3}};
  for (const PhotoWay way : {PhotoWay::features, PhotoWay::both}) {
    const PhotoRanking answer = search.search(*device, wanted, way, 10, nothing);
    CHECK(answer.ranking.order.size() == 11);
    REQUIRE(answer.found.size() >= 2);
    REQUIRE(answer.lines.size() == answer.found.size());
    // Itself and the other are alike to the bit but for the turn: either may be the first.
    const std::size_t place = answer.found[0].number == chosen ? 0 : 1;
    CHECK(answer.found[place].number == chosen);
    CHECK(answer.found[1 - place].number == 10);
    CHECK(answer.found[place].inliers >= 20);
    REQUIRE(answer.lines[place].size() == answer.found[place].inliers);
    for (const FeatureLine& line : answer.lines[place]) {
      CHECK(std::abs(line.other_x - line.y) < 0.04f);
      CHECK(std::abs(line.other_y - (1 - line.x)) < 0.04f);
    }
  }
}
