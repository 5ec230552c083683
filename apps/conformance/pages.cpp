#include "pages.hpp"

#include <algorithm>

namespace proxel::conformance {

Neighbors joined_pages(Index& index, MatrixView<float> queries, std::uint64_t k, Metric metric, std::uint32_t pages,
                       SearchOptions options) {
  Neighbors joined{Matrix<std::uint32_t>(queries.rows, pages * k), Matrix<float>(queries.rows, pages * k)};
  Neighbors page;
  for (std::uint32_t i = 0; i < pages; ++i) {
    Neighbors next = index.search(queries, k, metric, options);
    page = std::move(next);
    options.after = &page;
    for (std::uint64_t query = 0; query < queries.rows; ++query) {
      std::copy_n(&page.indices(query, 0), k, &joined.indices(query, i * k));
      std::copy_n(&page.distances(query, 0), k, &joined.distances(query, i * k));
    }
  }
  return joined;
}

}  // namespace proxel::conformance
