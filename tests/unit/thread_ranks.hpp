#pragma once

// Ranks that are threads of one process, for tests of what ranks do together.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "proxel/ranks.hpp"

namespace proxel::unit {

/// What carries their messages.
class Network {
 public:
  explicit Network(std::uint32_t size) : size_(size), warnings_(size) {}
  std::uint32_t size() const { return size_; }

  void send(std::uint32_t from, std::uint32_t to, std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    messages_[{from, to}].emplace_back(bytes.begin(), bytes.end());
    changed_.notify_all();
  }
  std::vector<std::byte> receive(std::uint32_t from, std::uint32_t to) {
    std::unique_lock lock(mutex_);
    auto& waiting = messages_[{from, to}];
    // Far longer than any of these tests takes: a hang becomes a failure.
    if (!changed_.wait_for(lock, std::chrono::seconds(60), [&] { return !waiting.empty() || aborted_; }) || aborted_)
      throw std::runtime_error(aborted_ ? "aborted" : "no message came");
    std::vector<std::byte> message = std::move(waiting.front());
    waiting.pop_front();
    return message;
  }
  void warn(std::uint64_t call) {
    const std::lock_guard lock(mutex_);
    for (std::uint64_t& last : warnings_) last = std::max(last, call);
  }
  bool warned(std::uint32_t rank, std::uint64_t call) {
    const std::lock_guard lock(mutex_);
    return warnings_[rank] >= call;
  }
  void abort() {
    const std::lock_guard lock(mutex_);
    aborted_ = true;
    changed_.notify_all();
  }
  /// Whether no message was left that nobody received.
  bool is_empty() {
    const std::lock_guard lock(mutex_);
    for (const auto& [pair, waiting] : messages_)
      if (!waiting.empty()) return false;
    return true;
  }
  bool aborted() {
    const std::lock_guard lock(mutex_);
    return aborted_;
  }

 private:
  std::uint32_t size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<std::vector<std::byte>>> messages_;
  std::vector<std::uint64_t> warnings_;
  bool aborted_ = false;
};

class ThreadRanks : public Ranks {
 public:
  ThreadRanks(Network& network, std::uint32_t rank) : network_(network), rank_(rank) {}
  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override { return network_.size(); }
  void send(std::span<const std::byte> bytes, std::uint32_t to) override { network_.send(rank_, to, bytes); }
  void receive(std::span<std::byte> bytes, std::uint32_t from) override {
    const std::vector<std::byte> message = network_.receive(from, rank_);
    if (message.size() != bytes.size()) throw std::runtime_error("a message of another size was expected");
    std::memcpy(bytes.data(), message.data(), message.size());
  }
  void warn(std::uint64_t call) override { network_.warn(call); }
  bool warned(std::uint64_t call) override { return network_.warned(rank_, call); }
  [[noreturn]] void abort(std::string_view) override {
    network_.abort();
    // In a destructor, as a rule: this rank goes no further.
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }

 private:
  Network& network_;
  std::uint32_t rank_;
};

/// Runs a function on each of so many ranks, at once. @return what each threw
inline std::vector<std::exception_ptr> on_ranks(Network& network, const std::function<void(Ranks& ranks)>& run) {
  std::vector<std::exception_ptr> thrown(network.size());
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 0; rank < network.size(); ++rank)
    threads.emplace_back([&, rank] {
      ThreadRanks ranks(network, rank);
      try {
        run(ranks);
      } catch (...) {
        thrown[rank] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  return thrown;
}

}  // namespace proxel::unit
