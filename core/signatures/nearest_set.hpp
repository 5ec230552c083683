#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace proxel::krulis {

/// An object and its distance, in the contract's order.
using Neighbor = std::pair<float, std::uint32_t>;

/// The k nearest of those it was given.
class NearestSet {
 public:
  explicit NearestSet(std::uint64_t k) : k_(k) {}

  void add(float distance, std::uint32_t object) {
    const Neighbor neighbor(distance, object);
    if (heap_.size() == k_) {
      if (!(neighbor < heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(neighbor);
    std::push_heap(heap_.begin(), heap_.end());
  }

  /// No object that is farther can become one of the k.
  float radius() const { return heap_.size() == k_ ? heap_.front().first : std::numeric_limits<float>::infinity(); }

  /// Nearest first; the set is empty then.
  std::vector<Neighbor> sorted() {
    std::sort_heap(heap_.begin(), heap_.end());
    return std::move(heap_);
  }

 private:
  std::uint64_t k_;
  std::vector<Neighbor> heap_;  // the farthest first
};

}  // namespace proxel::krulis
