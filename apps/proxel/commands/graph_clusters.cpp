#include "commands/graph_clusters.hpp"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "answer_names.hpp"
#include "answer_size.hpp"
#include "format.hpp"
#include "proxel/data.hpp"
#include "table.hpp"

namespace proxel::tool {
namespace {

constexpr std::size_t most_shown = 10;

}  // namespace

void add_cluster_options(CLI::App& command, ClusterOptions& options) {
  CLI::Option* clusters =
      command
          .add_option("--clusters", options.output,
                      "Also find the connected components of the graph, and write for every row the smallest row of "
                      "its component: NAME.npy, .csv, .tsv …, one column")
          ->type_name("NAME");
  command
      .add_option("--cut", options.cut,
                  "Clusters are joined only by edges at most so long (with ip at least so similar), in the unit of "
                  "the distances")
      ->needs(clusters)
      ->type_name("VALUE");
  command
      .add_flag("--mutual", options.mutual,
                "Clusters are joined only by edges between rows that are neighbours of each other")
      ->needs(clusters);
}

void plan_clusters(const ClusterOptions& options, Metric metric, Outputs& outputs) {
  if (options.cut) check_radius(metric, *options.cut, "--cut");
  if (!options.wanted()) return;
  check_matrix_file(options.output, true);
  outputs.plan("--clusters", options.output, FileKind::indices);
}

Clusters::Clusters(Device& device, const Neighbors& graph, Metric metric, const ClusterOptions& options)
    : options_(options), found_(connected_components(device, graph, {options.cut, metric, options.mutual})) {
  std::map<std::uint32_t, std::uint64_t> sizes;
  for (const std::uint32_t first : found_.of_rows) ++sizes[first];
  for (const auto& [first, rows] : sizes) clusters_.push_back({first, rows});
  std::ranges::stable_sort(clusters_, std::ranges::greater(), &Cluster::rows);
}

void Clusters::write(Outputs& outputs) const {
  outputs.write(options_.output, [&](const std::string& place) {
    write_matrix(place, MatrixView<std::uint32_t>(found_.of_rows.data(), found_.of_rows.size(), 1, 1, 1));
  });
}

nlohmann::ordered_json Clusters::json() const {
  nlohmann::ordered_json largest = nlohmann::ordered_json::array();
  for (const Cluster& cluster : clusters_) {
    if (largest.size() == most_shown) break;
    largest.push_back({{"first_row", cluster.first}, {"rows", cluster.rows}});
  }
  nlohmann::ordered_json document = {{"count", found_.count},
                                     {"alone", std::ranges::count(clusters_, std::uint64_t{1}, &Cluster::rows)},
                                     {"largest", std::move(largest)},
                                     {"mutual", options_.mutual},
                                     {"compute_ms", found_.milliseconds}};
  if (options_.cut) document["cut"] = *options_.cut;
  return document;
}

void Clusters::print(const RowNames& names) const {
  std::vector<Column> columns = {{"cluster", true}, {"rows", true}, {"first row", true}};
  add_name_columns(columns, names);
  Table table(columns);
  for (std::size_t i = 0; i < std::min(clusters_.size(), most_shown); ++i) {
    std::vector<Cell> cells = {std::to_string(i + 1), with_separators(clusters_[i].rows),
                               std::to_string(clusters_[i].first)};
    add_name_cells(cells, names, clusters_[i].first);
    table.add(std::move(cells));
  }
  table.print();
  if (clusters_.size() > most_shown)
    fmt::print("… and {} more; --clusters writes each row's\n", with_separators(clusters_.size() - most_shown));
  const auto alone = static_cast<std::uint64_t>(std::ranges::count(clusters_, std::uint64_t{1}, &Cluster::rows));
  fmt::print("{}, {} of a single row; joined by {}edges{}, {} ms\n", counted(found_.count, "cluster", "clusters"),
             with_separators(alone), options_.mutual ? "mutual " : "",
             options_.cut ? fmt::format(" up to {}", *options_.cut) : "", significant(found_.milliseconds));
}

}  // namespace proxel::tool
