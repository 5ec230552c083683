#include "backend.hpp"
#include "memory.hpp"
#include "proxel/cuda.hpp"
#include "stream_writer.hpp"

namespace proxel::cuda {
namespace {

// Work goes to the caller's stream as it is recorded.
class StreamRecording : public Recording {
 public:
  StreamRecording(CudaDevice& device, cudaStream_t stream) : writer_(device, stream) {}
  const Device* executes_on() const override { return &writer_.device(); }
  void record(const Pass& pass) override { writer_.record(pass); }
  void barrier() override {}
  void copy(const BufferView& from, const BufferView& to) override { writer_.copy(from, to); }
  void fill(const BufferView& view, std::uint8_t byte) override { writer_.fill(view, byte); }
  void push_label(std::string_view name) override { writer_.push_label(name); }
  void pop_label() override { writer_.pop_label(); }

 private:
  StreamWriter writer_;
};

}  // namespace

std::unique_ptr<Device> wrap_device(int ordinal) {
  if (ordinal < 0) throw Error(ErrorCode::invalid_argument, "ordinal", "must not be negative");
  return cuda_backend().open(static_cast<std::uint32_t>(ordinal));
}

std::unique_ptr<Recording> record_into(Device& device, void* cuda_stream) {
  return std::make_unique<StreamRecording>(as_cuda_device(device), static_cast<cudaStream_t>(cuda_stream));
}

std::unique_ptr<Buffer> wrap_buffer(Device& device, void* device_pointer, std::uint64_t bytes) {
  return std::make_unique<WrappedBuffer>(as_cuda_device(device), device_pointer, bytes);
}

}  // namespace proxel::cuda
