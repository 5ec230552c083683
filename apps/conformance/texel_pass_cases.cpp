// Cases of the texel passes. A texture's contents can be opaque to the host,
// so these cases are chains from packing to the collected key, in which the
// minimum is repeated behind the key found last: that brings out every row's
// distance in turn, and with it what every pass before it wrote. In the end the
// textures are unpacked as well.
#include <algorithm>

#include <fmt/format.h>

#include "case.hpp"
#include "pass_script.hpp"
#include "proxel/passes/texel_accumulate.h"
#include "proxel/passes/texel_collect.h"
#include "proxel/passes/texel_minimum.h"
#include "proxel/passes/texel_pack.h"
#include "proxel/passes/texel_reduce.h"
#include "proxel/passes/texel_unpack.h"
#include "values.hpp"

namespace proxel::conformance {
namespace {

struct TexelShape {
  std::uint32_t rows, dimensions, queries, width, height;
};

struct TexelCase {
  TexelShape shape;
  Metric metric;
  Kind kind;
  std::uint32_t dimensions_per_pass = 8;
  bool fused = false;      // reduce several rounds at once where that is possible
  bool in_pieces = false;  // pack in two goes
  std::uint32_t layers_per_texture = 1;

  std::string name() const {
    return fmt::format("pass/texel/{}/n={},d={},q={},texture={}x{},t={},layers={}{}{}/{}", to_string(metric),
                       shape.rows, shape.dimensions, shape.queries, shape.width, shape.height, dimensions_per_pass,
                       layers_per_texture, fused ? ",fused" : "", in_pieces ? ",pieces" : "", to_string(kind));
  }
};

constexpr std::uint32_t first_index = 500;
constexpr std::uint32_t texels_reduced_at_once = 2048;

// The coordinates in as many textures as it takes.
std::vector<Texture*> pack(PassScript& script, const TexelCase& c, std::uint64_t source) {
  std::vector<Texture*> coordinates;
  for (std::uint32_t first = 0; first < c.shape.dimensions; first += c.layers_per_texture) {
    const std::uint32_t layers = std::min(c.layers_per_texture, c.shape.dimensions - first);
    Texture& texture = script.texture(c.shape.width, c.shape.height, layers, TexelFormat::rgba32_float);
    coordinates.push_back(&texture);
    const auto pack_rows = [&](std::uint32_t first_row, std::uint32_t rows) {
      passes::TexelPackParameters parameters{};
      parameters.source = source + std::uint64_t{4} * first_row * c.shape.dimensions;
      parameters.dimensions = c.shape.dimensions;
      parameters.first_dimension = first;
      parameters.first_row = first_row;
      parameters.source_rows = rows;
      parameters.width = c.shape.width;
      parameters.height = c.shape.height;
      parameters.layers = layers;
      script.add_pass(passes::make_texel_pack(parameters, texture));
    };
    const std::uint32_t piece = c.shape.rows / 2 / 4 * 4;
    if (c.in_pieces && piece > 0) {
      pack_rows(0, piece);
      pack_rows(piece, c.shape.rows - piece);
    } else {
      pack_rows(0, c.shape.rows);
    }
  }
  return coordinates;
}

void accumulate(PassScript& script, const TexelCase& c, std::uint64_t queries, const std::vector<Texture*>& coordinates,
                Texture& accumulated_distances) {
  for (std::uint32_t first = 0; first < c.shape.dimensions;) {
    const std::uint32_t layer = first % c.layers_per_texture;
    const std::uint32_t count =
        std::min({c.dimensions_per_pass, c.shape.dimensions - first, c.layers_per_texture - layer});
    passes::TexelAccumulateParameters parameters{};
    parameters.queries = queries;
    parameters.dimensions = c.shape.dimensions;
    parameters.first_dimension = first;
    parameters.first_layer = layer;
    parameters.width = c.shape.width;
    parameters.height = c.shape.height;
    parameters.first = first == 0 ? 1 : 0;
    script.add_pass(passes::make_texel_accumulate(parameters, c.metric, count, c.shape.queries,
                                                  *coordinates[first / c.layers_per_texture], accumulated_distances));
    first += count;
  }
}

void reduce(PassScript& script, const TexelCase& c, Texture& candidates) {
  std::uint32_t width = c.shape.width;
  std::uint32_t height = c.shape.height;
  while (width > 1 || height > 1) {
    passes::TexelReduceParameters parameters{width, height, 1, 0};
    if (c.fused && width * height <= texels_reduced_at_once) {
      parameters.rounds = 0;
      for (std::uint32_t extent = std::max(width, height); extent > 1; extent = (extent + 1) / 2) ++parameters.rounds;
    }
    script.add_pass(passes::make_texel_reduce(parameters, c.shape.queries, candidates));
    for (std::uint32_t round = 0; round < parameters.rounds; ++round) {
      width = (width + 1) / 2;
      height = (height + 1) / 2;
    }
  }
}

// Whether every device sums to the same bits, those of NaN included.
bool shown(Kind kind) { return accuracy_is_measured(kind); }

// What stands in both textures, in the lines that hold rows.
void unpack(PassScript& script, const TexelCase& c, Texture& accumulated_distances, Texture& candidates) {
  passes::TexelUnpackParameters parameters{};
  parameters.width = c.shape.width;
  parameters.height = ((c.shape.rows + 3) / 4 + c.shape.width - 1) / c.shape.width;
  const std::uint64_t bytes = std::uint64_t{16} * c.shape.queries * parameters.width * parameters.height;
  if (shown(c.kind)) parameters.values = script.output("texR", bytes);
  parameters.candidates = script.output("candidates", bytes);
  script.add_pass(passes::make_texel_unpack(parameters, c.shape.queries, accumulated_distances, candidates));
}

void run_texel(PassScript& script, const TexelCase& c, const Data& data) {
  const std::uint64_t source = script.input(
      "source",
      std::vector<float>(data.database.data(), data.database.data() + data.database.rows() * data.database.columns()));
  const std::uint64_t queries = script.input(
      "queries",
      std::vector<float>(data.queries.data(), data.queries.data() + data.queries.rows() * data.queries.columns()));
  // One rank more than there are rows, so that small cases come to "no row".
  const std::uint32_t ranks = std::min(c.shape.rows + 1, 20u);
  const std::uint32_t keys_stride = ranks + 1;
  const std::uint64_t keys = script.output("keys", std::uint64_t{8} * c.shape.queries * keys_stride);

  const std::vector<Texture*> coordinates = pack(script, c, source);
  Texture& accumulated_distances =
      script.texture(c.shape.width, c.shape.height, c.shape.queries, TexelFormat::rgba32_float);
  Texture& candidates = script.texture(c.shape.width, c.shape.height, c.shape.queries, TexelFormat::rgba32_uint);
  accumulate(script, c, queries, coordinates, accumulated_distances);

  const auto find = [&](std::uint32_t rank, std::uint32_t index_of_first_row, bool first_block) {
    passes::TexelMinimumParameters minimum{};
    minimum.after = rank == 0 ? 0 : keys + std::uint64_t{8} * (rank - 1);
    minimum.after_stride = keys_stride;
    minimum.width = c.shape.width;
    minimum.height = c.shape.height;
    minimum.first_index = index_of_first_row;
    minimum.rows = c.shape.rows;
    script.add_pass(passes::make_texel_minimum(minimum, c.metric, c.shape.queries, accumulated_distances, candidates));
    reduce(script, c, candidates);
    passes::TexelCollectParameters collect{};
    collect.keys = keys + std::uint64_t{8} * rank;
    collect.keys_stride = keys_stride;
    collect.queries = c.shape.queries;
    collect.first_block = first_block ? 1 : 0;
    script.add_pass(passes::make_texel_collect(collect, candidates));
  };
  for (std::uint32_t rank = 0; rank < ranks; ++rank) find(rank, first_index, true);
  unpack(script, c, accumulated_distances, candidates);
  // The same rows as a second block: with lower indices they win every tie
  // against the keys of the first.
  find(ranks - 1, 0, false);
}

}  // namespace

void add_texel_pass_cases(Cases& cases) {
  constexpr TexelShape shapes[] = {{1, 1, 1, 1, 1},       {3, 2, 1, 1, 1},     {5, 3, 2, 2, 1},    {12, 5, 3, 1, 3},
                                   {77, 9, 1, 5, 4},      {130, 4, 5, 33, 1},  {257, 17, 2, 9, 8}, {1187, 8, 1, 33, 9},
                                   {1200, 31, 2, 100, 3}, {4099, 3, 1, 41, 26}};
  std::size_t step = 0;
  for (std::size_t s = 0; s < std::size(shapes); ++s)
    for (std::size_t m = 0; m < accumulated_metrics.size(); ++m)
      for (std::size_t kind = 0; kind < all_kinds.size(); ++kind) {
        if (!bit_identical(all_kinds[kind])) continue;
        const bool quick = (s + m) % 2 == 0 && kind == (3 * s + 5 * m) % (all_kinds.size() - 2);
        ++step;
        TexelCase c{shapes[s], accumulated_metrics[m], all_kinds[kind]};
        c.dimensions_per_pass = 1 + static_cast<std::uint32_t>(5 * s + 3 * m + kind) % 16;
        c.fused = (s + m / 2 + kind) % 2 == 0;
        c.in_pieces = (s + kind) % 3 == 0;
        c.layers_per_texture = step % 4 == 0 ? 2 : shapes[s].dimensions;
        cases.push_back({c.name(), quick, [c](const Context& context) {
          const Data data = make_data(c.kind, c.shape.rows, c.shape.dimensions, c.shape.queries, context.seed);
          return check_passes(context, [c, data](PassScript& script) { run_texel(script, c, data); });
        }});
      }
}

}  // namespace proxel::conformance
