#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "proxel/extraction.hpp"

namespace proxel::extraction {

/// Memory and commands for some images at a time, kept for the next ones.
class Round {
 public:
  using Record = std::function<void(Recording&, const ExtractionBuffers&)>;

  /// Copies images to where the device reads them from. What was executed before has finished.
  void fill(Device& device, const ExtractionPlan& plan, std::span<const ImageView> images);
  /// @param record  of what is done between the copies
  void submit(Device& device, const Record& record);
  /// What came out, once that has finished.
  void collect(Signatures& into) const;
  std::vector<std::uint32_t> features(Device& device, std::uint64_t words) const;
  /// Of the passes, without copies.
  double milliseconds() const;
  std::uint64_t images() const { return images_; }

 private:
  void take(Device& device, const ExtractionRequirements& needed);

  struct Shared {
    std::unique_ptr<Buffer> host, device;

    void fit(Device& of, std::uint64_t bytes, MemoryKind kind);
    void copy(Recording& recording, bool to_device, std::uint64_t bytes) const;
  };
  ExtractionRequirements needed_;
  Shared pixels_, images_table_, centroids_, weights_, lengths_;
  std::unique_ptr<Buffer> scratch_;
  std::unique_ptr<Commands> commands_;
  std::uint64_t images_ = 0;
};

}  // namespace proxel::extraction
