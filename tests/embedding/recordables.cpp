#include "recordables.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <random>

#include "proxel/bvh.hpp"
#include "proxel/index.hpp"
#include "proxel/moving_points.hpp"
#include "proxel/permutation.hpp"
#include "proxel/range.hpp"
#include "proxel/selection.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/strings.hpp"
#include "proxel/vector_permutation.hpp"

using namespace proxel;

namespace {

using Bytes = std::vector<std::byte>;

template <typename T>
Bytes bytes_of(const T* values, std::uint64_t count) {
  Bytes bytes(count * sizeof(T));
  std::memcpy(bytes.data(), values, bytes.size());
  return bytes;
}
Bytes bytes_of(const Matrix<float>& matrix) { return bytes_of(matrix.data(), matrix.rows() * matrix.columns()); }
std::vector<Bytes> bytes_of(const Neighbors& found) {
  const std::uint64_t count = found.indices.rows() * found.indices.columns();
  return {bytes_of(found.indices.data(), count), bytes_of(found.distances.data(), count)};
}
std::vector<Bytes> bytes_of(const RangeNeighbors& found) {
  return {bytes_of(found.offsets.data(), found.offsets.size()), bytes_of(found.indices.data(), found.indices.size()),
          bytes_of(found.distances.data(), found.distances.size())};
}

Matrix<float> random_matrix(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  Matrix<float> matrix(rows, columns);
  for (std::uint64_t i = 0; i < rows * columns; ++i) matrix.data()[i] = normal(generator);
  return matrix;
}

// Says what its buffers are called, in their order, once it is complete.
void call(Recordable& one, std::initializer_list<const char*> names) {
  std::vector<std::uint64_t> bytes;
  for (const Bytes& input : one.inputs) bytes.push_back(input.size());
  for (const Bytes& result : one.expected) bytes.push_back(result.size());
  bytes.push_back(one.scratch_bytes);
  if (names.size() != bytes.size()) throw Error(ErrorCode::backend_failure, "names", "are not those of the buffers");
  for (const char* name : names) one.roles.push_back({name, bytes[one.roles.size()]});
}
// What is needed of a buffer that may be larger.
void need(Recordable& one, std::string_view name, std::uint64_t bytes) {
  for (Recordable::Role& role : one.roles)
    if (role.name == name) role.bytes = bytes;
}
// Within a radius there is room for as many as the caller likes, from one on.
void need_a_slot(Recordable& one) {
  need(one, "indices buffer", 4);
  need(one, "distances buffer", 4);
}
constexpr const char* rows_address = "rows address";

// Builds them one by one; what a device refuses keeps its reason.
class List {
 public:
  explicit List(Device& device) : device_(device), reference_(open_device("cpu:reference")) {}

  template <typename Make>
  void add(const std::string& name, const Make& make) {
    Recordable one;
    try {
      one = make();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) throw;
      one.unsupported = error.what();
    }
    for (const Bytes& result : one.expected)
      if (result.empty()) throw Error(ErrorCode::backend_failure, "expected results", "of " + name + " are none");
    one.name = name;
    list_.push_back(std::move(one));
  }

  Device& device() { return device_; }
  Device& reference() { return *reference_; }
  std::vector<Recordable> take() { return std::move(list_); }

 private:
  Device& device_;
  std::unique_ptr<Device> reference_;
  std::vector<Recordable> list_;
};

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

// Each point's neighbours among all points, which have moved: the boxes are made in the
// same frame. This is the k-NN graph, with each point in its own list.
// @param parts  whether hierarchy and plan are held by a caller who returns both from a function; otherwise one object
Recordable of_moving_points(List& list, bool parts, bool own_scratch) {
  constexpr std::uint32_t rows = 1100, dimensions = 3;
  constexpr std::uint64_t k = 6;
  const SearchDescription description = describe(rows, dimensions, rows, k, Metric::l2sq);
  if (const Support support = MovingPointsPlan::supports(list.device(), description); !support)
    throw Error(ErrorCode::unsupported, "bvh", support.reason);
  const Matrix<float> points = random_matrix(rows, dimensions, 5);
  Recordable one;
  one.inputs = {bytes_of(points)};
  one.expected = bytes_of(Index(list.reference(), points.view()).search(points.view(), k, Metric::l2sq));
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
  MovingPointsOptions options;
  options.own_scratch = own_scratch;
  const auto plan = std::make_shared<MovingPointsPlan>();
  *plan = MovingPointsPlan::make(list.device(), description, options);
  one.scratch_bytes = plan->requirements().others.scratch.bytes;
  call(one, {"points buffer", "indices buffer", "distances buffer", "scratch buffer"});
  one.record = [plan](Recording& recording, std::span<const BufferView> buffers) {
    plan->record(recording, {buffers[0], buffers[1], buffers[2], buffers[3]});
  };
  return one;
}

