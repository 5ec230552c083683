// Whether the method that is chosen is nearly the best everywhere, and no search takes much longer than one whose sizes
// differ by one: walks around every limit in the code.

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/cliffs/contest.hpp"
#include "bench/cliffs/draw.hpp"
#include "bench/cliffs/walks.hpp"
#include "bench/suite.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

using namespace cliffs;
using Clock = std::chrono::steady_clock;

constexpr double seconds_unless_said = 300, seconds_if_quick = 40;
constexpr double slack_on_device_us = 20, slack_on_host_us = 200;

// The walk of a run that was given its points.
constexpr const char* given_walk = "given";
// The one of points that are drawn, which have nothing to do with each other.
constexpr const char* drawn_walk = "random";

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string milliseconds(const MethodTime& time) { return fmt::format("{} {} ms", time.method, significant(time.ms)); }

// What was seen along a walk, for its row in the table.
struct Seen {
  std::size_t points = 0, found = 0;
  std::map<std::string, std::size_t> left_out;  // points, by why: " for want of time"
  std::set<std::string> chosen;
  double worst_choice = 0, worst_step = 0;
  std::string choice_at, step_at;
};

class DeviceWalks {
 public:
  DeviceWalks(Device& device, const BenchOptions& options, double seconds, Recorder& recorder, ProgressBar& bar,
              Table& summary)
      : device_(device),
        options_(options),
        recorder_(recorder),
        bar_(bar),
        summary_(summary),
        contest_(device, options.seed, options.methods, options.patience),
        start_(Clock::now()),
        seconds_(seconds) {
    const double slack_us =
        options.slack_us.value_or(device.capabilities().runs_on_host ? slack_on_host_us : slack_on_device_us);
    tolerance_.slack_ms = slack_us / 1000;
  }

  void walk_all() {
    if (!options_.only.empty()) {
      std::vector<Place> places;
      for (const std::string& argument : options_.only) places.push_back({point_from(argument), ""});
      until_ = seconds_;
      return visit(given_walk, std::nullopt, places);
    }
    const Extent extent = options_.quick                        ? Extent::quick
                          : device_.capabilities().runs_on_host ? Extent::host
                                                                : Extent::device;
    if (options_.random_points != 0) {
      until_ = seconds_;
      return visit(drawn_walk, std::nullopt, random_places(extent, options_.random_points, options_.seed));
    }
    std::vector<Walk> walks = walks_of(extent);
    if (!options_.walks.empty())
      std::erase_if(walks, [&](const Walk& walk) { return !std::ranges::count(options_.walks, walk.name); });
    for (std::size_t number = 0; number < walks.size(); ++number) {
      bar_.update(number, walks.size());
      // What a walk does not use of its share is for those behind it.
      const double past = seconds_since(start_);
      until_ = past + std::max(0.0, seconds_ - past) / static_cast<double>(walks.size() - number);
      add_limits_of_device(walks[number], device_.capabilities().multiprocessors);
      if (walks[number].follows_choice) follow_choice(walks[number]);
      visit(walks[number].name, walks[number].axis, places_of(walks[number]));
    }
  }

  /// Points of all walks.
  std::size_t measured() const { return measured_; }

 private:
  // Adds the sizes at which another method is chosen; without effect where an index of the largest cannot be had.
  void follow_choice(Walk& walk) {
    const std::uint64_t most = std::min(walk.most, options_.largest_rows);
    if (!fits(with(walk.base, walk.axis, most))) return;
    add_limits(walk, changes_of(doubling(most),
                                [&](std::uint64_t size) { return contest_.choice(with(walk.base, walk.axis, size)); }));
  }

  // Every method keeps the rows, and some a copy of them, for the two points of a step.
  bool fits(const Point& point) const {
    constexpr std::uint64_t copies = 20;
    Recorder unheard(false);
    return point.rows <= options_.largest_rows &&
           rows_that_fit(point.rows, point.dimensions * 4 * copies, device_, unheard) == point.rows;
  }

