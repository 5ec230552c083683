#include <algorithm>
#include <numeric>

#include "passes/candidates.hpp"
#include "passes/memory.hpp"
#include "proxel/passes/texel_collect.h"
#include "proxel/passes/texel_minimum.h"
#include "proxel/passes/texel_pack.h"
#include "proxel/passes/texel_reduce.h"
#include "proxel/passes/texel_unpack.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

// Candidates with a random key in every texel of every layer.
void fill_candidates(cpu::HostTexture& texture, std::uint32_t seed) {
  std::mt19937_64 generator(seed);
  for (std::uint32_t layer = 0; layer < texture.layers(); ++layer)
    for (std::uint32_t y = 0; y < texture.height(); ++y)
      for (std::uint32_t x = 0; x < texture.width(); ++x)
        write_candidate(texel_address<std::uint32_t>(texture, x, y, layer), generator());
}

std::uint64_t candidate(const cpu::HostTexture& texture, std::uint32_t x, std::uint32_t y, std::uint32_t layer) {
  return candidate_key(texel_address<std::uint32_t>(texture, x, y, layer));
}

void reduce(cpu::HostTexture& texture, std::uint32_t width, std::uint32_t height, std::uint32_t rounds) {
  TexelReduceParameters parameters{};
  parameters.width = width;
  parameters.height = height;
  parameters.rounds = rounds;
  reference::run(make_texel_reduce(parameters, texture.layers(), texture));
}

}  // namespace

TEST_CASE("texel_pack puts four rows into a texel, a dimension into a layer") {
  const auto source = make_values(6, 5, Temper::uniform, 1);
  cpu::HostTexture texture(2, 2, 2, TexelFormat::rgba32_float);
  std::fill_n(at<float>(texture.address()), 2 * 2 * 2 * 4, 9.0f);
  TexelPackParameters pack{};
  pack.source = address_of(source.data());
  pack.dimensions = 5;
  pack.first_dimension = 3;
  pack.first_row = 4;
  pack.source_rows = 6;
  pack.width = 2;
  pack.height = 2;
  pack.layers = 2;
  reference::run(make_texel_pack(pack, texture));
  const float* texels = at<float>(texture.address());
  for (std::size_t layer = 0; layer < 2; ++layer) {
    CAPTURE(layer);
    const float* values = texels + layer * 16;
    CHECK(values[0] == 9.0f);  // rows 0 … 3 were packed by someone else
    for (std::uint64_t row = 0; row < 6; ++row) CHECK(values[4 + row] == source(row, 3 + layer));
    for (std::size_t i = 10; i < 16; ++i) CHECK(values[i] == 0.0f);
  }
}

TEST_CASE("texel_minimum takes the smallest of four channels and passes over what it must") {
  cpu::HostTexture sums(2, 1, 2, TexelFormat::rgba32_float);
  cpu::HostTexture candidates(3, 2, 2, TexelFormat::rgba32_uint);
  const std::vector<float> values = {4, 2, 2, 3, 9, 8, 0, 0, -1, -2, -3, -4, 5, 5, 0, 0};
  std::copy(values.begin(), values.end(), at<float>(sums.address()));
  TexelMinimumParameters minimum{};
  minimum.width = 2;
  minimum.height = 1;
  minimum.first_index = 100;
  minimum.rows = 6;  // channels 2 and 3 of texel 1 are no rows
  reference::run(make_texel_minimum(minimum, Metric::l1, 2, sums, candidates));
  CHECK(candidate(candidates, 0, 0, 0) == key(2, 101));
  CHECK(candidate(candidates, 1, 0, 0) == key(8, 105));
  CHECK(candidate(candidates, 0, 0, 1) == key(-4, 103));
  CHECK(candidate(candidates, 1, 0, 1) == key(5, 104));
  CHECK(texel_address<std::uint32_t>(candidates, 0, 0, 0)[2] == 0);
  CHECK(texel_address<std::uint32_t>(candidates, 0, 0, 0)[3] == 0);

  const std::vector<std::uint64_t> after = {key(2, 101), 0, key(5, 104)};
  minimum.after = address_of(after.data());
  minimum.after_stride = 2;
  reference::run(make_texel_minimum(minimum, Metric::l1, 2, sums, candidates));
  CHECK(candidate(candidates, 0, 0, 0) == key(2, 102));
  CHECK(candidate(candidates, 0, 0, 1) == no_row_key);
  CHECK(candidate(candidates, 1, 0, 1) == key(5, 105));

  minimum.after = 0;
  reference::run(make_texel_minimum(minimum, Metric::ip, 2, sums, candidates));
  CHECK(candidate(candidates, 0, 0, 0) == key(4, 100, true));
}

