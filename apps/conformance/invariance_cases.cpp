// What must not change an answer: how many queries are asked at once, what was
// asked before, and asking again.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "search_check.hpp"

namespace proxel::conformance {
namespace {

// The rows of an answer from `first` on, as many as `part` has.
std::string difference_to_part(const Neighbors& whole, const Neighbors& part, std::uint64_t first) {
  const std::uint64_t k = whole.indices.columns();
  Neighbors expected{Matrix<std::uint32_t>(part.indices.rows(), k), Matrix<float>(part.indices.rows(), k)};
  for (std::uint64_t row = 0; row < part.indices.rows(); ++row)
    for (std::uint64_t rank = 0; rank < k; ++rank) {
      expected.indices(row, rank) = whole.indices(first + row, rank);
      expected.distances(row, rank) = whole.distances(first + row, rank);
    }
  return difference(expected, part);
}

Verdict batches_agree(Device& device, Method method, Metric metric, const Data& data, std::uint64_t k) {
  IndexOptions options;
  options.method = method;
  Index index(device, data.database.view(), options);
  if (const Support support = index.supports(metric, k); !support) return Verdict::refuse(support);
  const MatrixView<float> queries = data.queries.view();
  const Neighbors whole = index.search(queries, k, metric);
  for (const std::uint64_t batch : {1, 2, 7, 65}) {
    // A few batches of each size tell as much as all of them.
    const std::uint64_t end = std::min<std::uint64_t>(queries.rows, batch * 5);
    for (std::uint64_t first = 0; first < end; first += batch) {
      const std::uint64_t count = std::min(batch, queries.rows - first);
      const Neighbors part = index.search(queries.slice(first, count), k, metric);
      if (const std::string text = difference_to_part(whole, part, first); !text.empty())
        return Verdict::fail(
            fmt::format("queries from {} in a batch of {} instead of {}: {}", first, count, queries.rows, text));
    }
  }
  return judge(device, {data.database.view(), queries, metric, k}, Kind::gaussian,
               oracle_answer({data.database.view(), queries, metric, k}), whole);
}

Verdict repeats_agree(Device& device, Method method, Metric metric, const Data& data, std::uint64_t k) {
  IndexOptions options;
  options.method = method;
  Index index(device, data.database.view(), options);
  if (const Support support = index.supports(metric, k); !support) return Verdict::refuse(support);
  const MatrixView<float> queries = data.queries.view();
  const Neighbors first = index.search(queries, k, metric);
  if (const std::string text = difference(first, index.search(queries, k, metric)); !text.empty())
    return Verdict::fail("asked again: " + text);
  for (const Metric other : all_metrics)
    if (index.supports(other, 2)) index.search(queries, 2, other);
  if (const std::string text = difference(first, index.search(queries, k, metric)); !text.empty())
    return Verdict::fail("asked again after other metrics: " + text);
  Index twin(device, data.database.view(), options);
  if (const std::string text = difference(first, twin.search(queries, k, metric)); !text.empty())
    return Verdict::fail("asked of a second index of the same rows: " + text);
  Index moved = std::move(twin);
  if (const std::string text = difference(first, moved.search(queries, k, metric)); !text.empty())
    return Verdict::fail("asked of an index that was moved: " + text);
  return judge(device, {data.database.view(), queries, metric, k}, Kind::gaussian,
               oracle_answer({data.database.view(), queries, metric, k}), first);
}

// Both methods, asked of the same device, without the oracle between them.
Verdict methods_agree(Device& device, Metric metric, const Data& data, std::uint64_t k) {
  IndexOptions scan_options;
  scan_options.method = Method::scan;
  IndexOptions texel_options;
  texel_options.method = Method::texel;
  Index scan(device, data.database.view(), scan_options);
  Index texel(device, data.database.view(), texel_options);
  if (const Support support = texel.supports(metric, k); !support) return Verdict::refuse(support);
  const Neighbors of_scan = scan.search(data.queries.view(), k, metric);
  const Neighbors of_texel = texel.search(data.queries.view(), k, metric);
  if (const std::string text = difference(of_scan, of_texel); !text.empty())
    return Verdict::fail("scan and texel search: " + text);
  return Verdict::pass();
}

// Rows that are already on the device, asked as queries, answer as their copies do.
Verdict own_rows_agree(Device& device, Method method, Metric metric, const Data& data, std::uint64_t k,
                       std::uint64_t memory_limit) {
  IndexOptions options;
  options.method = method;
  options.memory_limit = memory_limit;
  Index index(device, data.database.view(), options);
  const MatrixView<float> rows = data.database.view();
  for (const auto& [first, count] :
       {std::pair<std::uint64_t, std::uint64_t>{0, rows.rows}, {rows.rows / 3, 1}, {rows.rows - 7, 7}, {130, 0}}) {
    Neighbors found;
    try {
      found = index.search_rows(first, count, k, metric);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      return Verdict::refuse(error);
    }
    const Neighbors expected = index.search(rows.slice(first, count), k, metric);
    if (const std::string text = difference(expected, found); !text.empty())
      return Verdict::fail(fmt::format("{} rows from {} on as queries: {}", count, first, text));
  }
  return Verdict::pass();
}

}  // namespace

void add_invariance_cases(Cases& cases) {
  constexpr std::uint64_t n = 700, d = 17, q = 300;
  constexpr Kind kinds[] = {Kind::gaussian, Kind::integers};
  std::size_t step = 0;
  for (const Metric metric : all_metrics) {
    for (const Method method :
         {Method::scan, Method::texel, Method::garcia_direct, Method::garcia_gemm, Method::komarov})
      for (const std::uint64_t k : {1, 5}) {
        const Kind kind = kinds[step % 2];
        const bool quick = method == Method::scan || step % 2 == 0;
        ++step;
        cases.push_back({fmt::format("invariance/batch/{}/{}/n={},d={},q={},k={}/{}", to_string(method),
                                     to_string(metric), n, d, q, k, to_string(kind)),
                         quick, [=](const Context& context) {
          return make_check([=, data = make_data(kind, n, d, q, context.seed)](Device& device) {
            return batches_agree(device, method, metric, data, k);
          });
        }});
        cases.push_back({fmt::format("invariance/repeat/{}/{}/n={},d={},q=12,k={}/{}", to_string(method),
                                     to_string(metric), n, d, k, to_string(kind)),
                         quick, [=](const Context& context) {
          return make_check([=, data = make_data(kind, n, d, 12, context.seed)](Device& device) {
            return repeats_agree(device, method, metric, data, k);
          });
        }});
      }
    for (const Method method : {Method::scan, Method::texel})
      cases.push_back(
          {fmt::format("invariance/rows/{}/{}/n=300,d=9,k=4/integers", to_string(method), to_string(metric)), true,
           [=](const Context& context) {
        return make_check([=, data = make_data(Kind::integers, 300, 9, 1, context.seed)](Device& device) {
          return own_rows_agree(device, method, metric, data, 4, 0);
        });
      }});
    cases.push_back({fmt::format("invariance/rows/streamed/{}/n=300,d=9,k=4/integers", to_string(metric)), true,
                     [=](const Context& context) {
      return make_check([=, data = make_data(Kind::integers, 300, 9, 1, context.seed)](Device& device) {
        return own_rows_agree(device, Method::scan, metric, data, 4, 2 * 128 * 9 * 4);
      });
    }});
    for (const Kind kind : all_kinds) {
      if (!bit_identical(kind)) continue;
      cases.push_back({fmt::format("invariance/methods/{}/n=300,d=9,q=3,k=7/{}", to_string(metric), to_string(kind)),
                       kind == Kind::nan || kind == Kind::overflow, [=](const Context& context) {
        return make_check([=, data = make_data(kind, 300, 9, 3, context.seed)](Device& device) {
          return methods_agree(device, metric, data, 7);
        });
      }});
    }
  }
}

}  // namespace proxel::conformance