  void visit(const std::string& name, std::optional<Axis> axis, const std::vector<Place>& places) {
    Seen seen;
    std::optional<std::pair<Point, MethodTime>> before;
    contest_.forget_pace();
    for (const Place& place : places) {
      const bool fitting = fits(place.point);
      // A point that was asked for is not passed over.
      if (name == given_walk && !fitting)
        throw Error(ErrorCode::out_of_memory, "cliffs",
                    fmt::format("{} do not fit the memory of {}, or are more rows than --largest-rows",
                                to_text(place.point), device_.info().id));
      const bool more_rows = place.point.rows > options_.largest_rows;
      const char* why = more_rows                         ? ", as --largest-rows says"
                        : !fitting                        ? " for want of memory"
                        : seconds_since(start_) >= until_ ? " for want of time"
                                                          : nullptr;
      if (why) {
        ++seen.left_out[why];
        before.reset();
        continue;
      }
      if (!axis) contest_.forget_pace();  // a method that took long at the point before may be the best here
      const Standing standing = contest_.measure(place.point);
      record(name, axis, place, standing);
      ++seen.points;
      seen.chosen.insert(standing.chosen.time.method);
      judge_choice_at(place, standing, seen);
      if (before) judge_step_to(place, *before, standing.chosen.time, seen);
      before.emplace(place.point, standing.chosen.time);
    }
    tell(name, seen);
  }

  void record(const std::string& walk, std::optional<Axis> axis, const Place& place, const Standing& standing) {
    const Point& point = place.point;
    const std::string& id = device_.info().id;
    const auto add = [&](const Standing::Row& row, const std::string& group, const std::string& remark) {
      recorder_.add({group,
                     fmt::format("proxel_{}_{}", row.time.method, id),
                     std::string(proxel::to_string(point.metric)),
                     point.rows,
                     point.queries,
                     point.dimensions,
                     point.k,
                     row.time.ms,
                     row.min_ms,
                     remark,
                     {}});
      if (!axis || *axis == Axis::metric) return;
      LineChart look{fmt::format("{} along {} on {}", walk, to_string(*axis), id),
                     std::string(to_string(*axis)),
                     "milliseconds",
                     true,
                     true,
                     {}};
      recorder_.plot(look, row.time.method, static_cast<double>(size_of(point, *axis)), row.time.ms);
    };
    add(standing.chosen, fmt::format("cliffs_{}_chosen", walk),
        fmt::format("chosen{}{}", place.limit.empty() ? "" : "; at ", place.limit));
    for (const Standing::Row& other : standing.others)
      add(other, "cliffs_" + walk, as_speed_up(standing.chosen.time.ms / other.time.ms) + " of the chosen one's speed");
    for (const std::string& difference : standing.differences)
      recorder_.difference(fmt::format("{}, {}: {}", id, to_text(point), difference));
  }

  void judge_choice_at(const Place& place, const Standing& standing, Seen& seen) {
    const std::vector<MethodTime> others = standing.times_of_others();
    for (const MethodTime& other : others)
      if (const double ratio = standing.chosen.time.ms / other.ms; other.measured() && ratio > seen.worst_choice) {
        seen.worst_choice = ratio;
        seen.choice_at = to_text(place.point);
      }
    const auto suspected = judge_choice(standing.chosen.time, others, tolerance_);
    if (!suspected) return;
    const auto rounds =
        contest_.alternate({place.point, Method::automatic}, {place.point, method_from_string(suspected->fast.method)});
    if (const auto cliff = confirm(*suspected, rounds, tolerance_.slack_ms))
      find(fmt::format("{}: {} is chosen, {} would be faster", to_text(place.point), milliseconds(cliff->slow),
                       milliseconds(cliff->fast)),
           *cliff, place.limit, {place.point}, seen);
  }

  void judge_step_to(const Place& place, const std::pair<Point, MethodTime>& before, const MethodTime& now,
                     Seen& seen) {
    const auto axis = step_between(before.first, place.point);
    if (!axis) return;
    const double ratio = std::max(now.ms / before.second.ms, before.second.ms / now.ms);
    if (ratio > seen.worst_step) {
      seen.worst_step = ratio;
      seen.step_at = to_text(place.point);
    }
    const auto suspected = judge_step(before.second, now, tolerance_);
    if (!suspected) return;
    const bool slower = now.ms > before.second.ms;
    const Point &slow = slower ? place.point : before.first, &fast = slower ? before.first : place.point;
    const auto rounds = contest_.alternate({slow, Method::automatic}, {fast, Method::automatic});
    if (const auto cliff = confirm(*suspected, rounds, tolerance_.slack_ms))
      find(fmt::format("{}: a step of one from {} = {} to {}: {}, then {}", to_text(slow), to_string(*axis),
                       with_separators(size_of(fast, *axis)), with_separators(size_of(slow, *axis)),
                       milliseconds(cliff->fast), milliseconds(cliff->slow)),
           *cliff, place.limit, {before.first, place.point}, seen);
  }

