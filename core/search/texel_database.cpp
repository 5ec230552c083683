#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "proxel/papers/bustos.hpp"
#include "proxel/passes/texel_pack.h"
#include "search/bindings.hpp"

namespace proxel {

using search::divide_up;

TexelDatabase::TexelDatabase(Device& device, std::uint64_t rows, std::uint32_t dimensions, std::uint64_t block_rows)
    : device_(device), rows_(rows), dimensions_(dimensions) {
  search::require_range("rows", rows, 1, search::most_rows);
  search::require_range("dimensions", dimensions, 1, search::most_dimensions);
  const Capabilities& capabilities = device.capabilities();
  if (block_rows == 0 || block_rows > (1u << 28))
    throw Error(ErrorCode::invalid_argument, "block_rows",
                fmt::format("{} was given, 1 to {} is allowed", block_rows, 1u << 28));
  if (capabilities.max_texture_extent == 0)
    throw Error(ErrorCode::unsupported, device.info().id, "has no storage textures");
  const std::uint64_t texels_at_most = std::uint64_t{capabilities.max_texture_extent} * capabilities.max_texture_extent;
  rows_per_block_ = divide_up<std::uint64_t>(std::min({block_rows, rows, 4 * texels_at_most}), 4) * 4;

  for (std::uint64_t first = 0; first < rows; first += rows_per_block_) {
    Block block;
    block.first_row = first;
    block.rows = static_cast<std::uint32_t>(std::min(rows_per_block_, rows - first));
    const std::uint32_t texels = divide_up(block.rows, 4u);
    // Near a square, so that 4:1 reduction shrinks both sides alike.
    block.width = std::min(capabilities.max_texture_extent,
                           std::bit_ceil(static_cast<std::uint32_t>(std::ceil(std::sqrt(texels)))));
    block.height = divide_up(texels, block.width);
    // A texture is one allocation: split dimensions by bytes as well as by layers.
    const std::uint64_t layer_bytes = std::uint64_t{block.width} * block.height * 16;
    if (layers_per_texture_ == 0)
      layers_per_texture_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
          capabilities.max_allocation_bytes / 2 / layer_bytes, 1, capabilities.max_texture_layers));
    for (std::uint32_t layer = 0; layer < dimensions; layer += layers_per_texture_)
      block.coordinates.push_back(device.create_texture(
          block.width, block.height, std::min(layers_per_texture_, dimensions - layer), TexelFormat::rgba32_float));
    blocks_.push_back(std::move(block));
  }
}

void TexelDatabase::record_pack(Recording& recording, const BufferView& source, std::uint64_t first_row,
                                std::uint32_t row_count) const {
  search::Bindings bindings(recording, device_.device());
  search::require_range("first row", first_row, 0, rows_ - 1);
  const std::uint64_t in_block = first_row % rows_per_block_;
  if (in_block % 4 != 0)
    throw Error(
        ErrorCode::invalid_argument, "first row",
        fmt::format("{} was given, which is row {} of its block; multiples of 4 are allowed", first_row, in_block));
  search::require_range("row count", row_count, 1, std::min(rows_ - first_row, rows_per_block_ - in_block));
  bindings.reads("source buffer", source, search::elements_requirement(std::uint64_t{row_count} * dimensions_));
  const Block& block = blocks_[first_row / rows_per_block_];
  for (std::size_t i = 0; i < block.coordinates.size(); ++i) {
    Texture& texture = *block.coordinates[i];
    passes::TexelPackParameters parameters{};
    parameters.source = source.address();
    parameters.dimensions = dimensions_;
    parameters.first_dimension = static_cast<std::uint32_t>(i * layers_per_texture_);
    parameters.first_row = static_cast<std::uint32_t>(first_row - block.first_row);
    parameters.source_rows = row_count;
    parameters.width = block.width;
    parameters.height = block.height;
    parameters.layers = texture.layers();
    recording.record(passes::make_texel_pack(parameters, texture));
  }
}

}  // namespace proxel
