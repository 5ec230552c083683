#pragma once

// The answers of several devices as one.

#include <algorithm>
#include <cstdint>
#include <span>

#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"

namespace proxel::sharding {

/// Adds what the next of the devices took and did; its method is empty where it was not asked.
void add_device(SearchReport& all, const SearchReport& report);
/// The same of all devices, by their answers.
template <typename Answers>
void add_devices(SearchReport& all, const Answers& parts) {
  for (const auto& part : parts) add_device(all, part.report);
}

/// The nearest of all parts, which are ordered and numbered as all rows are; those that were not asked are empty.
/// The report adds up theirs.
Neighbors merged(std::span<const Neighbors> parts, std::uint64_t k, Metric metric);
/// The matches of all parts, which are ordered, in one order, without a report. A row that is in two is there once.
/// @param ordered  whether distances stay as they are; otherwise they become finished ones
RangeNeighbors merged(std::span<const RangeNeighbors> parts, std::uint64_t queries, Metric metric, bool ordered);
/// The matches of queries, of one part of them after another, without a report.
RangeNeighbors joined(std::span<const RangeNeighbors> parts);

/// Copies rows into a larger matrix, from a row and a column on.
template <typename T>
void copy_rows_to(const Matrix<T>& from, std::uint64_t first, Matrix<T>& to, std::uint64_t column = 0) {
  for (std::uint64_t row = 0; row < from.rows(); ++row)
    std::copy_n(from.data() + row * from.columns(), from.columns(), to.data() + (first + row) * to.columns() + column);
}

}  // namespace proxel::sharding