// Results past so many are expected to stay as they are.
void forget_past(Recordable& one, std::uint64_t there) {
  for (Bytes& results : one.expected)
    std::fill(results.begin() + static_cast<std::ptrdiff_t>(there * 4), results.end(), Recordable::untouched);
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

// The same of an index's rows, whatever the index.
// @param halves  whether it is recorded as two
template <typename Index>
Recordable of_planned_range(const std::shared_ptr<Index>& index, const std::shared_ptr<Plan>& plan,
                            const Matrix<float>& asked, const RangeNeighbors& expected, bool halves = false) {
  Recordable one;
  one.inputs = {bytes_of(asked)};
  one.expected = bytes_of(expected);
  one.scratch_bytes = plan->scratch_bytes();
  if (!halves) call(one, {"queries buffer", "offsets buffer", "indices buffer", "distances buffer", "scratch buffer"});
  need_a_slot(one);
  one.record = [index, plan, halves](Recording& recording, std::span<const BufferView> buffers) {
    SearchBuffers range{buffers[0], buffers[4], buffers[2], buffers[3]};
    range.offsets = buffers[1];
    if (!halves) return plan->record(recording, range);
    plan->record(recording, range, SearchPart::count);
    recording.barrier();
    plan->record(recording, range, SearchPart::fill);
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

Strings words(std::uint64_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  Strings made;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string word(1 + generator() % 40, 'a');
    for (char& letter : word) letter = static_cast<char>('a' + generator() % 6);
    made.add(word);
  }
  return made;
}

// The same of both indexes among strings. @param plan  of the device's, search: of the reference's
template <typename MakeIndex, typename Plan, typename Search>
Recordable of_words(List& list, const MakeIndex& make_index, const Plan& make_plan, const Search& search) {
  const Strings known = words(400, 11), asked = words(9, 12);
  using Index = decltype(make_index(list.device(), known));
  const auto index = std::make_shared<Index>(make_index(list.device(), known));
  const std::shared_ptr<StringPlan> plan = make_plan(*index);
  const EncodedStrings encoded = plan->encode(asked);
  Index reference = make_index(list.reference(), known);
  Recordable one;
  one.inputs = {bytes_of(encoded.symbols.data(), encoded.symbols.size()),
                bytes_of(encoded.offsets.data(), encoded.offsets.size())};
  one.expected = bytes_of(search(reference, asked));
  one.scratch_bytes = plan->scratch_bytes();
  const std::size_t results = one.expected.size();
  if (results == 3) {
    call(one, {"queries buffer", "query offsets buffer", "offsets buffer", "indices buffer", "distances buffer",
               "scratch buffer"});
    need_a_slot(one);
  } else {
    call(one, {"queries buffer", "query offsets buffer", "indices buffer", "distances buffer", "scratch buffer"});
  }
  need(one, "queries buffer", 4);
  one.record = [index, plan, results](Recording& recording, std::span<const BufferView> buffers) {
    SearchBuffers over{buffers[0], buffers[results + 2], buffers[results], buffers[results + 1]};
    over.query_offsets = buffers[1];
    if (results == 3) over.offsets = buffers[2];
    plan->record(recording, over);
  };
  return one;
}

constexpr std::uint32_t word_queries = 9, longest_word = 40;
constexpr std::uint64_t word_neighbors = 5;
constexpr double word_fraction = 0.3;
constexpr float word_radius = 9;

Recordable of_strings(List& list) {
  return of_words(list, [](Device& device, const Strings& known) { return StringIndex(device, known); },
                  [](StringIndex& index) { return index.plan(word_queries, longest_word, word_neighbors); },
                  [](StringIndex& index, const Strings& asked) { return index.search(asked, word_neighbors); });
}

Recordable of_near_strings(List& list) {
  return of_words(list, [](Device& device, const Strings& known) { return StringIndex(device, known); },
                  [](StringIndex& index) { return index.plan_range(word_queries, longest_word, word_radius); },
                  [](StringIndex& index, const Strings& asked) { return index.range_search(asked, word_radius); });
}

Recordable of_near_permutations(List& list) {
  return of_words(list, [](Device& device, const Strings& known) { return PermutationIndex(device, known); },
                  [](PermutationIndex& index) {
    return index.plan_range(word_queries, longest_word, word_radius, word_fraction);
  }, [](PermutationIndex& index, const Strings& asked) {
    return index.range_search(asked, word_radius, word_fraction);
  });
}

Recordable of_permutations(List& list) {
  return of_words(list, [](Device& device, const Strings& known) { return PermutationIndex(device, known); },
                  [](PermutationIndex& index) {
    return index.plan(word_queries, longest_word, word_neighbors, word_fraction);
  }, [](PermutationIndex& index, const Strings& asked) { return index.search(asked, word_neighbors, word_fraction); });
}

Recordable of_vector_permutations(List& list, Metric metric) {
  constexpr std::uint64_t rows = 700, k = 6;
  constexpr std::uint32_t dimensions = 7, queries = 33;
  constexpr double fraction = 0.2;
  const Matrix<float> database = random_matrix(rows, dimensions, 15), asked = random_matrix(queries, dimensions, 16);
  const auto index = std::make_shared<VectorPermutationIndex>(list.device(), database.view(), metric);
  const std::shared_ptr<Plan> plan = index->plan(queries, k, fraction);
  Recordable one;
  one.inputs = {bytes_of(asked)};
  one.expected =
      bytes_of(VectorPermutationIndex(list.reference(), database.view(), metric).search(asked.view(), k, fraction));
  one.scratch_bytes = plan->scratch_bytes();
  call(one, {"queries buffer", "indices buffer", "distances buffer", "scratch buffer"});
  one.record = [index, plan](Recording& recording, std::span<const BufferView> buffers) {
    plan->record(recording, {buffers[0], buffers[3], buffers[1], buffers[2]});
  };
  return one;
}

// @param radius  that a few of the candidates are within
Recordable of_near_vector_permutations(List& list, Metric metric, float radius) {
  constexpr std::uint64_t rows = 700;
  constexpr std::uint32_t dimensions = 7, queries = 33;
  constexpr double fraction = 0.2;
  const Matrix<float> database = random_matrix(rows, dimensions, 15), asked = random_matrix(queries, dimensions, 16);
  const auto index = std::make_shared<VectorPermutationIndex>(list.device(), database.view(), metric);
  VectorPermutationIndex reference(list.reference(), database.view(), metric);
  return of_planned_range(index, index->plan_range(queries, radius, fraction), asked,
                          reference.range_search(asked.view(), radius, fraction));
}

constexpr std::uint32_t signature_queries = 17, signature_length = 30;

Signatures signatures(std::uint64_t count, std::uint32_t seed) {
  constexpr std::uint32_t dimensions = 5;
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> weight(0.1f, 1.0f);
  Signatures made(dimensions);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::vector<float> weights(1 + generator() % signature_length), centroids(weights.size() * dimensions);
    for (float& value : weights) value = weight(generator);
    for (float& value : centroids) value = normal(generator);
    made.add(centroids, weights);
  }
  return made;
}

// The same of all searches among signatures.
// @param plan  of the device's index; search: results of the reference's, as bytes
template <typename Plan, typename Search>
Recordable of_signatures(List& list, SignatureMethod method, const Plan& make_plan, const Search& search) {
  const Signatures known = signatures(300, 13), asked = signatures(signature_queries, 14);
  SignatureIndexOptions options;
  options.method = method;
  const auto index = std::make_shared<SignatureIndex>(list.device(), known, options);
  const std::shared_ptr<SignaturePlan> plan = make_plan(*index);
  if (plan->method() != method)
    throw Error(ErrorCode::backend_failure, "signatures", "another method was planned than asked for");
  SignatureIndex reference(list.reference(), known);
  Recordable one;
  one.inputs = {Bytes(plan->layout().bytes)};
  plan->pack(asked, one.inputs.front());
  one.expected = search(reference, asked);
  one.scratch_bytes = plan->requirements().scratch.bytes;
  const std::size_t results = one.expected.size();
  if (results == 3) {
    call(one, {"queries buffer", "offsets buffer", "indices buffer", "distances buffer", "scratch buffer"});
    need_a_slot(one);
  } else if (results == 2) {
    call(one, {"queries buffer", "indices buffer", "distances buffer", "scratch buffer"});
  } else {
    call(one, {"queries buffer", "distances buffer", "scratch buffer"});
  }
  one.record = [index, plan, results](Recording& recording, std::span<const BufferView> buffers) {
    SearchBuffers over{buffers[0], buffers[results + 1], {}, {}};
    over.distances = buffers[results];
    if (results >= 2) over.indices = buffers[results - 1];
    if (results == 3) over.offsets = buffers[1];
    plan->record(recording, over);
  };
  return one;
}

Recordable of_nearest_signatures(List& list, SignatureMethod method) {
  constexpr std::uint64_t k = 6;
  return of_signatures(list, method, [](SignatureIndex& index) {
    return index.plan(signature_queries, signature_length, k);
  }, [](SignatureIndex& index, const Signatures& asked) { return bytes_of(index.search(asked, k)); });
}

Recordable of_near_signatures(List& list, SignatureMethod method) {
  constexpr float radius = 0.8f;
  return of_signatures(list, method, [](SignatureIndex& index) {
    return index.plan_range(signature_queries, signature_length, radius);
  }, [](SignatureIndex& index, const Signatures& asked) { return bytes_of(index.range_search(asked, radius)); });
}

Recordable of_signature_distances(List& list) {
  return of_signatures(list, SignatureMethod::canonical, [](SignatureIndex& index) {
    return index.plan_distances(signature_queries, signature_length);
  }, [](SignatureIndex& index, const Signatures& asked) {
    return std::vector<Bytes>{bytes_of(index.distances(asked).values)};
  });
}

Recordable of_selection(List& list, SelectionMethod method) {
  constexpr std::uint64_t rows = 3, columns = 2500, k = 20;
  const Matrix<float> values = random_matrix(rows, columns, 8);
  SelectionDescription description;
  description.rows = rows;
  description.columns = columns;
  description.k = k;
  description.method = method;
  const auto plan = std::make_shared<SelectionPlan>(SelectionPlan::make(list.device(), description));
  Neighbors nearest{Matrix<std::uint32_t>(rows, k), Matrix<float>(rows, k)};
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::vector<std::pair<float, std::uint32_t>> order;
    for (std::uint32_t column = 0; column < columns; ++column)
      order.emplace_back(values.data()[row * columns + column], column);
    std::sort(order.begin(), order.end());
    for (std::uint64_t i = 0; i < k; ++i) {
      nearest.distances.data()[row * k + i] = order[i].first;
      nearest.indices.data()[row * k + i] = order[i].second;
    }
  }
  Recordable one;
  one.inputs = {bytes_of(values)};
  one.expected = bytes_of(nearest);
  one.scratch_bytes = plan->scratch_bytes();
  call(one, {"values buffer", "indices buffer", "selected buffer", "scratch buffer"});
  one.record = [plan](Recording& recording, std::span<const BufferView> buffers) {
    plan->record(recording, {buffers[0], {}, buffers[3], buffers[1], buffers[2]});
  };
  return one;
}

}  // namespace

