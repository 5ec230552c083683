#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "evaluation/precision_output.hpp"
#include "photos/photo_search.hpp"
#include "program.hpp"
#include "signatures/sheet_output.hpp"
#include "signatures/similarity_options.hpp"

namespace proxel::tool {

struct PhotosOptions {
  std::string folder, image;
  std::string kept;            ///< the file that keeps what is known of the folder's photographs; empty: none
  std::optional<PhotoWay> by;  ///< none: the best that the build can
  std::uint64_t k = 10;
  PhotoOptions photos;
  SignatureIndexOptions index = image_search_options();
  std::string device = "cpu";
  SheetOptions sheet;
  bool evaluate = false;
  std::string labels;
  DrawnQueries queries;
};

/// What the command photos does. @return an ExitCode
/// Throws Error(unsupported) where the program was built without images.
int run_photos(const PhotosOptions& options, const Context& context);

}  // namespace proxel::tool
