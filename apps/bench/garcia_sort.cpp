#include "bench/garcia_sort.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "bench/device_rows.hpp"
#include "proxel/passes/insertion_sort.h"
#include "seeded.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint64_t most_block_values = std::uint64_t{32} << 20;
constexpr std::uint64_t checked_queries = 8;
// See passes/insertion_sort.h.
constexpr std::uint64_t most_turns_on_host = 65'535;

}  // namespace

GarciaSort::GarciaSort(Device& device, std::uint64_t queries, std::uint64_t columns, std::uint64_t seed)
    : device_(device),
      queries_(queries),
      columns_(columns),
      block_columns_(std::clamp<std::uint64_t>(most_block_values / queries, 1, columns)),
      block_(block_columns_ * queries),
      keys_(device.create_buffer(columns * queries * 4, MemoryKind::device)) {
  // Bits of values that are not negative are ordered as the values are.
  for (std::uint64_t position = 0; position < block_.size(); ++position)
    block_[position] = std::bit_cast<std::uint32_t>(static_cast<float>(random_bits(position, seed) >> 40) * 0x1p-24F);
  const std::uint64_t block_bytes = block_.size() * 4;
  const BufferView first(*keys_, 0, block_bytes);
  upload(device, first, block_.data());
  const auto commands = device.create_commands(Timing::none);
  commands->begin();
  for (std::uint64_t offset = block_bytes; offset < keys_->bytes(); offset += block_bytes) {
    const std::uint64_t size = std::min(block_bytes, keys_->bytes() - offset);
    commands->copy(first.part(0, size), BufferView(*keys_, offset, size));
  }
  commands->end();
  device.submit(*commands);
  device.wait();
}

SelectMatrix::Measured GarciaSort::measure(std::uint64_t k, const Patience& patience) {
  const auto nearest = device_.create_buffer(k * queries_ * 4, MemoryKind::device);
  const auto indices = device_.create_buffer(k * queries_ * 4, MemoryKind::device);
  passes::InsertionSortParameters sort{};
  sort.nearest_keys = nearest->address();
  sort.nearest_indices = indices->address();
  sort.query_count = sort.row_pitch = sort.rank_pitch = static_cast<std::uint32_t>(queries_);
  sort.k = static_cast<std::uint32_t>(k);
  const std::uint64_t together =
      device_.capabilities().runs_on_host ? std::max<std::uint64_t>(most_turns_on_host / (k + 1), 1) : columns_;
  const auto commands = device_.create_commands(Timing::whole);
  commands->begin();
  for (std::uint64_t column = 0; column < columns_; column += together) {
    sort.keys = keys_->address() + column * queries_ * 4;
    sort.row_count = static_cast<std::uint32_t>(std::min(together, columns_ - column));
    sort.rows_before = sort.first_index = static_cast<std::uint32_t>(column);
    const Pass pass = passes::make_insertion_sort(sort);
    device_.prepare(pass);
    if (column != 0) commands->barrier();
    commands->record(pass);
  }
  commands->end();
  SelectMatrix::Measured measured;
  measured.timed = repeat(patience, [&](std::uint32_t) { return device_milliseconds(device_, *commands); });
  measured.difference = difference(k, *indices);
  return measured;
}

std::optional<std::string> GarciaSort::difference(std::uint64_t k, Buffer& indices) const {
  std::vector<std::uint32_t> found(k * queries_);
  download(device_, BufferView(indices, 0, found.size() * 4), found.data());
  std::vector<std::uint32_t> expected(columns_);
  const std::uint64_t checks = std::min(queries_, checked_queries);
  for (std::uint64_t check = 0; check < checks; ++check) {
    const std::uint64_t query = check * (queries_ - 1) / std::max<std::uint64_t>(checks - 1, 1);
    std::iota(expected.begin(), expected.end(), 0U);
    const auto last = expected.begin() + static_cast<std::ptrdiff_t>(std::min(k, columns_));
    std::partial_sort(expected.begin(), last, expected.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(key(a, query), a) < std::pair(key(b, query), b);
    });
    for (std::uint64_t rank = 0; rank < std::min(k, columns_); ++rank)
      if (found[rank * queries_ + query] != expected[rank])
        return fmt::format("query {}, rank {}: column {} was found, {} is right", query, rank,
                           found[rank * queries_ + query], expected[rank]);
  }
  return std::nullopt;
}

}  // namespace proxel::tool
