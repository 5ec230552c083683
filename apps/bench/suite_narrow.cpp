// Rows stored in fewer bytes than float32 beside the same rows as float32: what widening them costs a search.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/made_data.hpp"
#include "bench/suite.hpp"
#include "bench/targets.hpp"
#include "format.hpp"
#include "proxel/index.hpp"

namespace proxel::tool {
namespace {

struct NarrowCase {
  std::uint32_t queries;
  std::uint64_t k;
};

// Integers from 0 to 127, which every type holds.
Matrix<float> bytes_of(Matrix<float> matrix) {
  const std::uint64_t values = matrix.rows() * matrix.columns();
  std::transform(matrix.data(), matrix.data() + values, matrix.data(),
                 [](float value) { return std::clamp(std::round(64 + 20 * value), 0.0f, 127.0f); });
  return matrix;
}

class Measurement {
 public:
  Measurement(Device& device, const Shape& shape, const BenchOptions& options, Recorder& recorder)
      : device_(device),
        shape_(shape),
        options_(options),
        recorder_(recorder),
        database_(bytes_of(normal_matrix(shape.rows, shape.dimensions, options.seed))),
        queries_(bytes_of(normal_matrix(shape.queries, shape.dimensions, options.seed + 1))) {}

  void run(const std::vector<NarrowCase>& cases) {
    std::vector<Neighbors> expected;
    for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::uint8, ElementType::int8}) {
      Index index(device_, database_.view(), {.storage = type});
      for (std::size_t i = 0; i < cases.size(); ++i) {
        Neighbors found = search(index, cases[i]);
        const Timed device = repeat(options_.patience, [&](std::uint32_t) {
          return search(index, cases[i]).report.times.compute_milliseconds;
        });
        const Timed call = repeat_on_host(options_.patience, [&] { search(index, cases[i]); });
        record(std::string(to_string(type)), type, cases[i], device);
        record(std::string(to_string(type)) + "_call", type, cases[i], call);
        if (type == ElementType::float32)
          expected.push_back(std::move(found));
        else if (!(found.indices == expected[i].indices && found.distances == expected[i].distances))
          recorder_.difference(fmt::format("{}, {} queries: another answer of rows stored as {} than as float32",
                                           device_.info().id, cases[i].queries, to_string(type)));
      }
    }
  }

 private:
  Neighbors search(Index& index, const NarrowCase& one) const {
    return index.search(queries_.view().slice(0, one.queries), one.k, Metric::l2sq);
  }

  void record(const std::string& group, ElementType type, const NarrowCase& of, const Timed& times) {
    recorder_.add(knn_row(group, fmt::format("{}_{}", to_string(type), device_.info().id), Metric::l2sq,
                          {shape_.rows, shape_.dimensions, of.queries}, of.k, times));
  }

  Device& device_;
  Shape shape_;
  const BenchOptions& options_;
  Recorder& recorder_;
  Matrix<float> database_, queries_;
};

}  // namespace

void run_narrow(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const std::vector<Shape> shapes = options.quick
                                        ? std::vector<Shape>{{3'000, 16, 100}}
                                        : std::vector<Shape>{{400'000, 128, 10'000}, {1'000'000, 128, 10'000}};
  std::size_t done = 0;
  for (const std::string& id : options.devices)
    for (const Shape& shape : shapes) {
      bar.update(done++, options.devices.size() * shapes.size());
      on_device(id, recorder, [&](Device& device) {
        Shape fitting = shape;
        fitting.rows =
            rows_that_fit(std::min(shape.rows, options.largest_rows), 4 * shape.dimensions * 4, device, recorder);
        std::vector<NarrowCase> cases = {{1, 10}, {100, 10}, {shape.queries, 100}};
        if (options.quick) cases.pop_back();
        Measurement(device, fitting, options, recorder).run(cases);
      });
    }
  recorder.note(fmt::format(
      "Data: integers from 0 to 127, normal about 64, seed {}; queries likewise. Rows stored as float16, uint8 or int8 "
      "are widened in blocks of the scratch limit, 256 MiB: 400,000 × 128 is one block, 1,000,000 × 128 two. Times are "
      "those of computing, and in the groups _call the host's of whole calls. All answers are those of float32 rows.",
      options.seed));
}

}  // namespace proxel::tool
