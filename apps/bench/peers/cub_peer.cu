// CUB's stable sorts of (value, column) pairs, by (value, column) for values
// without NaN and -0.

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "bench/peers/sort_peer.hpp"
#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

void check(cudaError_t status, const char* action) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw Error(status == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::backend_failure, "CUB",
              std::string(action) + ": " + cudaGetErrorString(status));
}

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::uint64_t count) {
    check(cudaMalloc(&data_, count * sizeof(T)), "cannot allocate device memory");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "cannot create an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

__global__ void write_columns(std::uint32_t* columns, std::uint64_t count, std::uint64_t of_row) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
    columns[i] = static_cast<std::uint32_t>(i % of_row);
}

__global__ void write_offsets(int* offsets, std::uint64_t rows, std::uint64_t columns) {
  for (std::uint64_t row = threadIdx.x; row <= rows; row += blockDim.x) offsets[row] = static_cast<int>(row * columns);
}

// What one of CUB's sorts is called with.
struct Operands {
  const float* values;
  float* sorted_values;
  const std::uint32_t* columns;
  std::uint32_t* sorted_columns;
  int count;
  int rows;
  const int* offsets;  // [rows + 1]
};

struct SegmentedSort {
  static cudaError_t call(void* temporary, std::size_t& bytes, const Operands& o) {
    return cub::DeviceSegmentedSort::StableSortPairs(temporary, bytes, o.values, o.sorted_values, o.columns,
                                                     o.sorted_columns, o.count, o.rows, o.offsets, o.offsets + 1);
  }
};

struct SegmentedRadixSort {
  static cudaError_t call(void* temporary, std::size_t& bytes, const Operands& o) {
    return cub::DeviceSegmentedRadixSort::SortPairs(temporary, bytes, o.values, o.sorted_values, o.columns,
                                                    o.sorted_columns, o.count, o.rows, o.offsets, o.offsets + 1);
  }
};

struct RadixSort {
  static cudaError_t call(void* temporary, std::size_t& bytes, const Operands& o) {
    return cub::DeviceRadixSort::SortPairs(temporary, bytes, o.values, o.sorted_values, o.columns, o.sorted_columns,
                                           o.count);
  }
};

std::uint64_t select_device(std::uint32_t device, std::uint64_t count) {
  if (count > INT32_MAX) throw Error(ErrorCode::unsupported, "CUB", "its segmented sorts count up to 2^31 - 1 pairs");
  check(cudaSetDevice(static_cast<int>(device)), "cannot use the device");
  return count;
}

template <typename Sort>
class CubPeer : public SortPeer {
 public:
  CubPeer(std::uint32_t device, std::uint64_t rows, std::uint64_t columns)
      : columns_(columns),
        count_(select_device(device, rows * columns)),
        columns_in_(count_),
        columns_out_(count_),
        values_out_(count_),
        offsets_(rows + 1),
        operands_{nullptr,
                  values_out_.data(),
                  columns_in_.data(),
                  columns_out_.data(),
                  static_cast<int>(count_),
                  static_cast<int>(rows),
                  offsets_.data()} {
    write_columns<<<1024, 256>>>(columns_in_.data(), count_, columns);
    write_offsets<<<1, 256>>>(offsets_.data(), rows, columns);
    check(cudaGetLastError(), "cannot start a kernel");
    check(Sort::call(nullptr, temporary_bytes_, operands_), "cannot be sized");
    temporary_ = std::make_unique<DeviceArray<std::byte>>(temporary_bytes_);
  }

  double sort(std::uint64_t values) override {
    operands_.values = reinterpret_cast<const float*>(values);
    check(cudaEventRecord(begin_.get()), "cannot record an event");
    check(Sort::call(temporary_->data(), temporary_bytes_, operands_), "cannot sort");
    check(cudaEventRecord(end_.get()), "cannot record an event");
    check(cudaEventSynchronize(end_.get()), "sorting failed");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "cannot read the time");
    return milliseconds;
  }

  void download(std::uint64_t row, std::uint32_t* columns, float* values) override {
    const std::uint64_t first = row * columns_;
    check(cudaMemcpy(columns, columns_out_.data() + first, columns_ * 4, cudaMemcpyDeviceToHost),
          "cannot copy columns");
    check(cudaMemcpy(values, values_out_.data() + first, columns_ * 4, cudaMemcpyDeviceToHost), "cannot copy values");
  }

 private:
  std::uint64_t columns_;
  std::uint64_t count_;
  DeviceArray<std::uint32_t> columns_in_;
  DeviceArray<std::uint32_t> columns_out_;
  DeviceArray<float> values_out_;
  DeviceArray<int> offsets_;
  Operands operands_;
  std::size_t temporary_bytes_ = 0;
  std::unique_ptr<DeviceArray<std::byte>> temporary_;
  Event begin_;
  Event end_;
};

}  // namespace

std::unique_ptr<SortPeer> make_cub_segmented_sort(std::uint32_t device, std::uint64_t rows, std::uint64_t columns) {
  return std::make_unique<CubPeer<SegmentedSort>>(device, rows, columns);
}

std::unique_ptr<SortPeer> make_cub_segmented_radix_sort(std::uint32_t device, std::uint64_t rows,
                                                        std::uint64_t columns) {
  return std::make_unique<CubPeer<SegmentedRadixSort>>(device, rows, columns);
}

std::unique_ptr<SortPeer> make_cub_radix_sort(std::uint32_t device, std::uint64_t rows, std::uint64_t columns) {
  return std::make_unique<CubPeer<RadixSort>>(device, rows, columns);
}

}  // namespace proxel::tool
