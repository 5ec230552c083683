// Rows that do not fit the device: as fast as the link to it, or as it computes, whichever is slower.

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/made_data.hpp"
#include "bench/suite.hpp"
#include "bench/targets.hpp"
#include "format.hpp"
#include "proxel/index.hpp"
#include "proxel/screened.hpp"

namespace proxel::tool {
namespace {

// The rows pass through in so many blocks where there is room for no more.
constexpr std::uint64_t blocks = 4;
constexpr std::uint64_t staging_bytes = std::uint64_t{32} << 20;

// Milliseconds that so many bytes take from upload memory to the device's, at best.
double link_milliseconds(Device& device, std::uint64_t bytes, const Patience& patience) {
  const std::uint64_t piece = std::min(bytes, staging_bytes);
  const auto to = device.create_buffer(piece, MemoryKind::device);
  std::array<std::unique_ptr<Buffer>, 2> from;
  for (auto& one : from) one = device.create_buffer(piece, MemoryKind::upload);
  const std::uint64_t pieces = std::max<std::uint64_t>(bytes / piece, 1);
  const Timed times = repeat_on_host(patience, [&] {
    for (std::uint64_t i = 0; i < pieces; ++i) device.start_copy(*from[i % 2], *to);
    device.wait_copies();
  });
  return times.median_ms * static_cast<double>(bytes) / static_cast<double>(pieces * piece);
}

struct StreamCase {
  std::string name;
  std::uint64_t queries, k;
  Metric metric = Metric::l2sq;
  bool filtered = false, paged = false, within = false;

  // Whether codes on the device may serve it, where there is room for those.
  bool coded() const { return queries <= 1'000 && !paged && !within && !normalizes(metric); }
};

class Measurement {
 public:
  Measurement(Device& device, const Shape& shape, const BenchOptions& options, Recorder& recorder)
      : device_(device),
        shape_(shape),
        options_(options),
        recorder_(recorder),
        database_(normal_matrix(shape.rows, shape.dimensions, options.seed)),
        queries_(normal_matrix(shape.queries, shape.dimensions, options.seed + 1)),
        half_(1, (shape.rows + 31) / 32),
        link_(link_milliseconds(device, shape.bytes(), options.patience)) {
    std::fill_n(half_.data(), half_.columns(), 0x55555555u);
  }

  void run(const std::vector<StreamCase>& cases) {
    record("link", device_.info().id, {}, {link_, link_}, "all rows from upload memory to the device");
    IndexOptions in_blocks;
    in_blocks.memory_limit = 2 * ((shape_.rows + blocks - 1) / blocks + 127) / 128 * 128 * shape_.dimensions * 4;
    Index resident(device_, database_.view());
    Index streamed(device_, database_.view(), in_blocks);
    IndexOptions with_codes;
    with_codes.memory_limit = 2 * ScreenedRows::bytes(shape_.rows, shape_.dimensions, false, ScreenOperand::codes);
    Index coded(device_, database_.view(), with_codes);
    std::unique_ptr<Index> pinned;
    if (device_.supports_pinning()) {
      in_blocks.pinned = true;
      const auto begin = std::chrono::steady_clock::now();
      pinned = std::make_unique<Index>(device_, database_.view(), in_blocks);
      const std::chrono::duration<double, std::milli> locking = std::chrono::steady_clock::now() - begin;
      record("pinned", "locking rows", {}, {locking.count(), locking.count()}, "once, when the index is made");
    }
    for (const StreamCase& one : cases) {
      Neighbors page;
      if (one.paged) page = resident.search(some(one), one.k, one.metric);
      const Answer expected = search(resident, one, page);
      const Timed on_device = repeat_on_host(options_.patience, [&] { search(resident, one, page); });
      record("resident", one.name, one, on_device, {});
      const auto measure = [&](const char* group, Index& index) {
        if (!search(index, one, page).same_as(expected))
          recorder_.difference(fmt::format("{}: another answer {} than resident", one.name, group));
        SearchTimes latest;
        bool by_codes = false;
        const Timed in_parts = repeat_on_host(options_.patience, [&] {
          const Answer answer = search(index, one, page);
          latest = one.within ? answer.within.report.times : answer.nearest.report.times;
          by_codes = std::ranges::any_of(answer.nearest.report.rungs, [](const RungCount& rung) {
            return rung.rung == to_string(ScreenOperand::codes) && rung.queries != 0;
          });
        });
        // Codes that do not serve a search leave it as it is without them, which has been measured.
        if (&index == &coded && !by_codes) return;
        record(
            group, one.name, one, in_parts,
            fmt::format("{} × the slower of link and resident; ms of the last call: {} waiting for rows, {} computing, "
                        "{} taking answers",
                        significant(in_parts.median_ms / std::max(link_, on_device.median_ms)),
                        significant(latest.upload_milliseconds), significant(latest.compute_milliseconds),
                        significant(latest.readback_milliseconds)));
      };
      measure("streamed", streamed);
      if (pinned) measure("pinned", *pinned);
      if (one.coded()) measure("coded", coded);
    }
  }