  void find(const std::string& what, const Cliff& cliff, const std::string& limit, const std::vector<Point>& points,
            Seen& seen) {
    const std::string& id = device_.info().id;
    std::string command = "proxel-bench cliffs --device " + id;
    for (const Point& point : points) command += " --only " + to_argument(point);
    if (options_.slack_us) command += fmt::format(" --slack {}", *options_.slack_us);
    if (options_.seed != BenchOptions().seed) command += fmt::format(" --seed {}", options_.seed);
    recorder_.finding(fmt::format("{}: {} ({}, {} is allowed{}{}); again: {}", id, what, as_speed_up(cliff.ratio()),
                                  as_speed_up(cliff.allowed), limit.empty() ? "" : "; limit: ", limit, command));
    ++seen.found;
  }

  void tell(const std::string& walk, const Seen& seen) {
    const std::string& id = device_.info().id;
    std::size_t left_out = 0;
    measured_ += seen.points;
    for (const auto& [why, count] : seen.left_out) {
      recorder_.note(fmt::format("{} {}: {} points were left out{}", id, walk, count, why));
      left_out += count;
    }
    std::string chosen;
    for (const std::string& method : seen.chosen) chosen += (chosen.empty() ? "" : ", ") + method;
    const auto worst = [](double ratio, const std::string& at) {
      return ratio > 0 ? fmt::format("{} at {}", as_speed_up(ratio), at) : std::string("–");
    };
    summary_.add({id, walk, std::to_string(seen.points), std::to_string(left_out), chosen,
                  worst(seen.worst_choice, seen.choice_at), worst(seen.worst_step, seen.step_at),
                  Cell(std::to_string(seen.found), seen.found == 0 ? Style::good : Style::bad)});
  }

  Device& device_;
  const BenchOptions& options_;
  Recorder& recorder_;
  ProgressBar& bar_;
  Table& summary_;
  Contest contest_;
  Clock::time_point start_;
  double seconds_, until_ = 0;
  std::size_t measured_ = 0;
  Tolerance tolerance_;
};

void note_rules(Recorder& recorder) {
  const Tolerance rules;
  recorder.note(
      fmt::format("A cliff: the chosen method takes more than {} times what the best takes, or a search more than {} "
                  "times what one takes whose sizes differ by one; both with {} µs to spare ({} where a processor is "
                  "the device, or as --slack says), and in every one of several rounds that time both sides by turns.",
                  rules.choice, rules.step, slack_on_device_us, slack_on_host_us));
  recorder.note(
      "Times are device timestamps of a recorded search; where a processor is the device the host's clock from copying "
      "the queries to having the results. Every method's answers are compared bit for bit with those of the chosen "
      "one.");
}

}  // namespace

void run_cliffs(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  // Before any work.
  for (const std::string& argument : options.only) point_from(argument);
  for (const std::string& name : options.walks) require_walk(name);
  recorder.looks_for("cliffs", "the other methods'");
  note_rules(recorder);
  const double seconds = options.time > 0 ? options.time : options.quick ? seconds_if_quick : seconds_unless_said;
  Table summary({{"device"},
                 {"walk"},
                 {"points", true},
                 {"left out", true},
                 {"chosen"},
                 {"chosen beside the best other"},
                 {"largest step"},
                 {"cliffs", true}});
  for (const std::string& id : options.devices)
    on_device(id, recorder, [&](Device& device) {
      DeviceWalks walks(device, options, seconds / static_cast<double>(options.devices.size()), recorder, bar, summary);
      walks.walk_all();
      if (walks.measured() == 0) recorder.failure(fmt::format("{}: nothing was measured", id));
    });
  recorder.summarize(std::move(summary));
}

}  // namespace proxel::tool
