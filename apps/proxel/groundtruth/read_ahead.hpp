#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "groundtruth/row_source.hpp"

namespace proxel::tool {

/// Brings the next block of rows into memory while the one before it is searched.
class ReadAhead {
 public:
  explicit ReadAhead(const RowSource& source) : source_(source), thread_([this] { work(); }) {}
  /// Stops what is being read.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Begins to read rows; what was begun before has been taken.
  void begin(std::uint64_t first, std::uint64_t count);
  /// The block that was begun, when it is there; throws what reading it threw.
  /// @param look  called a few times a second meanwhile; what it throws is thrown
  RowBlock take(const std::function<void()>& look);
  /// A block that has been searched, whose memory one of the next is read into.
  void give_back(RowBlock&& done);

 private:
  void work();

  const RowSource& source_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool wanted_ = false;
  std::uint64_t first_ = 0, count_ = 0;
  std::optional<RowBlock> block_;
  RowMemory spare_;
  std::exception_ptr failure_;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace proxel::tool
