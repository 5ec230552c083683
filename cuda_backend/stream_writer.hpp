#pragma once

#include <string_view>

#include "device.hpp"

namespace proxel::cuda {

/// Launches what is recorded on a stream, which executes or captures it. One
/// stream runs in order, so that barriers have nothing to do.
class StreamWriter {
 public:
  StreamWriter(CudaDevice& device, cudaStream_t stream) : device_(device), stream_(stream) {}
  ~StreamWriter();
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;

  void record(const Pass& pass);
  void copy(const BufferView& from, const BufferView& to);
  void fill(const BufferView& view, std::uint8_t byte);
  void push_label(std::string_view name);
  void pop_label();
  void close_labels();

  CudaDevice& device() const { return device_; }
  cudaStream_t stream() const { return stream_; }

 private:
  bool comes_early(const Grid& grid, std::uint32_t shared_bytes) const;
  cudaError_t start(const void* function, const Grid& grid, std::uint32_t workgroup_size, std::uint32_t shared_bytes,
                    void** arguments);

  CudaDevice& device_;
  cudaStream_t stream_;
  unsigned open_labels_ = 0;
};

}  // namespace proxel::cuda
