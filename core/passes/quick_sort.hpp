#pragma once

// The two stages of GPU-Qsort in plain C++, part by part and pair by pair.

#include <cstdint>
#include <vector>

#include "proxel/pass.hpp"
#include "proxel/passes/merge_sorted.h"
#include "proxel/passes/quick_sort_local.h"

namespace proxel::passes {

/// Parts of each row that a quick_sort_local pass sorts.
std::uint64_t part_count(const Pass& pass);
/// Sorts one part of one row.
/// @param keys  working memory, kept between calls
void sort_part(const Pass& pass, std::uint64_t row, std::uint64_t part, std::vector<std::uint64_t>& keys);

/// Pairs of runs of each row that a merge_sorted pass merges.
std::uint64_t pair_count(const MergeSortedParameters& parameters);
/// Merges one pair of runs of one row.
/// @param keys  working memory, kept between calls
void merge_pair(const Pass& pass, std::uint64_t row, std::uint64_t pair, std::vector<std::uint64_t>& keys);

}  // namespace proxel::passes
