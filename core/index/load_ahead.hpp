#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "index/block_source.hpp"
#include "proxel/search.hpp"

namespace proxel::index {

/// Brings parts of rows to the device one after the other while those before are searched, on a thread of its own where
/// the device copies beside submitted work. Elsewhere a part is brought when it is asked for.
class LoadAhead {
 public:
  /// @param source  outlives this
  /// @param parts   outlive this; one is brought when those before it whose place it takes have been released
  LoadAhead(Device& device, BlockSource& source, const std::vector<RowPart>& parts);
  /// Ends what is still being brought.
  ~LoadAhead();
  LoadAhead(const LoadAhead&) = delete;
  LoadAhead& operator=(const LoadAhead&) = delete;

  /// Returns when that part is there; adds to the times what was waited. Throws what bringing it threw, or the calling
  /// thread's Watch. Parts are taken in their order.
  void take(std::size_t part, SearchTimes& times);
  /// Nothing reads that part any more where it lies.
  void release(std::size_t part);

 private:
  void load(const std::stop_token& stop);
  // Waits for all that has been sent, but for so many copies: the parts before that one are there then.
  void arrive(std::size_t part, std::uint32_t but);
  // Whether the place of a part has been released.
  bool may_begin(std::size_t part) const { return released_ >= begins_after_[part]; }

  BlockSource& source_;
  const std::vector<RowPart>& parts_;
  std::vector<std::size_t> begins_after_;  // so many released parts
  bool beside_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::size_t there_ = 0, released_ = 0;  // parts
  std::exception_ptr failure_;
  std::jthread loader_;
};

}  // namespace proxel::index
