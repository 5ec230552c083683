// This stands in place of local_features.cpp where VLFeat is missing.

#include "images/local_features.hpp"
#include "proxel/error.hpp"

namespace proxel::images {

Support local_features_supported() {
  return Support::no(Limit::build,
                     "this program was built without VLFeat; install it (on Debian and Ubuntu: apt install "
                     "libvlfeat-dev), configure and build again");
}

LocalFeatures local_features(const Image&, std::size_t) {
  throw Error(ErrorCode::unsupported, "local features", local_features_supported().reason);
}

}  // namespace proxel::images
