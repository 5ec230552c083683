#include "shell/worker.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>

namespace demo {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// Thrown through a job that was cancelled. Not a std::exception: a job that catches those does
// not catch this one.
struct Cancelled {};

}  // namespace

struct Progress::State {
  std::function<void()> wake;
  std::atomic<bool> cancelled = false;
  std::atomic<std::uint64_t> done = 0, total = 0;
  Clock::time_point begin{}, told{};
};

struct Worker::Task {
  std::string key, title;
  Job job;
  Urgency urgency = Urgency::soon;
  std::shared_ptr<Progress::State> state;
  bool again = false;  // it made way, and is to be run anew
  Ending ending;
  std::string error;
};

void Progress::report(std::uint64_t done, std::uint64_t total) {
  state_->done = done;
  state_->total = total;
  const auto now = Clock::now();
  if (now - state_->told < 50ms) return;
  state_->told = now;
  state_->wake();
}

bool Progress::cancelled() const { return state_->cancelled; }

void Progress::check() const {
  if (cancelled()) throw Cancelled{};
}

std::function<void(std::uint64_t, std::uint64_t)> Progress::callback() {
  return [progress = *this](std::uint64_t done, std::uint64_t total) mutable {
    progress.check();
    progress.report(done, total);
  };
}

Worker::Worker(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { loop(); }) {}

Worker::~Worker() {
  cancel();
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Worker::run(std::string key, std::string title, Job job, Urgency urgency) {
  cancel(key);
  const std::scoped_lock lock(mutex_);
  if (running_ && running_->urgency == Urgency::idle && urgency == Urgency::soon && !running_->state->cancelled) {
    running_->again = true;
    running_->state->cancelled = true;
  }
  Task task{
      std::move(key), std::move(title), std::move(job), urgency, std::make_shared<Progress::State>(), false, {}, {}};
  task.state->wake = wake_;
  waiting_.push_back(std::move(task));
  changed_.notify_all();
}

bool Worker::busy(std::string_view key) const {
  const std::scoped_lock lock(mutex_);
  const auto same = [&](const Task& task) { return task.key == key; };
  return std::any_of(waiting_.begin(), waiting_.end(), same) || std::any_of(over_.begin(), over_.end(), same) ||
         (running_ && same(*running_) && (!running_->state->cancelled || running_->again));
}

bool Worker::busy() const {
  const std::scoped_lock lock(mutex_);
  return !waiting_.empty() || !over_.empty() || running_;
}

bool Worker::busy_soon() const {
  const std::scoped_lock lock(mutex_);
  const auto soon = [](const Task& task) { return task.urgency == Urgency::soon; };
  return std::any_of(waiting_.begin(), waiting_.end(), soon) || std::any_of(over_.begin(), over_.end(), soon) ||
         (running_ && soon(*running_));
}

void Worker::cancel(std::string_view key) {
  const std::scoped_lock lock(mutex_);
  const auto same = [&](const Task& task) { return task.key == key; };
  std::erase_if(waiting_, same);
  std::erase_if(over_, same);
  if (running_ && same(*running_)) {
    running_->again = false;
    running_->state->cancelled = true;
  }
}

void Worker::cancel() {
  const std::scoped_lock lock(mutex_);
  waiting_.clear();
  if (!running_) return;
  running_->again = false;
  running_->state->cancelled = true;
}

std::optional<Worker::Showing> Worker::showing() const {
  const std::scoped_lock lock(mutex_);
  if (!running_) return std::nullopt;
  const Progress::State& state = *running_->state;
  return Showing{running_->title, state.done, state.total,
                 std::chrono::duration<double>(Clock::now() - state.begin).count()};
}

bool Worker::finish(const std::function<void(const std::string&, const std::string&)>& failed) {
  std::deque<Task> over;
  {
    const std::scoped_lock lock(mutex_);
    over.swap(over_);
  }
  for (const Task& task : over) {
    failed(task.key, task.error);
    if (task.ending) task.ending();
  }
  return !over.empty();
}

void Worker::loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    do_task(lock);
  }
}

// Called, and returns, with the lock; without it while the job runs.
void Worker::do_task(std::unique_lock<std::mutex>& lock) {
  auto next =
      std::find_if(waiting_.begin(), waiting_.end(), [](const Task& task) { return task.urgency == Urgency::soon; });
  if (next == waiting_.end()) next = waiting_.begin();
  running_ = std::make_unique<Task>(std::move(*next));
  waiting_.erase(next);
  running_->state->begin = running_->state->told = Clock::now();
  Task& task = *running_;
  lock.unlock();
  wake_();
  try {
    Progress progress(task.state);
    task.ending = task.job(progress);
  } catch (const Cancelled&) {
    task.state->cancelled = true;
  } catch (const std::exception& exception) {
    task.error = exception.what();
  }
  lock.lock();
  Task done = std::move(*running_);
  running_.reset();
  if (done.again) {
    const std::shared_ptr<Progress::State> fresh = std::make_shared<Progress::State>();
    fresh->wake = wake_;
    done.state = fresh;
    done.again = false;
    done.ending = {};
    done.error.clear();
    waiting_.push_back(std::move(done));
  } else if (!done.state->cancelled) {
    over_.push_back(std::move(done));
  }
  wake_();
}

}  // namespace demo
