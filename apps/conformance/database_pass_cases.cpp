// Cases of the passes that bring rows into another form, pack_tiles, unpack_rows, normalize_rows, and of those that fill and copy words.
#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "pass_script.hpp"
#include "proxel/passes/copy_words.h"
#include "proxel/passes/fill_words.h"
#include "proxel/passes/normalize_rows.h"
#include "proxel/passes/pack_tiles.h"
#include "proxel/passes/unpack_rows.h"
#include "values.hpp"

namespace proxel::conformance {
namespace {

void add_pack_tiles(Cases& cases) {
  for (const std::uint32_t n : {1u, 127u, 128u, 129u, 300u, 1000u})
    for (const std::uint32_t d : {1u, 2u, 4u, 33u, 64u, 257u})
      for (const std::uint32_t first_row : {0u, 128u, 384u}) {
        const bool quick = (n + d + first_row / 128) % 3 == 0;
        cases.push_back({fmt::format("pass/pack_tiles/n={},d={},first_row={}/nan", n, d, first_row), quick,
                         [=](const Context& context) {
          const Data data = make_data(Kind::nan, n, d, 1, context.seed);
          return check_passes(context, [=](PassScript& script) {
            passes::PackTilesParameters parameters{};
            constexpr std::uint32_t tile = passes::tile_rows;
            // A tile past the last one shows whether packing goes too far.
            const std::uint64_t tiles = (first_row + n + tile - 1) / tile + 1;
            const std::uint64_t rows = script.output("rows", tiles * tile * d * 4);
            parameters.rows = {rows, tile * d, tile, 1, first_row + n};
            parameters.source = script.input("source", arranged(data.database.view(), Layout::row_major, d));
            parameters.dimensions = d;
            parameters.first_row = first_row;
            parameters.source_rows = n;
            script.add_pass(passes::make_pack_tiles(parameters));
          });
        }});
      }
}

// Every value of a half, and bytes of either kind.
void add_pack_elements(Cases& cases) {
  struct Stored {
    const char* name;
    std::uint32_t element, bytes;
  };
  for (const Stored stored : {Stored{"float16", passes::element_float16, 2}, Stored{"int8", passes::element_int8, 1},
                              Stored{"uint8", passes::element_uint8, 1}})
    for (const std::uint32_t n : {1u, 129u, 1000u})
      for (const std::uint32_t d : {1u, 3u, 66u}) {
        cases.push_back(
            {fmt::format("pass/pack_tiles/{}/n={},d={}", stored.name, n, d), d != 3, [=](const Context& context) {
          return check_passes(context, [=](PassScript& script) {
            std::vector<std::uint32_t> words((std::uint64_t{n} * d * stored.bytes + 3) / 4);
            for (std::size_t i = 0; i < words.size(); ++i)
              words[i] = static_cast<std::uint32_t>(i * 0x00020002u + 0x00010000u) +
                         (stored.bytes == 1 ? static_cast<std::uint32_t>(i) * 0x01000193u : 0u);
            passes::PackTilesParameters parameters{};
            constexpr std::uint32_t tile = passes::tile_rows;
            const std::uint64_t tiles = (n + tile - 1) / tile + 1;
            parameters.rows = {script.output("rows", tiles * tile * d * 4), tile * d, tile, 1, n};
            parameters.source = script.input("source", words);
            parameters.dimensions = d;
            parameters.source_rows = n;
            script.add_pass(passes::make_pack_tiles(parameters, stored.element));
          });
        }});
      }
}

void add_unpack_rows(Cases& cases) {
  for (const std::uint32_t n : {1u, 129u, 300u, 1000u})
    for (const std::uint32_t d : {1u, 3u, 33u, 64u, 257u})
      for (const Layout layout : all_layouts)
        for (const bool later : {false, true}) {
          if (n == 1 && later) continue;
          const std::uint32_t first_row = later ? n / 3 : 0;
          const bool quick = (n + d + first_row) % 3 != 0;
          cases.push_back(
              {fmt::format("pass/unpack_rows/n={},d={},first_row={},layout={}/nan", n, d, first_row, to_string(layout)),
               quick, [=](const Context& context) {
            const Data data = make_data(Kind::nan, n, d, 1, context.seed);
            return check_passes(context, [=](PassScript& script) {
              const MatrixView<float> database = data.database.view();
              const std::uint32_t leading = layout == Layout::column_major ? n + 3 : d + 1;
              passes::UnpackRowsParameters parameters{};
              parameters.rows =
                  describe_rows(script.input("rows", arranged(database, layout, leading)), database, layout, leading);
              parameters.row_count = n - first_row - (n > 200 ? 5 : 0);
              // What lies between rows, and a row past the last one, show whether unpacking goes too far.
              const std::uint32_t between = (n + d) % 4;
              parameters.row_stride = between == 0 ? 0 : d + between;
              parameters.destination =
                  script.output("destination", (std::uint64_t{parameters.row_count} + 1) * (d + between) * 4);
              parameters.dimensions = d;
              parameters.first_row = first_row;
              script.add_pass(passes::make_unpack_rows(parameters));
            });
          }});
        }
}

// Every kind of data, denormals too: scaling is exact, so that no device differs.
void add_normalize_rows(Cases& cases) {
  struct Shape {
    std::uint32_t n, d;
  };
  constexpr Shape shapes[] = {{1, 1}, {3, 2}, {127, 3}, {129, 16}, {300, 33}, {1000, 128}, {20, 2048}};
  std::size_t step = 0;
  for (const Shape shape : shapes)
    for (const bool centre : {false, true})
      for (const Layout layout : all_layouts)
        for (const bool in_place : {false, true})
          for (const Kind kind : all_kinds) {
            const bool quick = step++ % 5 == 0;
            cases.push_back(
                {fmt::format("pass/normalize_rows/n={},d={},layout={}{}{}/{}", shape.n, shape.d, to_string(layout),
                             centre ? ",centre" : "", in_place ? ",in-place" : "", to_string(kind)),
                 quick, [=](const Context& context) {
              const Data data = make_data(kind, shape.n, shape.d, 1, context.seed);
              return check_passes(context, [=](PassScript& script) {
                const MatrixView<float> database = data.database.view();
                const std::uint32_t leading = layout == Layout::column_major ? (shape.n + 3) / 4 * 4 : shape.d + 1;
                const std::vector<float> values = arranged(database, layout, leading);
                const std::uint64_t from = in_place ? script.output("rows", values) : script.input("rows", values);
                const std::uint64_t to = in_place ? from : script.output("normalized", values.size() * sizeof(float));
                script.add_pass(passes::make_normalize_rows(describe_rows(from, database, layout, leading),
                                                            describe_rows(to, database, layout, leading), shape.d,
                                                            centre));
              });
            }});
          }
}

// Whole fours and what is left of one, at addresses that fours may lie at and not, by a workgroup, several, and fewer than there are pieces.
void add_words(Cases& cases) {
  for (const std::uint32_t words : {1u, 2u, 3u, 4u, 5u, 511u, 512u, 513u, 2048u, 70001u, 2100000u})
    for (const std::uint32_t to : {0u, 1u, 3u})
      for (const std::uint32_t from : {0u, 1u}) {
        const bool quick = (words == 5 || words == 70001) && to == from;
        const auto room = [words](PassScript& script) { return script.output("to", (std::uint64_t{words} + 8) * 4); };
        if (from == 0)
          cases.push_back(
              {fmt::format("pass/fill_words/words={},at={}", words, to), quick, [=](const Context& context) {
            return check_passes(context, [=](PassScript& script) {
              script.add_pass(passes::make_fill_words({room(script) + 4 * to, words, 0xDEC0DE00 + words}));
            });
          }});
        cases.push_back({fmt::format("pass/copy_words/words={},from={},to={}", words, from, to), quick,
                         [=](const Context& context) {
          std::vector<std::uint32_t> values(words + from);
          for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i * 0x9E3779B9u);
          return check_passes(context, [=](PassScript& script) {
            script.add_pass(
                passes::make_copy_words({script.input("from", values) + 4 * from, room(script) + 4 * to, words}));
          });
        }});
      }
}

}  // namespace

void add_database_pass_cases(Cases& cases) {
  add_words(cases);
  add_pack_tiles(cases);
  add_pack_elements(cases);
  add_unpack_rows(cases);
  add_normalize_rows(cases);
}

}  // namespace proxel::conformance
