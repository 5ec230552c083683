#pragma once

#include <string>
#include <vector>

#include "stream_writer.hpp"

namespace proxel::cuda {

/// A recording that becomes a CUDA graph, launched whole by each submission.
///
/// It is captured from a stream of its own, on which nothing ever runs. Events
/// for timing are made ahead; a recording longer than any before it makes more.
class CudaCommands : public Commands {
 public:
  CudaCommands(CudaDevice& device, Timing timing);
  ~CudaCommands() override;

  const Device* executes_on() const override { return &device(); }
  void begin() override;
  void end() override;
  void record(const Pass& pass) override;
  void barrier() override {}
  void copy(const BufferView& from, const BufferView& to) override;
  void fill(const BufferView& view, std::uint8_t byte) override;
  void push_label(std::string_view name) override;
  void pop_label() override;
  double milliseconds() const override;
  std::vector<PassTime> pass_times() const override;

  const CudaDevice& device() const { return writer_.device(); }
  /// Starts the recorded work on a stream.
  void launch(cudaStream_t stream);

 private:
  // A stretch of work between two events.
  struct Span {
    std::string name;
    std::string label;
    std::size_t first_event = 0;  // the other is the next
  };

  void require_recording(bool recording, const char* call) const;
  template <typename Write>
  void write(const char* name, const Write& operation);
  void discard_capture();
  void instantiate(cudaGraph_t graph);
  cudaEvent_t event(std::size_t index);
  void record_event(std::size_t index);
  double milliseconds_of(std::size_t first_event) const;

  StreamWriter writer_;
  Timing timing_;
  bool recording_ = false;
  bool submitted_ = false;
  cudaGraphExec_t executable_ = nullptr;  // null: nothing was recorded
  std::vector<cudaEvent_t> events_;       // 0 and 1 enclose the whole recording
  std::vector<Span> spans_;
  std::vector<std::string> labels_;  // that are open
};

}  // namespace proxel::cuda
