#pragma once

// What the writer and the reader of docs/permutation-file.md share.

#include <array>
#include <cstddef>
#include <cstdint>

#include "data/section_file.hpp"
#include "strings/permutation_file.hpp"

namespace proxel::strings::permutation_file {

using data::Refusal;
using passes::PermutationDistance;

inline constexpr std::uint32_t kind_levenshtein = 1;
inline constexpr std::uint32_t kind_hamming = 2;

/// The parts of a file, in their order.
enum Part : std::size_t { settings, objects, identifiers, permutants, permutant_identifiers, positions, parts };
inline constexpr std::array<data::SectionName, parts> part_names = {{
    {"INFO", "settings"},
    {"OBJS", "objects"},
    {"OBID", "identifiers of objects"},
    {"PMTS", "permutants"},
    {"PMID", "identifiers of permutants"},
    {"POSN", "positions"},
}};
inline constexpr std::array<std::uint32_t, 2> kinds = {kind_levenshtein, kind_hamming};
inline constexpr data::SectionFormat format = {"an index", 1, kinds, "kinds 1 and 2, strings", part_names};
inline constexpr std::uint64_t settings_words = 6;

// The numbers of the enumerators are the file's.
static_assert(static_cast<int>(StringUnits::code_points) == 0 && static_cast<int>(StringUnits::bytes) == 1);
static_assert(static_cast<int>(PermutationDistance::footrule) == 0 &&
              static_cast<int>(PermutationDistance::spearman_rho) == 1 &&
              static_cast<int>(PermutationDistance::kendall_tau) == 2);
inline constexpr std::uint32_t last_units = 1, last_distance = 2;

void check_permutants(std::uint64_t count, const Refusal& refuse);
/// All that PermutationFile promises.
void check(const PermutationFile& file, const Refusal& refuse);

}  // namespace proxel::strings::permutation_file
