#include "bench/cliffs/contest.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "bench/made_data.hpp"
#include "compare/difference.hpp"
#include "median.hpp"

namespace proxel::tool::cliffs {
namespace {

// The rows of a step of one are those of two fields.
constexpr std::size_t kept_fields = 2;
// A method that takes so many times as long as the chosen one is not measured with patience,
constexpr double far_behind = 3;
// and one that took so many times as long at the walk's point before not at all.
constexpr double hopeless = 8;
constexpr std::size_t rounds = 5;
constexpr std::uint64_t values_of_row = 1024;  // of the matrix that values are made as

// A search that cannot be had here: of that metric or k, or for want of memory.
bool may_be_left_out(const Error& error) {
  return error.code() == ErrorCode::unsupported || error.code() == ErrorCode::out_of_memory;
}

// Turn by turn, so that both sides meet the device's clock as it is.
Round round_of(Entrant& slow, Entrant& fast, const Patience& patience) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto past = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const Patience once{0, 1, 1};
  std::vector<double> of_slow, of_fast;
  do {
    of_slow.push_back(slow.time(once).median_ms);
    of_fast.push_back(fast.time(once).median_ms);
  } while (of_slow.size() < patience.most &&
           (past() < patience.seconds || (of_slow.size() < patience.least && past() < 10 * patience.seconds)));
  return {median(of_slow), median(of_fast)};
}

}  // namespace

MatrixView<float> Values::view(Matrix<float>& kept, std::uint64_t seed, std::uint64_t rows, std::uint64_t columns) {
  const std::uint64_t needed = (rows * columns + values_of_row - 1) / values_of_row;
  if (kept.rows() < needed) {
    kept = Matrix<float>();  // its memory may be what the larger one needs
    kept = normal_matrix(needed, values_of_row, seed);
  }
  return {kept.data(), rows, columns};
}

Entrant::Entrant(Device& device, Index& index, const Point& point, MatrixView<float> queries)
    : on_host_(device.capabilities().runs_on_host),
      plan_(index.plan(static_cast<std::uint32_t>(point.queries), point.k, point.metric)),
      method_(plan_->info().method) {
  const Shape shape{point.rows, static_cast<std::uint32_t>(point.dimensions),
                    static_cast<std::uint32_t>(point.queries)};
  search_ = std::make_unique<RecordedSearch>(
      device, shape, point.k, queries, 1, plan_->scratch_bytes(),
      [&](Recording& recording, std::uint32_t, const SearchBuffers& buffers) { plan_->record(recording, buffers); });
}

Timed Entrant::time(const Patience& patience) {
  return on_host_ ? search_->call(patience) : search_->compute(patience);
}

std::vector<MethodTime> Standing::times_of_others() const {
  std::vector<MethodTime> times;
  for (const Row& row : others) times.push_back(row.time);
  return times;
}

Contest::Contest(Device& device, std::uint64_t seed, const std::vector<Method>& methods, const Patience& patience)
    : device_(device), values_(seed), patience_(patience) {
  const bool all = std::ranges::find(methods, Method::automatic) != methods.end();
  for (const std::string& name : method_names()) {
    const Method method = method_from_string(name);
    const bool wanted = all || std::ranges::find(methods, method) != methods.end();
    if (wanted && method != Method::automatic) methods_.push_back(method);
  }
}

Index& Contest::index(const Point& point, Method method) {
  auto field = std::ranges::find_if(
      fields_, [&](const Field& one) { return one.rows == point.rows && one.dimensions == point.dimensions; });
  if (field == fields_.end()) {
    if (fields_.size() == kept_fields) fields_.pop_back();
    fields_.push_front({point.rows, point.dimensions, {}});
  } else {
    // The one that is given up next is not the one that is in use.
    std::rotate(fields_.begin(), field, field + 1);
  }
  field = fields_.begin();
  std::unique_ptr<Index>& made = field->indexes[method];
  if (!made) made = std::make_unique<Index>(device_, values_.rows(point), IndexOptions{.method = method});
  return *made;
}

std::unique_ptr<Entrant> Contest::enter(const Point& point, Method method) {
  return std::make_unique<Entrant>(device_, index(point, method), point, values_.queries(point));
}

std::string_view Contest::choice(const Point& point) {
  return to_string(
      index(point, Method::automatic).method(point.metric, point.k, static_cast<std::uint32_t>(point.queries)));
}

Standing Contest::measure(const Point& point) {
  Standing standing;
  const auto chosen = enter(point, Method::automatic);
  const Timed of_chosen = chosen->time(patience_);
  standing.chosen = {{chosen->method(), of_chosen.median_ms}, of_chosen.min_ms};
  const Neighbors expected = chosen->answers();
  for (const Method method : methods_) {
    const std::string name(to_string(method));
    if (name == chosen->method()) continue;
    const auto latest = latest_.find(name);
    if (latest != latest_.end() && latest->second > hopeless * of_chosen.median_ms) continue;
    try {
      const auto entrant = enter(point, method);
      Timed timed = entrant->time({0, 1, 1});
      if (timed.median_ms <= far_behind * of_chosen.median_ms) timed = entrant->time(patience_);
      standing.others.push_back({{name, timed.median_ms}, timed.min_ms});
      latest_[name] = timed.median_ms;
      if (const auto difference = first_difference(expected, entrant->answers()))
        standing.differences.push_back(fmt::format("{} beside {}: {}", name, chosen->method(), difference->text()));
    } catch (const Error& error) {
      if (!may_be_left_out(error)) throw;
    }
  }
  latest_[chosen->method()] = of_chosen.median_ms;
  return standing;
}

std::vector<Round> Contest::alternate(const std::pair<Point, Method>& slow, const std::pair<Point, Method>& fast) {
  // The larger values first, so that the views of both stay valid.
  values_.rows(slow.first.rows * slow.first.dimensions > fast.first.rows * fast.first.dimensions ? slow.first
                                                                                                 : fast.first);
  values_.queries(slow.first.queries * slow.first.dimensions > fast.first.queries * fast.first.dimensions ? slow.first
                                                                                                          : fast.first);
  const auto one = enter(slow.first, slow.second), other = enter(fast.first, fast.second);
  std::vector<Round> measured;
  while (measured.size() < rounds) measured.push_back(round_of(*one, *other, patience_));
  return measured;
}

}  // namespace proxel::tool::cliffs
