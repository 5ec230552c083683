// The nearest of rows: of an index, of an engine, that move, and for queries that the device counts.
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "proxel/bvh.hpp"
#include "proxel/moving_points.hpp"
#include "proxel/papers/komarov.hpp"
#include "recordable_parts.hpp"

namespace recordable {
namespace {

struct IndexShape {
  const char* name;
  Method method;
  std::uint64_t rows;
  std::uint32_t dimensions;
  std::uint32_t queries;
  std::uint64_t k;
  Metric metric;
};

constexpr IndexShape index_shapes[] = {
    {"scan, few queries", Method::scan, 1500, 13, 3, 7, Metric::l2},
    {"scan, nearest of many", Method::scan, 1500, 13, 150, 1, Metric::l1},
    {"scan, many queries", Method::scan, 3000, 13, 150, 200, Metric::linf},
    {"scan, normalised", Method::scan, 1500, 13, 5, 7, Metric::cosine},
    {"fused", Method::fused, 5000, 20, 70, 10, Metric::l2sq},
    {"fused, products", Method::fused, 5000, 20, 70, 10, Metric::ip},
    {"fused, no matrix units", Method::fused, 5000, 3, 70, 10, Metric::l1},
    {"bvh", Method::bvh, 1500, 3, 40, 16, Metric::l2},
    {"texel", Method::texel, 600, 9, 3, 4, Metric::l1},
    {"garcia-direct", Method::garcia_direct, 1000, 9, 40, 5, Metric::l1},
    {"garcia-gemm", Method::garcia_gemm, 1000, 9, 40, 5, Metric::l2sq},
    {"komarov", Method::komarov, 1000, 9, 40, 5, Metric::l2},
};

Recordable of_index(List& list, const IndexShape& shape) {
  const Matrix<float> rows = random_matrix(shape.rows, shape.dimensions, 1);
  const Matrix<float> queries = random_matrix(shape.queries, shape.dimensions, 2);
  IndexOptions options;
  options.method = shape.method;
  const auto index = std::make_shared<Index>(list.device(), rows.view(), options);
  const std::shared_ptr<Plan> plan = index->plan(shape.queries, shape.k, shape.metric);
  Recordable one;
  one.inputs = {bytes_of(queries)};
  one.expected = bytes_of(Index(list.reference(), rows.view()).search(queries.view(), shape.k, shape.metric));
  one.scratch_bytes = plan->scratch_bytes();
  call(one, {"queries buffer", "indices buffer", "distances buffer", "scratch buffer"});
  one.record = [index, plan](Recording& recording, std::span<const BufferView> buffers) {
    plan->record(recording, {buffers[0], buffers[3], buffers[1], buffers[2]});
  };
  return one;
}

SearchDescription describe(std::uint64_t rows, std::uint32_t dimensions, std::uint32_t queries, std::uint64_t k,
                           Metric metric) {
  SearchDescription description;
  description.metric = metric;
  description.rows = rows;
  description.dimensions = dimensions;
  description.queries = queries;
  description.k = k;
  return description;
}

// The rows are the engine's, row-major, and stay where they are.
Recordable of_engine_rows(List& list) {
  constexpr std::uint64_t rows = 1200, k = 9;
  constexpr std::uint32_t dimensions = 5, queries = 20;
  const Matrix<float> database = random_matrix(rows, dimensions, 3);
  const Matrix<float> asked = random_matrix(queries, dimensions, 4);
  const RowsSegment anywhere{row_major_rows(0, rows, dimensions), 0};
  const auto plan = std::make_shared<ScanPlan>(
      ScanPlan::make(list.device(), describe(rows, dimensions, queries, k, Metric::l2sq), {&anywhere, 1}));
  Recordable one;
  one.inputs = {bytes_of(database), bytes_of(asked)};
  one.expected = bytes_of(Index(list.reference(), database.view()).search(asked.view(), k, Metric::l2sq));
  one.scratch_bytes = plan->scratch_bytes();
  call(one, {rows_address, "queries buffer", "indices buffer", "distances buffer", "scratch buffer"});
  need(one, rows_address, 0);
  one.record = [plan](Recording& recording, std::span<const BufferView> buffers) {
    const RowsSegment segment{row_major_rows(buffers[0].address(), rows, dimensions), 0};
    plan->record(recording, {&segment, 1}, {buffers[1], buffers[4], buffers[2], buffers[3]});
  };
  return one;
}

// Two sets that search each other, from one matrix product.
Recordable of_pair(List& list) {
  constexpr std::uint64_t rows = 300, k = 6;
  constexpr std::uint32_t dimensions = 9, queries = 170;
  const Matrix<float> database = random_matrix(rows, dimensions, 5);
  const Matrix<float> asked = random_matrix(queries, dimensions, 6);
  const auto plan = std::make_shared<KomarovPairPlan>();
  *plan = KomarovPairPlan::make(list.device(), describe(rows, dimensions, queries, k, Metric::l2));
  Recordable one;
  one.inputs = {bytes_of(database), bytes_of(asked)};
  one.expected = bytes_of(Index(list.reference(), database.view()).search(asked.view(), k, Metric::l2));
  for (Bytes& of_rows : bytes_of(Index(list.reference(), asked.view()).search(database.view(), k, Metric::l2)))
    one.expected.push_back(std::move(of_rows));
  one.scratch_bytes = plan->requirements().scratch.bytes;
  call(one, {"rows buffer", "queries buffer", "indices buffer", "distances buffer", "row indices buffer",
             "row distances buffer", "scratch buffer"});
  one.record = [plan](Recording& recording, std::span<const BufferView> buffers) {
    plan->record(recording, {buffers[0], buffers[1], buffers[6], buffers[2], buffers[3], buffers[4], buffers[5]});
  };
  return one;
}

// Each point's neighbours among all points, which have moved: the boxes are made in the
// same frame. This is the k-NN graph, with each point in its own list.
// @param parts  whether hierarchy and plan are held by a caller who returns both from a function; otherwise one object
Recordable of_moving_points(List& list, bool parts, const MovingPointsOptions& options) {
  constexpr std::uint32_t rows = 1100, dimensions = 3;
  constexpr std::uint64_t k = 6;
  const SearchDescription description = describe(rows, dimensions, rows, k, Metric::l2sq);
  if (const Support support = MovingPointsPlan::supports(list.device(), description); !support)
    throw Error(ErrorCode::unsupported, "bvh", support.reason);
  const Matrix<float> points = random_matrix(rows, dimensions, 5);
  Recordable one;
  one.inputs = {bytes_of(points)};
  SearchOptions expected;
  std::vector<std::uint32_t> numbers(rows);
  std::iota(numbers.begin(), numbers.end(), 0u);
  if (options.exclude_self) expected.self = numbers;
  one.expected = bytes_of(Index(list.reference(), points.view()).search(points.view(), k, Metric::l2sq, expected));
  if (parts) {
    struct Frame {
      BoxHierarchy boxes;
      BvhPlan plan;
    };
    const auto make = [&] {
      Frame frame;
      frame.boxes = BoxHierarchy(list.device(), rows, dimensions);
      frame.plan = BvhPlan::make(list.device(), description, frame.boxes, row_major_rows(0, rows, dimensions));
      return frame;
    };
    std::vector<Frame> moved;
    moved.push_back(make());
    const auto frame = std::make_shared<Frame>(std::move(moved.front()));
    moved.clear();
    one.scratch_bytes = std::max(frame->boxes.scratch_bytes(), frame->plan.scratch_bytes());
    one.record = [frame](Recording& recording, std::span<const BufferView> buffers) {
      const passes::Rows layout = row_major_rows(buffers[0].address(), rows, dimensions);
      frame->boxes.record(recording, layout, buffers[3]);
      frame->plan.record(recording, layout, {buffers[0], buffers[3], buffers[1], buffers[2]});
    };
    return one;
  }
  const auto plan = std::make_shared<MovingPointsPlan>();
  *plan = MovingPointsPlan::make(list.device(), description, options);
  one.scratch_bytes = plan->requirements().others.scratch.bytes;
  call(one, {"points buffer", "indices buffer", "distances buffer", "scratch buffer"});
  one.record = [plan](Recording& recording, std::span<const BufferView> buffers) {
    plan->record(recording, {buffers[0], buffers[1], buffers[2], buffers[3]});
  };
  return one;
}

// The number of queries is in a buffer of the engine's; results past it stay as they are.
Recordable of_counted_queries(List& list, bool boxes, std::uint32_t there) {
  constexpr std::uint32_t rows = 1300, dimensions = 4, most = 50;
  constexpr std::uint64_t k = 8;
  const Matrix<float> database = random_matrix(rows, dimensions, 9);
  Matrix<float> asked = random_matrix(most, dimensions, 10);
  SearchDescription description = describe(rows, dimensions, most, k, Metric::l2);
  description.counted = true;
  const passes::Rows anywhere = row_major_rows(0, rows, dimensions);
  struct Plans {
    MovingPointsPlan bvh;
    ScanPlan scan;
  };
  const auto plans = std::make_shared<Plans>();
  Recordable one;
  if (boxes) {
    if (const Support support = MovingPointsPlan::supports(list.device(), description); !support)
      throw Error(ErrorCode::unsupported, "bvh", support.reason);
    MovingPointsOptions options;
    options.own_scratch = false;
    plans->bvh = MovingPointsPlan::make(list.device(), description, options);
    one.scratch_bytes = plans->bvh.scratch_bytes();
  } else {
    const RowsSegment segment{anywhere, 0};
    plans->scan = ScanPlan::make(list.device(), description, {&segment, 1});
    one.scratch_bytes = plans->scan.scratch_bytes();
  }
  one.inputs = {bytes_of(database), bytes_of(asked), bytes_of(&there, 1)};
  one.expected = bytes_of(Index(list.reference(), database.view()).search(asked.view(), k, Metric::l2));
  forget_past(one, std::uint64_t{std::min(there, most)} * k);
  call(one, {boxes ? "points buffer" : rows_address, "queries buffer", "count buffer", "indices buffer",
             "distances buffer", "scratch buffer"});
  need(one, rows_address, 0);
  if (boxes) one.roles[1].optional = true;  // without queries the points ask themselves
  one.record = [plans](Recording& recording, std::span<const BufferView> buffers) {
    if (plans->scan.empty()) {
      MovingPointsBuffers search{buffers[0], buffers[3], buffers[4], buffers[5], buffers[1]};
      search.count = buffers[2];
      return plans->bvh.record(recording, search);
    }
    SearchBuffers search{buffers[1], buffers[5], buffers[3], buffers[4]};
    search.count = buffers[2];
    const RowsSegment segment{row_major_rows(buffers[0].address(), rows, dimensions), 0};
    plans->scan.record(recording, {&segment, 1}, search);
  };
  return one;
}

// The same of an index that answers by thresholds, more queries than a workgroup has.
Recordable of_counted_fused(List& list, const IndexShape& shape, std::uint32_t there) {
  const Matrix<float> rows = random_matrix(shape.rows, shape.dimensions, 1);
  const Matrix<float> queries = random_matrix(shape.queries, shape.dimensions, 2);
  IndexOptions options;
  options.method = shape.method;
  const auto index = std::make_shared<Index>(list.device(), rows.view(), options);
  PlanOptions counted;
  counted.counted = true;
  const std::shared_ptr<Plan> plan = index->plan(shape.queries, shape.k, shape.metric, counted);
  Recordable one;
  one.inputs = {bytes_of(queries), bytes_of(&there, 1)};
  one.expected = bytes_of(Index(list.reference(), rows.view()).search(queries.view(), shape.k, shape.metric));
  forget_past(one, std::uint64_t{std::min(there, shape.queries)} * shape.k);
  one.scratch_bytes = plan->scratch_bytes();
  call(one, {"queries buffer", "count buffer", "indices buffer", "distances buffer", "scratch buffer"});
  one.record = [index, plan](Recording& recording, std::span<const BufferView> buffers) {
    SearchBuffers search{buffers[0], buffers[4], buffers[2], buffers[3]};
    search.count = buffers[1];
    plan->record(recording, search);
  };
  return one;
}

constexpr IndexShape counted_shapes[] = {
    {"fused", Method::fused, 3000, 20, 300, 10, Metric::l2sq},
    {"fused, no matrix units", Method::fused, 3000, 3, 300, 10, Metric::l1},
};

}  // namespace

void add_rows(List& list) {
  for (const IndexShape& shape : index_shapes) list.add(shape.name, [&] { return of_index(list, shape); });
  list.add("scan over the engine's rows", [&] { return of_engine_rows(list); });
  list.add("two sets that search each other", [&] { return of_pair(list); });
  list.add("boxes and graph of moving points", [&] { return of_moving_points(list, true, {}); });
  list.add("moving points", [&] { return of_moving_points(list, false, {}); });
  list.add("moving points, the caller's scratch memory",
           [&] { return of_moving_points(list, false, {.own_scratch = false}); });
  list.add("moving points without themselves",
           [&] { return of_moving_points(list, false, {.own_scratch = false, .exclude_self = true}); });
  for (const std::uint32_t there : {0u, 13u, 1000u}) {
    const std::string name = ", queries counted by the device: " + std::to_string(there);
    list.add("scan" + name, [&] { return of_counted_queries(list, false, there); });
    list.add("bvh" + name, [&] { return of_counted_queries(list, true, there); });
  }
  for (const IndexShape& shape : counted_shapes)
    for (const std::uint32_t there : {0u, 13u, 140u, 1000u})
      list.add(shape.name + (", queries counted by the device: " + std::to_string(there)),
               [&] { return of_counted_fused(list, shape, there); });
}

}  // namespace recordable
