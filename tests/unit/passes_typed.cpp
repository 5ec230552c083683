// What a pass is made of: its kind, and the structs that are the kind's own.
#include <concepts>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "passes/all_passes.hpp"
#include "proxel/error.hpp"
#include "proxel/passes/decode_keys.h"
#include "proxel/passes/levenshtein.h"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/screen_half_sum_tiles_matrix.h"
#include "proxel/passes/screen_half_sum_tiles_wide.h"
#include "proxel/passes/screen_integer_tiles_deep_matrix.h"
#include "proxel/passes/screen_integer_tiles_few_deep_matrix.h"
#include "proxel/passes/screen_integer_tiles_few_matrix.h"
#include "proxel/passes/screen_integer_tiles_matrix.h"
#include "proxel/passes/screen_integer_tiles_wide.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_tiles_deep_matrix.h"
#include "proxel/passes/screen_tiles_few_deep_matrix.h"
#include "proxel/passes/screen_tiles_few_matrix.h"
#include "proxel/passes/screen_tiles_matrix.h"
#include "proxel/passes/screen_tiles_wide.h"
#include "proxel/passes/tile_nearest.h"

using namespace proxel;
using namespace proxel::passes;

namespace {

template <typename Parameters, typename Constants, typename Kind>
concept Makes = requires(const Kind& kind, Parameters parameters, Constants constants) {
  { make_pass(kind, parameters, constants, Grid{}, 1u) } -> std::same_as<Pass>;
};

using ScanKind = decltype(passes::scan_select);
static_assert(Makes<ScanSelectParameters, ScanSelectConstants, ScanKind>);
static_assert(!Makes<TileNearestParameters, ScanSelectConstants, ScanKind>);
static_assert(!Makes<ScanSelectParameters, TileNearestConstants, ScanKind>);
static_assert(!Makes<ScanSelectParameters, NoConstants, ScanKind>);
static_assert(!Makes<DecodeKeysParameters, LevenshteinConstants, decltype(passes::decode_keys)>);
static_assert(!std::is_default_constructible_v<ScanKind>);

// Numbers that are not in order, as PROXEL_CONSTANTS would refuse them in a pass.
#define PROXEL_TEST_CONSTANTS(constant) \
  constant(1, PROXEL_UINT, one, ONE, 1u) constant(0, PROXEL_UINT, other, OTHER, 2u)
PROXEL_CONSTANTS(Exchanged, PROXEL_TEST_CONSTANTS)
static_assert(!ExchangedConstants::in_order() && TileNearestConstants::in_order());

}  // namespace

TEST_CASE("every pass has a name of its own and a plain reference, unless the host lacks what it needs") {
  std::set<std::string> names;
  std::set<std::string> without_reference;
  for (const PassKind* kind : all_passes()) {
    CHECK(names.insert(kind->name).second);
    if (!kind->reference) without_reference.insert(kind->name);
    const bool threaded_has_plain = !kind->threaded || kind->reference;
    CHECK(threaded_has_plain);
    CHECK(kind->constant_count <= 4);
  }
  CHECK(names.size() == all_passes().size());
  CHECK(without_reference ==
        std::set<std::string>{screen_tiles_few_matrix.name, screen_tiles_few_deep_matrix.name, screen_tiles_matrix.name,
                              screen_tiles_deep_matrix.name, screen_tiles_wide.name,
                              screen_integer_tiles_few_matrix.name, screen_integer_tiles_few_deep_matrix.name,
                              screen_integer_tiles_matrix.name, screen_integer_tiles_deep_matrix.name,
                              screen_integer_tiles_wide.name, screen_half_sum_tiles_matrix.name,
                              screen_half_sum_tiles_wide.name});
}

TEST_CASE("sums in half precision are refused where they do not serve") {
  ScreenPackParameters pack{.dimensions = 128, .depth_blocks = 2};
  CHECK_NOTHROW(make_screen_pack(pack, Metric::l2, true, false, 1, screen_sums_halves));
  CHECK_THROWS_AS(make_screen_pack(pack, Metric::l2sq, false, false, 1, screen_sums_halves), Error);
  CHECK_THROWS_AS(make_screen_pack(pack, Metric::l2sq, true, true, 1, screen_sums_halves), Error);
  CHECK_THROWS_AS(make_screen_pack(pack, Metric::ip, true, false, 1, screen_sums_halves), Error);
  pack.dimensions = 129;
  CHECK_THROWS_AS(make_screen_pack(pack, Metric::l2sq, true, false, 1, screen_sums_first_halves), Error);
  const auto tiles = [](ScreenValues values, std::uint32_t blocks, std::uint32_t steps,
                        std::uint32_t workgroup_queries) {
    return make_screen_tiles({.depth_blocks = blocks, .depth_steps = steps, .query_count = 1, .splits = 1}, values,
                             ScreenArithmetic::half_sums, ScreenPurpose::collect, 4, workgroup_queries);
  };
  CHECK(tiles(ScreenValues::halves, 2, 8, 128).kind == &screen_half_sum_tiles_matrix);
  CHECK(tiles(ScreenValues::halves, 1, 1, 256).kind == &screen_half_sum_tiles_wide);
  CHECK_THROWS_AS(tiles(ScreenValues::integers, 1, 1, 128), Error);
  CHECK_THROWS_AS(tiles(ScreenValues::halves, 3, 9, 128), Error);
  CHECK_THROWS_AS(tiles(ScreenValues::halves, 3, 4, 256), Error);
  CHECK_THROWS_AS(tiles(ScreenValues::halves, 1, 1, 32), Error);
}

TEST_CASE("constants have names, are written in order and read back") {
  const Pass pass = make_scan_select({.k = 9}, Metric::linf, 3);
  CHECK(pass.kind == &passes::scan_select);
  CHECK(pass.name() == std::string("scan_select"));
  const auto constants = pass.constants_as<ScanSelectConstants>();
  CHECK(constants.metric == Metric::linf);
  CHECK(constants.list_length == 16);
  CHECK(text_of_constants(pass) == "metric 2, list_length 16, access 0");
  CHECK(text_of_constants(make_decode_keys({.count = 1})) == "no constants");
  CHECK(Pass{}.name() == std::string());
}
