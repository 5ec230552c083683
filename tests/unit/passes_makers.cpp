#include "proxel/passes/decode_keys.h"
#include "proxel/passes/pack_tiles.h"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/selection.hpp"
#include "proxel/passes/texel_pack.h"
#include "proxel/passes/texel_reduce.h"
#include "proxel/passes/tile_distance.h"
#include "proxel/passes/tile_nearest.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;

TEST_CASE("list lengths are 1 or powers of two of at least 2") {
  CHECK(list_length(1) == 1);
  CHECK(list_length(2) == 2);
  CHECK(list_length(3) == 4);
  CHECK(list_length(64) == 64);
  CHECK(list_length(65) == 128);
  CHECK(list_length(1024) == 1024);
}

TEST_CASE("selections ask for a key per invocation, or twice the longer of list and workgroup") {
  CHECK(selection_shared_bytes(1, 128) == 1024);
  CHECK(selection_shared_bytes(2, 128) == 2 * 128 * 8 + 16);
  CHECK(selection_shared_bytes(1024, 128) == 2 * 1024 * 8 + 16);
}

TEST_CASE("scan_select reads four rows at a time only where all of them are aligned") {
  ScanSelectParameters parameters{};
  parameters.k = 10;
  parameters.groups = 7;
  const auto constants = [&](Rows rows, Metric metric = Metric::l1) {
    parameters.rows = rows;
    return make_scan_select(parameters, metric, 3).constants_as<ScanSelectConstants>();
  };
  CHECK(constants(tiled_rows(4096, 1000, 5)).access == 1);
  CHECK(constants(tiled_rows(4096 + 4, 1000, 5)).access == 0);
  CHECK(constants(row_major_rows(4096, 1000, 8)).access == 0);
  CHECK(constants(row_major_rows(4096, 1000, 1)).access == 0);
  CHECK(constants(column_major_rows(4096, 1000, 1000)).access == 1);
  CHECK(constants(column_major_rows(4096, 1000, 1001)).access == 0);
  parameters.filter_bits = 8192;
  CHECK(constants(tiled_rows(4096, 1000, 5)).access == scan_reads_fours + scan_filters);
  CHECK(constants(row_major_rows(4096, 1000, 8)).access == scan_filters);
  CHECK(constants(tiled_rows(4096, 1000, 5), Metric::l2).metric == Metric::l2sq);
  const Pass pass = make_scan_select(parameters, Metric::ip, 3);
  CHECK(pass.constants_as<ScanSelectConstants>().list_length == 16);
  CHECK(pass.grid.x == 7);
  CHECK(pass.grid.y == 3);
  CHECK(pass.workgroup_size == 128);
}

TEST_CASE("tile passes cover queries and rows with squares of threads") {
  TileDistanceParameters distance{};
  distance.query_count = 129;
  distance.row_count = 1000;
  const Pass pass = make_tile_distance(distance, Metric::l1, 16);
  CHECK(pass.workgroup_size == 256);
  CHECK(pass.grid.x == 8);
  CHECK(pass.grid.y == 2);
  CHECK(pass.shared_bytes == 2 * 8 * 128 * 4);

  TileNearestParameters nearest{};
  nearest.query_count = 65;
  nearest.groups = 5;
  const Pass small = make_tile_nearest(nearest, Metric::l1, 8);
  CHECK(small.workgroup_size == 64);
  CHECK(small.grid.x == 5);
  CHECK(small.grid.y == 2);
  CHECK(small.shared_bytes == 4096);
  CHECK(make_tile_nearest(nearest, Metric::l1, 16).shared_bytes == 8 * 16 * 16 * 8);
}

TEST_CASE("no grid exceeds what every device allows") {
  const auto fits = [](const Pass& pass) {
    return pass.grid.x >= 1 && pass.grid.y >= 1 && pass.grid.z >= 1 && pass.grid.x <= largest_grid_extent &&
           pass.grid.y <= largest_grid_extent && pass.grid.z <= largest_grid_extent;
  };
  DecodeKeysParameters decode{};
  for (const std::uint32_t count : {1u, 128u, 129u, 0xFFFFFFFFu}) {
    decode.count = count;
    CHECK(fits(make_decode_keys(decode)));
  }
  decode.count = 129;
  CHECK(make_decode_keys(decode).grid.x == 2);

  PackTilesParameters pack{};
  pack.source_rows = 0xFFFFFFFEu;
  pack.dimensions = 1u << 24;
  CHECK(fits(make_pack_tiles(pack)));
  pack.source_rows = 1;
  pack.dimensions = 1;
  CHECK(fits(make_pack_tiles(pack)));

  cpu::HostTexture texture(1, 1, 1, TexelFormat::rgba32_float);
  TexelPackParameters texels{};
  texels.width = texels.height = 16384;
  texels.layers = 2048;
  CHECK(fits(make_texel_pack(texels, texture)));
  TexelReduceParameters reduce{};
  reduce.width = 65;
  reduce.height = 9;
  // What is left of 65 x 9 texels after each number of rounds.
  const std::vector<std::uint32_t> left = {33 * 5, 17 * 3, 9 * 2, 5, 3, 2, 1};
  for (reduce.rounds = 1; reduce.rounds <= left.size(); ++reduce.rounds) {
    CAPTURE(reduce.rounds);
    const Pass pass = make_texel_reduce(reduce, 3, texture);
    const std::uint32_t sharers = pass.constants_as<TexelReduceConstants>().sharers;
    REQUIRE(sharers >= 1);
    CHECK(pass.workgroup_size % sharers == 0);
    CHECK(pass.grid.x * (pass.workgroup_size / sharers) >= left[reduce.rounds - 1]);
    CHECK(pass.grid.z == 3);
  }
}
