#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "cpu/workers.hpp"

namespace proxel::search {

/// Threads that stay from one answer to the next that wants as many: sixteen take longer to start than to copy ten million bytes.
class KeptThreads {
 public:
  /// So many threads, or as many as the system starts. Those of another count, which an earlier call returned, end.
  cpu::Workers& of(std::uint32_t count);

 private:
  std::optional<cpu::Workers> workers_;
};

/// Threads that do what the host has to do with the answers of queries, block by block; there are several where there are
/// enough answers to be worth it. They have started when this is made, which may be while the device still answers.
class OverQueries {
 public:
  /// @param queries  the most that are handed to run()
  /// @param slots    of each query's answer
  OverQueries(std::uint64_t queries, std::uint64_t slots) : OverQueries(queries, slots, own_) {}
  /// The same with threads that stay. @param kept  outlives this; nobody else uses it meanwhile
  OverQueries(std::uint64_t queries, std::uint64_t slots, KeptThreads& kept);
  OverQueries(const OverQueries&) = delete;
  OverQueries& operator=(const OverQueries&) = delete;

  /// Does it for 0 … count - 1. Again and again, by one thread at a time.
  /// @param work  (first, count): of a block of queries; called from any thread. What it throws ends all, and is thrown
  void run(std::uint64_t count, const std::function<void(std::uint64_t first, std::uint64_t count)>& work);

 private:
  KeptThreads own_;
  std::uint64_t block_;
  cpu::Workers* workers_ = nullptr;
};

/// The same at once.
inline void over_queries(std::uint64_t queries, std::uint64_t slots,
                         const std::function<void(std::uint64_t first, std::uint64_t count)>& work) {
  OverQueries(queries, slots).run(queries, work);
}

}  // namespace proxel::search
