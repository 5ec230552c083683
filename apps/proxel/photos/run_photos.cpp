#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "console.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "interrupt.hpp"
#include "json_output.hpp"
#include "notes.hpp"
#include "photos/photo_options.hpp"
#include "photos/photo_output.hpp"
#include "progress_bar.hpp"
#include "proxel/error.hpp"
#include "signatures/image_files.hpp"

namespace proxel::tool {
namespace {

namespace fs = std::filesystem;

// The ways that this build has, or the one that was asked for.
std::vector<PhotoWay> ways_of(const PhotosOptions& options) {
  const Support features = images::local_features_supported();
  if (options.by) {
    if (*options.by != PhotoWay::signature && !features)
      throw Error(ErrorCode::unsupported, fmt::format("--by {}", to_string(*options.by)), features.reason);
    return {*options.by};
  }
  if (features) return {std::begin(all_photo_ways), std::end(all_photo_ways)};
  note("photos: by signature alone: " + features.reason);
  return {PhotoWay::signature};
}

PhotoOptions made_for(const PhotosOptions& options, const std::vector<PhotoWay>& ways) {
  PhotoOptions made = options.photos;
  made.signatures = ways.size() > 1 || ways.front() != PhotoWay::features;
  made.features = ways.size() > 1 || ways.front() != PhotoWay::signature;
  return made;
}

Photos read_folder(const std::string& folder, const PhotoOptions& options, ProgressBar& bar) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) throw Error(ErrorCode::not_found, folder, "no such folder");
  if (!fs::is_directory(folder, ignored)) throw Error(ErrorCode::invalid_argument, folder, "is not a folder");
  bar.set_title("looking for images");
  const images::ImageFiles found = images::find_images({folder}, throw_if_interrupted);
  if (found.paths.empty() && found.failures.empty())
    throw Error(ErrorCode::not_found, folder, "no JPEG or PNG file is there (.jpg, .jpeg, .jpe, .jfif, .png)");
  bar.set_title(fmt::format("{} images", with_separators(found.paths.size())));
  Photos photos = read_photos(found.paths, options, std::max(1u, std::thread::hardware_concurrency()), bar.callback());
  photos.failures.insert(photos.failures.begin(), found.failures.begin(), found.failures.end());
  for (const images::ImageFailure& failure : photos.failures)
    warn(fmt::format("{}: {}", printable_name(failure.path), failure.reason));
  if (photos.photos.empty()) throw Error(ErrorCode::malformed_file, folder, "none of its images could be read");
  return photos;
}

Photo read_query(const std::string& path, const PhotoOptions& options, ProgressBar& bar) {
  bar.set_title("reading " + path);
  Photos read = read_photos({path}, options, 1, bar.callback());
  for (const images::ImageFailure& failure : read.failures)
    throw Error(ErrorCode::malformed_file, failure.path, failure.reason);
  return std::move(read.photos.front());
}

// Which of the folder the image itself is.
std::uint32_t number_of(const std::string& image, const std::vector<Photo>& photos) {
  std::error_code ignored;
  for (std::uint32_t i = 0; i < photos.size(); ++i)
    if (fs::equivalent(image, photos[i].path, ignored)) return i;
  return no_neighbor;
}

nlohmann::ordered_json document_of(const PhotosOptions& options, const Photos& photos, const DeviceInfo& device) {
  return {{"command", "photos"},
          {"folder", options.folder},
          {"photos", photos.photos.size()},
          {"not_read", photos.failures.size()},
          {"similarity", to_string(options.index.similarity.kind)},
          {"alpha", json_float(options.index.similarity.alpha)},
          {"device", device.id},
          {"device_name", device.name}};
}

std::string told(const Photos& photos, const DeviceInfo& device) {
  std::string text =
      fmt::format("{} photographs, on {}, {}", with_separators(photos.photos.size()), device.id, full_name(device));
  if (!photos.failures.empty()) text += fmt::format("; {} could not be read", with_separators(photos.failures.size()));
  return text;
}

int code_of(const Photos& photos) { return photos.failures.empty() ? exit_success : exit_answer_is_no; }

int find_like(const PhotosOptions& options, const Context& context) {
  Outputs outputs(options.sheet.force, {options.image});
  plan_sheet(outputs, options.sheet);
  const std::vector<PhotoWay> ways = ways_of(options);
  const PhotoWay way = ways.back();
  const PhotoOptions made = made_for(options, ways);
  ProgressBar bar("opening " + options.device);
  const auto device = open_checked(options.device);
  const Photo query = read_query(options.image, made, bar);
  const Photos photos = read_folder(options.folder, made, bar);
  bar.set_title("uploading");
  PhotoSearch search(*device, photos.photos, options.index, bar.callback());
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
  found_table(found, photos.photos, way).print();
  fmt::print("\nby {} among {}\n", to_string(way), told(photos, device->info()));
  if (!options.sheet.path.empty()) fmt::print("wrote {}\n", options.sheet.path);
  return code_of(photos);
}

Classes classes_of(const PhotosOptions& options, const Photos& photos) {
  std::vector<std::string> names;
  for (const Photo& photo : photos.photos)
    names.push_back(options.labels.empty() ? photo.path
                                           : fs::path(photo.path).lexically_relative(options.folder).string());
  Classes classes = options.labels.empty() ? classes_by_folder(names) : classes_by_file(options.labels, names);
  check_can_be_evaluated(classes, options.folder);
  return classes;
}

int evaluate(const PhotosOptions& options, const Context& context) {
  const std::vector<PhotoWay> ways = ways_of(options);
  ProgressBar bar("opening " + options.device);
  const auto device = open_checked(options.device);
  const Photos photos = read_folder(options.folder, made_for(options, ways), bar);
  const Classes classes = classes_of(options, photos);
  const std::vector<std::uint32_t> drawn =
      drawn_images(photos.photos.size(), options.queries.count, options.queries.seed);
  std::vector<const Photo*> queries;
  for (const std::uint32_t number : drawn) queries.push_back(&photos.photos[number]);
  bar.set_title("uploading");
  PhotoSearch search(*device, photos.photos, options.index, bar.callback());
  bar.set_title(fmt::format("{} queries", with_separators(queries.size())));
  const std::vector<PhotoAnswer> answers = search.find(queries, drawn, precision_ranks.back(), bar.callback());
  bar.finish();

  std::vector<Column> columns = {{"by"}};
  add_precision_columns(columns);
  Table table(columns);
  nlohmann::ordered_json document = document_of(options, photos, device->info());
  document["seed"] = options.queries.seed;
  for (const PhotoWay way : ways) {
    PrecisionCount count(classes);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      std::vector<std::uint32_t> nearest;
      for (const FoundPhoto& photo : answers[i].by(way, precision_ranks.back())) nearest.push_back(photo.number);
      count.add(drawn[i], nearest);
    }
    std::vector<Cell> cells = {std::string(to_string(way))};
    add_precision_cells(cells, count.of_all());
    table.add(cells);
    document["ways"][std::string(to_string(way))] = {{"all", to_json(count.of_all())},
                                                     {"classes", classes_json(count)}};
  }
  if (context.json) {
    print(document);
    return code_of(photos);
  }
  table.print();
  fmt::print("\nqueries drawn from {} classes among {}\n", with_separators(classes.names.size()),
             told(photos, device->info()));
  return code_of(photos);
}

}  // namespace

int run_photos(const PhotosOptions& options, const Context& context) {
  return options.evaluate ? evaluate(options, context) : find_like(options, context);
}

}  // namespace proxel::tool
