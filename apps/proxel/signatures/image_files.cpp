#include "signatures/image_files.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

#include "console.hpp"

namespace proxel::tool {
namespace {

struct Made {
  images::ImageSignature signature;
  std::string failure;  ///< why there is none
};

// Images of any size take turns; each result has its own place.
class Workers {
 public:
  Workers(const std::vector<std::string>& paths, const images::SignatureExtractor& extractor, unsigned threads)
      : paths_(paths), extractor_(extractor), made_(paths.size()) {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Workers() {
    next_ = paths_.size();  // nothing more is begun
    for (std::thread& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::uint64_t done() const { return done_; }
  std::vector<Made>& wait() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    return made_;
  }

 private:
  void work() {
    for (;;) {
      std::size_t mine = next_;
      while (mine < paths_.size() && !next_.compare_exchange_weak(mine, mine + 1)) {
      }
      if (mine >= paths_.size()) return;
      make(mine);
      ++done_;
    }
  }

  void make(std::size_t number) {
    try {
      made_[number].signature = extractor_.extract(images::read_image(paths_[number]));
    } catch (const Error& error) {
      made_[number].failure = reason(error);
    } catch (const std::exception& error) {
      made_[number].failure = error.what();
    }
  }

  const std::vector<std::string>& paths_;
  const images::SignatureExtractor& extractor_;
  std::vector<Made> made_;
  std::atomic<std::size_t> next_ = 0, done_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace

ImageSignatures make_signatures(const std::vector<std::string>& paths, const images::SignatureOptions& options,
                                unsigned threads, const Progress& progress) {
  const images::SignatureExtractor extractor(options);
  ImageSignatures result;
  result.file.signatures = Signatures(images::feature_dimensions);
  result.file.recipe = recipe_of(options);
  Workers workers(paths, extractor, static_cast<unsigned>(std::clamp<std::size_t>(paths.size(), 1, threads)));
  while (workers.done() != paths.size()) {
    progress(workers.done(), paths.size());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::vector<Made>& made = workers.wait();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!made[i].failure.empty()) {
      result.failures.push_back({paths[i], made[i].failure});
      continue;
    }
    result.file.signatures.add(made[i].signature.centroids, made[i].signature.weights);
    result.file.names.push_back(paths[i]);
  }
  return result;
}

}  // namespace proxel::tool
