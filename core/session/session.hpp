#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <optional>

#include "session/compute_times.hpp"
#include "session/each_block.hpp"
#include "session/room.hpp"
#include "session/round.hpp"
#include "session/run_once.hpp"
#include "session/stopwatch.hpp"
#include "session/memory_pool.hpp"

namespace proxel::session {

/// Makes a round of a plan, where the one before did not serve.
using Prepare = std::function<void(std::unique_ptr<Plan> plan, const Round::Memory& memory)>;

/// What an index brings to one search: its queries, and how blocks of them are planned and encoded.
/// @tparam Shape  all that the round of a block depends on; kept.serves(wanted) tells whether one may be used again
template <typename Shape>
struct Call {
  Work work;
  /// The shape of the queries first … first + count - 1.
  std::function<Shape(std::uint64_t first, std::uint64_t count)> shape;
  /// Plans, and hands the plan on; may try again with another plan where that throws.
  std::function<void(const Shape& shape, const Prepare& prepare)> plan;
  /// Writes queries to the round's memory. @param shape  that the round was made for
  std::function<void(Round& round, const Shape& shape, std::uint64_t first, std::uint64_t count)> encode;
  /// A block has been answered, of which it may add to the report; may be empty.
  std::function<void(const Round& round, std::uint64_t count, SearchReport& report)> answered = {};
};

/// Runs the searches of an index: stages queries, records, submits in blocks, makes room for matches and tries again,
/// times, tells of progress, and can be cancelled by it. Keeps the round that the latest search used for the next of the
/// same shape.
template <typename Shape>
class Session {
 public:
  Session(Device& device, Timing timing) : device_(device), timing_(timing), pool_(device) {}

  /// The k nearest of each query.
  Neighbors nearest(const Call<Shape>& call, std::uint64_t k, Pace& pace, const Progress& progress) {
    RoomBeside room(call.work.queries, k);
    SearchReport report =
        each_answer(call, pace, progress, [&](const Round& round, std::uint64_t first, std::uint64_t count) {
      Neighbors& found = room.get();
      std::memcpy(found.indices.data() + first * k, round.indices(), count * k * 4);
      std::memcpy(found.distances.data() + first * k, round.distances(), count * k * 4);
    }, [&] { room.get(); });
    Neighbors found = room.take();
    found.report = std::move(report);
    return found;
  }

  /// Runs a search whose answer has a known size.
  /// @param take    (round, first, count): a block has been answered
  /// @param beside  (): what the host does while the device answers a block
  template <typename Take, typename Beside>
  SearchReport each_answer(const Call<Shape>& call, Pace& pace, const Progress& progress, const Take& take,
                           const Beside& beside) {
    return blocks(call, pace, progress, [&](SearchReport& report, std::uint64_t first, std::uint64_t count) {
      Round& round = encoded(call, first, count, 0, report.times);
      round.run(report.times, beside);
      const Stopwatch reading;
      take(round, first, count);
      report.times.readback_milliseconds += reading.milliseconds();
      answered(call, count, report);
    });
  }
  template <typename Take>
  SearchReport each_answer(const Call<Shape>& call, Pace& pace, const Progress& progress, const Take& take) {
    return each_answer(call, pace, progress, take, [] {});
  }

  /// All within a radius. @param objects  a lone query's matches are at most these
  RangeNeighbors within(const Call<Shape>& call, std::uint64_t objects, Pace& pace, const Progress& progress) {
    RangeNeighbors found;
    found.offsets.push_back(0);
    try {
      found.report = blocks(call, pace, progress, [&](SearchReport& report, std::uint64_t first, std::uint64_t count) {
        append_matches(call, first, count, objects, found, report);
      });
    } catch (const std::bad_alloc&) {
      fail_for_matches(found.indices.size());
    }
    return found;
  }

  /// Every distance, of a plan of all distances: [queries x columns].
  /// @param stride  from one query's distances to the next's, elements
  Distances all_distances(const Call<Shape>& call, std::uint64_t columns, std::uint64_t stride, Pace& pace,
                          const Progress& progress) {
    Distances found{Matrix<float>(call.work.queries, columns)};
    found.report = each_answer(call, pace, progress, [&](const Round& round, std::uint64_t first, std::uint64_t count) {
      for (std::uint64_t i = 0; i < count; ++i)
        std::memcpy(&found.values(first + i, 0), round.distances() + i * stride, columns * 4);
    });
    return found;
  }

