#include <filesystem>

#include <fmt/format.h>

#include "devices.hpp"
#include "json_output.hpp"
#include "photos/photo_folder.hpp"
#include "photos/photo_output.hpp"
#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

Photo read_query(const std::string& path, const PhotoOptions& options, Device& device, ProgressBar& bar) {
  bar.set_title("reading " + path);
  Photos read = read_photos({path}, options, device, 1, bar.callback());
  for (const images::ImageFailure& failure : read.failures)
    throw Error(ErrorCode::malformed_file, failure.path, failure.reason);
  return std::move(read.photos.front());
}

// Which of the folder the image itself is.
std::uint32_t number_of(const std::string& image, const std::vector<Photo>& photos) {
  std::error_code ignored;
  for (std::uint32_t i = 0; i < photos.size(); ++i)
    if (std::filesystem::equivalent(image, photos[i].path, ignored)) return i;
  return no_neighbor;
}

int find_like(const PhotosOptions& options, const Context& context) {
  Outputs outputs = planned_outputs(options);
  const std::vector<PhotoWay> ways = ways_of(options);
  const PhotoWay way = ways.back();
  const PhotoOptions wanted = wanted_for(options, ways);
  ProgressBar bar("opening " + options.device);
  const auto device = open_checked(options.device);
  const Photo query = read_query(options.image, wanted, *device, bar);
  const Photos photos = read_folder(options, wanted, *device, outputs, bar);
  bar.set_title("uploading");
  PhotoSearch search(*device, photos.photos, wanted, options.index, bar.callback());
  bar.set_title("searching");
  const Photo* const queries[] = {&query};
  const std::uint32_t left_out[] = {number_of(options.image, photos.photos)};
  const std::vector<FoundPhoto> found =
      search.find(queries, left_out, options.k, bar.callback()).front().by(way, options.k);
  if (!options.sheet.path.empty()) {
    bar.set_title("writing " + options.sheet.path);
    Sheet sheet{.path = options.sheet.path,
                .title = fmt::format("Like {}", options.image),
                .command_line = context.command_line};
    sheet.rows.push_back(found_row(options.image, found, photos.photos, way, options.sheet.path.ends_with(".html")));
    write_sheet(outputs, options.sheet, std::move(sheet), "");
  }
  outputs.commit();
  bar.finish();

  if (context.json) {
    nlohmann::ordered_json document = document_of(options, photos, device->info());
    document.update({{"image", options.image}, {"by", to_string(way)}, {"k", options.k}});
    if (way != PhotoWay::signature) document["features_of_image"] = query.keypoints.size();
    document["found"] = found_json(found, photos.photos, way);
    if (!options.sheet.path.empty()) document["sheet"] = options.sheet.path;
    print(document);
    return code_of(photos);
  }
  if (found.empty())
    fmt::print("nothing was found; the image has {} local features\n", query.keypoints.size());
  else
    found_table(found, photos.photos, way).print();
  fmt::print("\nby {} among {}\n", to_string(way), told(photos, device->info()));
  if (!options.sheet.path.empty()) fmt::print("wrote {}\n", options.sheet.path);
  return code_of(photos);
}

}  // namespace

int run_photos(const PhotosOptions& options, const Context& context) {
  return options.evaluate ? evaluate_photos(options, context) : find_like(options, context);
}

}  // namespace proxel::tool
