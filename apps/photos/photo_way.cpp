#include "photos/photo_way.hpp"

#include "proxel/error.hpp"

namespace proxel::tool {

std::string_view to_string(PhotoWay way) {
  switch (way) {
    case PhotoWay::signature:
      return "signature";
    case PhotoWay::features:
      return "features";
    case PhotoWay::both:
      return "both";
  }
  return "";
}

PhotoWay photo_way_from_string(const std::string& name) {
  for (const PhotoWay way : all_photo_ways)
    if (to_string(way) == name) return way;
  throw Error(ErrorCode::invalid_argument, "--by", name + " was given; signature, features and both are allowed");
}

}  // namespace proxel::tool
