#include "passes/finish_scan.hpp"

#include "passes/decoded_distance.hpp"
#include "passes/memory.hpp"
#include "passes/smallest.hpp"
#include "proxel/metric.hpp"
#include "proxel/passes/scan_select.h"

namespace proxel {

void passes::finish_scan(const Pass& scan_select, std::uint64_t query) {
  const auto parameters = scan_select.as<ScanSelectParameters>();
  const bool largest = largest_first(scan_select.constants_as<ScanSelectConstants>().metric);
  const std::uint64_t keys_per_query = std::uint64_t{parameters.groups} * parameters.k;
  const auto* lists = at<const std::uint64_t>(parameters.lists) + query * keys_per_query;
  std::vector<std::uint64_t> keys(lists, lists + keys_per_query);
  std::vector<std::uint64_t> merged(parameters.k);
  write_smallest(keys, parameters.k, merged.data());
  for (std::uint64_t rank = 0; rank < parameters.k; ++rank) {
    const std::uint64_t slot = query * parameters.k + rank;
    at<std::uint32_t>(parameters.indices)[slot] = index_of(merged[rank]);
    at<float>(parameters.distances)[slot] = decoded_distance(merged[rank], largest, parameters.finish);
  }
}

}  // namespace proxel
