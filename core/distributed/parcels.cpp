#include "distributed/parcels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <mutex>
#include <set>

namespace proxel::distributed {
namespace {

// 15 letters of a name in two numbers.
void put_name(const std::string& name, Shape& shape, std::size_t at) {
  std::array<char, 16> letters = {};
  std::copy_n(name.data(), std::min<std::size_t>(name.size(), 15), letters.data());
  std::memcpy(&shape[at], letters.data(), 16);
}

std::string name_at(const Shape& shape, std::size_t at) {
  std::array<char, 16> letters = {};
  std::memcpy(letters.data(), &shape[at], 15);
  return letters.data();
}

}  // namespace

std::string_view name_of(Call call) {
  switch (call) {
    case Call::search:
      return "search()";
    case Call::search_rows:
      return "search_rows()";
    case Call::range_search:
      return "range_search()";
    case Call::read_rows:
      return "read_rows()";
    case Call::add:
      return "add()";
    case Call::remove:
      return "remove()";
    case Call::compact:
      return "compact()";
    case Call::knn_graph:
      return "knn_graph()";
  }
  return "another call";
}

Shape Request::shape() const {
  const std::uint64_t what = static_cast<std::uint64_t>(call) | static_cast<std::uint64_t>(step) << 8 |
                             std::uint64_t{last} << 16 | std::uint64_t{ordered} << 17 |
                             static_cast<std::uint64_t>(metric) << 24;
  return {what,
          k,
          std::bit_cast<std::uint32_t>(radius),
          target,
          rows.rows(),
          rows.columns(),
          filter.rows(),
          filter.columns(),
          behind.size(),
          numbers.size()};
}

void Request::make_room(const Shape& shape) {
  call = static_cast<Call>(shape[0] & 0xFF);
  step = static_cast<Step>(shape[0] >> 8 & 0xFF);
  last = shape[0] >> 16 & 1;
  ordered = shape[0] >> 17 & 1;
  metric = static_cast<Metric>(shape[0] >> 24);
  k = shape[1];
  radius = std::bit_cast<float>(static_cast<std::uint32_t>(shape[2]));
  target = shape[3];
  rows = Matrix<float>(shape[4], shape[5]);
  filter = Matrix<std::uint32_t>(shape[6], shape[7]);
  behind.resize(shape[8]);
  numbers.resize(shape[9]);
}

SearchOptions Request::options() const {
  SearchOptions options;
  if (filter.rows() != 0) options.filter = filter.view();
  options.ordered = ordered;
  options.self = numbers;
  return options;
}

void ReportParcel::take(const SearchReport& report, std::uint32_t rank, std::uint32_t size) {
  milliseconds = {report.times.upload_milliseconds, report.times.compute_milliseconds,
                  report.times.readback_milliseconds};
  compared = report.compared;
  evaluated = report.evaluated;
  ranks.assign(size, {});
  ranks[rank] = {report.method.empty() ? 0u : 1u, report.times.compute_milliseconds};
}

void ReportParcel::add(const ReportParcel& other) {
  for (std::size_t i = 0; i < milliseconds.size(); ++i) milliseconds[i] += other.milliseconds[i];
  compared += other.compared;
  evaluated += other.evaluated;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    ranks[i].blocks += other.ranks[i].blocks;
    ranks[i].milliseconds += other.ranks[i].milliseconds;
  }
}

void ReportParcel::give(SearchReport& report) const {
  report.times.upload_milliseconds = milliseconds[0];
  report.times.compute_milliseconds = milliseconds[1];
  report.times.readback_milliseconds = milliseconds[2];
  report.compared = compared;
  report.evaluated = evaluated;
  report.devices = ranks;
}

Shape NeighborsParcel::shape() const {
  Shape shape = {found.indices.rows(), found.indices.columns(), report.ranks.size(), report.compared, report.evaluated};
  put_name(method, shape, 5);
  return shape;
}

void NeighborsParcel::make_room(const Shape& shape) {
  found = {Matrix<std::uint32_t>(shape[0], shape[1]), Matrix<float>(shape[0], shape[1])};
  report.ranks.resize(shape[2]);
  report.compared = shape[3];
  report.evaluated = shape[4];
  method = name_at(shape, 5);
}

Blobs NeighborsParcel::blobs() {
  return {bytes_of(found.indices), bytes_of(found.distances), bytes_of(report.milliseconds), bytes_of(report.ranks)};
}

Shape RangeParcel::shape() const {
  Shape shape = {found.offsets.size(), found.indices.size(), report.ranks.size(), report.compared, report.evaluated};
  put_name(method, shape, 5);
  return shape;
}

void RangeParcel::make_room(const Shape& shape) {
  found.offsets.resize(shape[0]);
  found.indices.resize(shape[1]);
  found.distances.resize(shape[1]);
  report.ranks.resize(shape[2]);
  report.compared = shape[3];
  report.evaluated = shape[4];
  method = name_at(shape, 5);
}

Blobs RangeParcel::blobs() {
  return {bytes_of(found.offsets), bytes_of(found.indices), bytes_of(found.distances), bytes_of(report.milliseconds),
          bytes_of(report.ranks)};
}

std::string_view lasting(const std::string& method) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;
  const std::lock_guard lock(mutex);
  return *names.insert(method).first;
}

}  // namespace proxel::distributed
