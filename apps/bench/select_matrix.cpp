#include "bench/select_matrix.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "bench/device_rows.hpp"
#include "interrupt.hpp"
#include "selection_oracle.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint64_t most_block_values = std::uint64_t{64} << 20;
constexpr std::uint64_t most_checked_rows = 12;
// The oracle sorts; it takes seconds for tens of millions of values.
constexpr std::uint64_t most_checked_values = std::uint64_t{1} << 24;

std::vector<float> uniform_values(std::uint64_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  // A fast generator: quality beyond the order of values does not matter here.
  std::uint64_t state = seed * 0x9E3779B97F4A7C15ull + 1;
  for (float& value : values) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    value = static_cast<float>(state >> 40) * 0x1p-24f;
  }
  return values;
}

}  // namespace

SelectMatrix::SelectMatrix(Device& device, std::uint64_t rows, std::uint64_t columns, std::uint64_t seed)
    : device_(device),
      rows_(rows),
      columns_(columns),
      block_rows_(std::clamp<std::uint64_t>(most_block_values / columns, 1, rows)),
      block_(uniform_values(block_rows_ * columns, seed)) {
  const std::uint64_t block_bytes = block_.size() * 4;
  for (std::uint32_t copy = 0; copy < copies_beyond_caches(device, bytes()); ++copy)
    copies_.push_back(device.create_buffer(bytes(), MemoryKind::device));
  const BufferView first(*copies_.front(), 0, block_bytes);
  upload(device, first, block_.data());
  const auto commands = device.create_commands(Timing::none);
  commands->begin();
  for (const auto& copy : copies_)
    for (std::uint64_t offset = 0; offset < bytes(); offset += block_bytes) {
      if (copy == copies_.front() && offset == 0) continue;
      const std::uint64_t size = std::min(block_bytes, bytes() - offset);
      commands->copy(first.part(0, size), BufferView(*copy, offset, size));
    }
  commands->end();
  device.submit(*commands);
  device.wait();
}

SelectMatrix::Measured SelectMatrix::measure(const SelectionDescription& description, const Patience& patience) {
  const SelectionPlan plan = SelectionPlan::make(device_, description);
  const std::uint64_t slot_bytes = rows_ * description.k * 4;
  const auto scratch = device_.create_buffer(std::max<std::uint64_t>(plan.scratch_bytes(), 4), MemoryKind::device);
  const auto indices = device_.create_buffer(slot_bytes, MemoryKind::device);
  const auto selected = device_.create_buffer(slot_bytes, MemoryKind::device);
  std::vector<std::unique_ptr<Commands>> turns;
  for (const auto& copy : copies_) {
    turns.push_back(device_.create_commands(Timing::whole));
    turns.back()->begin();
    plan.record(*turns.back(), {*copy, {}, *scratch, *indices, *selected});
    turns.back()->end();
  }
  Measured measured;
  measured.method = plan.method();
  measured.timed =
      repeat(patience, [&](std::uint32_t turn) { return device_milliseconds(device_, *turns[turn % turns.size()]); });
  // What the timed turns left must not pass for an answer.
  const auto clear = device_.create_commands(Timing::none);
  clear->begin();
  clear->fill(*indices, 0xA5);
  clear->fill(*selected, 0xA5);
  clear->end();
  device_.submit(*clear);
  device_.submit(*turns.back());
  device_.wait();
  const std::uint64_t row_bytes = description.k * 4;
  measured.difference =
      difference(description.k, description.largest_first, [&](std::uint64_t row, std::uint32_t* found, float* values) {
    download(device_, BufferView(*indices, row * row_bytes, row_bytes), found);
    download(device_, BufferView(*selected, row * row_bytes, row_bytes), values);
  });
  return measured;
}

SelectMatrix::Measured SelectMatrix::measure(SortPeer& peer, const Patience& patience) {
  Measured measured;
  measured.timed =
      repeat(patience, [&](std::uint32_t turn) { return peer.sort(copies_[turn % copies_.size()]->address()); });
  measured.difference = difference(columns_, false, [&](std::uint64_t row, std::uint32_t* found, float* values) {
    peer.download(row, found, values);
  });
  return measured;
}

std::optional<std::string> SelectMatrix::difference(
    std::uint64_t k, bool largest_first,
    const std::function<void(std::uint64_t, std::uint32_t*, float*)>& fetch) const {
  std::vector<std::uint32_t> found(k);
  std::vector<float> values(k);
  const std::uint64_t checks =
      std::min(rows_, std::clamp<std::uint64_t>(most_checked_values / columns_, 1, most_checked_rows));
  for (std::uint64_t check = 0; check < checks; ++check) {
    throw_if_interrupted();
    const std::uint64_t row = checks == 1 ? 0 : check * (rows_ - 1) / (checks - 1);
    fetch(row, found.data(), values.data());
    const conformance::Selected expected =
        conformance::select_by_oracle(host_row(row), columns_, k, largest_first, nullptr);
    for (std::uint64_t slot = 0; slot < k; ++slot)
      if (found[slot] != expected.indices[slot] || std::memcmp(&values[slot], &expected.values[slot], 4) != 0)
        return fmt::format("row {}, rank {}: column {} ({}) was found, {} ({}) is right", row, slot, found[slot],
                           values[slot], expected.indices[slot], expected.values[slot]);
  }
  return std::nullopt;
}

Timed SelectMatrix::repeat_rows(const Patience& patience, const std::function<void(const float*)>& prepare,
                                const std::function<float()>& work) const {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  const auto start = Clock::now();
  const auto seconds = [](Clock::duration duration) { return std::chrono::duration<double>(duration).count(); };
  float kept = 0;
  for (std::uint64_t i = 0; i < rows_ && (i == 0 || seconds(Clock::now() - start) < patience.seconds); ++i) {
    throw_if_interrupted();
    prepare(host_row(i));
    const auto begin = Clock::now();
    kept += work();
    times.push_back(1000 * seconds(Clock::now() - begin));
  }
  // The result is used, so that the work cannot be left out.
  if (kept < 0) throw Error(ErrorCode::backend_failure, "the host", "a value below 0 was selected");
  std::sort(times.begin(), times.end());
  const auto rows = static_cast<double>(rows_);
  return {times[times.size() / 2] * rows, times.front() * rows, static_cast<std::uint32_t>(times.size())};
}

Timed SelectMatrix::nth_element(std::uint64_t k, const Patience& patience) const {
  std::vector<float> row(columns_);
  return repeat_rows(patience, [&](const float* values) { std::copy_n(values, columns_, row.begin()); }, [&] {
    const auto last = row.begin() + static_cast<std::ptrdiff_t>(std::min(k, columns_)) - 1;
    std::nth_element(row.begin(), last, row.end());
    std::sort(row.begin(), last + 1);
    return *last;
  });
}

Timed SelectMatrix::sort_on_host(const Patience& patience) const {
  std::vector<std::pair<float, std::uint32_t>> row(columns_);
  return repeat_rows(patience, [&](const float* values) {
    for (std::uint64_t i = 0; i < columns_; ++i) row[i] = {values[i], static_cast<std::uint32_t>(i)};
  }, [&] {
    std::sort(row.begin(), row.end());
    return row.back().first;
  });
}

}  // namespace proxel::tool
