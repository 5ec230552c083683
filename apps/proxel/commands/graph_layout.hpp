#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "outputs.hpp"
#include "proxel/components.hpp"
#include "proxel/layout.hpp"
#include "row_names.hpp"

namespace proxel::tool {

/// What `graph` is told of a layout of what it found.
struct GraphLayoutOptions {
  std::string output;  ///< a picture (.svg), or a file of positions; empty: no layout is asked for
  LayoutOptions layout;

  bool wanted() const { return !output.empty(); }
  bool is_picture() const { return output.ends_with(".svg"); }
};

void add_layout_options(CLI::App& command, GraphLayoutOptions& options);

/// Throws as Outputs::plan() does, and Error(invalid_argument) for a picture of other than two dimensions.
void plan_layout(const GraphLayoutOptions& options, Outputs& outputs);

/// Which rows a map tells apart.
struct MapKinds {
  std::vector<std::uint32_t> of;  ///< of each row, a number of names; the most frequent first
  std::vector<std::string> names;
};
/// By their labels, otherwise by their clusters; empty where neither is known.
/// @param components  of a graph; null: none were found
MapKinds map_kinds(const RowNames& names, const Components* components);

void write_layout(Outputs& outputs, const GraphLayoutOptions& options, const Layout& layout, const std::string& title,
                  const MapKinds& kinds);

}  // namespace proxel::tool
