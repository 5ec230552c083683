// proxel photos: the photographs of a folder that are most like one.

#include <memory>

#include <CLI/CLI.hpp>

#include "devices.hpp"
#include "photos/photo_options.hpp"
#include "proxel/error.hpp"
#include "tool.hpp"

namespace proxel::tool::photos_command {
namespace {

constexpr const char* photos_examples = R"(Examples:
  proxel photos holiday --image tower.jpg
      the 10 photographs of the folder, and of those below it, that are most like one
  proxel photos holiday --image tower.jpg --by features -k 5 --sheet towers.html
      those that show the same thing, turned, smaller or from elsewhere, and a page that shows them
  proxel photos holiday --image tower.jpg --by signature --device cuda --json | jq -r '.found[].name'
      those of like colours and textures in like places
  proxel photos holiday --image tower.jpg --index holiday.photos
      the same again and again: a second search reads the photographs alone that have changed
  proxel photos pets --evaluate --queries 200
      how often each way finds cats by cats and dogs by dogs, in pets/cat and pets/dog

By signature, what counts is the signature quadratic form distance of feature signatures
('proxel signatures --help'). By features, local features like SIFT's are compared (VLFeat): each
of the image's votes for the photographs of its nearest neighbours among the features of all,
where these are nearer than 0.8 times the 20th; then pairs of a photograph's matches are drawn
(RANSAC, always the same ones) for the one turn, scaling and shift that most matches agree
with. So many are the inliers, which order what is found; 6 or more verify a photograph.
By both, verified ones come first, in the order of their inliers, and then the others by
signature. The image itself is left out where it is one of the folder.

Exit codes: 0 found; 1 found, but some images could not be read and were left out; 2 there is
nothing to search, or the options are wrong; more in 'proxel --help'.)";

void check(const PhotosOptions& options) {
  if (options.image.empty() && !options.evaluate)
    throw Error(ErrorCode::invalid_argument, "photos",
                "nothing to look for was given: --image FILE names a photograph, --evaluate takes those of the folder");
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command =
      make_command(app, context, "photos", "Find the photographs of a folder that are most like one", photos_examples);
  const auto options = std::make_shared<PhotosOptions>();
  command->add_option("FOLDER", options->folder, "Its JPEG and PNG files, and those below it, are searched")
      ->required()
      ->type_name("");
  auto* image = command->add_option("--image", options->image, "The photograph to look for")->type_name("FILE");
  command
      ->add_option_function<std::string>(
          "--by", [options](const std::string& name) { options->by = photo_way_from_string(name); },
          "What counts: signature (colours and textures), features (the same places "
          "again), or both (default: both, signature where VLFeat is not built in)")
      ->check(CLI::IsMember({"signature", "features", "both"}))
      ->type_name("NAME");
  auto* k = command->add_option("-k,--k", options->k, "Photographs that are found, at most")
                ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX} - 2))
                ->type_name("COUNT")
                ->capture_default_str();
  command
      ->add_option("--index", options->kept,
                   "Keep in this file what is known of the photographs, so that the next search reads new ones alone; "
                   "it is made where it is not there, and follows the folder")
      ->type_name("FILE");
  add_similarity_options(*command, options->index);
  command
      ->add_option("--longest-side", options->photos.longest_side,
                   "Larger images are reduced to so many pixels before features are looked for")
      ->check(CLI::Range(16u, 65536u))
      ->type_name("PIXELS")
      ->capture_default_str();
  command->add_option("--most-features", options->photos.most_features, "Local features of an image, the largest ones")
      ->check(CLI::Range(1u, 1u << 20))
      ->type_name("COUNT")
      ->capture_default_str();
  command->add_option("--device", options->device, device_help)->type_name("ID")->capture_default_str();
  add_sheet_options(*command, options->sheet, "the image and what was found, with distances or inliers");
  auto* evaluate = command->add_flag("--evaluate", options->evaluate,
                                     "Measure each way: the precision at 1, 5 and 10 of images by their classes, the "
                                     "names of the folders that they lie in");
  evaluate->excludes(image)->excludes(k)->excludes("--sheet");
  command->add_option("--labels", options->labels, "Classes by a file instead: lines of name,class")
      ->type_name("FILE")
      ->needs(evaluate);
  add_query_options(*command, options->queries);
  command->get_option("--queries")->needs(evaluate);
  command->get_option("--seed")->needs(evaluate);
  command->callback([&context, options] {
    context.action = [&context, options] {
      check(*options);
      return run_photos(*options, context);
    };
  });
}

}  // namespace proxel::tool::photos_command
