#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/arithmetic/image_feature.h"
#include "proxel/passes/image_features.h"

layout(push_constant, std430) uniform Push { ImageFeaturesParameters p; };

struct ImageAt {
  uvec2 pixels;
  uint width;
  uint height;
  uint points;
  uint columns;
};

ImageAt image_at(uint number) {
  UintsIn words = UintsIn(advance(p.images, number, 4u * image_words));
  return ImageAt(advance(p.pixels, words.values[image_first_pixel], 4u), words.values[image_width],
                 words.values[image_height], words.values[image_points], words.values[image_columns]);
}

// The middle of cell `number` of `count` of a side. count <= 32,767.
uint of_grid(uint number, uint count, uint side) {
  const uint whole = side / (2u * count);
  const uint rest = side - whole * 2u * count;
  return (2u * number + 1u) * whole + (2u * number + 1u) * rest / (2u * count);
}

uint part_of(uint side, uint part) {
  uint high, low;
  umulExtended(side, part, high, low);
  return high;
}

uvec2 place_of(ImageAt image, uint point) {
  if (image.columns != 0u)
    return uvec2(of_grid(point % image.columns, image.columns, image.width),
                 of_grid(point / image.columns, image.points / image.columns, image.height));
  UintsIn parts = UintsIn(advance(p.places, point, 8u));
  return uvec2(part_of(image.width, parts.values[0]), part_of(image.height, parts.values[1]));
}

// How many pairs there are of each kind, two in a word.
uint counts[level_pairs / 2];
uint squares;
uint entropies;

void count(uint one, uint other) {
  const uint pair = level_pair(one, other);
  const uint shift = 16u * (pair & 1u);
  const uint alike = (counts[pair >> 1] >> shift) & 0xFFFFu;
  counts[pair >> 1] += 1u << shift;
  UintsIn of_alike = UintsIn(p.entropies);
  entropies += of_alike.values[alike + 1u] - of_alike.values[alike];
  squares += (one - other) * (one - other);
}

void main() {
  const uint chunks = (p.points + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
  FloatsIn lights = FloatsIn(p.lights);
  for (uint group = gl_WorkGroupID.x; group < p.image_count * chunks; group += gl_NumWorkGroups.x) {
    const uint number = min(group / chunks, p.image_count - 1u);
    const uint point = group % chunks * WORKGROUP_SIZE + gl_LocalInvocationID.x;
    const ImageAt image = image_at(number);
    if (point >= image.points) continue;
    const uvec2 place = place_of(image, point);
    const uvec2 first = place - min(place, uvec2(p.window));
    const uvec2 last = min(place + p.window, uvec2(image.width, image.height) - 1u);
    for (int i = 0; i < level_pairs / 2; ++i) counts[i] = 0u;
    squares = 0u;
    entropies = 0u;
    UintsIn pixels = UintsIn(image.pixels);
    for (uint y = first.y; y <= last.y; ++y) {
      uint level = grey_level(pixels.values[y * image.width + first.x]);
      for (uint x = first.x; x <= last.x; ++x) {
        if (y < last.y) count(level, grey_level(pixels.values[(y + 1u) * image.width + x]));
        if (x == last.x) break;
        const uint next = grey_level(pixels.values[y * image.width + x + 1u]);
        count(level, next);
        level = next;
      }
    }
    const uvec2 extent = last - first;
    const uint pairs = extent.x * (extent.y + 1u) + extent.y * (extent.x + 1u);
    int contrast = 0;
    int entropy = 0;
    if (pairs != 0u) {
      contrast = contrast_of(squares, pairs);
      entropy = entropy_of(UintsIn(p.entropies).values[pairs] - entropies, pairs);
    }
    const uint pixel = pixels.values[place.y * image.width + place.x];
    const lab_coordinates lab = lab_of(lights.values[channel_of(pixel, 0)], lights.values[channel_of(pixel, 1)],
                                       lights.values[channel_of(pixel, 2)]);
    const uint x = weighted(position_of(place.x, image.width), p.position);
    const uint y = weighted(position_of(place.y, image.height), p.position);
    Uint4sOut features =
        Uint4sOut(advance(advance_elements(p.features, number, p.points * feature_words), point, 4u * feature_words));
    features.values[0] =
        uvec4(x | y << 16, weighted(lab.lightness, p.colour) | weighted(lab.a, p.colour) << 16,
              weighted(lab.b, p.colour) | weighted(contrast, p.texture) << 16, weighted(entropy, p.texture));
  }
}
