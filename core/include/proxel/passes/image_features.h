// image_features: position, colour and texture of points of images, as proxel/arithmetic/image_feature.h says it.
// A point's texture is how often levels of grey stand beside each other in the window around it, across and down:
// contrast and entropy of these pairs (Haralick, Shanmugam, Dinstein 1973).
// Grid: x strides over groups of points of one image, as many as a workgroup has invocations.
#ifndef PROXEL_PASSES_IMAGE_FEATURES_H
#define PROXEL_PASSES_IMAGE_FEATURES_H
#include "types.h"
PROXEL_PASS_BEGIN
// Which points of which pixels: words of `images`.
PROXEL_CONSTANT image_words = 8u;
PROXEL_CONSTANT image_first_pixel = 0u;
PROXEL_CONSTANT image_width = 1u;    // pixels, 1 … 65,536, and so is the height
PROXEL_CONSTANT image_height = 2u;
PROXEL_CONSTANT image_points = 3u;   // at least 1, at most ImageFeaturesParameters::points
PROXEL_CONSTANT image_columns = 4u;  // of a grid of points, at most 32,767, and so are its rows; 0: where `places` says
// Words of a point's features: two coordinates in each, the first in the low half: x y, L a, b contrast, entropy 0.
PROXEL_CONSTANT feature_words = 4u;
PROXEL_CONSTANT feature_coordinates = 7u;
// A window has no more pairs.
PROXEL_CONSTANT most_window_pairs = 8320u;

struct ImageFeaturesParameters {
  PROXEL_ADDRESS pixels;    // 32-bit a pixel, sRGB: red in the lowest byte, green, blue; the fourth is not looked at
  PROXEL_ADDRESS images;    // 32-bit [image_count x image_words]
  PROXEL_ADDRESS places;    // 32-bit [points x 2]: x and y in parts of 2^32 of a side
  PROXEL_ADDRESS lights;    // binary32 [256]: what light a channel of sRGB stands for, 0 … 1
  PROXEL_ADDRESS entropies; // 32-bit: n log2 n of 0 … as many as a window has pairs, in parts of 2^-17 log2(136)
  PROXEL_ADDRESS features;  // out: 32-bit [image_count x points x feature_words]
  PROXEL_UINT image_count;  // at least 1
  PROXEL_UINT points;       // 1 … 65,536
  PROXEL_UINT window;       // pixels from a point to the window's side, 1 … 32
  PROXEL_UINT position;     // what coordinates are multiplied with, in parts of 2^-14, 0 … 2^14: x and y;
  PROXEL_UINT colour;       // L, a and b;
  PROXEL_UINT texture;      // contrast and entropy
};
#ifdef __cplusplus
extern const PassKindOf<ImageFeaturesParameters> image_features;
Pass make_image_features(const ImageFeaturesParameters& parameters);
#endif
PROXEL_PASS_END
#endif
