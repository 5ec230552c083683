#include "commands.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "status.hpp"

namespace proxel::cuda {
namespace {

constexpr std::size_t whole = 0;  // the first event of the whole recording
constexpr std::size_t events_ahead = 64;

cudaStream_t create_stream(const CudaDevice& device) {
  const CurrentDevice current(device.ordinal());
  cudaStream_t stream = nullptr;
  device.check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cannot create a stream");
  return stream;
}

}  // namespace

CudaCommands::CudaCommands(CudaDevice& device, Timing timing)
    : writer_(device, create_stream(device)), timing_(timing) {
  const CurrentDevice current(device.ordinal());
  if (timing != Timing::none) event(timing == Timing::passes ? events_ahead - 1 : whole + 1);
}

CudaCommands::~CudaCommands() {
  const CurrentDevice current(device().ordinal());
  discard_capture();
  if (executable_) cudaGraphExecDestroy(executable_);
  for (cudaEvent_t event : events_) cudaEventDestroy(event);
  cudaStreamDestroy(writer_.stream());
}

void CudaCommands::require_recording(bool recording, const char* call) const {
  if (recording_ != recording)
    throw Error(ErrorCode::invalid_argument, "commands",
                fmt::format("{} needs a recording that has {}begun", call, recording ? "" : "not "));
}

// Ends a capture that begin() started and nothing completed.
void CudaCommands::discard_capture() {
  if (!recording_) return;
  recording_ = false;
  writer_.close_labels();
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(writer_.stream(), &graph);
  if (graph) cudaGraphDestroy(graph);
  cudaGetLastError();  // a capture that failed is what is being discarded
}

void CudaCommands::begin() {
  const CurrentDevice current(device().ordinal());
  discard_capture();
  spans_.clear();
  labels_.clear();
  submitted_ = false;
  // Relaxed: the rest of the program may go on allocating meanwhile.
  device().check(cudaStreamBeginCapture(writer_.stream(), cudaStreamCaptureModeRelaxed), "cannot begin a capture");
  recording_ = true;
  if (timing_ != Timing::none) record_event(whole);
}

void CudaCommands::end() {
  require_recording(true, "end()");
  const CurrentDevice current(device().ordinal());
  if (timing_ != Timing::none) record_event(whole + 1);
  recording_ = false;
  writer_.close_labels();
  cudaGraph_t graph = nullptr;
  device().check(cudaStreamEndCapture(writer_.stream(), &graph), "cannot end a capture");
  try {
    instantiate(graph);
  } catch (...) {
    cudaGraphDestroy(graph);
    throw;
  }
  cudaGraphDestroy(graph);
}

void CudaCommands::instantiate(cudaGraph_t graph) {
  std::size_t nodes = 0;
  device().check(cudaGraphGetNodes(graph, nullptr, &nodes), "cannot read a captured graph");
  // A graph of the same shape takes over the parameters; that is far cheaper.
  if (executable_ && nodes != 0) {
    cudaGraphExecUpdateResultInfo result{};
    if (cudaGraphExecUpdate(executable_, graph, &result) == cudaSuccess) return;
    cudaGetLastError();
  }
  if (executable_) device().check(cudaGraphExecDestroy(executable_), "cannot free a graph");
  executable_ = nullptr;
  if (nodes != 0) device().check(cudaGraphInstantiate(&executable_, graph, 0), "cannot instantiate a graph");
}

void CudaCommands::launch(cudaStream_t stream) {
  require_recording(false, "submit()");
  if (!executable_) return;
  const CurrentDevice current(device().ordinal());
  device().check(cudaGraphLaunch(executable_, stream), "cannot launch a graph");
  submitted_ = true;
}

// Writes one operation, between two events where every operation is timed.
template <typename Write>
void CudaCommands::write(const char* name, const Write& operation) {
  if (timing_ != Timing::passes) {
    operation();
    return;
  }
  const CurrentDevice current(device().ordinal());
  const std::size_t first = whole + 2 + 2 * spans_.size();
  record_event(first);
  operation();
  record_event(first + 1);
  spans_.push_back({name, fmt::format("{}", fmt::join(labels_, "/")), first});
}

void CudaCommands::record(const Pass& pass) {
  require_recording(true, "record()");
  write(pass.name(), [&] { writer_.record(pass); });
}

void CudaCommands::copy(const BufferView& from, const BufferView& to) {
  require_recording(true, "copy()");
  write("copy", [&] { writer_.copy(from, to); });
}

void CudaCommands::fill(const BufferView& view, std::uint8_t byte) {
  require_recording(true, "fill()");
  write("fill", [&] { writer_.fill(view, byte); });
}

void CudaCommands::push_label(std::string_view name) {
  labels_.emplace_back(name);
  writer_.push_label(name);
}

void CudaCommands::pop_label() {
  if (!labels_.empty()) labels_.pop_back();
  writer_.pop_label();
}

cudaEvent_t CudaCommands::event(std::size_t index) {
  while (events_.size() <= index) {
    cudaEvent_t created = nullptr;
    device().check(cudaEventCreate(&created), "cannot create an event");
    events_.push_back(created);
  }
  return events_[index];
}

void CudaCommands::record_event(std::size_t index) {
  // External: the event can be asked for its time outside of the graph.
  device().check(cudaEventRecordWithFlags(event(index), writer_.stream(), cudaEventRecordExternal),
                 "cannot record an event");
}

double CudaCommands::milliseconds_of(std::size_t first_event) const {
  float milliseconds = 0;
  const cudaError_t status = cudaEventElapsedTime(&milliseconds, events_[first_event], events_[first_event + 1]);
  if (status == cudaErrorNotReady) return 0;  // still running
  device().check(status, "cannot read a time");
  return milliseconds;
}

double CudaCommands::milliseconds() const {
  if (timing_ == Timing::none || !submitted_) return 0;
  const CurrentDevice current(device().ordinal());
  return milliseconds_of(whole);
}

std::vector<PassTime> CudaCommands::pass_times() const {
  if (timing_ != Timing::passes || !submitted_) return {};
  const CurrentDevice current(device().ordinal());
  std::vector<PassTime> times;
  double rest = milliseconds_of(whole);
  for (const Span& span : spans_) {
    times.push_back({span.name, span.label, milliseconds_of(span.first_event)});
    rest -= times.back().milliseconds;
  }
  times.push_back({"rest", "", std::max(0.0, rest)});
  return times;
}

}  // namespace proxel::cuda
