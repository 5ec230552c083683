#pragma once

// One device or several, and the rows that they search together: what --device, --divide and --shares say.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "divided_output.hpp"
#include "proxel/distributed_index.hpp"
#include "proxel/sharded_index.hpp"
#include "proxel/sharded_permutation.hpp"
#include "ranks/team.hpp"

namespace proxel::tool {

struct DeviceOptions {
  std::vector<std::string> devices = {"cpu"};
  std::optional<Division> divide;  // not given: rows, which permutation indexes alone cannot divide
  std::vector<double> shares;      // without any they are measured; of processes they are equal
  JoinRanks mpi = JoinRanks::automatic;
};

/// Throws Error(invalid_argument) for a share below 0, and where all are 0.
void check_shares(const std::vector<double>& shares);

/// Adds --device, --divide and --shares.
void add_device_options(CLI::App& command, DeviceOptions& options);
/// Its parts but for --device.
void add_division_options(CLI::App& command, std::optional<Division>& divide, std::vector<double>& shares);

/// The devices that were named, opened.
class SearchedDevices {
 public:
  /// Throws as open_checked() does, and Error(invalid_argument) for what a single device has no use for.
  explicit SearchedDevices(const DeviceOptions& options);

  Device& first() const { return *devices_.front(); }
  bool several() const { return devices_.size() > 1; }
  std::vector<Device*> all() const;
  const DeviceOptions& options() const { return options_; }
  /// From now on rows are divided so, instead of as measured; see SearchedRows::shares().
  void keep_shares(std::vector<double> shares) { options_.shares = std::move(shares); }
  /// What they divide, and what each has.
  Division division() const { return options_.divide.value_or(Division::rows); }
  template <typename Options>
  ShardedOptionsOf<Options> divided(const Options& index) const {
    return {division(), options_.shares, index};
  }
  ShardedPermutationOptions divided(const PermutationOptions& index) const {
    return {options_.divide.value_or(Division::queries), options_.shares, index};
  }
  /// "cpu,vulkan:0"
  std::string ids() const;
  /// "cpu, Xeon (16 threads)", and of several "cpu (…) and vulkan:0 (…)"
  std::string description() const;
  /// The names of all: "Xeon (16 threads)".
  std::string names() const;
  /// Whether each can time its passes.
  bool timestamps() const;
  /// Writes "device" and "device_name"; of several their ids and names joined.
  void describe(nlohmann::ordered_json& document) const;

 private:
  DeviceOptions options_;
  std::vector<std::unique_ptr<Device>> devices_;
};

/// Rows on these devices.
class SearchedRows {
 public:
  SearchedRows(const SearchedDevices& devices, MatrixView<float> rows, const IndexOptions& options,
               const Progress& progress);
  SearchedRows(const SearchedDevices& devices, const ElementsView& rows, const IndexOptions& options,
               const Progress& progress);

  /// As one of several processes, together with the others.
  /// @param make  this one's part; of no value where it has no rows
  SearchedRows(const Team& team, const SearchedDevices& devices, const std::function<std::optional<Index>()>& make);
  /// Such rows, as one of several processes or in a plain run.
  SearchedRows(const Team& team, const SearchedDevices& devices, MatrixView<float> rows, const IndexOptions& options,
               const Progress& progress);

  /// An index that is there already, of one device or of several.
  explicit SearchedRows(Index&& index) : one_(std::move(index)) {}
  explicit SearchedRows(ShardedIndex&& index) : several_(std::move(index)) {}

  /// Rows that all devices and processes have together.
  std::uint64_t rows() const;
  /// Index::save(). Throws Error(unsupported) of several devices.
  void save(const std::string& path, const Progress& progress);
  Neighbors search(MatrixView<float> queries, std::uint64_t k, Metric metric, const proxel::SearchOptions& options);
  RangeNeighbors range_search(MatrixView<float> queries, float radius, Metric metric,
                              const proxel::SearchOptions& options);
  Neighbors graph(std::uint64_t k, Metric metric, const GraphOptions& options);
  double build_milliseconds() const;
  /// The part that each of several devices has; none of one.
  std::vector<double> shares() const;

  /// What searched: SearchedDevices::description(), or how many processes.
  std::string searched_by(const SearchedDevices& devices) const;
  /// Of several devices: writes how they were "divided" and "devices": what each had and how long it took. Of several
  /// processes: "ranks" with the same, and as "device" the devices of all. Where rows passed in blocks: "block_rows", the
  /// most of a block, or "streaming_ranks", of how many processes they did.
  void describe(const SearchReport& report, nlohmann::ordered_json& document) const;
  /// The same as lines of text.
  std::vector<std::string> remarks(const SearchReport& report) const;

 private:
  // Says how this process divides the search.
  Divided divided() const;

  std::optional<Index> one_;
  std::optional<ShardedIndex> several_;
  std::optional<DistributedIndex> distributed_;
  std::uint64_t streaming_ranks_ = 0;  // processes whose rows pass in blocks
};

}  // namespace proxel::tool
