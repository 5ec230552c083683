#pragma once

// From where on a method is worth its preparations: what Method::automatic goes by beside expected_times.hpp, and what
// `proxel-bench cliffs` walks around.

#include <cstdint>

namespace proxel::index {

// Fused. Below this a canonical scan is over before the several passes of a screened search have started: queries,
// rows, and products of a query and a row.
inline constexpr std::uint32_t worthwhile_fused_queries = 32;
inline constexpr std::uint64_t worthwhile_rows = 4096;
inline constexpr std::uint64_t worthwhile_pairs = std::uint64_t{1} << 22;
// A few queries cost a scan as much as many, which reads the rows once for each or
// computes 64 at a time: queries, and products of coordinates that take it 0.1 ms.
inline constexpr std::uint32_t worthwhile_few_queries = 4;
inline constexpr std::uint64_t worthwhile_products = std::uint64_t{1} << 27;
// Products of coordinates below which a scan, which reads four times the bytes of codes in one pass, is sooner over.
inline constexpr std::uint64_t worthwhile_codes = std::uint64_t{1} << 26;
// More neighbours than these are evaluated for longer than the scan takes, unless there are so many times as many products.
inline constexpr std::uint64_t few_coded_neighbors = 32;
inline constexpr std::uint64_t worthwhile_codes_of_many = 8 * worthwhile_codes;
// Without matrix units a threshold costs distances as a scan does, and so many pairs pay for it; more neighbours cost a
// scan more.
inline constexpr std::uint64_t worthwhile_canonical_pairs = std::uint64_t{1} << 26;
inline constexpr std::uint64_t few_canonical_neighbors = 384;
// On the CPU encoding the rows takes as long as so many scans: it is done after as many searches that codes would serve.
inline constexpr std::uint64_t worthwhile_searches_on_cpu = 24;
// Up to so many, what is computed does not depend on the dimensions (expected_times.hpp).
inline constexpr std::uint32_t few_dimensions = 8;

// Boxes. Building sorts the rows once per dimension, which takes as long as scanning for so
// many queries: of a device of its own, and of the host.
inline constexpr std::uint32_t worthwhile_bvh_queries = 32;
inline constexpr std::uint32_t worthwhile_queries_on_host = 1024;
// On the host in more dimensions boxes reach near nearly every query where rows are few.
inline constexpr std::uint32_t worthwhile_dimensions_on_host = 6;
inline constexpr std::uint64_t worthwhile_rows_on_host = std::uint64_t{1} << 18;
inline constexpr std::uint64_t worthwhile_pairs_on_host = std::uint64_t{1} << 20;

}  // namespace proxel::index
