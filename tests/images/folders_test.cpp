// Images of folders, read by several threads.
#include "images/image_files.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

struct Cancelled {};

std::string png(std::uint32_t width, std::uint32_t height) {
  const auto bytes = images::encode_png(gradient(width, height));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("folders are looked into, and every image is read once") {
  const TemporaryFolder folder;
  std::vector<std::string> paths;
  for (std::uint32_t i = 0; i < 20; ++i) {
    paths.push_back(folder.file("image" + std::to_string(10 + i) + ".png"));
    folder.write("image" + std::to_string(10 + i) + ".png", png(i + 1, 3));
  }
  folder.write("image17.png", "other");
  int pauses = 0;
  const images::ImageFiles found = images::find_images({folder.file(""), paths[3]}, [&] { ++pauses; });
  CHECK(found.paths == paths);
  CHECK(found.failures.empty());
  CHECK(pauses == 20);

  for (const unsigned threads : {1u, 3u}) {
    std::vector<std::uint32_t> widths(paths.size());
    const auto failures = images::read_images(paths, threads, [&](std::size_t number, Image&& image) {
      widths[number] += image.width;
    }, [](std::uint64_t done, std::uint64_t total) { CHECK(done <= total); });
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].path == paths[7]);
    CHECK(failures[0].reason == "neither a JPEG nor a PNG file");
    for (std::uint32_t i = 0; i < 20; ++i) CHECK(widths[i] == (i == 7 ? 0 : i + 1));
  }
}

TEST_CASE("what is thrown meanwhile ends the reading") {
  const TemporaryFolder folder;
  std::vector<std::string> paths(50, folder.file("a.png"));
  folder.write("a.png", png(400, 400));
  CHECK_THROWS_AS(images::read_images(paths, 2, [](std::size_t, Image&&) {},
                                      [](std::uint64_t, std::uint64_t) { throw Cancelled(); }),
                  Cancelled);
  CHECK_THROWS_AS(images::find_images({folder.file("")}, [] { throw Cancelled(); }), Cancelled);
}
