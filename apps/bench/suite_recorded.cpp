// Searches that an index plans and their caller records: fused, with and without a number of queries that the
// device alone knows, and searches within a radius beside range_search() of the same index.

#include <algorithm>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "bench/knn_check.hpp"
#include "bench/made_data.hpp"
#include "bench/recorded_search.hpp"
#include "bench/suite.hpp"
#include "format.hpp"
#include "made_words.hpp"
#include "proxel/permutation.hpp"
#include "proxel/vector_permutation.hpp"

namespace proxel::tool {
namespace {

struct Sizes {
  Shape counted;  // queries: planned for so many
  std::vector<std::uint32_t> counts;
  std::uint64_t k;
  Shape near;
  std::uint64_t words;
  std::uint32_t word_queries;
};

BenchRow row_of(const std::string& name, std::string_view metric, const Shape& shape, std::uint64_t k,
                const Timed& times, std::string remark) {
  return {"recorded",      name,         std::string(metric), shape.rows, shape.queries, shape.dimensions, k,
          times.median_ms, times.min_ms, std::move(remark),   {}};
}

// The same plan whatever the device counts, beside one for just as many queries.
void measure_counted(Device& device, const Sizes& sizes, const BenchOptions& options, Recorder& recorder,
                     ProgressBar& bar) {
  const Shape& shape = sizes.counted;
  const std::string& id = device.info().id;
  const Matrix<float> data = normal_matrix(shape.rows, shape.dimensions, options.seed);
  const Matrix<float> queries = normal_matrix(shape.queries, shape.dimensions, options.seed + 1);
  Index index(device, data.view(), {.method = Method::fused}, bar.callback());
  const auto count = device.create_buffer(4, MemoryKind::upload),
             near_count = device.create_buffer(4, MemoryKind::device);
  const auto counted = index.plan(shape.queries, sizes.k, Metric::l2sq, {.counted = true});
  RecordedSearch of_counted(device, shape, sizes.k, queries.view(), 1, counted->scratch_bytes(),
                            [&](Recording& recording, std::uint32_t, const SearchBuffers& buffers) {
    SearchBuffers with_count = buffers;
    with_count.count = *near_count;
    counted->record(recording, with_count);
  });
  for (const std::uint32_t there : sizes.counts) {
    std::memcpy(count->mapped(), &there, sizeof there);
    const auto set = device.create_commands(Timing::none);
    set->begin();
    set->copy(*count, *near_count);
    set->end();
    host_milliseconds(device, *set);
    Shape own = shape;
    own.queries = there;
    const Neighbors found = of_counted.answers(0);
    recorder.add(row_of("fused_counted_" + id, "l2sq", own, sizes.k, of_counted.compute(options.patience),
                        fmt::format("planned for {} queries", with_separators(shape.queries))));
    if (there == 0) continue;
    const auto plan = index.plan(there, sizes.k, Metric::l2sq);
    RecordedSearch search(
        device, own, sizes.k, queries.view().slice(0, there), 1, plan->scratch_bytes(),
        [&](Recording& recording, std::uint32_t, const SearchBuffers& buffers) { plan->record(recording, buffers); });
    const Neighbors expected = search.answers(0);
    if (const auto difference = check_sample(expected, spread_sample(there, there), found, shape.rows))
      recorder.difference(fmt::format("{}: {} counted queries, beside a plan for as many: {}", id, there, *difference));
    recorder.add(row_of("fused_" + id, "l2sq", own, sizes.k, search.compute(options.patience),
                        fmt::format("planned for {} queries", with_separators(there))));
  }
}

// A planned search within a radius, and range_search() of the same index.
struct Ranged {
  std::string name, metric;
  Shape shape;
  std::uint64_t scratch_bytes = 0;
  std::vector<std::vector<std::byte>> inputs;
  std::function<void(Recording&, std::span<const BufferView> inputs, const SearchBuffers& memory)> record;
  std::function<RangeNeighbors()> search;
};

template <typename T>
std::vector<std::byte> bytes_of(const T* values, std::uint64_t count) {
  std::vector<std::byte> bytes(count * sizeof(T));
  std::memcpy(bytes.data(), values, bytes.size());
  return bytes;
}

// Memory that the device uses, with what the host reads or writes of it.
class Staged {
 public:
  Staged(Device& device, std::uint64_t bytes, MemoryKind host)
      : near_(device.create_buffer(bytes, MemoryKind::device)), far_(device.create_buffer(bytes, host)) {}
  void record_upload(Recording& recording) const { recording.copy(*far_, *near_); }
  void record_download(Recording& recording) const { recording.copy(*near_, *far_); }
  BufferView near() const { return *near_; }
  void* mapped() const { return far_->mapped(); }

