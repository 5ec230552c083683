#include <memory>

#include <CLI/CLI.hpp>

#include "features/feature_kinds.hpp"

namespace proxel::tool {
namespace {

constexpr const char* sift_examples = R"(Examples:
  proxel data features sift photos -o features.npy --names keypoints.csv
      of every JPEG and PNG file in the folder and below it
  proxel data features sift photos -o features.npy --most 200
      the 200 of each image that show at the coarsest scales
  proxel-bench sift --data features.npy
      how long their matching takes (Garcia 2010, section 3.2)

Local features (Lowe: Distinctive image features from scale-invariant keypoints, 2004), by
VLFeat: rows of 128 values and length 512. The file of names says which image a row is of and where in
it: file, x, y and scale in pixels, angle in radians.

A file that cannot be read is listed and left out. Exit codes: 0 all were read; 1 some could not be,
the others were written; 2 none could be, or the options are wrong; more in 'proxel --help'.)";

constexpr std::string_view image_endings[] = {".jpg", ".jpeg", ".jpe", ".jfif", ".png"};

struct SiftOptions : FeatureOptions {
  std::size_t most = 1000;
};

}  // namespace

void add_sift_features(CLI::App& features, Context& context) {
  CLI::App* command =
      make_command(features, context, "sift", "Local features of images: 128 values each", sift_examples);
  const auto options = std::make_shared<SiftOptions>();
  add_feature_options(*command, *options, "JPEG and PNG files, and folders of them",
                      "The rows that are written: .npy, .csv, .fvecs or .fbin");
  command->add_option("--most", options->most, "Features of an image, at most: those of the largest scales")
      ->check(CLI::Range(1, 1 << 20))
      ->type_name("COUNT")
      ->capture_default_str();
  command->callback([&context, options] {
    context.action = [&context, options] {
      return run_features({"sift", image_endings, "images"}, *options, context,
                          [&](FeatureWork&& work) { return make_sift_rows(std::move(work), options->most); });
    };
  });
}

}  // namespace proxel::tool
