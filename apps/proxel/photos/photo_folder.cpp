#include "photos/photo_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "console.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "interrupt.hpp"
#include "json_output.hpp"
#include "notes.hpp"
#include "photos/kept_photos.hpp"
#include "proxel/error.hpp"
#include "signatures/image_files.hpp"

namespace proxel::tool {
namespace {

// What is kept serves every way.
PhotoOptions made_for(const PhotosOptions& options, const PhotoOptions& wanted) {
  PhotoOptions made = wanted;
  if (!options.kept.empty()) {
    made.signatures = true;
    made.features = static_cast<bool>(images::local_features_supported());
  }
  return made;
}

// What is known of photographs already. A file of something else is replaced where that was asked for.
std::vector<Photo> kept_before(const PhotosOptions& options, const PhotoOptions& made) {
  if (options.kept.empty()) return {};
  try {
    return read_kept_photos(options.kept, options.folder, made);
  } catch (const Error& error) {
    if (!options.sheet.force || error.code() != ErrorCode::malformed_file) throw;
    note(options.kept + ": is made anew");
    return {};
  }
}

}  // namespace

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

PhotoOptions wanted_for(const PhotosOptions& options, const std::vector<PhotoWay>& ways) {
  PhotoOptions made = options.photos;
  made.signatures = ways.size() > 1 || ways.front() != PhotoWay::features;
  made.features = ways.size() > 1 || ways.front() != PhotoWay::signature;
  return made;
}

Outputs planned_outputs(const PhotosOptions& options) {
  Outputs outputs(options.sheet.force, {options.image});
  plan_sheet(outputs, options.sheet);
  if (!options.kept.empty()) outputs.plan("--index", options.kept, FileKind::kept_photos);
  return outputs;
}

Photos read_folder(const PhotosOptions& options, const PhotoOptions& wanted, Device& device, Outputs& outputs,
                   ProgressBar& bar) {
  const std::string& folder = options.folder;
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) throw Error(ErrorCode::not_found, folder, "no such folder");
  if (!fs::is_directory(folder, ignored)) throw Error(ErrorCode::invalid_argument, folder, "is not a folder");
  bar.set_title("looking for images");
  const images::ImageFiles found = images::find_images({folder}, throw_if_interrupted);
  if (found.paths.empty() && found.failures.empty())
    throw Error(ErrorCode::not_found, folder, "no JPEG or PNG file is there (.jpg, .jpeg, .jpe, .jfif, .png)");
  bar.set_title(fmt::format("{} images", with_separators(found.paths.size())));
  const PhotoOptions made = made_for(options, wanted);
  std::vector<Photo> known = kept_before(options, made);
  const std::size_t known_before = known.size();
  Photos photos = read_photos(found.paths, made, device, std::max(1u, std::thread::hardware_concurrency()),
                              bar.callback(), std::move(known));
  photos.failures.insert(photos.failures.begin(), found.failures.begin(), found.failures.end());
  for (const images::ImageFailure& failure : photos.failures)
    warn(fmt::format("{}: {}", printable_name(failure.path), failure.reason));
  if (photos.photos.empty()) throw Error(ErrorCode::malformed_file, folder, "none of its images could be read");
  if (!options.kept.empty() && (photos.known != photos.photos.size() || photos.known != known_before))
    outputs.write(options.kept, [&](const std::string& place) {
      bar.set_title("writing " + options.kept);
      write_kept_photos(place, folder, made, photos.photos);
    });
  return photos;
}

nlohmann::ordered_json document_of(const PhotosOptions& options, const Photos& photos, const DeviceInfo& device) {
  return {{"command", "photos"},
          {"folder", options.folder},
          {"photos", photos.photos.size()},
          {"kept", photos.known},
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

}  // namespace proxel::tool
