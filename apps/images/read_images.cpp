#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "images/image_files.hpp"
#include "proxel/error.hpp"

namespace proxel::images {
namespace {

// What an error says beside the name of the file, which its text begins with.
std::string reason(const Error& error) {
  const std::string what = error.what(), name = error.subject() + ": ";
  return what.starts_with(name) ? what.substr(name.size()) : what;
}

// Images of any size take turns; each result has its own place.
class Readers {
 public:
  using Visit = std::function<void(std::size_t, Image&&)>;

  Readers(const std::vector<std::string>& paths, const Visit& visit, std::size_t threads)
      : paths_(paths), visit_(visit), failures_(paths.size()) {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Readers() {
    next_ = paths_.size();  // nothing more is begun
    join();
  }
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;

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

  void work() {
    for (;;) {
      std::size_t mine = next_;
      while (mine < paths_.size() && !next_.compare_exchange_weak(mine, mine + 1)) {
      }
      if (mine >= paths_.size()) return;
      read(mine);
      ++done_;
    }
  }

  void read(std::size_t number) {
    try {
      visit_(number, read_image(paths_[number]));
    } catch (const Error& error) {
      failures_[number] = reason(error);
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

std::vector<ImageFailure> read_images(const std::vector<std::string>& paths, unsigned threads,
                                      const std::function<void(std::size_t, Image&&)>& visit,
                                      const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  Readers readers(paths, visit, std::clamp<std::size_t>(paths.size(), 1, std::max(1u, threads)));
  while (readers.done() != paths.size()) {
    progress(readers.done(), paths.size());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const std::vector<std::string>& reasons = readers.wait();
  std::vector<ImageFailure> failures;
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (!reasons[i].empty()) failures.push_back({paths[i], reasons[i]});
  return failures;
}

}  // namespace proxel::images
