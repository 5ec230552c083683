#pragma once

#include "index/storage.hpp"
#include "proxel/device.hpp"
#include "proxel/screened.hpp"
#include "proxel/search.hpp"

namespace proxel::index {

/// Whether thresholds of these rows come from half precision.
bool on_matrix_units(const Storage& storage, Metric metric);

/// Whether products of integers of a byte are made, and sooner than those of halves.
bool multiplies_integers(const Device& device, Metric metric, std::uint64_t rows, std::uint32_t dimensions);
/// Whether such values may be those of that operand, which is of integers.
constexpr bool may_be(QueryValues values, ScreenOperand operand) {
  return values == QueryValues::either ||
         values == (operand == ScreenOperand::uint8 ? QueryValues::uint8 : QueryValues::int8);
}

/// Whether 8-bit codes (ScreenOperand::codes) are sooner than the scan on the CPU, for one to four queries. Fitted to two cores
/// (docs/lab/processors.md, "Many neighbours").
bool codes_spare_time_on_cpu(const SearchDescription& description);
/// Whether on a GPU codes answer sooner than half precision on matrix units, of as many queries as codes serve.
bool codes_before_halves(const SearchDescription& description, BackendKind backend);

/// Whether on a GPU codes of more queries than four, by l1 or linf, are likely to decide, and sooner than canonical distances.
bool codes_before_distances(const SearchDescription& description, BackendKind backend);

/// What a search takes a GPU through a backend, milliseconds, so that methods can be compared. Fitted to an H200 (docs/lab/cliffs.md); other
/// devices differ by a factor that is much the same for all of them.
/// @param halves  thresholds come from half precision, not from canonical distances
double expected_fused_milliseconds(const SearchDescription& description, BackendKind backend, bool halves);
double expected_scan_milliseconds(const SearchDescription& description, BackendKind backend);
/// By codes: of few queries infinity where they leave every query undecided; of more than ScreenedPlan::most_listed_queries, by differences.
double expected_codes_milliseconds(const SearchDescription& description, BackendKind backend);
/// In 1 to 8 dimensions.
double expected_bvh_milliseconds(const SearchDescription& description, BackendKind backend);

/// In 1 to 8 dimensions on a processor (Capabilities::runs_on_host), milliseconds. Fitted to two cores through the `cpu` device; through
/// Vulkan only how they stand to each other (docs/lab/few-dimensions.md, "On a processor").
struct HostTimes {
  double scan, boxes;  ///< of one search
  double building;     ///< of the boxes
};
HostTimes expected_times_on_host(const SearchDescription& description, BackendKind backend);

}  // namespace proxel::index
