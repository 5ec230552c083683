#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "outputs.hpp"
#include "proxel/components.hpp"
#include "row_names.hpp"

namespace proxel::tool {

/// What `graph` is told of clusters: the connected components of what it found.
struct ClusterOptions {
  std::string output;        ///< file of each row's cluster; empty: no clusters are asked for
  std::optional<float> cut;  ///< see ComponentsOptions::limit
  bool mutual = false;

  bool wanted() const { return !output.empty(); }
};

void add_cluster_options(CLI::App& command, ClusterOptions& options);

/// Throws as Outputs::plan(), check_radius() and check_matrix_file() do.
void plan_clusters(const ClusterOptions& options, Metric metric, Outputs& outputs);

/// Clusters, largest first.
class Clusters {
 public:
  Clusters(Device& device, const Neighbors& graph, Metric metric, const ClusterOptions& options);

  const Components& components() const { return found_; }
  void write(Outputs& outputs) const;
  nlohmann::ordered_json json() const;
  /// A table of the largest, and a line about all.
  void print(const RowNames& names) const;

 private:
  struct Cluster {
    std::uint32_t first;  // row, by which it is known
    std::uint64_t rows;
  };

  ClusterOptions options_;
  Components found_;
  std::vector<Cluster> clusters_;
};

}  // namespace proxel::tool
