#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "file_state.hpp"
#include "proxel/data.hpp"
#include "ranks/team.hpp"
#include "search_options.hpp"

namespace proxel::tool {

/// What the others of a team do not see of one process's rows, or of its files: refused with the reason.
/// Throws Error(unsupported | invalid_argument). Does nothing in a plain run.
void check_for_team(const SearchOptions& options, const DeviceOptions& devices, const Team& team);

/// Of a file with `rows` rows, those that a process reads: as many as the others, or by --shares.
struct RowsPart {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
RowsPart part_of(std::uint64_t rows, const std::vector<double>& shares, std::uint32_t rank, std::uint32_t size);

/// The options as this process follows them: its file, or its part of the one that all share, and its device.
struct OwnPart {
  SearchOptions options;
  std::string device;
  bool has_rows = true;
  std::uint64_t columns = 0;  ///< where it has no rows, those that the file has
  /// Tells the file that all divide from others, and the way they do; 0 where each has its own.
  std::uint64_t divided = 0;
  std::optional<FileState> state;  ///< of that file before it was divided

  /// The devices that this process opens.
  DeviceOptions devices(const DeviceOptions& given, const Team& team) const;
};
OwnPart own_part(const SearchOptions& options, const DeviceOptions& devices, const Team& team);
/// Once all have read or mapped their rows. Throws in all of them: Error(invalid_argument) where one divides another file, or in
/// another way, than the first does; Error(input_output) where the file has changed since, so that some may have read other rows.
void require_one_file(const OwnPart& own, const Team& team);
/// This process's rows and, where it leads, the queries.
InputPair read_own_pair(const OwnPart& own, const Team& team);
InputRows read_own_rows(const OwnPart& own);

/// Throws Error(unsupported) for passes that are to be shown of several processes.
void refuse_trace(bool trace, const Team& team);

}  // namespace proxel::tool
