#pragma once

#include "proxel/plan.hpp"
#include "search/selection_algorithm.hpp"

namespace proxel::search {

/// Takes down a search only to have the device prepare every pass it uses, so
/// that recording later finds everything ready.
class Rehearsal : public Recording {
 public:
  explicit Rehearsal(Device& device) : device_(device) {}
  void record(const Pass& pass) override { device_.prepare(pass); }
  void barrier() override {}
  void copy(const BufferView&, const BufferView&) override {}
  void fill(const BufferView&, std::uint8_t) override {}
  void push_label(std::string_view) override {}
  void pop_label() override {}

 private:
  Device& device_;
};

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
  return {nowhere, nowhere, nowhere, nowhere, nowhere, {nowhere, nowhere}, nowhere, nowhere, nowhere};
}

/// Has the device prepare every pass of a method of selection.
inline void rehearse(Device& device, const SelectionPlan::Algorithm& algorithm) {
  RehearsalBuffer nowhere(UINT64_MAX);
  Rehearsal rehearsal(device);
  algorithm.record(rehearsal, {nowhere, nowhere, nowhere, nowhere, nowhere});
}

}  // namespace proxel::search
