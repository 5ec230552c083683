#pragma once

#include <string>
#include <string_view>

namespace proxel::tool {

/// How it is decided that photographs are alike.
enum class PhotoWay {
  signature,  ///< by the signature quadratic form distance
  features,   ///< by local features that vote and agree on a transformation
  both,       ///< verified ones as by features, then the others as by signature
};
inline constexpr PhotoWay all_photo_ways[] = {PhotoWay::signature, PhotoWay::features, PhotoWay::both};

/// "signature", "features", "both".
std::string_view to_string(PhotoWay way);
/// Throws Error(invalid_argument) that lists them.
PhotoWay photo_way_from_string(const std::string& name);

}  // namespace proxel::tool
