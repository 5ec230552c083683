#pragma once

#include <algorithm>
#include <vector>

namespace proxel::tool {

/// Middle value; the mean of the two middle ones where there is no single one. 0 for none.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace proxel::tool
