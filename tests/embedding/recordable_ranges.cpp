// Rows within a radius.
#include <cstring>
#include <memory>

#include "proxel/range.hpp"
#include "recordable_parts.hpp"

namespace recordable {
namespace {

Recordable of_range(List& list) {
  constexpr std::uint64_t rows = 1200;
  constexpr std::uint32_t dimensions = 4, queries = 15;
  const Matrix<float> database = random_matrix(rows, dimensions, 6);
  const Matrix<float> asked = random_matrix(queries, dimensions, 7);
  const RowsSegment anywhere{row_major_rows(0, rows, dimensions), 0};
  RangeDescription description;
  description.metric = Metric::l2;
  description.rows = rows;
  description.dimensions = dimensions;
  description.queries = queries;
  description.radius = 1;
  const auto plan = std::make_shared<RangePlan>(RangePlan::make(list.device(), description, {&anywhere, 1}));
  const RangeNeighbors found =
      Index(list.reference(), database.view()).range_search(asked.view(), description.radius, description.metric);
  Recordable one;
  one.inputs = {bytes_of(database), bytes_of(asked)};
  one.expected = bytes_of(found);
  one.scratch_bytes = plan->scratch_bytes();
  call(one, {rows_address, "queries buffer", "offsets buffer", "indices buffer", "distances buffer", "scratch buffer"});
  need(one, rows_address, 0);
  need_a_slot(one);
  one.record = [plan](Recording& recording, std::span<const BufferView> buffers) {
    const RowsSegment segment{row_major_rows(buffers[0].address(), rows, dimensions), 0};
    SearchBuffers range{buffers[1], buffers[5], buffers[3], buffers[4]};
    range.offsets = buffers[2];
    plan->record(recording, {&segment, 1}, range);
  };
  return one;
}

struct RangeShape {
  const char* name;
  Method method;
  std::uint32_t queries;
  Metric metric;
  float radius;
  bool removed = false;  // a third of the rows
  bool halves = false;
};

constexpr RangeShape range_shapes[] = {
    {"rows of an index within a radius", Method::automatic, 15, Metric::l2, 1},
    {"rows of an index within a radius, few queries", Method::scan, 2, Metric::linf, 0.5f},
    {"rows of an index within a radius, products", Method::scan, 70, Metric::ip, 3},
    {"rows of an index within a radius, normalised", Method::scan, 15, Metric::cosine, 0.2f},
    {"rows of an index within a radius, some removed", Method::scan, 15, Metric::l1, 2, true},
    {"rows of an index within a radius, in halves", Method::scan, 15, Metric::pearson, 0.2f, true, true},
};

Recordable of_index_range(List& list, const RangeShape& shape) {
  constexpr std::uint64_t rows = 1200;
  constexpr std::uint32_t dimensions = 4;
  const Matrix<float> database = random_matrix(rows, dimensions, 17);
  const Matrix<float> asked = random_matrix(shape.queries, dimensions, 18);
  const auto index = std::make_shared<Index>(list.device(), database.view(), IndexOptions{.method = shape.method});
  Index reference(list.reference(), database.view());
  if (shape.removed) {
    std::vector<std::uint32_t> gone;
    for (std::uint32_t row = 0; row < rows; row += 3) gone.push_back(row);
    index->remove(gone);
    reference.remove(gone);
  }
  return of_planned_range(index, index->plan_range(shape.queries, shape.radius, shape.metric), asked,
                          reference.range_search(asked.view(), shape.radius, shape.metric), shape.halves);
}

// There is room for the first of the queries alone, and no slot more.
Recordable of_little_room(List& list) {
  Recordable one = of_index_range(list, range_shapes[0]);
  std::uint64_t matches = 0;  // of the queries before
  std::memcpy(&matches, one.expected[0].data() + range_shapes[0].queries / 2 * sizeof matches, sizeof matches);
  for (const std::size_t result : {1, 2}) one.expected[result].resize(matches * 4);
  return one;
}

}  // namespace

void add_ranges(List& list) {
  list.add("range", [&] { return of_range(list); });
  for (const RangeShape& shape : range_shapes) list.add(shape.name, [&] { return of_index_range(list, shape); });
  list.add("rows of an index within a radius, little room", [&] { return of_little_room(list); });
}

}  // namespace recordable
