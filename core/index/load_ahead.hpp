#pragma once

#include <cstdint>
#include <future>
#include <stop_token>

#include "index/block_source.hpp"
#include "proxel/search.hpp"

namespace proxel::index {

/// Brings a block of rows to the device while the block before it is searched, on a thread of its own where the device
/// copies beside submitted work. Elsewhere a block is brought when it is waited for.
class LoadAhead {
 public:
  /// @param source  outlives this
  LoadAhead(Device& device, BlockSource& source) : device_(device), source_(source) {}
  /// Ends what is still being brought.
  ~LoadAhead();
  LoadAhead(const LoadAhead&) = delete;
  LoadAhead& operator=(const LoadAhead&) = delete;

  /// Begins to bring rows in place of those before, which nothing reads any more.
  void begin(const RowPart& part);
  /// Returns when they are there; adds to the times what was waited. Throws what bringing them threw, or the calling
  /// thread's Watch.
  void finish(SearchTimes& times);

 private:
  Device& device_;
  BlockSource& source_;
  RowPart part_;
  std::stop_source stop_;
  std::future<void> loading_;  // of the thread, if there is one
};

}  // namespace proxel::index
