#include "files/take_turns.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "proxel/error.hpp"

namespace proxel::files {
namespace {

// What an error says beside the name of the file, which its text begins with.
std::string reason(const Error& error, const std::string& path) {
  const std::string what = error.what(), name = error.subject() + ": ";
  return error.subject() == path && what.starts_with(name) ? what.substr(name.size()) : what;
}

// Each result has its own place.
class Visitors {
 public:
  using Visit = std::function<void(std::size_t)>;

  Visitors(const std::vector<std::string>& paths, const Visit& visit, std::size_t threads)
      : paths_(paths), visit_(visit), failures_(paths.size()) {
    threads_.reserve(threads);
    try {
      for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work([] {}); });
    } catch (const std::exception&) {
      // Those that there are do the work; without any the calling thread does.
    }
  }
  ~Visitors() {
    next_ = paths_.size();  // nothing more is begun
    join();
  }
  Visitors(const Visitors&) = delete;
  Visitors& operator=(const Visitors&) = delete;

  bool alone() const { return threads_.empty(); }
  // @param look  called after each path
  template <typename Look>
  void work(const Look& look) {
    for (;;) {
      std::size_t mine = next_;
      while (mine < paths_.size() && !next_.compare_exchange_weak(mine, mine + 1)) {
      }
      if (mine >= paths_.size()) return;
      visit(mine);
      ++done_;
      look();
    }
  }
  std::uint64_t done() const { return done_; }
  // For each path the reason why it could not be read, empty where it could.
  const std::vector<std::string>& wait() {
    join();
    return failures_;
  }

 private:
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  void visit(std::size_t number) {
    try {
      visit_(number);
    } catch (const Error& error) {
      failures_[number] = reason(error, paths_[number]);
    } catch (const std::exception& error) {
      failures_[number] = error.what();
    }
  }

  const std::vector<std::string>& paths_;
  const Visit& visit_;
  std::vector<std::string> failures_;
  std::atomic<std::size_t> next_ = 0, done_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace

std::vector<FileFailure> take_turns(const std::vector<std::string>& paths, unsigned threads,
                                    const std::function<void(std::size_t)>& visit,
                                    const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  Visitors visitors(paths, visit, std::clamp<std::size_t>(paths.size(), 1, std::max(1u, threads)));
  if (visitors.alone()) visitors.work([&] { progress(visitors.done(), paths.size()); });
  while (visitors.done() != paths.size()) {
    progress(visitors.done(), paths.size());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const std::vector<std::string>& reasons = visitors.wait();
  std::vector<FileFailure> failures;
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (!reasons[i].empty()) failures.push_back({paths[i], reasons[i]});
  return failures;
}

}  // namespace proxel::files
