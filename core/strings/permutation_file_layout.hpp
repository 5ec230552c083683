#pragma once

// What the writer and the reader of docs/permutation-file.md share.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <zlib.h>

#include "strings/permutation_file.hpp"

namespace proxel::strings::permutation_file {

using passes::PermutationDistance;

/// No other format begins so, and what changes line ends or the eighth bit changes it.
inline constexpr std::string_view magic = "\x89proxel\n";
inline constexpr std::uint32_t this_version = 1;
inline constexpr std::uint32_t kind_levenshtein = 1;
inline constexpr std::uint32_t kind_hamming = 2;

/// In this order.
enum Part : std::size_t {
  settings,
  objects,
  identifiers,
  permutants,
  permutant_identifiers,
  positions,
  parts
};
struct PartName {
  std::string_view tag;
  std::string_view words;
};
inline constexpr std::array<PartName, parts> part_names = {{
    {"INFO", "settings"},
    {"OBJS", "objects"},
    {"OBID", "identifiers of objects"},
    {"PMTS", "permutants"},
    {"PMID", "identifiers of permutants"},
    {"POSN", "positions"},
}};
inline constexpr std::size_t start_bytes = 16;  ///< that say whether the rest can be read
inline constexpr std::size_t entry_bytes = 16;
inline constexpr std::size_t header_bytes = start_bytes + parts * entry_bytes + 4;
inline constexpr std::uint64_t settings_bytes = 6 * 4;

// The numbers of the enumerators are the file's.
static_assert(static_cast<int>(StringUnits::code_points) == 0 && static_cast<int>(StringUnits::bytes) == 1);
static_assert(static_cast<int>(PermutationDistance::footrule) == 0 &&
              static_cast<int>(PermutationDistance::spearman_rho) == 1 &&
              static_cast<int>(PermutationDistance::kendall_tau) == 2);
inline constexpr std::uint32_t last_units = 1, last_distance = 2;

/// CRC-32 of the bytes so far, and how many.
struct Checksum {
  std::uint32_t value = 0;
  std::uint64_t bytes = 0;

  void add(std::span<const std::byte> more) {
    if (more.empty()) return;  // zlib starts anew where the address is null
    value = static_cast<std::uint32_t>(
        crc32_z(value, reinterpret_cast<const Bytef*>(more.data()), more.size()));
    bytes += more.size();
  }
};

/// Throws.
using Refusal = std::function<void(const std::string& reason)>;

void check_permutants(std::uint64_t count, const Refusal& refuse);
/// All that PermutationFile promises.
void check(const PermutationFile& file, const Refusal& refuse);

}  // namespace proxel::strings::permutation_file
