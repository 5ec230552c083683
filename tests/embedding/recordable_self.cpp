// Rows of an index that ask for their neighbours among the others.
#include <memory>
#include <numeric>

#include "recordable_parts.hpp"

namespace recordable {
namespace {

struct Shape {
  const char* name;
  Method method;
  std::uint64_t rows;
  std::uint32_t dimensions, queries;
  std::uint64_t k;
  Metric metric;
};

constexpr Shape shapes[] = {
    {"scan", Method::scan, 1500, 13, 40, 7, Metric::l2},
    {"fused", Method::fused, 5000, 20, 70, 10, Metric::l2sq},
    {"bvh", Method::bvh, 1500, 3, 140, 1, Metric::l1},
    {"texel", Method::texel, 600, 9, 3, 4, Metric::l1},
    {"scan, normalised", Method::scan, 1500, 13, 5, 130, Metric::cosine},
};

// The first rows ask, and do not find themselves; results past those that are there stay as they are.
// @param there  as the device counts them
Recordable of_rows_without_themselves(List& list, const Shape& shape, std::uint32_t there) {
  const Matrix<float> rows = random_matrix(shape.rows, shape.dimensions, 1);
  IndexOptions options;
  options.method = shape.method;
  const auto index = std::make_shared<Index>(list.device(), rows.view(), options);
  const bool counted = there < shape.queries;
  PlanOptions with;
  with.exclude_self = true;
  with.counted = counted;
  const std::shared_ptr<Plan> plan = index->plan(shape.queries, shape.k, shape.metric, with);
  std::vector<std::uint32_t> self(shape.queries);
  std::iota(self.begin(), self.end(), 0u);
  const MatrixView<float> asked = rows.view().slice(0, shape.queries);
  SearchOptions expected;
  expected.self = self;
  Recordable one;
  one.inputs = {bytes_of(asked.data, shape.queries * shape.dimensions), bytes_of(self.data(), self.size())};
  one.expected = bytes_of(Index(list.reference(), rows.view()).search(asked, shape.k, shape.metric, expected));
  one.scratch_bytes = plan->scratch_bytes();
  if (counted) {
    forget_past(one, there * shape.k);
    one.inputs.push_back(bytes_of(&there, 1));
    call(one,
         {"queries buffer", "self buffer", "count buffer", "indices buffer", "distances buffer", "scratch buffer"});
  } else {
    call(one, {"queries buffer", "self buffer", "indices buffer", "distances buffer", "scratch buffer"});
  }
  one.record = [index, plan, counted](Recording& recording, std::span<const BufferView> buffers) {
    const std::size_t results = counted ? 3 : 2;
    SearchBuffers search{buffers[0], buffers[results + 2], buffers[results], buffers[results + 1]};
    search.self = buffers[1];
    if (counted) search.count = buffers[2];
    plan->record(recording, search);
  };
  return one;
}

}  // namespace

void add_rows_without_themselves(List& list) {
  for (const Shape& shape : shapes)
    list.add(shape.name + std::string(", without themselves"),
             [&] { return of_rows_without_themselves(list, shape, shape.queries); });
  for (const std::uint32_t there : {0u, 13u})
    list.add("fused, without themselves, queries counted by the device: " + std::to_string(there),
             [&] { return of_rows_without_themselves(list, shapes[1], there); });
}

}  // namespace recordable