 private:
  // What a search of the k nearest, or within a radius, finds; moved here, since a copy would be timed with the call.
  struct Answer {
    Neighbors nearest;
    RangeNeighbors within;

    bool same_as(const Answer& other) const {
      return nearest.indices == other.nearest.indices && nearest.distances == other.nearest.distances &&
             within.offsets == other.within.offsets && within.indices == other.within.indices &&
             within.distances == other.within.distances;
    }
  };

  MatrixView<float> some(const StreamCase& one) const { return queries_.view().slice(0, one.queries); }

  Answer search(Index& index, const StreamCase& one, const Neighbors& page) const {
    SearchOptions with;
    if (one.filtered) with.filter = half_.view();
    if (one.paged) with.after = &page;
    Answer answer;
    if (one.within) {
      // Squared distances of normal rows scatter around 2 d; of 128 dimensions this leaves some 20 of a million.
      const float radius = 1.125f * static_cast<float>(shape_.dimensions);
      answer.within = index.range_search(some(one), radius, one.metric, with);
    } else {
      answer.nearest = index.search(some(one), one.k, one.metric, with);
    }
    return answer;
  }

  void record(const std::string& group, const std::string& name, const StreamCase& of, const Timed& times,
              const std::string& remark) {
    const Shape asked{shape_.rows, shape_.dimensions, static_cast<std::uint32_t>(of.queries)};
    recorder_.add(knn_row(group, name, of.metric, asked, of.k, times, remark));
  }

  Device& device_;
  Shape shape_;
  const BenchOptions& options_;
  Recorder& recorder_;
  Matrix<float> database_, queries_;
  Matrix<std::uint32_t> half_;
  double link_;
};

}  // namespace

void run_streaming(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const Shape shape = options.quick ? Shape{20'000, 16, 200} : Shape{4'000'000, 128, 10'000};
  const auto of = [&](std::uint64_t queries) { return std::min<std::uint64_t>(queries, shape.queries); };
  const std::vector<StreamCase> cases = {
      {"1 query", 1, 10},
      {"4 queries", 4, 10},
      {"100 queries", of(100), 10},
      {"192 queries", of(192), 10},
      {"256 queries", of(256), 10},
      {"1,000 queries", of(1'000), 10},
      {"10,000 queries", of(10'000), 100},
      {"cosine", of(10'000), 100, Metric::cosine},
      {"l1", of(100), 10, Metric::l1},
      {"192 queries by l1", of(192), 10, Metric::l1},
      {"256 queries by l1", of(256), 10, Metric::l1},
      {"every other row", of(10'000), 100, Metric::l2sq, true},
      {"second page", of(1'000), 10, Metric::l2sq, false, true},
      {"within a radius", of(1'000), 0, Metric::l2sq, false, false, true},
  };
  for (std::size_t done = 0; done < options.devices.size(); ++done) {
    bar.update(done, options.devices.size());
    on_device(options.devices[done], recorder, [&](Device& device) {
      Shape fitting = shape;
      fitting.rows = rows_that_fit(std::min(shape.rows, options.largest_rows), shape.dimensions * 4, device, recorder);
      Measurement(device, fitting, options, recorder).run(cases);
    });
  }
  recorder.note(fmt::format(
      "Data: normal, seed {}; queries likewise. Times are the host's, of whole calls: rows on the device, "
      "and the same rows "
      "in host memory, of which a quarter is on the device at a time while the next is copied: by copies of "
      "the host's (streamed), or from where they lie (pinned). Few queries are searched in codes of all rows besides, "
      "which have room in "
      "as much device memory (coded). The link is "
      "what copies from "
      "pinned memory take. All answers are the same.",
      options.seed));
}

}  // namespace proxel::tool
