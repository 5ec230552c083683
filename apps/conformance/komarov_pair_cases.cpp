// KomarovPairPlan: the nearest rows of queries and the nearest queries of rows, from one product and from two, against
// two scans on the reference.

#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "case.hpp"
#include "proxel/index.hpp"
#include "proxel/papers/komarov.hpp"
#include "random.hpp"

namespace proxel::conformance {
namespace {

struct Pair {
  std::uint64_t rows;
  std::uint32_t queries, dimensions;
  std::uint64_t k;
  Metric metric;
  bool ties = false;
  bool shared = true;  ///< whether there is scratch memory for a single matrix

  std::string name() const {
    return fmt::format("komarov_pair/{}/{}x{},d={},k={}{}{}", to_string(metric), rows, queries, dimensions, k,
                       ties ? ",ties" : "", shared ? "" : ",apart");
  }
};

Matrix<float> values_of(std::uint64_t rows, std::uint32_t dimensions, bool ties, Random& random) {
  Matrix<float> values(rows, dimensions);
  for (std::uint64_t i = 0; i < rows * dimensions; ++i)
    values.data()[i] = ties ? static_cast<float>(random.below(3)) : random.normal();
  return values;
}

struct Sets {
  Matrix<float> rows, queries;
  Neighbors of_queries, of_rows;
};

// A search from buffers of its own. `written` are those of the plan's requirements in their order, behind the scratch.
class Run {
 public:
  Run(Device& device, const Sets& sets, const KomarovPairPlan& plan) : device_(device) {
    const KomarovPairRequirements needed = plan.requirements();
    rows_ = filled(needed.rows.bytes, sets.rows.data());
    queries_ = filled(needed.queries.bytes, sets.queries.data());
    const std::uint64_t bytes[] = {needed.scratch.bytes, needed.indices.bytes, needed.distances.bytes,
                                   needed.row_indices.bytes, needed.row_distances.bytes};
    for (std::size_t i = 0; i < std::size(bytes); ++i) written_[i] = device.create_buffer(bytes[i], MemoryKind::device);
    const auto commands = device.create_commands(Timing::none);
    commands->begin();
    plan.record(*commands, {*rows_, *queries_, *written_[0], *written_[1], *written_[2], *written_[3], *written_[4]});
    commands->end();
    // Twice: what the first leaves behind must not be what the second needs otherwise.
    for (int turn = 0; turn < 2; ++turn) {
      device.submit(*commands);
      device.wait();
    }
  }

  Neighbors of_queries(std::uint64_t queries, std::uint64_t k) { return read(1, queries, k); }
  Neighbors of_rows(std::uint64_t rows, std::uint64_t k) { return read(3, rows, k); }

 private:
  std::unique_ptr<Buffer> filled(std::uint64_t bytes, const float* values) {
    auto buffer = device_.create_buffer(bytes, MemoryKind::device);
    upload(device_, *buffer, values);
    return buffer;
  }
  Neighbors read(std::size_t first, std::uint64_t rows, std::uint64_t k) {
    Neighbors found{Matrix<std::uint32_t>(rows, k), Matrix<float>(rows, k)};
    download(device_, *written_[first], found.indices.data());
    download(device_, *written_[first + 1], found.distances.data());
    return found;
  }

  Device& device_;
  std::unique_ptr<Buffer> rows_, queries_, written_[5];
};

bool same(const Neighbors& a, const Neighbors& b) {
  return a.indices == b.indices &&
         std::memcmp(a.distances.data(), b.distances.data(), 4 * a.distances.rows() * a.distances.columns()) == 0;
}

Verdict judge(Device& device, const Pair& pair, const Sets& sets) {
  SearchDescription description;
  description.metric = pair.metric;
  description.rows = pair.rows;
  description.dimensions = pair.dimensions;
  description.queries = pair.queries;
  description.k = pair.k;
  description.scratch_limit = std::uint64_t{1} << (pair.shared ? 30 : 20);
  KomarovPairPlan plan;
  try {
    plan = KomarovPairPlan::make(device, description);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::unsupported) return Verdict::refuse(error);
    throw;
  }
  if (plan.shares_product() != pair.shared)
    return Verdict::fail(pair.shared ? "two products were planned" : "one product was planned");
  Run run(device, sets, plan);
  if (!same(run.of_queries(pair.queries, pair.k), sets.of_queries))
    return Verdict::fail("queries have other rows than by a scan");
  if (!same(run.of_rows(pair.rows, pair.k), sets.of_rows))
    return Verdict::fail("rows have other queries than by a scan");
  if (plan.undecided() > pair.rows + pair.queries) return Verdict::fail("more were scanned than there are");
  return Verdict::pass();
}

}  // namespace

void add_komarov_pair_cases(Cases& cases) {
  const Pair pairs[] = {{1, 1, 3, 1, Metric::l2sq},           {1, 40, 3, 2, Metric::l2sq},
                        {129, 1, 5, 4, Metric::l2},           {300, 70, 9, 5, Metric::l2sq},
                        {300, 70, 9, 5, Metric::l2, true},    {65, 200, 33, 100, Metric::l2sq},
                        {257, 511, 7, 3, Metric::l2sq, true}, {1500, 900, 4, 20, Metric::l2, false, false}};
  for (const Pair& pair : pairs)
    cases.push_back({pair.name(), true, [pair](const Context& context) {
      Random random(context.seed);
      auto sets = std::make_shared<Sets>();
      sets->rows = values_of(pair.rows, pair.dimensions, pair.ties, random);
      sets->queries = values_of(pair.queries, pair.dimensions, pair.ties, random);
      const auto reference = open_device("cpu:reference");
      Index rows(*reference, sets->rows.view(), {.method = Method::scan}),
          queries(*reference, sets->queries.view(), {.method = Method::scan});
      sets->of_queries = rows.search(sets->queries.view(), pair.k, pair.metric);
      sets->of_rows = queries.search(sets->rows.view(), pair.k, pair.metric);
      return make_check([pair, sets](Device& device) { return judge(device, pair, *sets); });
    }});
}

}  // namespace proxel::conformance