std::vector<Recordable> recordables(Device& device) {
  List list(device);
  for (const IndexShape& shape : index_shapes) list.add(shape.name, [&] { return of_index(list, shape); });
  list.add("scan over the engine's rows", [&] { return of_engine_rows(list); });
  list.add("boxes and graph of moving points", [&] { return of_moving_points(list, true, false); });
  list.add("moving points", [&] { return of_moving_points(list, false, true); });
  list.add("moving points, the caller's scratch memory", [&] { return of_moving_points(list, false, false); });
  for (const std::uint32_t there : {0u, 13u, 1000u}) {
    const std::string name = ", queries counted by the device: " + std::to_string(there);
    list.add("scan" + name, [&] { return of_counted_queries(list, false, there); });
    list.add("bvh" + name, [&] { return of_counted_queries(list, true, there); });
  }
  for (const IndexShape& shape : counted_shapes)
    for (const std::uint32_t there : {0u, 13u, 140u, 1000u})
      list.add(shape.name + (", queries counted by the device: " + std::to_string(there)),
               [&] { return of_counted_fused(list, shape, there); });
  list.add("strings", [&] { return of_strings(list); });
  list.add("permutations of strings", [&] { return of_permutations(list); });
  list.add("strings within a radius", [&] { return of_near_strings(list); });
  list.add("permutations of strings within a radius", [&] { return of_near_permutations(list); });
  for (const Metric metric : {Metric::l1, Metric::cosine})
    list.add("permutations of vectors, " + std::string(to_string(metric)),
             [&] { return of_vector_permutations(list, metric); });
  for (const SignatureMethod method :
       {SignatureMethod::canonical, SignatureMethod::screened, SignatureMethod::filtered}) {
    const std::string name = ", " + std::string(to_string(method));
    list.add("signatures" + name, [&] { return of_nearest_signatures(list, method); });
    list.add("signatures in a radius" + name, [&] { return of_near_signatures(list, method); });
  }
  list.add("distances of signatures", [&] { return of_signature_distances(list); });
  list.add("permutations of vectors within a radius, l1",
           [&] { return of_near_vector_permutations(list, Metric::l1, 6); });
  list.add("permutations of vectors within a radius, pearson",
           [&] { return of_near_vector_permutations(list, Metric::pearson, 0.3f); });
  list.add("range", [&] { return of_range(list); });
  for (const RangeShape& shape : range_shapes) list.add(shape.name, [&] { return of_index_range(list, shape); });
  list.add("rows of an index within a radius, little room", [&] { return of_little_room(list); });
  for (const SelectionMethod method : {SelectionMethod::streaming, SelectionMethod::threshold,
                                       SelectionMethod::radix_sort, SelectionMethod::quick_multi_select_subgroup,
                                       SelectionMethod::quick_multi_select_workgroup, SelectionMethod::quick_sort})
    list.add("selection, " + std::string(to_string(method)), [&] { return of_selection(list, method); });
  return list.take();
}
