#include "sharding/page.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "index/upload.hpp"
#include "passes/decoded_distance.hpp"
#include "proxel/device.hpp"
#include "search/after.hpp"
#include "session/run_once.hpp"

namespace proxel::sharding {
namespace {

using namespace passes;

// The host, where the places of a page are found whatever devices there are.
class Host {
 public:
  Host() : device_(open_device("cpu")) {}
  Device& device() { return *device_; }
  std::unique_ptr<Buffer> buffer(std::uint64_t bytes) { return device_->create_buffer(bytes, MemoryKind::upload); }
  std::unique_ptr<Buffer> buffer(const MatrixView<float>& values) {
    auto made = buffer(values.rows * values.columns * 4);
    index::copy_rows(values, static_cast<float*>(made->mapped()));
    return made;
  }

 private:
  std::unique_ptr<Device> device_;
};

// The distance key that comes before, which is not that of the nearest value: NaN comes after all numbers, and -0 is +0.
std::uint32_t key_before(std::uint32_t key, bool largest) {
  if (key == nan_distance_key) return distance_key(no_row_distance(largest), largest);
  const std::uint32_t before = key - 1;
  return distance_key(value_of_distance_key(before, largest), largest) == before ? before : before - 1;
}

// The last column of the page before.
template <typename T>
void last_of(const Matrix<T>& found, T* to) {
  for (std::uint64_t query = 0; query < found.rows(); ++query) to[query] = found(query, found.columns() - 1);
}

}  // namespace

Keys keys_behind(const SearchOptions& options, const MatrixView<float>& queries, Metric metric, std::uint64_t rows,
                 const ReadRows& read) {
  const Neighbors& page = *options.after;
  const auto count = static_cast<std::uint32_t>(queries.rows);
  std::vector<std::uint32_t> whole(count);
  last_of(page.indices, whole.data());
  Keys keys(count);
  if (options.ordered || finish_of(metric) == finish_none) {
    const bool largest = largest_first(accumulated(metric));
    std::vector<float> behind(count);
    last_of(page.distances, behind.data());
    for (std::uint32_t query = 0; query < count; ++query)
      keys[query] =
          whole[query] == no_neighbor ? no_row_key : make_key(distance_key(behind[query], largest), whole[query]);
    return keys;
  }

  // Of finished distances the rows say what they were made of: their numbers are those among the rows that are read.
  Host host;
  const auto distances = host.buffer(std::uint64_t{count} * 4), indices = host.buffer(std::uint64_t{count} * 4),
             found = host.buffer(std::uint64_t{count} * 8);
  last_of(page.distances, static_cast<float*>(distances->mapped()));
  auto* const numbers = static_cast<std::uint32_t*>(indices->mapped());
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t query = 0; query < count; ++query) {
    // A number of no row stays one.
    numbers[query] = whole[query] == no_neighbor ? no_neighbor : no_neighbor - 1;
    if (whole[query] >= rows) continue;
    numbers[query] = static_cast<std::uint32_t>(wanted.size());
    wanted.push_back(whole[query]);
  }
  const auto dimensions = static_cast<std::uint32_t>(queries.columns);
  const Matrix<float> near = read(wanted);
  const auto near_rows = host.buffer(std::max<std::uint64_t>(wanted.size(), 1) * dimensions * 4);
  std::copy_n(near.data(), wanted.size() * dimensions, static_cast<float*>(near_rows->mapped()));
  const auto asked = host.buffer(queries);
  session::run_once(host.device(), [&](Recording& recording) {
    RowsSegment segment{row_major_rows(near_rows->address(), wanted.size(), dimensions)};
    if (normalizes(metric)) {
      const Rows query_rows = row_major_rows(asked->address(), count, dimensions);
      record_normalize(recording, metric, query_rows, query_rows, dimensions);
      if (!wanted.empty()) record_normalize(recording, metric, segment.rows, segment.rows, dimensions);
      recording.barrier();
    }
    search::record_after(recording, metric, {*distances, *indices}, 0, count, found->address(), asked->address(),
                         dimensions, {&segment, 1});
  });
  std::memcpy(keys.data(), found->mapped(), found->bytes());
  for (std::uint32_t query = 0; query < count; ++query)
    if (keys[query] != no_row_key) keys[query] = make_key(distance_key_of(keys[query]), whole[query]);
  return keys;
}

LocalPage local_page(const Keys& keys, Metric metric, const RowNumbers& numbers) {
  const bool largest = largest_first(accumulated(metric));
  LocalPage page{{Matrix<std::uint32_t>(keys.size(), 1), Matrix<float>(keys.size(), 1)},
                 std::vector<bool>(keys.size())};
  for (std::size_t query = 0; query < keys.size(); ++query) {
    std::uint32_t& index = page.after.indices(query, 0);
    float& distance = page.after.distances(query, 0);
    index = no_neighbor;
    distance = no_row_distance(largest);
    if (keys[query] == no_row_key) continue;
    std::uint32_t key = distance_key_of(keys[query]);
    if (const std::uint64_t rows = numbers.rows_up_to(index_of(keys[query]))) {
      index = static_cast<std::uint32_t>(rows - 1);
    } else {
      // No row here comes before those at this distance: it goes on behind all that are nearer.
      const std::uint32_t nearest = distance_key(-no_row_distance(largest), largest);
      page.from_start[query] = key <= nearest;
      key = key_before(key, largest);
      index = no_neighbor - 1;
    }
    distance = value_of_distance_key(key, largest);
  }
  return page;
}

}  // namespace proxel::sharding