 private:
  std::unique_ptr<Buffer> near_, far_;
};

void measure_range(Device& device, const Ranged& one, const BenchOptions& options, Recorder& recorder) {
  const std::string& id = device.info().id;
  const RangeNeighbors expected = one.search();
  const std::uint64_t matches = expected.indices.size();
  std::vector<Staged> inputs;
  std::vector<BufferView> views;
  for (const auto& input : one.inputs) {
    inputs.emplace_back(device, input.size(), MemoryKind::upload);
    std::memcpy(inputs.back().mapped(), input.data(), input.size());
    views.push_back(inputs.back().near());
  }
  const auto scratch = device.create_buffer(one.scratch_bytes, MemoryKind::device);
  const Staged offsets(device, expected.offsets.size() * 8, MemoryKind::readback);
  const Staged indices(device, std::max<std::uint64_t>(matches, 1) * 4, MemoryKind::readback);
  const Staged distances(device, std::max<std::uint64_t>(matches, 1) * 4, MemoryKind::readback);
  const auto upload = device.create_commands(Timing::none), download = device.create_commands(Timing::none);
  const auto commands = device.create_commands(Timing::whole);
  upload->begin();
  for (const Staged& input : inputs) input.record_upload(*upload);
  upload->end();
  commands->begin();
  SearchBuffers memory;
  memory.scratch = *scratch;
  memory.offsets = offsets.near();
  memory.indices = indices.near();
  memory.distances = distances.near();
  one.record(*commands, views, memory);
  commands->end();
  download->begin();
  for (const Staged* result : {&offsets, &indices, &distances}) result->record_download(*download);
  download->end();

  host_milliseconds(device, *upload);
  const Timed planned = repeat(options.patience, [&](std::uint32_t) { return device_milliseconds(device, *commands); });
  const Timed call = repeat(options.patience, [&](std::uint32_t) { return host_milliseconds(device, *commands); });
  host_milliseconds(device, *download);
  if (std::memcmp(offsets.mapped(), expected.offsets.data(), expected.offsets.size() * 8) != 0 ||
      std::memcmp(indices.mapped(), expected.indices.data(), matches * 4) != 0 ||
      std::memcmp(distances.mapped(), expected.distances.data(), matches * 4) != 0)
    recorder.difference(fmt::format("{}: {}: another answer than range_search()'s", id, one.name));

  double computing = 0;
  const Timed whole = repeat(options.patience, [&](std::uint32_t) {
    const auto start = std::chrono::steady_clock::now();
    computing = one.search().report.times.compute_milliseconds;
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  });
  const std::string found = with_separators(matches) + " matches";
  recorder.add(
      row_of(one.name + "_planned_" + id, one.metric, one.shape, 0, planned,
             fmt::format("{}; device time; from submit to its end {} ms", found, significant(call.median_ms))));
  recorder.add(row_of(
      one.name + "_range_search_" + id, one.metric, one.shape, 0, whole,
      fmt::format("{}; whole call, with results on the host; of it the device {} ms", found, significant(computing))));
}

auto record_vectors(const Plan& plan) {
  return [&plan](Recording& recording, std::span<const BufferView> inputs, SearchBuffers memory) {
    memory.queries = inputs[0];
    plan.record(recording, memory);
  };
}

auto record_words(const StringPlan& plan) {
  return [&plan](Recording& recording, std::span<const BufferView> inputs, SearchBuffers memory) {
    memory.queries = inputs[0];
    memory.query_offsets = inputs[1];
    plan.record(recording, memory);
  };
}

void measure_vectors(Device& device, const Sizes& sizes, const BenchOptions& options, Recorder& recorder) {
  const Shape& shape = sizes.near;
  const Matrix<float> data = normal_matrix(shape.rows, shape.dimensions, options.seed + 2);
  const Matrix<float> queries = normal_matrix(shape.queries, shape.dimensions, options.seed + 3);
  constexpr float radius = 0.5f;
  constexpr double fraction = 0.05;
  const std::vector<std::byte> asked = bytes_of(queries.data(), std::uint64_t{shape.queries} * shape.dimensions);
  Index index(device, data.view());
  const auto plan = index.plan_range(shape.queries, radius, Metric::l2);
  measure_range(device,
                {"rows",
                 "l2",
                 shape,
                 plan->scratch_bytes(),
                 {asked},
                 record_vectors(*plan),
                 [&] { return index.range_search(queries.view(), radius, Metric::l2); }},
                options, recorder);
  VectorPermutationIndex permuted(device, data.view(), Metric::l2);
  const auto of_permuted = permuted.plan_range(shape.queries, radius, fraction);
  measure_range(device,
                {"vector_permutations",
                 "l2",
                 shape,
                 of_permuted->scratch_bytes(),
                 {asked},
                 record_vectors(*of_permuted),
                 [&] { return permuted.range_search(queries.view(), radius, fraction); }},
                options, recorder);
}

void measure_words(Device& device, const Sizes& sizes, const BenchOptions& options, Recorder& recorder) {
  constexpr float radius = 3;
  constexpr double fraction = 0.05;
  Strings known, asked;
  for (const std::string& word : made_words(sizes.words, options.seed)) known.add(word);
  for (const std::string& word : made_words(sizes.word_queries, options.seed + 1)) asked.add(word);
  const Shape shape{sizes.words, 0, sizes.word_queries};
  const auto longest = static_cast<std::uint32_t>(asked.longest());
  const auto encoded = [&](const StringPlan& plan) {
    const EncodedStrings words = plan.encode(asked);
    return std::vector{bytes_of(words.symbols.data(), words.symbols.size()),
                       bytes_of(words.offsets.data(), words.offsets.size())};
  };
  StringIndex index(device, known);
  const auto plan = index.plan_range(sizes.word_queries, longest, radius);
  measure_range(device,
                {"words", "levenshtein", shape, plan->scratch_bytes(), encoded(*plan), record_words(*plan),
                 [&] { return index.range_search(asked, radius); }},
                options, recorder);
  PermutationIndex permuted(device, known);
  const auto of_permuted = permuted.plan_range(sizes.word_queries, longest, radius, fraction);
  measure_range(device,
                {"permutations", "levenshtein", shape, of_permuted->scratch_bytes(), encoded(*of_permuted),
                 record_words(*of_permuted), [&] { return permuted.range_search(asked, radius, fraction); }},
                options, recorder);
}

}  // namespace

void run_recorded(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  Sizes sizes{{1'000'000, 128, 10'000}, {0, 100, 1'000, 10'000}, 10, {100'000, 4, 1'000}, 84'000, 1'000};
  if (options.quick) sizes = {{4'000, 24, 100}, {0, 10, 100}, 5, {2'000, 4, 20}, 1'000, 20};
  sizes.counted.rows = std::min(sizes.counted.rows, options.largest_rows);
  sizes.near.rows = std::min(sizes.near.rows, options.largest_rows);
  sizes.words = std::min(sizes.words, options.largest_rows);
  std::uint64_t done = 0;
  for (const std::string& id : options.devices) {
    bar.update(done++, options.devices.size());
    on_device(id, recorder, [&](Device& device) {
      Sizes own = sizes;
      own.counted.rows = rows_that_fit(own.counted.rows, 8 * own.counted.dimensions, device, recorder);
      measure_counted(device, own, options, recorder, bar);
      measure_vectors(device, own, options, recorder);
      measure_words(device, own, options, recorder);
    });
  }
  recorder.note(
      fmt::format("Data: normal, and made words; seed {}. Counted searches were compared with searches planned "
                  "for as many queries, planned searches within a radius with range_search().",
                  options.seed));
}

}  // namespace proxel::tool
