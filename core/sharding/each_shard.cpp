#include "sharding/each_shard.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "watch.hpp"

namespace proxel::sharding {
namespace {

// Thrown in threads whose answer nobody wants any more.
struct Ended {};

// What a refusal names; of another failure, or none, nothing.
std::optional<std::string> refused_subject(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::unsupported) return error.subject();
  } catch (...) {
    return std::nullopt;
  }
  return std::nullopt;
}

// The jobs of one call, while they run.
class Running {
 public:
  Running(const std::vector<Job>& jobs, bool watched) : jobs_(jobs), watched_(watched), done_(jobs.size()) {
    failures_.resize(jobs.size());
    for (const Job& job : jobs) weights_ += job.weight;
  }
  ~Running() {
    for (std::thread& thread : threads_) thread.join();
  }

  void start() {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      try {
        threads_.emplace_back([this, i] { run(i); });
      } catch (const std::system_error& error) {
        end();
        throw Error(ErrorCode::out_of_memory, jobs_[i].device,
                    fmt::format("the thread that searches it could not be started: {}", error.code().message()));
      }
    }
  }

  // Whether all have ended, after a moment at most.
  bool wait_a_moment() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, Watch::interval(), [this] { return ended_ == jobs_.size(); });
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_ == jobs_.size(); });
  }
  void end() { ending_ = true; }

  // 0 … 1
  double done() const {
    double sum = 0;
    for (std::size_t i = 0; i < jobs_.size(); ++i) sum += done_[i].load() * jobs_[i].weight;
    return weights_ > 0 ? sum / weights_ : 1;
  }

  void rethrow() const {
    if (refused_alike()) std::rethrow_exception(failures_.front());
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (!failures_[i]) continue;
      try {
        rethrow_of(jobs_[i].device, failures_[i]);
      } catch (const Ended&) {
        continue;  // another failed
      }
    }
  }

 private:
  // Whether each of several devices refuses the same: that is a matter of what was asked, and not of a device.
  bool refused_alike() const {
    if (failures_.size() < 2) return false;
    const std::optional<std::string> subject = refused_subject(failures_.front());
    return subject &&
           std::ranges::all_of(failures_, [&](const auto& failure) { return refused_subject(failure) == subject; });
  }

  void run(std::size_t i) {
    std::exception_ptr failure;
    try {
      jobs_[i].work(watched_ ? Progress([this, i](std::uint64_t done, std::uint64_t total) {
        if (ending_) throw Ended();
        done_[i] = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
      })
                             : Progress());
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure) end();
    const std::lock_guard lock(mutex_);
    failures_[i] = std::move(failure);
    ++ended_;
    changed_.notify_all();
  }

  const std::vector<Job>& jobs_;
  bool watched_;
  double weights_ = 0;
  std::vector<std::atomic<double>> done_;
  std::vector<std::exception_ptr> failures_;
  std::atomic<bool> ending_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t ended_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace

void rethrow_of(const std::string& device, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    // Of what was given, or of a file, the error names it already.
    constexpr ErrorCode not_of_devices[] = {ErrorCode::invalid_argument, ErrorCode::not_found,
                                            ErrorCode::malformed_file, ErrorCode::input_output};
    if (std::ranges::find(not_of_devices, error.code()) != std::end(not_of_devices) || error.subject() == device) throw;
    throw Error(error.code(), device, error.what());
  }
}

void do_all(const std::vector<Job>& jobs, const Progress& progress, std::uint64_t total,
            const std::function<void()>& beside) {
  Running running(jobs, progress || Watch::current());
  running.start();
  std::exception_ptr ended;
  try {
    if (beside) beside();
    std::uint64_t told = 0;
    while ((progress || Watch::current()) && !running.wait_a_moment()) {
      Watch::glance();
      const auto done = static_cast<std::uint64_t>(running.done() * static_cast<double>(total));
      if (progress && done >= told && done < total) progress(told = done, total);
    }
  } catch (...) {
    ended = std::current_exception();
    running.end();
  }
  running.wait();
  if (ended) std::rethrow_exception(ended);
  running.rethrow();
  if (progress) progress(total, total);
}

}  // namespace proxel::sharding