TEST_CASE("texel_reduce finds the minimum of textures of any extent") {
  for (const std::uint32_t width : {1u, 2u, 3u, 5u, 7u, 8u, 9u, 37u}) {
    for (const std::uint32_t height : {1u, 2u, 3u, 6u, 9u, 21u}) {
      CAPTURE(width);
      CAPTURE(height);
      cpu::HostTexture step_by_step(width, height, 2, TexelFormat::rgba32_uint);
      cpu::HostTexture at_once(width, height, 2, TexelFormat::rgba32_uint);
      fill_candidates(step_by_step, width * 100 + height);
      fill_candidates(at_once, width * 100 + height);
      std::array<std::uint64_t, 2> smallest = {no_row_key, no_row_key};
      for (std::uint32_t layer = 0; layer < 2; ++layer)
        for (std::uint32_t y = 0; y < height; ++y)
          for (std::uint32_t x = 0; x < width; ++x)
            smallest[layer] = std::min(smallest[layer], candidate(at_once, x, y, layer));

      std::uint32_t w = width, h = height, rounds = 0;
      while (w > 1 || h > 1) {
        reduce(step_by_step, w, h, 1);
        w = (w + 1) / 2;
        h = (h + 1) / 2;
        ++rounds;
      }
      reduce(at_once, width, height, rounds);
      for (std::uint32_t layer = 0; layer < 2; ++layer) {
        CHECK(candidate(step_by_step, 0, 0, layer) == smallest[layer]);
        CHECK(candidate(at_once, 0, 0, layer) == smallest[layer]);
      }
    }
  }
}

TEST_CASE("texel_reduce pairs a texel with those half an extent away") {
  cpu::HostTexture texture(3, 3, 1, TexelFormat::rgba32_uint);
  for (std::uint32_t y = 0; y < 3; ++y)
    for (std::uint32_t x = 0; x < 3; ++x)
      write_candidate(texel_address<std::uint32_t>(texture, x, y, 0), 9 - y * 3 - x);
  reduce(texture, 3, 3, 1);
  CHECK(candidate(texture, 0, 0, 0) == 1);  // of 9, 7, 3, 1
  CHECK(candidate(texture, 1, 0, 0) == 2);  // of 8, 2
  CHECK(candidate(texture, 0, 1, 0) == 4);  // of 6, 4
  CHECK(candidate(texture, 1, 1, 0) == 5);  // itself
  CHECK(candidate(texture, 2, 2, 0) == 1);  // not touched
}

TEST_CASE("several reductions at once leave what lies a multiple of the last extent apart") {
  cpu::HostTexture texture(5, 3, 1, TexelFormat::rgba32_uint);
  for (std::uint32_t y = 0; y < 3; ++y)
    for (std::uint32_t x = 0; x < 5; ++x)
      write_candidate(texel_address<std::uint32_t>(texture, x, y, 0), 100 - 10 * y - x);
  reduce(texture, 5, 3, 2);                  // 2 x 1 texels are left
  CHECK(candidate(texture, 0, 0, 0) == 76);  // columns 0, 2 and 4
  CHECK(candidate(texture, 1, 0, 0) == 77);  // columns 1 and 3
  CHECK(candidate(texture, 2, 0, 0) == 98);  // not touched
}

TEST_CASE("texel_collect keeps the smaller of a texel and the block before") {
  cpu::HostTexture texture(2, 2, 3, TexelFormat::rgba32_uint);
  for (std::uint32_t query = 0; query < 3; ++query)
    write_candidate(texel_address<std::uint32_t>(texture, 0, 0, query), 10 + query);
  std::vector<std::uint64_t> keys = {11, 1, 11, 1, 11, 1};
  TexelCollectParameters collect{};
  collect.keys = address_of(keys.data());
  collect.keys_stride = 2;
  collect.queries = 3;
  reference::run(make_texel_collect(collect, texture));
  CHECK(keys == std::vector<std::uint64_t>{10, 1, 11, 1, 11, 1});
  collect.first_block = 1;
  reference::run(make_texel_collect(collect, texture));
  CHECK(keys == std::vector<std::uint64_t>{10, 1, 11, 1, 12, 1});
}

TEST_CASE("texel_unpack copies a part of every layer, of the textures that are asked for") {
  cpu::HostTexture sums(3, 2, 2, TexelFormat::rgba32_float);
  std::iota(at<float>(sums.address()), at<float>(sums.address()) + 2 * 2 * 3 * 4, 1.0f);
  cpu::HostTexture candidates(3, 2, 2, TexelFormat::rgba32_uint);
  fill_candidates(candidates, 5);
  std::vector<float> values(2 * 2 * 4, -1);
  std::vector<std::uint32_t> keys(2 * 2 * 4, 0);
  TexelUnpackParameters unpack{};
  unpack.values = address_of(values.data());
  unpack.width = 2;
  unpack.height = 1;
  reference::run(make_texel_unpack(unpack, 2, sums, candidates));
  CHECK(values == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 25, 26, 27, 28, 29, 30, 31, 32});
  CHECK(keys == std::vector<std::uint32_t>(2 * 2 * 4, 0));

  unpack.values = 0;
  unpack.candidates = address_of(keys.data());
  reference::run(make_texel_unpack(unpack, 2, sums, candidates));
  for (std::uint32_t layer = 0; layer < 2; ++layer)
    for (std::uint32_t x = 0; x < 2; ++x)
      CHECK(candidate_key(keys.data() + (layer * 2 + x) * 4) == candidate(candidates, x, 0, layer));
}
