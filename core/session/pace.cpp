#include "session/pace.hpp"

#include <algorithm>
#include <bit>

#include "watch.hpp"

namespace proxel::session {
namespace {

constexpr double milliseconds_wanted = 100, milliseconds_allowed = 150, milliseconds_at_most = 500;
// Work that no device does in less time than is wanted, so that it is not divided before anything is known:
// of a GPU with so many multiprocessors, as a matrix product and otherwise, of a processor, and of plain loops.
constexpr double multiprocessors = 128, by_matrices = 2e13, by_lanes = 1e12, by_processor = 1.5e8, by_loops = 1e7;
// Assumed of a GPU that does not tell.
constexpr double multiprocessors_where_unknown = 16;
// Where there is more work than that, a part of it comes first; a submission is at most so many times as large as the
// one before.
constexpr double first_part = 1.0 / 16, most_growth = 8;
// Fewer would take longer together: the rows are read for all of them. On a processor 16 at a time took three times as
// long as all at once, one by one four times (llvmpipe, 20,000 x 32).
constexpr std::uint64_t fewest_of_gpu = 128, fewest_of_processor = 64, few_at_first = 8;

std::uint64_t fewest_queries(const Device& device) {
  if (device.info().backend == BackendKind::cpu) return 1;
  return device.capabilities().runs_on_host ? fewest_of_processor : fewest_of_gpu;
}

double work_at_first(const Device& device, bool on_matrix_units) {
  const Capabilities& has = device.capabilities();
  if (device.info().backend == BackendKind::cpu) return by_loops;
  if (has.runs_on_host) return by_processor;
  const double known = has.multiprocessors != 0 ? has.multiprocessors : multiprocessors_where_unknown;
  return (on_matrix_units ? by_matrices : by_lanes) * known / multiprocessors;
}

}  // namespace

Pace::Pace(const Device& device, bool on_matrix_units)
    : bounded_(device.info().id != "cpu"),
      usual_fewest_(fewest_queries(device)),
      fewest_(usual_fewest_),
      most_(work_at_first(device, on_matrix_units)),
      next_(most_ * first_part) {}

std::uint64_t Pace::take(std::uint64_t left, std::uint64_t most, double per_query) {
  std::uint64_t queries = std::min(left, most);
  if (bounded_ && Watch::current() && static_cast<double>(left) * per_query > most_) {
    const double fitting = std::clamp(next_ / per_query, 1.0, static_cast<double>(queries));
    // A power of two, so that few plans are made. What is expected may be far off: the first are as few as that.
    const std::uint64_t fewest = known_ ? fewest_ : std::min(fewest_, few_at_first);
    queries = std::min(queries, std::max(std::bit_floor(static_cast<std::uint64_t>(fitting)), fewest));
  }
  taken_ = static_cast<double>(queries) * per_query;
  taken_queries_ = queries;
  return queries;
}

void Pace::took(double milliseconds) {
  known_ = true;
  if (milliseconds > milliseconds_at_most && taken_queries_ <= fewest_) {
    const double fitting = static_cast<double>(taken_queries_) * milliseconds_at_most / milliseconds;
    fewest_ = std::bit_floor(std::max<std::uint64_t>(static_cast<std::uint64_t>(fitting), 1));
  } else if (milliseconds < milliseconds_wanted) {
    fewest_ = std::min(2 * fewest_, usual_fewest_);
  }
  const double fitting = taken_ * milliseconds_wanted / std::max(milliseconds, 1e-3);
  if (milliseconds > milliseconds_allowed) {
    most_ = next_ = fitting;
    return;
  }
  // Little work says nothing of how fast a device does much.
  if (taken_ < next_ / 2) return;
  next_ = std::min(fitting, taken_ * most_growth);
  if (taken_ >= most_ / 2) most_ = std::max(most_, next_);
}

}  // namespace proxel::session
