#pragma once

#include <string>
#include <vector>

#include "images/image_files.hpp"
#include "images/image_signature.hpp"
#include "proxel/index.hpp"

namespace demo {

/// Images of a folder: what is shown of them, and what they are compared by.
struct Collection {
  std::vector<std::string> paths;
  std::vector<proxel::images::Image> thumbnails;
  proxel::Signatures signatures{proxel::images::feature_dimensions};
  std::vector<proxel::images::ImageFailure> failures;

  std::size_t size() const { return paths.size(); }
};

/// The longest side of thumbnails: the more images, the smaller, so that 60,000 take some 400 MB.
std::uint32_t thumbnail_side(std::size_t images);

/// Reads files and folders. What cannot be read is listed and left out.
/// @param progress  called meanwhile; what it throws ends the reading
Collection read_collection(const std::vector<std::string>& files_and_folders, unsigned threads,
                           const proxel::Progress& progress);

}  // namespace demo
