#pragma once

// The photographs of a folder, and what is known of each for finding it.

#include <cstdint>
#include <string>
#include <vector>

#include "images/image_files.hpp"
#include "images/image_signature.hpp"
#include "images/local_features.hpp"
#include "proxel/device.hpp"
#include "proxel/index.hpp"

namespace proxel::tool {

struct PhotoOptions {
  bool signatures = true, features = true;  ///< which of the two are made
  std::uint32_t longest_side = 640;         ///< pixels; larger images are reduced before features are looked for
  std::uint64_t most_features = 300;        ///< of an image, those of the largest scale
};

struct Photo {
  std::string path;
  std::uint64_t file_bytes = 0;  ///< of the file when it was read
  std::int64_t changed = 0;      ///< when the file was last written, in ticks of the system's clock of files
  images::ImageSignature signature;
  std::uint32_t longest_side = 0;  ///< pixels of the image in which the keypoints lie
  std::vector<images::Keypoint> keypoints;
  /// [keypoints.size() x images::descriptor_dimensions], rounded to whole numbers, which loses little and takes a
  /// quarter of the memory.
  std::vector<std::uint8_t> descriptors;
};

struct Photos {
  std::vector<Photo> photos;                   ///< those that could be read, in the order given
  std::vector<images::ImageFailure> failures;  ///< in that order too
  std::uint64_t known = 0;                     ///< of the photographs, those that were not read again
};

/// Photographs that are known are taken as they are, where their files have not changed since. Reads the other images
/// by several threads, and finds their signatures on the device; neither changes anything of the result. An image too
/// small for local features has none. Throws Error(unsupported) as images::local_features_supported() says, and Interrupted.
Photos read_photos(const std::vector<std::string>& paths, const PhotoOptions& options, Device& device, unsigned threads,
                   const Progress& progress, std::vector<Photo> known = {});

}  // namespace proxel::tool
