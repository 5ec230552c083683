#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "prepares_together.hpp"
#include "proxel/plan.hpp"
#include "search/selection_algorithm.hpp"

namespace proxel::search {

/// Takes down which passes a search uses.
class Rehearsal : public Recording {
 public:
  void record(const Pass& pass) override { passes_.push_back(pass); }
  void barrier() override {}
  void copy(const BufferView&, const BufferView&) override {}
  void fill(const BufferView&, std::uint8_t) override {}
  void push_label(std::string_view) override {}
  void pop_label() override {}

  const std::vector<Pass>& passes() const { return passes_; }

 private:
  std::vector<Pass> passes_;
};

/// Has the device prepare every pass that `record` records, several at once where it can, so that recording them
/// later finds everything ready.
inline void rehearse(Device& device, const std::function<void(Recording&)>& record) {
  Rehearsal rehearsal;
  record(rehearsal);
  if (auto* const together = dynamic_cast<PreparesTogether*>(&device)) return together->prepare_all(rehearsal.passes());
  for (const Pass& pass : rehearsal.passes()) device.prepare(pass);
}

/// Stands for the caller's memory in a rehearsal: nothing is ever read or
/// written at its address, which is aligned as strictly as any buffer's.
class RehearsalBuffer : public Buffer {
 public:
  explicit RehearsalBuffer(std::uint64_t bytes) {
    bytes_ = bytes;
    address_ = std::uint64_t{1} << 20;
  }
};

inline bool is_rehearsal(const BufferView& view) { return dynamic_cast<const RehearsalBuffer*>(view.buffer); }

/// All buffers of a search, for a rehearsal.
inline SearchBuffers rehearsal_buffers(RehearsalBuffer& nowhere) {
  return {.queries = nowhere,
          .scratch = nowhere,
          .indices = nowhere,
          .distances = nowhere,
          .filter = nowhere,
          .after = {nowhere, nowhere},
          .count = nowhere,
          .query_offsets = nowhere,
          .offsets = nowhere,
          .bounds = nowhere};
}

/// The same of every pass of a method of selection.
inline void rehearse(Device& device, const SelectionPlan::Algorithm& algorithm) {
  RehearsalBuffer nowhere(UINT64_MAX);
  rehearse(device,
           [&](Recording& rehearsal) { algorithm.record(rehearsal, {nowhere, nowhere, nowhere, nowhere, nowhere}); });
}

}  // namespace proxel::search
