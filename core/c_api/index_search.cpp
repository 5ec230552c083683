// Searches of an index of vectors.
#include <fmt/format.h>

#include <algorithm>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "proxel/graph.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

// Options with what they point to.
struct HeldOptions {
  SearchOptions options;
  Neighbors after;

  HeldOptions(const proxel_search_options* given, std::uint64_t queries) {
    const proxel_search_options with = read_struct(given, "options");
    options.progress = progress_of(with.progress, with.progress_user);
    options.raw = is_set(with.raw, "raw");
    if (with.filter)
      options.filter = {with.filter, with.filter_rows, with.filter_words,
                        stride_of(with.filter_stride, with.filter_rows, with.filter_words, "filter", "filter_stride"),
                        1};
    if (with.after_indices || with.after_distances) read_after(with, queries);
  }
  HeldOptions(const HeldOptions&) = delete;

 private:
  // A search continues behind last columns, and needs nothing else of a page.
  void read_after(const proxel_search_options& with, std::uint64_t queries) {
    required(with.after_indices, "after_indices");
    required(with.after_distances, "after_distances");
    constexpr std::uint64_t most = std::uint64_t{1} << 60;
    if (with.after_queries != queries || with.after_columns == 0 ||
        (queries != 0 && with.after_columns > most / queries))
      refuse("after", fmt::format("a page of {} x {} was given for {} queries", with.after_queries, with.after_columns,
                                  queries));
    after = {Matrix<std::uint32_t>(queries, 1), Matrix<float>(queries, 1)};
    for (std::uint64_t query = 0; query < queries; ++query) {
      const std::uint64_t last = (query + 1) * with.after_columns - 1;
      after.indices(query, 0) = with.after_indices[last];
      after.distances(query, 0) = with.after_distances[last];
    }
    options.after = &after;
  }
};

}  // namespace

proxel_status proxel_index_search(proxel_index* index, const proxel_matrix* queries, uint64_t k, const char* metric,
                                  const proxel_search_options* options, uint32_t* indices, float* distances,
                                  uint64_t slots) {
  return guarded([&] {
    auto& held = handled(index, "index");
    Index& own = held.index;
    const MatrixView<float> asked = matrix_of(queries, "queries");
    const HeldOptions with(options, asked.rows);
    const Results results(indices, distances, slots, asked.rows, k);
    results.write(held.keep(own.search(asked, k, metric_named(metric), with.options)));
  });
}

proxel_status proxel_index_search_rows(proxel_index* index, uint64_t first_row, uint64_t count, uint64_t k,
                                       const char* metric, const proxel_search_options* options, uint32_t* indices,
                                       float* distances, uint64_t slots) {
  return guarded([&] {
    auto& held = handled(index, "index");
    Index& own = held.index;
    const HeldOptions with(options, count);
    const Results results(indices, distances, slots, count, k);
    results.write(held.keep(own.search_rows(first_row, count, k, metric_named(metric), with.options)));
  });
}

proxel_status proxel_index_range_search(proxel_index* index, const proxel_matrix* queries, float radius,
                                        const char* metric, const proxel_search_options* options,
                                        proxel_matches** matches) {
  return guarded([&] {
    required(matches, "matches");
    auto& held = handled(index, "index");
    Index& own = held.index;
    const MatrixView<float> asked = matrix_of(queries, "queries");
    const HeldOptions with(options, asked.rows);
    give(held.keep(own.range_search(asked, radius, metric_named(metric), with.options)), matches);
  });
}

proxel_status proxel_index_knn_graph(proxel_index* index, uint64_t k, const char* metric,
                                     const proxel_graph_options* options, uint32_t* indices, float* distances,
                                     uint64_t slots) {
  return guarded([&] {
    auto& held = handled(index, "index");
    Index& own = held.index;
    const proxel_graph_options given = read_struct(options, "options");
    const Results results(indices, distances, slots, own.rows(), k);
    GraphOptions with;
    with.exclude_self = !is_set(given.include_self, "include_self");
    if (given.rows) with.rows = matrix_of(given.rows, "rows");
    with.progress = progress_of(given.progress, given.progress_user);
    results.write(held.keep(knn_graph(own, k, metric_named(metric), with)));
  });
}

proxel_status proxel_write_graph_npz(const char* path, const uint32_t* indices, const float* distances, uint64_t rows,
                                     uint64_t k, uint64_t columns) {
  return guarded([&] {
    const std::string file = text_of(path, "path");
    Neighbors graph;
    if (rows != 0 && k != 0) {
      required(indices, "indices");
      required(distances, "distances");
      if (rows > UINT64_MAX / sizeof(float) / k) refuse("rows", fmt::format("{} x {} is too large", rows, k));
      graph = {Matrix<std::uint32_t>(rows, k), Matrix<float>(rows, k)};
      std::copy_n(indices, rows * k, graph.indices.data());
      std::copy_n(distances, rows * k, graph.distances.data());
    }
    write_npz(file, to_csr(graph, columns));
  });
}
