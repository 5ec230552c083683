#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/arithmetic/image_feature.h"
#include "proxel/passes/image_features.h"

namespace proxel::cuda {
namespace {

using namespace arithmetic;
using Parameters = passes::ImageFeaturesParameters;

constexpr unsigned features_block = 128;

struct ImageAt {
  const unsigned* pixels;
  unsigned width, height, points, columns;

  __device__ ImageAt(const Parameters& p, unsigned number) {
    const unsigned* words = reinterpret_cast<const unsigned*>(p.images) + std::size_t{number} * passes::image_words;
    pixels = reinterpret_cast<const unsigned*>(p.pixels) + words[passes::image_first_pixel];
    width = words[passes::image_width];
    height = words[passes::image_height];
    points = words[passes::image_points];
    columns = words[passes::image_columns];
  }

  __device__ unsigned level(unsigned x, unsigned y) const { return grey_level(pixels[std::size_t{y} * width + x]); }
};

// The middle of cell `number` of `count` of a side.
__device__ unsigned of_grid(unsigned number, unsigned count, unsigned side) {
  return static_cast<unsigned>((2 * std::uint64_t{number} + 1) * side / (2 * std::uint64_t{count}));
}

__device__ uint2 place_of(const Parameters& p, const ImageAt& image, unsigned point) {
  if (image.columns != 0)
    return make_uint2(of_grid(point % image.columns, image.columns, image.width),
                      of_grid(point / image.columns, image.points / image.columns, image.height));
  const uint2 parts = reinterpret_cast<const uint2*>(p.places)[point];
  return make_uint2(__umulhi(parts.x, image.width), __umulhi(parts.y, image.height));
}

// How many pairs there are of each kind. Each thread has a column of the workgroup's.
class Texture {
 public:
  __device__ Texture(const Parameters& p, unsigned short* column)
      : of_alike_(reinterpret_cast<const unsigned*>(p.entropies)), column_(column) {}

  __device__ void clear() {
    for (int pair = 0; pair < level_pairs; ++pair) column_[pair * features_block] = 0;
    squares_ = 0;
    entropies_ = 0;
  }

  __device__ void count(unsigned one, unsigned other) {
    unsigned short& place = column_[level_pair(one, other) * features_block];
    const unsigned alike = place;
    place = static_cast<unsigned short>(alike + 1);
    entropies_ += of_alike_[alike + 1] - of_alike_[alike];
    squares_ += (one - other) * (one - other);
  }

  __device__ int contrast(unsigned pairs) const { return contrast_of(squares_, pairs); }
  __device__ int entropy(unsigned pairs) const { return entropy_of(of_alike_[pairs] - entropies_, pairs); }

 private:
  const unsigned* of_alike_;
  unsigned short* column_;
  unsigned squares_ = 0, entropies_ = 0;
};

__global__ void __launch_bounds__(features_block) find_features(const Parameters p) {
  follow_previous_pass();
  __shared__ unsigned short counts[level_pairs * features_block];
  Texture texture(p, counts + threadIdx.x);
  const auto* lights = reinterpret_cast<const float*>(p.lights);
  const unsigned chunks = (p.points + features_block - 1) / features_block;
  for (unsigned group = blockIdx.x; group < p.image_count * chunks; group += gridDim.x) {
    const unsigned number = group / chunks;
    const unsigned point = group % chunks * features_block + threadIdx.x;
    const ImageAt image(p, number);
    if (point >= image.points) continue;
    const uint2 place = place_of(p, image, point);
    const unsigned left = place.x - min(place.x, p.window), top = place.y - min(place.y, p.window);
    const unsigned right = min(place.x + p.window, image.width - 1);
    const unsigned bottom = min(place.y + p.window, image.height - 1);
    texture.clear();
    for (unsigned y = top; y <= bottom; ++y) {
      unsigned level = image.level(left, y);
      for (unsigned x = left; x <= right; ++x) {
        if (y < bottom) texture.count(level, image.level(x, y + 1));
        if (x == right) break;
        const unsigned next = image.level(x + 1, y);
        texture.count(level, next);
        level = next;
      }
    }
    const unsigned pairs = (right - left) * (bottom - top + 1) + (bottom - top) * (right - left + 1);
    const int contrast = pairs != 0 ? texture.contrast(pairs) : 0;
    const int entropy = pairs != 0 ? texture.entropy(pairs) : 0;
    const unsigned pixel = image.pixels[std::size_t{place.y} * image.width + place.x];
    const lab_coordinates lab =
        lab_of(lights[channel_of(pixel, 0)], lights[channel_of(pixel, 1)], lights[channel_of(pixel, 2)]);
    const unsigned x = weighted(position_of(place.x, image.width), p.position);
    const unsigned y = weighted(position_of(place.y, image.height), p.position);
    reinterpret_cast<uint4*>(p.features)[std::size_t{number} * p.points + point] =
        make_uint4(x | y << 16, weighted(lab.lightness, p.colour) | weighted(lab.a, p.colour) << 16,
                   weighted(lab.b, p.colour) | weighted(contrast, p.texture) << 16, weighted(entropy, p.texture));
  }
}

}  // namespace

PROXEL_KERNEL(image_features)(const Pass& pass) {
  if (pass.workgroup_size != features_block) return {};
  return variant(find_features);
}

}  // namespace proxel::cuda
