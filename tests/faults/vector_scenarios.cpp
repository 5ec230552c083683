#include <algorithm>
#include <cstring>

#include "index_scenarios.hpp"
#include "proxel/graph.hpp"
#include "proxel/index.hpp"
#include "proxel/vector_permutation.hpp"
#include "samples.hpp"
#include "scenarios.hpp"

namespace proxel::faults {
namespace {

constexpr std::uint64_t rows = 300, more = 90, queries = 5, k = 3;
constexpr std::uint32_t dimensions = 6;

const Matrix<float>& database() {
  static const Matrix<float> values = integers(rows + more, dimensions, 1);
  return values;
}
const Matrix<float>& asked() {
  static const Matrix<float> values = integers(queries, dimensions, 2);
  return values;
}

// Every third row.
std::vector<std::uint32_t> some_rows() {
  std::vector<std::uint32_t> numbers(rows / 3);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = 3 * i + 1;
  return numbers;
}

auto maker(Device& device, IndexOptions options) {
  return [&device, options] { return std::make_shared<Index>(device, database().view().slice(0, rows), options); };
}

auto nearest(Metric metric, SearchOptions options = {}) {
  return [=](Index& index) { return index.search(asked().view(), k, metric, options); };
}

Neighbors recorded(Device& device, Index& index) {
  const auto plan = index.plan(queries, k, Metric::l2);
  const auto given = device.create_buffer(queries * dimensions * 4, MemoryKind::upload);
  std::memcpy(given->mapped(), asked().data(), given->bytes());
  const auto scratch = device.create_buffer(plan->scratch_bytes(), MemoryKind::device);
  const auto indices = device.create_buffer(queries * k * 4, MemoryKind::readback);
  const auto distances = device.create_buffer(queries * k * 4, MemoryKind::readback);
  const auto commands = device.create_commands(Timing::passes);
  commands->begin();
  plan->record(*commands, {*given, *scratch, *indices, *distances});
  commands->end();
  device.submit(*commands);
  device.wait();
  Neighbors found{Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)};
  std::memcpy(found.indices.data(), indices->mapped(), indices->bytes());
  std::memcpy(found.distances.data(), distances->mapped(), distances->bytes());
  return found;
}

// Queries that are no integers.
Neighbors search_between(Index& index) {
  const Matrix<float>& whole = asked();
  Matrix<float> between(whole.rows(), whole.columns());
  std::transform(whole.data(), whole.data() + whole.rows() * whole.columns(), between.data(),
                 [](float value) { return value + 0.5f; });
  return index.search(between.view(), k, Metric::l2);
}

void add_methods(std::vector<Scenario>& all, Device& device) {
  // First, so that what takes the place of integers where memory ends is there when it does.
  if (const auto make = maker(device, {.method = Method::fused}); make()->supports(Metric::l2, k))
    all.push_back(asking("search, fused, by halves", make, search_between));
  for (const Method method : {Method::scan, Method::fused, Method::bvh, Method::texel, Method::garcia_direct,
                              Method::garcia_gemm, Method::komarov}) {
    const auto make = maker(device, {.method = method});
    if (!make()->supports(Metric::l2, k)) continue;
    const std::string name(to_string(method));
    all.push_back(making("make an index, " + name, make, nearest(Metric::l2)));
    all.push_back(asking("search, " + name, make, nearest(Metric::l2)));
  }
  const auto make = maker(device, {});
  all.push_back(
      asking("search, automatic, every pass timed", maker(device, {.timing = Timing::passes}), nearest(Metric::l1)));
  all.push_back(asking("search, cosine", make, nearest(Metric::cosine)));
}

void add_ways(std::vector<Scenario>& all, Device& device) {
  const auto make = maker(device, {});
  static const Matrix<std::uint32_t> filter = [] {
    Matrix<std::uint32_t> words(1, filter_words(rows));
    std::fill_n(words.data(), words.columns(), 0x5A5A5A5Au);
    return words;
  }();
  all.push_back(asking("search, filtered", make, nearest(Metric::l2, {.filter = filter.view()})));
  static Neighbors page;
  page = make()->search(asked().view(), k, Metric::l2);
  all.push_back(asking("search, a second page", make, nearest(Metric::l2, {.after = &page})));
  all.push_back(asking("search for rows of the index", make,
                       [](Index& index) { return index.search_rows(7, queries, k, Metric::l2); }));
  all.push_back(asking("search within a radius", make,
                       [](Index& index) { return index.range_search(asked().view(), 150, Metric::l2); }));
  all.push_back(asking("k-NN graph", make, [](Index& index) { return knn_graph(index, k, Metric::l2); }));
  all.push_back(asking("a search that is planned and recorded", make,
                       [&device](Index& index) { return recorded(device, index); }));
  // Two tiles of 128 rows.
  const auto streamed = maker(device, {.memory_limit = 2 * 128 * dimensions * 4});
  all.push_back(making("make an index, streamed", streamed, nearest(Metric::l2)));
  all.push_back(asking("search, streamed", streamed, nearest(Metric::l2)));
  const auto narrow = maker(device, {.storage = ElementType::uint8});
  all.push_back(making("make an index, uint8", narrow, nearest(Metric::l2)));
  all.push_back(asking("search, uint8", narrow, nearest(Metric::l2)));
}

void add_changes(std::vector<Scenario>& all, Device& device) {
  const auto cosine = [](Index& index) { return index.search(asked().view(), k, Metric::cosine); };
  const auto remove = [](Index& index) { index.remove(some_rows()); };
  for (const Method method : {Method::automatic, Method::fused, Method::bvh}) {
    const auto make = maker(device, {.method = method});
    if (!make()->supports(Metric::l2, k)) continue;
    all.push_back(changing("add rows, " + std::string(to_string(method)), make,
                           [](Index& index) { index.add(database().view().slice(rows, more)); }, nearest(Metric::l2)));
  }
  all.push_back(changing("add rows, cosine", maker(device, {}),
                         [](Index& index) { index.add(database().view().slice(rows, more)); }, cosine));
  all.push_back(changing("remove rows", maker(device, {}), remove, nearest(Metric::l2)));
  // With room beside the rows, and with none.
  for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{3} * 128 * dimensions * 4}) {
    const auto make = [=, make = maker(device, {.memory_limit = limit})] {
      const auto index = make();
      index->remove(some_rows());
      return index;
    };
    const auto compact = [](Index& index) { index.compact(); };
    const auto finish = [](Index& index) {
      if (index.supports(Metric::cosine, k)) return;
      expect(index.supports(Metric::cosine, k).reason.find("compact()") != std::string::npos,
             "does not say how it is mended");
      index.compact();
    };
    all.push_back(changing(limit == 0 ? "compact" : "compact in place", make, compact, cosine, finish));
  }
}

void add_permutations(std::vector<Scenario>& all, Device& device) {
  const auto make = [&device] {
    PermutationOptions options;
    options.permutants = 8;
    return std::make_shared<VectorPermutationIndex>(device, database().view(), Metric::cosine, options);
  };
  const auto search = [](VectorPermutationIndex& index) { return index.search(asked().view(), k, 0.3); };
  all.push_back(making("make a permutation index of vectors", make, search));
  all.push_back(asking("search a permutation index of vectors", make, search));
  all.push_back(asking("search a permutation index of vectors within a radius", make,
                       [](VectorPermutationIndex& index) { return index.range_search(asked().view(), 0.1f, 0.3); }));
}

}  // namespace

std::vector<Scenario> vector_scenarios(Device& device) {
  std::vector<Scenario> all;
  add_methods(all, device);
  add_ways(all, device);
  add_changes(all, device);
  add_permutations(all, device);
  return all;
}

}  // namespace proxel::faults
