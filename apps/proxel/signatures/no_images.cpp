// This stands in place of image_files.cpp, contact_sheet.cpp, photos/ and features/sift_rows.cpp where the libraries for
// images are missing.

#include "features/feature_kinds.hpp"
#include "photos/photo_options.hpp"
#include "signatures/contact_sheet.hpp"
#include "signatures/image_files.hpp"

namespace proxel::tool {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::unsupported, "images",
              "this program was built without libjpeg, libpng and stb; install them (on Debian and Ubuntu: "
              "apt install libjpeg-dev libpng-dev libstb-dev), configure and build again");
}

}  // namespace
}  // namespace proxel::tool

namespace proxel::images {

ImageFiles find_images(const std::vector<std::string>&, const std::function<void()>&) { tool::refuse(); }

}  // namespace proxel::images

namespace proxel::tool {

ImageSignatures make_signatures(const std::vector<std::string>&, const images::SignatureOptions&, Device&, unsigned,
                                const Progress&) {
  refuse();
}

std::uint64_t write_contact_sheet(const Sheet&) { refuse(); }

FeaturesMade make_sift_rows(FeatureWork&&, std::size_t) { refuse(); }
int run_photos(const PhotosOptions&, const Context&) { refuse(); }

}  // namespace proxel::tool
