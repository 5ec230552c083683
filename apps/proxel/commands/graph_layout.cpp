#include "commands/graph_layout.hpp"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "console.hpp"
#include "proxel/data.hpp"
#include "proxel/error.hpp"
#include "report/scatter.hpp"
#include "write_text.hpp"

namespace proxel::tool {
namespace {

// Numbers by how often they come, the most frequent first, and then by the order of their names.
template <typename Key, typename NameOf>
MapKinds kinds_of(const std::vector<Key>& keys, const NameOf& name_of) {
  std::map<Key, std::uint64_t> counts;
  for (const Key& key : keys) ++counts[key];
  std::vector<std::pair<Key, std::uint64_t>> order(counts.begin(), counts.end());
  std::ranges::stable_sort(order, std::ranges::greater(), [](const auto& one) { return one.second; });
  std::map<Key, std::uint32_t> numbers;
  MapKinds kinds;
  for (const auto& [key, count] : order) {
    numbers[key] = static_cast<std::uint32_t>(kinds.names.size());
    kinds.names.push_back(name_of(key));
  }
  for (const Key& key : keys) kinds.of.push_back(numbers[key]);
  return kinds;
}

}  // namespace

void add_layout_options(CLI::App& command, GraphLayoutOptions& options) {
  CLI::Option* layout = command
                            .add_option("--layout", options.output,
                                        "Also lay the graph out, each row drawn to its neighbours and pushed away from "
                                        "others (UMAP's forces): NAME.svg draws a map, NAME.npy, .csv … has the "
                                        "positions")
                            ->type_name("NAME");
  command.add_option("--layout-dimensions", options.layout.dimensions, "Of positions")
      ->check(CLI::Range(1, 3))
      ->needs(layout)
      ->type_name("COUNT")
      ->capture_default_str();
  command.add_option("--layout-steps", options.layout.steps, "Of the layout")
      ->check(CLI::Range(0, 1000000))
      ->needs(layout)
      ->type_name("COUNT")
      ->capture_default_str();
  command.add_option("--layout-seed", options.layout.seed, "Of the first positions and of what is pushed away")
      ->needs(layout)
      ->type_name("NUMBER")
      ->capture_default_str();
}

void plan_layout(const GraphLayoutOptions& options, Outputs& outputs) {
  if (!options.wanted()) return;
  if (options.is_picture() && options.layout.dimensions != 2)
    throw Error(
        ErrorCode::invalid_argument, "--layout-dimensions",
        fmt::format("{} was given, and a map has 2; a file of positions has as many", options.layout.dimensions));
  if (options.is_picture()) return outputs.plan("--layout", options.output, FileKind::map);
  try {
    check_matrix_file(options.output, false);
    outputs.plan("--layout", options.output, FileKind::values);
  } catch (const Error& error) {
    throw Error(error.code(), "--layout", fmt::format("{}; a map is drawn as .svg", reason(error)));
  }
}

MapKinds map_kinds(const RowNames& names, const Components* components) {
  if (names.has_labels()) return kinds_of(names.labels, [](const std::string& label) { return label; });
  if (components)
    return kinds_of(components->of_rows,
                    [&](std::uint32_t row) { return fmt::format("cluster of {}", names.id(row)); });
  return {};
}

void write_layout(Outputs& outputs, const GraphLayoutOptions& options, const Layout& layout, const std::string& title,
                  const MapKinds& kinds) {
  outputs.write(options.output, [&](const std::string& place) {
    if (options.is_picture())
      write_text(place, to_svg(ScatterPlot{title, layout.positions.view(), kinds.of, kinds.names}));
    else
      write_matrix(place, layout.positions.view());
  });
}

}  // namespace proxel::tool
