#include "passes/finish_scan.hpp"

#include "passes/decoded_distance.hpp"
#include "passes/memory.hpp"
#include "passes/smallest.hpp"
#include "proxel/metric.hpp"
#include "proxel/passes/scan_select.h"

namespace proxel {

std::uint64_t passes::finish_query(const std::uint64_t* lists, std::uint64_t groups, std::uint32_t k,
                                   const QueryResults& results) {
  std::vector<std::uint64_t> keys(lists, lists + groups * k);
  std::vector<std::uint64_t> merged(k);
  write_smallest(keys, k, merged.data());
  for (std::uint32_t rank = 0; rank < k; ++rank) {
    results.indices[rank] = index_of(merged[rank]);
    results.distances[rank] = decoded_distance(merged[rank], results.largest_first, results.finish);
  }
  return merged.back();
}

void passes::finish_scan(const Pass& scan_select, std::uint64_t query) {
  const auto p = scan_select.as<ScanSelectParameters>();
  const std::uint64_t first = query * p.k;
  finish_query(at<const std::uint64_t>(p.lists) + first * p.groups, p.groups, p.k,
               {at<std::uint32_t>(p.indices) + first, at<float>(p.distances) + first,
                largest_first(scan_select.constants_as<ScanSelectConstants>().metric), p.finish});
}

}  // namespace proxel
