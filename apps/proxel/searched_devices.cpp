#include "searched_devices.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "devices.hpp"
#include "finite.hpp"
#include "format.hpp"

namespace proxel::tool {

void add_device_options(CLI::App& command, DeviceOptions& options) {
  command
      .add_option("--device", options.devices,
                  std::string(device_help) + "; several, joined by commas, search together, with the same answer")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID")
      ->capture_default_str();
  add_division_options(command, options.divide, options.shares);
}

void add_division_options(CLI::App& command, std::optional<Division>& divide, std::vector<double>& shares) {
  command
      .add_option_function<std::string>(
          "--divide", [&divide](const std::string& name) { divide = division_from_string(name); },
          "What several devices divide: rows, of which each has a part, or queries, where each has all rows")
      ->check(CLI::IsMember({"rows", "queries"}))
      ->type_name("WHAT")
      ->default_str("rows; of permutation indexes queries");
  command
      .add_option("--shares", shares,
                  "The parts of several devices, in their order, in any unit: 3,1 (default: as fast as each is; of "
                  "processes that mpirun started: equal)")
      ->delimiter(',')
      ->check(finite())
      ->type_name("SHARE");
}

void check_shares(const std::vector<double>& shares) {
  for (const double share : shares)
    if (share < 0)
      throw Error(ErrorCode::invalid_argument, "--shares",
                  fmt::format("{} was given, numbers from 0 on are allowed", share));
  if (!shares.empty() && std::ranges::all_of(shares, [](double share) { return share == 0; }))
    throw Error(ErrorCode::invalid_argument, "--shares", "are all 0, one above 0 is needed");
}

SearchedDevices::SearchedDevices(const DeviceOptions& options) : options_(options) {
  const std::vector<std::string> ids = chosen_devices(options.devices);
  if (ids.size() != options.devices.size())
    throw Error(ErrorCode::invalid_argument, "--device",
                fmt::format("{} names a device twice", fmt::join(options.devices, ",")));
  if (!options.shares.empty() && options.shares.size() != ids.size())
    throw Error(ErrorCode::invalid_argument, "--shares",
                fmt::format("{} were given for {}", options.shares.size(), counted(ids.size(), "device", "devices")));
  check_shares(options.shares);
  for (const std::string& id : ids) devices_.push_back(open_checked(id));
}

std::vector<Device*> SearchedDevices::all() const {
  std::vector<Device*> devices;
  for (const auto& device : devices_) devices.push_back(device.get());
  return devices;
}

std::string SearchedDevices::ids() const {
  std::vector<std::string> ids;
  for (const auto& device : devices_) ids.push_back(device->info().id);
  return fmt::format("{}", fmt::join(ids, ","));
}

std::string SearchedDevices::description() const {
  if (!several()) return fmt::format("{}, {}", first().info().id, full_name(first().info()));
  std::vector<std::string> each;
  for (const auto& device : devices_)
    each.push_back(fmt::format("{} ({})", device->info().id, full_name(device->info())));
  return fmt::format("{}", fmt::join(each, " and "));
}

std::string SearchedDevices::names() const {
  std::vector<std::string> each;
  for (const auto& device : devices_) each.push_back(full_name(device->info()));
  return fmt::format("{}", fmt::join(each, " and "));
}

bool SearchedDevices::timestamps() const {
  return std::ranges::all_of(devices_, [](const auto& device) { return device->capabilities().timestamps; });
}

void SearchedDevices::describe(nlohmann::ordered_json& document) const {
  std::vector<std::string> names;
  for (const auto& device : devices_) names.push_back(device->info().name);
  document["device"] = ids();
  document["device_name"] = fmt::format("{}", fmt::join(names, ", "));
}

SearchedRows::SearchedRows(const SearchedDevices& devices, MatrixView<float> rows, const IndexOptions& options,
                           const Progress& progress) {
  if (devices.several())
    several_.emplace(devices.all(), rows, devices.divided(options), progress);
  else
    one_.emplace(devices.first(), rows, options, progress);
}

SearchedRows::SearchedRows(const SearchedDevices& devices, const ElementsView& rows, const IndexOptions& options,
                           const Progress& progress) {
  if (devices.several())
    several_.emplace(devices.all(), rows, devices.divided(options), progress);
  else
    one_.emplace(devices.first(), rows, options, progress);
}

SearchedRows::SearchedRows(const Team& team, const SearchedDevices& devices,
                           const std::function<std::optional<Index>()>& make) {
  bool streams = false;
  distributed_.emplace(*team.ranks(), [&] {
    std::optional<Index> mine = make();
    streams = mine && Divided(*mine).block_rows != 0;
    return DistributedIndex::Shard{std::move(mine), devices.ids()};
  });
  streaming_ranks_ = team.sum(streams ? 1 : 0);
}

SearchedRows::SearchedRows(const Team& team, const SearchedDevices& devices, MatrixView<float> rows,
                           const IndexOptions& options, const Progress& progress)
    : SearchedRows(team.is_several() ? SearchedRows(team, devices,
                                                    [&]() -> std::optional<Index> {
                                                      if (rows.rows == 0) return std::nullopt;
                                                      return Index(devices.first(), rows, options, progress);
                                                    })
                                     : SearchedRows(devices, rows, options, progress)) {}

std::uint64_t SearchedRows::rows() const {
  return distributed_ ? distributed_->rows() : several_ ? several_->rows() : one_->rows();
}

void SearchedRows::save(const std::string& path, const Progress& progress) {
  if (!one_) throw Error(ErrorCode::unsupported, "--save", "an index is saved of one device");
  one_->save(path, progress);
}

Neighbors SearchedRows::search(MatrixView<float> queries, std::uint64_t k, Metric metric,
                               const proxel::SearchOptions& options) {
  if (distributed_) return distributed_->search(queries, k, metric, options);
  return several_ ? several_->search(queries, k, metric, options) : one_->search(queries, k, metric, options);
}

RangeNeighbors SearchedRows::range_search(MatrixView<float> queries, float radius, Metric metric,
                                          const proxel::SearchOptions& options) {
  if (distributed_) return distributed_->range_search(queries, radius, metric, options);
  return several_ ? several_->range_search(queries, radius, metric, options)
                  : one_->range_search(queries, radius, metric, options);
}

Neighbors SearchedRows::graph(std::uint64_t k, Metric metric, const GraphOptions& options) {
  if (distributed_) return knn_graph(*distributed_, k, metric, options);
  return several_ ? knn_graph(*several_, k, metric, options) : knn_graph(*one_, k, metric, options);
}

double SearchedRows::build_milliseconds() const {
  if (distributed_) return distributed_->build_milliseconds();
  return several_ ? several_->build_milliseconds() : one_->build_milliseconds();
}

std::vector<double> SearchedRows::shares() const {
  std::vector<double> shares;
  if (several_)
    for (const ShardInfo& shard : several_->shards()) shares.push_back(shard.share);
  return shares;
}

Divided SearchedRows::divided() const {
  if (distributed_) return {};
  return several_ ? Divided(*several_) : Divided(*one_);
}

std::string SearchedRows::searched_by(const SearchedDevices& devices) const {
  if (!distributed_) return devices.description();
  const std::size_t ranks = distributed_->shards().size();
  return counted(ranks, "process", "processes") + " by MPI";
}

namespace {

void describe_ranks(const std::vector<RankInfo>& shards, const SearchReport& report, nlohmann::ordered_json& document) {
  std::vector<std::string> ids;
  auto& ranks = document["ranks"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < shards.size(); ++i) {
    ids.push_back(shards[i].device);
    ranks.push_back({{"rank", i},
                     {"host", shards[i].host},
                     {"device", shards[i].device},
                     {"rows", shards[i].rows},
                     {"compute_ms", milliseconds_of(report, i)}});
  }
  document["device"] = fmt::format("{}", fmt::join(ids, ","));
}

}  // namespace

void SearchedRows::describe(const SearchReport& report, nlohmann::ordered_json& document) const {
  if (distributed_) describe_ranks(distributed_->shards(), report, document);
  divided().describe(report, document);
  if (streaming_ranks_ != 0) document["streaming_ranks"] = streaming_ranks_;
}

std::vector<std::string> SearchedRows::remarks(const SearchReport& report) const {
  if (!distributed_) return divided().lines(report);
  std::vector<std::string> each;
  for (std::size_t i = 0; i < distributed_->shards().size(); ++i) {
    const RankInfo& shard = distributed_->shards()[i];
    each.push_back(fmt::format("{} {} on {} {} rows in {} ms", i, shard.device, shard.host, with_separators(shard.rows),
                               significant(milliseconds_of(report, i))));
  }
  std::vector<std::string> lines = {fmt::format("rows divided among ranks: {}", fmt::join(each, ", "))};
  if (streaming_ranks_ != 0)
    lines.push_back(fmt::format("the search passed over the rows in blocks, in {} of {} processes", streaming_ranks_,
                                distributed_->shards().size()));
  return lines;
}

}  // namespace proxel::tool
