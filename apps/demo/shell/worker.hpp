#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace demo {

/// What a job is told of the window, and tells it.
class Progress {
 public:
  void report(std::uint64_t done, std::uint64_t total);
  bool cancelled() const;
  /// Ends the job where it was cancelled, by an exception that the worker catches.
  void check() const;
  /// What the library's long calls are given: it reports, and ends them where the job was cancelled.
  std::function<void(std::uint64_t done, std::uint64_t total)> callback();

 private:
  friend class Worker;
  struct State;
  explicit Progress(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// How soon a job is wanted. One that is `idle` makes way for the others: it is cancelled when
/// one of them comes, and run again later.
enum class Urgency { soon, idle };

/// One thread that does what would keep the window waiting.
class Worker {
 public:
  /// Runs on the window's thread once the job has ended. May be empty.
  using Ending = std::function<void()>;
  using Job = std::function<Ending(Progress&)>;

  /// @param wake  wakes the window's thread; called on any thread
  explicit Worker(std::function<void()> wake);
  /// Cancels and waits.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Does the job. A waiting job of the same key is replaced, a running one cancelled: its
  /// ending does not run. What it throws is shown in the window.
  void run(std::string key, std::string title, Job job, Urgency urgency = Urgency::soon);
  /// Whether there is a job of that key whose ending has not run yet.
  bool busy(std::string_view key) const;
  bool busy() const;
  /// Whether there is a job that someone waits for.
  bool busy_soon() const;
  void cancel(std::string_view key);
  void cancel();

  /// The job that runs, for the progress bar.
  struct Showing {
    std::string title;
    std::uint64_t done = 0, total = 0;
    double seconds = 0;  ///< since it began
  };
  std::optional<Showing> showing() const;

  /// Runs the endings of jobs that are over, on the window's thread.
  /// @param failed  is told of a job's key and what it threw; with an empty text of one that went well
  /// Whether there was one.
  bool finish(const std::function<void(const std::string& key, const std::string& error)>& failed);

 private:
  struct Task;
  void loop();
  void do_task(std::unique_lock<std::mutex>& lock);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> waiting_, over_;
  std::unique_ptr<Task> running_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace demo
