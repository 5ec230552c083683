#pragma once

// Images as they lie in folders.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "files/find_files.hpp"
#include "images/image.hpp"

namespace proxel::images {

using ImageFailure = files::FileFailure;
using ImageFiles = files::FoundFiles;

/// The files that are named, and of folders all below them whose names end as those of JPEG
/// and PNG files do. Links to folders are not followed.
/// @param pause  called now and then; what it throws ends the search
ImageFiles find_images(const std::vector<std::string>& files_and_folders, const std::function<void()>& pause);

/// Reads images by several threads, which take turns.
/// @param visit     given an image and its place among the paths, by those threads at once; what
///                  it throws is the image's failure
/// @param progress  called by this thread meanwhile; what it throws ends the reading
/// @return those that could not be read, in the order of the paths
std::vector<ImageFailure> read_images(const std::vector<std::string>& paths, unsigned threads,
                                      const std::function<void(std::size_t number, Image&& image)>& visit,
                                      const std::function<void(std::uint64_t done, std::uint64_t total)>& progress);

}  // namespace proxel::images
