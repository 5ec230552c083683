#include "bench/cliffs/point.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "format.hpp"
#include "proxel/error.hpp"

namespace proxel::tool::cliffs {
namespace {

std::uint64_t& size_in(Point& point, Axis axis) {
  switch (axis) {
    case Axis::rows:
      return point.rows;
    case Axis::queries:
      return point.queries;
    case Axis::dimensions:
      return point.dimensions;
    case Axis::neighbors:
    case Axis::metric:
      break;
  }
  return point.k;
}

[[noreturn]] void refuse(std::string_view part) {
  throw Error(ErrorCode::invalid_argument, "--only",
              fmt::format("'{}' was given; a point is like {}, each part of it once, whose sizes are 1 to 4294967294",
                          part, to_argument({Metric::l2sq, 65536, 100, 8, 10})));
}

std::uint64_t number_from(std::string_view text, std::string_view part) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || number == 0 || number >= UINT32_MAX) refuse(part);
  return number;
}

Metric metric_from(std::string_view text, std::string_view part) {
  try {
    return metric_from_string(text);
  } catch (const Error&) {
    refuse(part);  // which names the option that was given
  }
}

}  // namespace

std::string_view to_string(Axis axis) {
  switch (axis) {
    case Axis::rows:
      return "n";
    case Axis::queries:
      return "q";
    case Axis::dimensions:
      return "d";
    case Axis::neighbors:
      return "k";
    case Axis::metric:
      return "metric";
  }
  return "unknown";
}

std::uint64_t size_of(const Point& point, Axis axis) {
  Point copy = point;
  return size_in(copy, axis);
}

Point with(Point point, Axis axis, std::uint64_t size) {
  size_in(point, axis) = size;
  return point;
}

std::optional<Axis> step_between(const Point& one, const Point& other) {
  for (const Axis axis : sizes) {
    const std::uint64_t from = size_of(one, axis), to = size_of(other, axis);
    if ((from + 1 == to || to + 1 == from) && with(one, axis, to) == other) return axis;
  }
  return std::nullopt;
}

std::string to_text(const Point& point) {
  return fmt::format("{}, {} × {}, {}, k = {}", proxel::to_string(point.metric), with_separators(point.rows),
                     point.dimensions, point.queries == 1 ? "one query" : with_separators(point.queries) + " queries",
                     with_separators(point.k));
}

std::string to_argument(const Point& point) {
  std::string text = fmt::format("{}={}", to_string(Axis::metric), proxel::to_string(point.metric));
  for (const Axis axis : sizes) text += fmt::format(",{}={}", to_string(axis), size_of(point, axis));
  return text;
}

Point point_from(std::string_view argument) {
  const std::string_view all = argument;
  Point point;
  std::set<std::string_view> given;
  while (!argument.empty()) {
    const std::string_view part = argument.substr(0, argument.find(','));
    argument.remove_prefix(std::min(argument.size(), part.size() + 1));
    const std::size_t sign = part.find('=');
    if (sign == std::string_view::npos) refuse(part);
    const std::string_view name = part.substr(0, sign), value = part.substr(sign + 1);
    if (!given.insert(name).second) refuse(all);
    const auto axis = std::find_if(sizes.begin(), sizes.end(), [&](Axis one) { return to_string(one) == name; });
    if (axis != sizes.end())
      size_in(point, *axis) = number_from(value, part);
    else if (name == to_string(Axis::metric))
      point.metric = metric_from(value, part);
    else
      refuse(part);
  }
  if (given.size() != sizes.size() + 1) refuse(all);
  return point;
}

}  // namespace proxel::tool::cliffs
