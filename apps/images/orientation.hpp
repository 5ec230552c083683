#pragma once

#include "images/image.hpp"

namespace proxel::images {

/// How cameras say that they were held (Exif 2.3): 1 as it is stored; 2 to 8 mirrored, turned, or both.
using Orientation = unsigned;

/// The orientation that an Exif marker of a JPEG file holds; 1 where it does not say, or is damaged.
Orientation orientation_of(Bytes exif);

/// The image as it is to be looked at.
Image upright(Image image, Orientation orientation);

}  // namespace proxel::images
