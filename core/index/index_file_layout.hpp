#pragma once

// What the writer and the reader of docs/index-file.md share.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "data/section_file.hpp"
#include "index/index_file.hpp"

namespace proxel::index::index_file {

inline constexpr std::uint32_t kind_rows = 4;

/// The parts of a file, in their order.
enum Part : std::size_t { settings, live, rows, checksums, parts };
inline constexpr std::array<data::SectionName, parts> part_names = {{
    {"INFO", "settings"},
    {"LIVE", "rows that have not been removed"},
    {"ROWS", "rows"},
    {"SUMS", "checksums of rows"},
}};
inline constexpr std::array<std::uint32_t, 1> kinds = {kind_rows};
inline constexpr data::SectionFormat format = {"an index", 1, kinds, "kind 4, rows of vectors", part_names, rows};
inline constexpr std::uint64_t settings_words = 5;

// The number of a type in the file is its place here.
inline constexpr std::array storage_types = {ElementType::float32, ElementType::float16, ElementType::int8,
                                             ElementType::uint8};
// The numbers of the enumerators are the file's.
static_assert(static_cast<int>(Method::automatic) == 0 && static_cast<int>(Method::texel) == 1 &&
              static_cast<int>(Method::scan) == 2 && static_cast<int>(Method::fused) == 3 &&
              static_cast<int>(Method::bvh) == 4 && static_cast<int>(Method::garcia_direct) == 5 &&
              static_cast<int>(Method::garcia_gemm) == 6 && static_cast<int>(Method::komarov) == 7);
static_assert(static_cast<int>(SelectionMethod::automatic) == 0 && static_cast<int>(SelectionMethod::streaming) == 1 &&
              static_cast<int>(SelectionMethod::threshold) == 2 && static_cast<int>(SelectionMethod::radix_sort) == 3 &&
              static_cast<int>(SelectionMethod::quick_multi_select_subgroup) == 4 &&
              static_cast<int>(SelectionMethod::quick_multi_select_workgroup) == 5);
inline constexpr std::uint32_t last_method = 7, last_selection = 6;
static_assert(static_cast<std::uint32_t>(SelectionMethod::quick_sort) == last_selection);

// Rows are used where they lie in the file, whose numbers are little-endian.
inline constexpr bool served = std::endian::native == std::endian::little;

/// All that IndexFile promises.
void check(const IndexFile& file, const data::Refusal& refuse);
/// Throws Error(unsupported) that names the file.
void require_served(const std::string& name);

}  // namespace proxel::index::index_file