  /// Frees memory that is kept for the next round. To be called while a plan is made, or between searches.
  void spare() { pool_.shrink(0); }

  /// What was searched has changed, or a search was interrupted.
  void forget() {
    end_work(device_);
    commands_.reset();  // before the memory that it uses
    end_round();
    pool_.shrink(0);
  }

 private:
  // Matches that are on the device at once; a block with more is split. For a query there is room for so many at first.
  static constexpr std::uint64_t most_matches = std::uint64_t{1} << 25, usual_matches = matches_at_first;

  // @param answer  (report, first, count): has a block answered
  template <typename Answer>
  SearchReport blocks(const Call<Shape>& call, Pace& pace, const Progress& progress, const Answer& answer) {
    const Stopwatch stopwatch;
    SearchReport report;
    each_block(call.work, pace, progress, report.times,
               [&](std::uint64_t first, std::uint64_t count) { answer(report, first, count); }, [&] { forget(); });
    report.times.total_milliseconds = stopwatch.milliseconds();
    return report;
  }

  // Counts what the round did for a block whose answer is taken.
  void answered(const Call<Shape>& call, std::uint64_t count, SearchReport& report) {
    report.method = round_->plan().info().method;
    add_rungs(report, round_->plan().rungs());
    if (call.answered) call.answered(*round_, count, report);
  }

  // Has the queries of a block ready to be submitted.
  Round& encoded(const Call<Shape>& call, std::uint64_t first, std::uint64_t count, std::uint64_t matches,
                 SearchTimes& times) {
    const Stopwatch uploading;
    const Shape wanted = call.shape(first, count);
    if (!round_ || !shape_->serves(wanted) || matches_ < matches) {
      end_round();
      // The next plan may need what the pool keeps, but for a small part of the device's memory.
      pool_.shrink(device_.capabilities().memory_bytes / 32);
      const bool kept = pool_.has_free();
      try {
        make_round(call, wanted, matches);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory || !kept) throw;
        pool_.shrink(0);
        make_round(call, wanted, matches);
      }
      pool_.shrink(0);
      shape_ = wanted;
      matches_ = matches;
    }
    call.encode(*round_, *shape_, first, count);
    times.upload_milliseconds += uploading.milliseconds();
    return *round_;
  }

  void make_round(const Call<Shape>& call, const Shape& wanted, std::uint64_t matches) {
    call.plan(wanted, [&](std::unique_ptr<Plan> plan, Round::Memory memory) {
      memory.matches = matches;
      if (!commands_) commands_ = device_.create_commands(timing_);
      try {
        round_.emplace(device_, pool_, *commands_, std::move(plan), memory, timing_);
      } catch (...) {
        pool_.shrink(0);  // another plan may need it
        throw;
      }
    });
  }

  void end_round() {
    end_work(device_);  // what was submitted may still use it
    round_.reset();
    shape_.reset();
  }

  void append_matches(const Call<Shape>& call, std::uint64_t first, std::uint64_t count, std::uint64_t objects,
                      RangeNeighbors& found, SearchReport& report) {
    const std::uint64_t fitting = std::min(most_matches, device_.capabilities().max_allocation_bytes / 4);
    const std::uint64_t most = count == 1 ? std::max(fitting, objects) : fitting;
    for (std::uint64_t wanted = std::max(count * usual_matches, usual_);;) {
      Round& round = encoded(call, first, count, std::min(wanted, most), report.times);
      const Round::Matches matches = round.append_matches(most, found, report.times);
      if (matches.appended) return answered(call, count, report);
      if (matches.count > most) break;
      wanted = usual_ = matches.count + matches.count / 8;
    }
    append_matches(call, first, count / 2, objects, found, report);
    append_matches(call, first + count / 2, count - count / 2, objects, found, report);
  }

  Device& device_;
  Timing timing_;
  MemoryPool pool_;
  std::optional<Shape> shape_;
  std::optional<Round> round_;
  std::unique_ptr<Commands> commands_;  // of one round after another; it goes first, as it uses their memory
  std::uint64_t matches_ = 0;           // that the round was to have room for
  std::uint64_t usual_ = 0;             // matches of a block, as many as there were before
};

}  // namespace proxel::session
