#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/kernels.hpp"
#include "passes/filter.hpp"
#include "passes/memory.hpp"
#include "passes/order.hpp"

namespace proxel::cpu {

/// Keeps the k smallest of the keys that it is offered and that `after` admits
/// and the filter allows.
/// Keys are collected in a list of more than 2k and cut back to k when it is
/// full, so that an offer costs constant time on average whatever the order.
class SmallestKeys {
 public:
  SmallestKeys(std::uint32_t k, const passes::After& after, const passes::Filter& filter)
      : k_(k), capacity_(2 * std::size_t{k} + 32), after_(after), filter_(filter) {
    keys_.reserve(capacity_);
  }

  void offer(std::uint64_t key) {
    if (key >= limit_ || !after_.admits(key) || !filter_.allows(passes::index_of(key))) return;
    keys_.push_back(key);
    if (keys_.size() == capacity_) keep_k();
  }

  /// Offers the rows first_index + i with the distance keys [count].
  void offer(const Kernels& kernels, const std::uint32_t* distance_keys, std::size_t count, std::uint64_t first_index) {
    const std::uint32_t low = after_.bounded ? passes::distance_key_of(after_.key) : 0;
    if (!kernels.any_within(distance_keys, count, low, passes::distance_key_of(limit_))) return;
    // Where a few may be among the smallest, most short runs still have none.
    constexpr std::size_t run = 16;
    for (std::size_t start = 0; start < count; start += run) {
      const std::size_t end = std::min(start + run, count);
      // Bits are looked at first: few rows of a sparse filter have any.
      if (!filter_.allows_any(first_index + start, end - start) ||
          !kernels.any_within(distance_keys + start, end - start, low, passes::distance_key_of(limit_)))
        continue;
      for (std::size_t i = start; i < end; ++i)
        offer(passes::make_key(distance_keys[i], static_cast<std::uint32_t>(first_index + i)));
    }
  }

  /// Keys at or above it cannot be among the smallest any more.
  std::uint64_t limit() const { return limit_; }

  /// Whether any of rows first … first + count - 1 can be among the smallest.
  bool wants_any(std::uint64_t first, std::uint64_t count) const { return filter_.allows_any(first, count); }

  /// Takes over an ascending list of k keys, which after and filter do not concern.
  void adopt(const std::uint64_t* list) {
    for (std::uint32_t i = 0; i < k_ && list[i] != passes::no_row_key; ++i) keys_.push_back(list[i]);
    if (keys_.size() == k_) limit_ = list[k_ - 1];
  }

  /// Writes k keys, ascending, padded with the no-row key.
  void write(std::uint64_t* to) {
    if (keys_.size() > k_) keep_k();
    std::sort(keys_.begin(), keys_.end());
    std::fill(std::copy(keys_.begin(), keys_.end(), to), to + k_, passes::no_row_key);
  }

 private:
  void keep_k() {
    const auto last = keys_.begin() + static_cast<std::ptrdiff_t>(k_) - 1;
    std::nth_element(keys_.begin(), last, keys_.end());
    limit_ = *last;
    keys_.resize(k_);
  }

  std::uint32_t k_;
  std::size_t capacity_;
  passes::After after_;
  passes::Filter filter_;
  std::uint64_t limit_ = passes::no_row_key;
  std::vector<std::uint64_t> keys_;
};

}  // namespace proxel::cpu
