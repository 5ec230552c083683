#include "ranks/part_of_rows.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include "file_state.hpp"
#include "proxel/data_table.hpp"
#include "stream_file.hpp"

namespace proxel::tool {
namespace {

bool has_own_files(const SearchOptions& options) {
  return options.database.find("{rank}") != std::string::npos || options.database.find("{local}") != std::string::npos;
}

// A checksum of all that decides which rows a process takes.
std::uint64_t division_of(const ReadOptions& taken, const std::optional<FileState>& file, const TableInfo& info,
                          const std::vector<double>& shares) {
  const std::string told = fmt::format("{} {} {} {} {} {}", info.rows, info.columns, taken.first_row, taken.max_rows,
                                       file ? file->checksum : 0, fmt::join(shares, " "));
  return crc32_z(0, reinterpret_cast<const Bytef*>(told.data()), told.size());
}

}  // namespace

void check_for_team(const SearchOptions& options, const DeviceOptions& devices, const Team& team) {
  if (!team.is_several()) return;
  const auto refuse = [](bool given, const char* option, const std::string& why) {
    if (given) throw Error(ErrorCode::unsupported, option, why + " (see --mpi)");
  };
  refuse(devices.divide == Division::queries, "--divide", "is rows where several processes search together");
  refuse(options.raw, "--raw", "shows what one index loses; several processes divide it");
  refuse(options.index.papers.garcia.distances_only, "--distances-only",
         "has no rows' numbers, by which answers of several processes are merged");
  refuse(options.input.scale != Scale::none, "--scale",
         "needs all rows in one process; several read a part each. Scale the file before");
  refuse(!options.input.table.ids.empty(), "--ids", "are not brought together from several processes");
  refuse(!options.input.table.labels.empty(), "--labels", "are not brought together from several processes");
  refuse(options.database == "-" || (!has_own_files(options) && is_stream(options.database)), "--database",
         "is a pipe, which several processes cannot divide; a file can be");
  const bool own_files = has_own_files(options);
  refuse(own_files && (options.database_rows.first_row != 0 || options.database_rows.max_rows != UINT64_MAX),
         options.database_rows.first_row != 0 ? "--first-row" : "--rows", "is for one file; each process has its own");
  refuse(own_files && !devices.shares.empty(), "--shares", "divide one file; each process has its own");
  const std::size_t given = devices.devices.size();
  if (given != 1 && given != team.size())
    throw Error(
        ErrorCode::invalid_argument, "--device",
        fmt::format("{} were given for {} processes; one for all, or one for each is allowed", given, team.size()));
  if (!devices.shares.empty() && devices.shares.size() != team.size())
    throw Error(ErrorCode::invalid_argument, "--shares",
                fmt::format("{} were given for {} processes", devices.shares.size(), team.size()));
}

RowsPart part_of(std::uint64_t rows, const std::vector<double>& shares, std::uint32_t rank, std::uint32_t size) {
  if (shares.empty()) {
    // The first ones have one more where it does not come out even.
    const std::uint64_t each = rows / size, more = rows % size;
    return {rank * each + std::min<std::uint64_t>(rank, more), each + (rank < more ? 1 : 0)};
  }
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  const auto end_of = [&](std::uint32_t parts) {
    if (parts == size) return rows;
    const double sum = std::accumulate(shares.begin(), shares.begin() + parts, 0.0);
    return std::min(rows, static_cast<std::uint64_t>(sum / all * static_cast<double>(rows) + 0.5));
  };
  const std::uint64_t first = end_of(rank);
  return {first, std::max(end_of(rank + 1), first) - first};
}

OwnPart own_part(const SearchOptions& options, const DeviceOptions& devices, const Team& team) {
  OwnPart own{options, devices.devices.front()};
  if (!team.is_several()) return own;
  check_shares(devices.shares);
  own.device = team.named(devices.devices[devices.devices.size() == 1 ? 0 : team.rank()]);
  if (has_own_files(options)) {
    own.options.database = team.named(options.database);
    return own;
  }
  if (holds_saved_index(options.database))
    throw Error(ErrorCode::unsupported, "--database",
                fmt::format("{} is an index that was saved, which cannot be divided; each process has its own as "
                            "index-{{rank}}",
                            options.database));
  own.state = state_of(options.database);
  TableOptions table = options.input.table;
  table.rows = {};
  const TableInfo info = inspect_table(options.database, table);
  const std::uint64_t first = std::min(options.database_rows.first_row, info.rows);
  const std::uint64_t rows = std::min(options.database_rows.max_rows, info.rows - first);
  const RowsPart part = part_of(rows, devices.shares, team.rank(), team.size());
  own.options.database_rows.first_row = first + part.first;
  own.options.database_rows.max_rows = part.count;
  // Where there are none at all, reading says so.
  own.has_rows = part.count != 0 || rows == 0;
  own.columns = info.columns;
  own.divided = division_of(options.database_rows, own.state, info, devices.shares);
  return own;
}

void require_one_file(const OwnPart& own, const Team& team) {
  if (!team.is_several()) return;
  const std::uint64_t of_first = team.sum(team.leads() ? own.divided : 0);
  team.together([&] {
    if (own.divided != of_first)
      throw Error(ErrorCode::invalid_argument, "--database",
                  fmt::format("{}, or what is taken of it (--first-row, --rows, --shares), is not what it is on rank 0",
                              own.options.database));
    require_unchanged(own.state, "read");
  });
}

DeviceOptions OwnPart::devices(const DeviceOptions& given, const Team& team) const {
  return team.is_several() ? DeviceOptions{.devices = {device}} : given;
}

InputRows read_own_rows(const OwnPart& own) {
  if (own.has_rows) return read_database(own.options);
  return {Matrix<float>(0, own.columns), {}};
}

InputPair read_own_pair(const OwnPart& own, const Team& team) {
  if (!team.is_several()) return read_pair(own.options);
  InputPair read{read_own_rows(own), {}};
  if (!team.leads()) return read;
  read.queries =
      read_queries(own.options.queries, own.options.query_rows, own.options.input, read.database.rows.columns());
  check_dimensions(read.database.rows.columns(), read.queries.rows.columns());
  return read;
}

void refuse_trace(bool trace, const Team& team) {
  if (trace && team.is_several()) throw Error(ErrorCode::unsupported, "--trace", "shows the passes of one process");
}

}  // namespace proxel::tool
